"""The queries of a study that cross two contrasts, and what their table is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

from fairflow.nulls import CROSSED
from fairflow.planning.configuration import Configuration
from fairflow.planning.named_sets import Sets
from fairflow.planning.queries import PlannedQuery, words_of
from fairflow.planning.registry import Jobs, Parts, tables_of
from fairflow.planning.study import Part, Study
from fairflow.queries.query import CROSS


@dataclass(frozen=True)
class CrossedOfStudy(Part):
    """The crossed queries of a study that are measured by `fairflow.metrics.intersections`.

    Attributes
    ----------
    contrasts : query -> the names of its two contrasts.
    """

    contrasts: Mapping[str, Sequence[str]]


def crossed_of(study: Study, configuration: Configuration) -> dict[str, Part]:
    """The part of a study that has such queries, by its kind; none of another study."""
    measured = {cell.query for cell in study.cells if study.variants[cell.metric].metric == CROSSED}
    entries = {n: one for of in configuration.queries.values() for n, one in of["queries"].items()}
    names = {n: [*entries[n][CROSS]] for n in study.queries if CROSS in entries.get(n, ())}
    contrasts = {query: own for query, own in names.items() if query in measured}
    return {CROSSED: CrossedOfStudy(contrasts)} if contrasts else {}


@tables_of(CROSSED)
def crossed_tables(jobs: Jobs, study: Study) -> Parts:
    """What `fairflow.nulls.intersections.intersections` takes in addition to scores."""
    plan, own = jobs.plan, cast(CrossedOfStudy, study.parts[CROSSED])
    common = set.intersection(*map(set, own.contrasts.values())) if len(own.contrasts) > 1 else {}
    how: dict[str, Any] = {
        "by": {q: [n for n in of if n not in common] or [*of] for q, of in own.contrasts.items()},
        "shared": {q: shared_words(plan.of_vectors(q), plan.word_sets) for q in own.contrasts},
        "random_words": plan.statistics.random_words,
    }
    return {}, how, ("fairflow.nulls.intersections", "fairflow.files.tables")


def shared_words(query: PlannedQuery, word_sets: Sets) -> float:
    """The share of the words of a set that the other set of its contrast has, too: 0 to 1.

    The larger one of both contrasts, of the smaller set of each.
    """
    words = [words_of([reference], word_sets) for reference in query.attributes.values()]
    return max(len(a & b) / min(len(a), len(b)) for a, b in [*pairwise(words)][::2])
