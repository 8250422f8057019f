"""Corpora in a plan: their models, and the corpus of a study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from fairflow.corpora import KIND
from fairflow.corpora.planned_corpus import PlannedCorpus
from fairflow.planning.configuration import Configuration, unknown_names
from fairflow.planning.extension import Extension
from fairflow.planning.models import Model
from fairflow.planning.plan import Plan
from fairflow.planning.registry import path_of
from fairflow.planning.study import Part, Study

FILE = "corpora"


@dataclass(frozen=True)
class CorpusOfStudy(Part):
    """The corpus of a study.

    Attributes
    ----------
    trained : each model of the study that is trained on it -> its subcorpus and embedding.
    """

    corpus: PlannedCorpus
    trained: Mapping[str, Mapping[str, str]]

    adjusts_own_tests = True
    heading = "Associations in texts"

    @property
    def subcorpora(self) -> list[str]:
        """The subcorpora that the study compares."""
        return list(dict.fromkeys(told["subcorpus"] for told in self.trained.values()))

    @property
    def draws(self) -> dict[tuple[str, str], list[list[Any]]]:
        """(Model, name of a job) -> the draws of the job, for each of these models."""
        return {
            (name, batch): drawn
            for name, told in self.trained.items()
            for batch, drawn in self.corpus.batches(told["embedding"]).items()
        }


def corpus_of(study: Study) -> CorpusOfStudy:
    """What a study of a corpus has of it."""
    return cast(CorpusOfStudy, study.parts[KIND])


def corpora_of(read: Configuration | Plan) -> dict[str, PlannedCorpus]:
    """Those of corpora.yaml by name."""
    entries = read.further.get(FILE, {})
    return {name: PlannedCorpus(name, entry) for name, entry in entries.items()}


class Corpora(Extension):
    """Models that are trained on texts, and studies of texts."""

    def completed(self, configuration: Configuration) -> Configuration:
        """With a model for each subcorpus and embedding, which studies of the corpus have first."""
        corpora = corpora_of(configuration)
        trained = {name: e for one in corpora.values() for name, e in one.trained().items()}

        def with_models(study: Mapping[str, Any]) -> Mapping[str, Any]:
            if study.get(KIND) not in corpora:
                return study
            parts = study.get("divisions"), study.get("embeddings")
            names = corpora[study[KIND]].trained(*parts)
            return {**study, "models": [*dict.fromkeys([*names, *study["models"]])]}

        studies = {name: with_models(study) for name, study in configuration.studies.items()}
        stated = {name: (f"{FILE}.yaml", e["trained"]["corpus"]) for name, e in trained.items()}
        return replace(
            configuration,
            models={**configuration.models, **trained},
            studies=studies,
            stated={**configuration.stated, **stated},
        )

    def parts(
        self, study: Study, entry: Mapping[str, Any], configuration: Configuration
    ) -> dict[str, Part]:
        """The corpus that a study names."""
        corpus = corpora_of(configuration).get(entry.get(KIND, ""))
        if corpus is None:
            return {}
        models = study.entries.models
        known = (models[name] for name in entry["models"] if name in models)
        tables = (model for model in known if isinstance(model, Model))
        own = {one.name: one.trained for one in tables if one.trained.get("corpus") == corpus.name}
        return {KIND: CorpusOfStudy(corpus, own)}

    def faults(
        self, study: Study, entry: Mapping[str, Any], configuration: Configuration
    ) -> Iterator[tuple[str, str]]:
        """Unknown names of a corpus or of parts of it."""
        if KIND not in entry:
            return
        corpora = corpora_of(configuration)
        if corpus := corpora.get(entry[KIND]):
            divisions = corpus.entry.get("divisions", {})
            yield from unknown_names("divisions", entry.get("divisions", ()), divisions, "division")
            parts = entry.get("embeddings", ())
            yield from unknown_names("embeddings", parts, corpus.embeddings, "embedding")
        else:
            yield from unknown_names(KIND, [entry[KIND]], corpora, KIND)

    def not_remade(self, plan: Plan) -> list[str]:
        """Counts and draws, which need the texts."""
        return plan.of_studies(lambda one: [*counts_files(plan, one), *draws_files(plan, one)])


EXTENSION = Corpora()


def counts_files(plan: Plan, study: Study) -> list[str]:
    """How often words occur together in each subcorpus of a study."""
    parts = corpus_of(study).subcorpora if KIND in study.parts else ()
    return [path_of(plan, "counts", study=study.name, subcorpus=part) for part in parts]


def draws_files(plan: Plan, study: Study) -> list[str]:
    """The scores of further samples of the documents of a study."""
    drawn = corpus_of(study).draws if KIND in study.parts else ()
    return [path_of(plan, "draws", study=study.name, model=m, batch=batch) for m, batch in drawn]
