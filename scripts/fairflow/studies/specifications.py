"""The specifications of a comparison: every way to measure a criterion that could be defended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fairflow.statistics.counts import FEW_COUNTS
from fairflow.studies.aggregation import OVERALL, rule_for

AS_GIVEN, UNIT_LENGTH = "as given", "unit length"
# Of a choice that makes no difference to a specification.
ANY = "any"
# Of means over the same queries sums are multiples.
RULES = ("abs_avg", "avg")
# Values of vectors in single precision that are equal.
SAME_VALUE = 1e-5

Lists = Mapping[str, Mapping[str, Sequence[str]]]
Variants = Mapping[str, Mapping[str, Any]]


class Specification(NamedTuple):
    """One choice of each kind; `ANY` where a choice makes no difference.

    Attributes
    ----------
    metric : what is measured by. variant : of the metric, the name of the first of equal ones.
    normalisation : vectors `AS_GIVEN` or of `UNIT_LENGTH`. aggregation : one of `RULES`.
    lists : the version of the word lists. lookup : how words are sought.
    """

    metric: str
    variant: str
    normalisation: str
    aggregation: str
    lists: str
    lookup: str

    def agrees(self, other: Specification, but: str) -> bool:
        """Whether they differ in one choice and in no other.

        A variant is one of its metric: metrics differ with their variants.
        """
        ignored = {but, "variant"} if but == "metric" else {but}
        pairs = zip(self._fields, self, other, strict=True)
        different = {name for name, a, b in pairs if a != b and ANY not in (a, b)}
        return but in different and different <= ignored


class Measured(NamedTuple):
    """What models score in a specification, before queries become one number.

    Attributes
    ----------
    models : that have scores. values : (models, sub-queries), NaN where undefined.
    of_query : the query of each sub-query.
    missing : queries of the lists without a score of any model.
    direction : signed and larger_is_fairer, of the metric.
    rules : how queries become one number. grows : whether values grow with the length of vectors.
    """

    specification: Specification
    queries: tuple[str, ...]
    models: tuple[str, ...]
    values: np.ndarray
    of_query: np.ndarray
    missing: tuple[str, ...]
    direction: Mapping[str, bool]
    rules: tuple[str, ...]
    grows: bool

    @property
    def asked(self) -> int:
        """How many (sub-)queries are asked for; one that no model has counts as one."""
        return len(self.of_query) + len(self.missing)

    def of_pair(self, pair: tuple[str, str]) -> np.ndarray:
        """Values of two models, NaN of one that has no scores: (2, sub-queries)."""
        nothing = np.full(len(self.of_query), np.nan)
        rows = dict(zip(self.models, self.values, strict=True))
        return np.stack([rows.get(model, nothing) for model in pair])


def specifications(
    scores: pd.DataFrame,
    criterion: str,
    lists: Lists,
    lookups: Mapping[str, str],
    variants: Variants,
) -> Iterator[Measured]:
    """Every specification of a criterion, its aggregation left open.

    Variants that differ in name, test or normalisation alone are one, so that none counts twice;
    vectors as they are given and of unit length are one where values are the same.

    Parameters
    ----------
    scores : headline rows of every study that contributes; a row may be there several times.
    criterion : of the study, or `OVERALL` for all of them together.
    lists : version -> criterion -> queries; the first is the study's own.
    lookups : query -> how its words are sought.
    variants : metric variant -> metric, convention (equal for variants that are one), normalize,
        scales (with the length of vectors), signed, larger_is_fairer.
    """
    values = _values(scores, variants)
    conventions = {
        name: (values[values["convention"] == name], group)
        for name, group in _conventions(variants).items()
    }
    normalisations = {
        name: _normalisations(rows, variants[group[0]])
        for name, (rows, group) in conventions.items()
    }
    for name, lookup, queries in versions(scores, criterion, lists, lookups):
        for convention, (every, group) in conventions.items():
            facts = variants[group[0]]
            rows = every[every["query"].isin(queries)]
            scored = {*rows["query"]}
            for normalisation in normalisations[convention]:
                given = UNIT_LENGTH if normalisation == UNIT_LENGTH else AS_GIVEN
                of_these = rows[rows["normalisation"] == given]
                yield Measured(
                    Specification(facts["metric"], group[0], normalisation, "", name, lookup),
                    queries,
                    *_by_model(of_these),
                    tuple(query for query in queries if query not in scored),
                    {key: facts[key] for key in ("signed", "larger_is_fairer")},
                    tuple(dict.fromkeys(rule_for(rule, facts["signed"]) for rule in RULES)),
                    facts["scales"] and normalisation == AS_GIVEN,
                )


def versions(
    scores: pd.DataFrame, criterion: str, lists: Lists, lookups: Mapping[str, str]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Name, look-up and queries of each version of a criterion's word lists, equal ones once.

    A version that has no queries for one of several criteria takes the study's own for it. Queries
    of the same words that are sought in another way are the same version with another look-up.
    """
    own = next(iter(lists.values()))
    words = scores.groupby("query")["subquery_digest"].agg(frozenset).to_dict()
    names: dict[frozenset[str], str] = {}
    seen: set[frozenset[str]] = set()
    for name, criteria in lists.items():
        of_version = [criteria.get(c, own[c]) for c in own] if criterion == OVERALL else None
        groups = of_version or [criteria.get(criterion, own[criterion])]
        queries = tuple(dict.fromkeys(query for group in groups for query in group))
        if frozenset(queries) in seen:
            continue
        seen.add(frozenset(queries))
        # What was never scored has no known words, and is a version by its name.
        asked = frozenset(w for query in queries for w in words.get(query, {query}))
        how = " / ".join(dict.fromkeys(filter(None, (lookups.get(q, "") for q in queries))))
        yield names.setdefault(asked, name), how or ANY, queries


