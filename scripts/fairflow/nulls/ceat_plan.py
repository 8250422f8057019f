"""Words in contexts in a plan: what a study has of them, and the files that they are made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from fairflow.corpora.plan import corpora_of
from fairflow.language_models.planned.views import in_study
from fairflow.nulls import CONTEXTS
from fairflow.planning.configuration import Configuration, unknown_names
from fairflow.planning.plan import Plan
from fairflow.planning.queries import PlannedQuery
from fairflow.planning.registry import path_of
from fairflow.planning.study import Part, Study


@dataclass(frozen=True)
class ContextsOfStudy(Part):
    """The words of a study in the sentences of a corpus.

    Attributes
    ----------
    corpus : of corpora.yaml. most : sentences of a word. models : that read them. queries : of two
        target and two attribute sets.
    """

    corpus: str
    most: int
    models: tuple[str, ...]
    queries: tuple[str, ...]


def planned_contexts(study: Study, entry: Mapping[str, Any]) -> ContextsOfStudy:
    """What a study has of them, by the key `contexts` of its file."""
    known = {name: study.entries.queries.get(name) for name in study.queries}
    queries = (n for n, q in known.items() if isinstance(q, PlannedQuery) and q.template == (2, 2))
    models = (name for name in in_study(study).networks if name in study.models)
    return ContextsOfStudy(entry["corpus"], entry["most"], tuple(models), tuple(queries))


def contexts_of_study(study: Study) -> ContextsOfStudy:
    """What a study of words in contexts has of them."""
    return cast(ContextsOfStudy, study.parts[CONTEXTS])


def context_faults(
    study: Study, entry: Mapping[str, Any], configuration: Configuration
) -> Iterator[tuple[str, str]]:
    """An unknown corpus, and contexts that no model reads or no query asks for."""
    part = planned_contexts(study, entry)
    names, corpora = [part.corpus], corpora_of(configuration)
    yield from unknown_names(f"{CONTEXTS}.corpus", names, corpora, "corpus")
    if not part.models:
        yield CONTEXTS, "models names no language model that can be run: name one"
    if not part.queries:
        yield CONTEXTS, "criteria names no query of two target and two attribute sets: name one"


def texts_of_contexts(plan: Plan) -> list[Mapping[str, Any]]:
    """The entries of the corpora whose sentences the studies read."""
    parts = (one.parts for one in plan.studies.values() if CONTEXTS in one.parts)
    named = dict.fromkeys(cast(ContextsOfStudy, part[CONTEXTS]).corpus for part in parts)
    return [corpora_of(plan)[name].entry for name in named]


def context_files(plan: Plan, study: Study) -> list[str]:
    """The contexts of a study, and the associations of each model in them; none without."""
    if CONTEXTS not in study.parts:
        return []
    made = "contextual_associations"
    models = contexts_of_study(study).models
    files = (path_of(plan, made, study=study.name, model=model) for model in models)
    return [path_of(plan, "contexts", study=study.name), *files]
