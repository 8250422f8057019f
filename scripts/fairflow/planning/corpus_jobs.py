"""The jobs of corpora as data: texts read, vectors trained, words counted, draws scored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fairflow.corpora.documents import listing
from fairflow.corpora.embeddings import CONTEXTS
from fairflow.planning.catalogue import download_name
from fairflow.planning.corpora import COUNTED, PlannedCorpus
from fairflow.planning.jobs import Job, Jobs, Records
from fairflow.planning.result_files import cooccurrence_file, draws_file, words_file
from fairflow.planning.study import Study

_ROOM = "fairflow.corpora"
# The modules whose functions the scripts of counting and scoring call.
_SCORES, _VECTORS, _SAMPLE = (
    "fairflow.scores.drawn_scores",
    f"{_ROOM}.embeddings",
    f"{_ROOM}.sample",
)


class CorpusJobs:
    """The records of each corpus, trained model, subcorpus of a study, and draws of a model."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._plan = jobs.plan
        self.corpora = Records(self._corpus)
        self.trained = Records(self._trained)
        self.counts = Records(self._counts)
        self.draws = Records(self._draws)

    def _corpus(self, name: str) -> Job:
        """The documents of a corpus."""
        corpus = self._plan.corpora[name]
        # Snakemake compares the time of a folder, which says nothing of the files in it, and takes
        # a file that changes while it is read for the one that was read. A download is known by
        # its checksum, and is not there before the first run.
        files = [] if download_name(corpus.entry) else listing(Path(corpus.source))
        how = {"definition": corpus.definition, "listing": files}
        return Job("", {"source": corpus.source}, how, (f"{_ROOM}.corpus",))

    def _trained(self, model: str) -> Job:
        """The vectors of a subcorpus."""
        planned = self._plan.models[model]
        corpus = self._plan.corpora[planned.trained["corpus"]]
        how = self._how(corpus, model)
        return Job(planned.file, corpus.files, how, (_VECTORS, _SAMPLE))

    def _how(self, corpus: PlannedCorpus, model: str, drawn: bool = False) -> dict[str, Any]:
        """The subcorpus of a model, and the fields of its `Training`."""
        trained = self._plan.models[model].trained
        training = {
            "name": model,
            "embedding": trained["embedding"],
            "parameters": corpus.embeddings[trained["embedding"]],
            **corpus.settings,
            "seed": self._plan.seed,
        }
        return {"part": _part(corpus, trained["subcorpus"], drawn), "training": training}

    def _read(self, study: Study) -> tuple[dict[str, Any], dict[str, Any]]:
        """The corpus of a study, the words of its queries, and how these are looked up."""
        words = [words_file(self._plan, query) for query in study.queries]
        lookups = {query: self._jobs.lookup(query) for query in study.queries}
        return {**study.corpus.files, "words": words}, {"lookups": lookups}

    def _counts(self, study: str, subcorpus: str) -> Job:
        """How often the words of a study occur together in a subcorpus."""
        planned = self._plan.studies[study]
        corpus = planned.corpus
        inputs, lookups = self._read(planned)
        batches = corpus.batches(COUNTED).values()
        counting = {
            "name": f"{corpus.name}-{subcorpus}",
            **corpus.settings,
            "contexts": corpus.embeddings.get(COUNTED, {}).get("contexts", CONTEXTS),
            "shuffled": sum(kind == "shuffled" for drawn in batches for kind, _ in drawn),
            "seed": self._plan.seed,
        }
        how = {"part": _part(corpus, subcorpus, True), "counting": counting, **lookups}
        file = cooccurrence_file(study, subcorpus)
        return Job(file, inputs, how, (_SCORES, _SAMPLE))

    def _draws(self, study: str, model: str, batch: str) -> Job:
        """The scores of draws of a model."""
        planned = self._plan.studies[study]
        trained = self._plan.models[model].trained
        inputs, lookups = self._read(planned)
        counted = trained["embedding"] == COUNTED
        counts = [cooccurrence_file(study, trained["subcorpus"])] if counted else []
        variants = planned.variants
        how = {
            **self._how(planned.corpus, model, True),
            "draws": planned.draws[model, batch],
            "computed": {name: self._plan.base_variants[name] for name in variants},
            "variants": {name: variant.definition for name, variant in variants.items()},
            **lookups,
        }
        modules = (_SCORES, _VECTORS, _SAMPLE, *(one.module for one in variants.values()))
        return Job(draws_file(study, model, batch), {**inputs, "counts": counts}, how, modules)


def _part(corpus: PlannedCorpus, subcorpus: str, drawn: bool) -> dict[str, Any]:
    """What `Sample.open` takes; how documents are drawn decides no vectors of all of them."""
    part = {"divisions": corpus.entry.get("divisions", {}), "subcorpus": subcorpus}
    return part | ({"cluster": corpus.cluster} if drawn else {})