def _conventions(variants: Variants) -> dict[str, list[str]]:
    """Convention -> its variants, those of vectors as given first."""
    groups: dict[str, list[str]] = {}
    for name in sorted(variants, key=lambda name: variants[name]["normalize"]):
        groups.setdefault(variants[name]["convention"], []).append(name)
    order = list(dict.fromkeys(facts["convention"] for facts in variants.values()))
    return {convention: groups[convention] for convention in order}


def _values(scores: pd.DataFrame, variants: Variants) -> pd.DataFrame:
    """Rows model, query, subquery_digest, convention, normalisation, value; each once."""
    rows = scores[scores["metric"].isin(list(variants))]
    rows = rows.assign(
        convention=rows["metric"].map({n: facts["convention"] for n, facts in variants.items()}),
        value=rows["value"].where(rows["status"] != FEW_COUNTS),
    )
    normal = rows["metric"].map({n: facts["normalize"] for n, facts in variants.items()})
    unit = rows.assign(
        normalisation=UNIT_LENGTH, value=rows["value"].where(normal, rows["value_unit_length"])
    )
    table = pd.concat([rows[~normal].assign(normalisation=AS_GIVEN), unit])
    keys = ["model", "query", "subquery_digest", "convention", "normalisation"]
    defined_first = table[[*keys, "value"]].sort_values("value", key=pd.isna, kind="stable")
    return defined_first.drop_duplicates(keys).sort_index(kind="stable")


def _normalisations(values: pd.DataFrame, facts: Mapping[str, Any]) -> tuple[str, ...]:
    """Which of them are choices for a convention."""
    wide = values.pivot(
        index=["model", "query", "subquery_digest"], columns="normalisation", values="value"
    ).reindex(columns=[AS_GIVEN, UNIT_LENGTH])
    if facts["scales"]:
        return (AS_GIVEN, UNIT_LENGTH) if wide[AS_GIVEN].notna().any() else (UNIT_LENGTH,)
    both = wide.dropna().to_numpy(dtype=float)
    if wide[AS_GIVEN].isna().all() and wide[UNIT_LENGTH].notna().any():
        return (UNIT_LENGTH,)
    if both.size == 0:
        return (AS_GIVEN,)
    same = np.allclose(both[:, 0], both[:, 1], rtol=SAME_VALUE, atol=SAME_VALUE)
    return (ANY,) if same else (AS_GIVEN, UNIT_LENGTH)


def _by_model(rows: pd.DataFrame) -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """`Measured.models`, `values` and `of_query`; sub-queries of several queries stand once."""
    first = rows.drop_duplicates(["model", "subquery_digest"])
    query = first.groupby("subquery_digest", sort=False)["query"].first()
    values = first.pivot(index="subquery_digest", columns="model", values="value")
    queries = query[values.index].to_numpy(dtype=object)
    return tuple(values.columns), values.to_numpy(dtype=float).T, queries
