"""Two models compared in every specification that could be defended (a multiverse).

After Simonsohn, U., Simmons, J. P., & Nelson, L. D. (2020). Specification curve analysis. Nature
Human Behaviour, 4, 1208-1214; and Steegen, S., Tuerlinckx, F., Gelman, A., & Vanpaemel, W. (2016).
Increasing transparency through a multiverse analysis. Perspectives on Psychological Science, 11(5),
702-712. Specifications are made of the same scores and are not independent, and queries share word
lists, so that no p-value is made of the share in which a model has the larger bias.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fairflow.files.checksums import identity_digest
from fairflow.statistics.counts import FEW_COUNTS
from fairflow.statistics.item_bootstrap import mean_resamples, percentile_ends, relative_difference
from fairflow.studies.aggregation import OVERALL, rule_for
from fairflow.studies.comparability import (
    FEW_QUERIES,
    GROWS_WITH_LENGTH,
    NOTES,
    SCALES_WITH_DIMENSION,
    failing_models,
    no_rivals,
    unfairness,
    without_controls,
)
from fairflow.studies.ranking import tie_numbers

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
    rules : how queries become one number. incomparable : the status that says why values are not
        comparable between models, or "".
    """

    specification: Specification
    queries: tuple[str, ...]
    models: tuple[str, ...]
    values: np.ndarray
    of_query: np.ndarray
    missing: tuple[str, ...]
    direction: Mapping[str, bool]
    rules: tuple[str, ...]
    incomparable: str

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
        scales (with the length of vectors), hangs_on_dimension, signed, larger_is_fairer.
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
                    GROWS_WITH_LENGTH
                    if facts["scales"] and normalisation == AS_GIVEN
                    else SCALES_WITH_DIMENSION * facts["hangs_on_dimension"],
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


# Of the largest value: what rounding leaves between values and their multiples.
_ROUNDING = 1e-9


class Compared(NamedTuple):
    """What two models were compared on.

    Attributes
    ----------
    specification : its aggregation left open. of_query : the query of each sub-query that both
    define. values : (2, sub-queries), of both models.
    """

    specification: Specification
    of_query: np.ndarray
    values: np.ndarray


def repeated_variant(compared: Compared, earlier: Sequence[Compared]) -> str | None:
    """The variant of the same metric whose values are these in another unit, None if there is none.

    All other choices are equal, and so is the factor of all values of both models: every mean of
    them is in the same proportion.
    """
    for other in earlier:
        if (
            compared.specification.metric == other.specification.metric
            and compared.specification.agrees(other.specification, but="variant")
            and np.array_equal(compared.of_query, other.of_query)
            and _proportional(compared.values, other.values)
        ):
            return other.specification.variant
    return None


def _proportional(values: np.ndarray, others: np.ndarray) -> bool:
    """Whether one positive factor turns the one into the other."""
    largest = np.unravel_index(np.abs(others).argmax(), others.shape)
    if values[largest] * others[largest] <= 0:
        return False
    multiples = others * (values[largest] / others[largest])
    return np.allclose(values, multiples, rtol=0, atol=_ROUNDING * np.abs(values).max())


# Statuses of a specification besides those of `fairflow.studies.comparability`.
COUNTED, NOT_SCORED, REPEATED = "counted", "not_scored", "repeated"
NEITHER = "neither"
NO_SCORES = "no study that is named here scores both models so"
NO_UNIT_LENGTH = "no values of unit-length vectors, as with statistics: none"
SAME_COMPARISON = "compares the models as {} does: values in another unit"
SAME_LISTS = "the queries in which these lists differ from {} are not scored for both models"

_VALUES = ("value", "other_value")
COLUMNS = (
    *("criterion", "model", "other", "specification", *Specification._fields),
    *("n_queries", "n_common", "value", "other_value", "relative_difference"),
    *("relative_difference_low", "relative_difference_high", "more_biased", "status", "note"),
)


def specification_curve(
    own: pd.DataFrame,
    others: Sequence[pd.DataFrame],
    lists: Lists,
    lookups: Mapping[str, str],
    variants: Variants,
    minimum_coverage: float,
    vectors: Mapping[str, str],
    derived: Mapping[str, str],
    query_groups: Mapping[str, str],
    seed: int,
) -> pd.DataFrame:
    """Every two models of a study, compared in every specification.

    Both are compared on the same (sub-)queries, equal ones once. Models are those that the study
    ranks: one of each vectors, none that comes of another, none that fails a control query. A
    specification whose values grow with the length of vectors or hang on their dimension ranks
    nobody and is not counted, nor is one without scores of both models, nor a second one of the
    same metric that only changes the unit of values. Mean and mean of absolute values are one
    specification where all values of each model have one sign.

    Parameters
    ----------
    own, others : score tables of the study and of those whose scores it uses besides.
    lists, lookups, variants : as for `specifications.specifications`.
    minimum_coverage : the share of (sub-)queries that must be defined for both.
    vectors, derived : as for `comparability.no_rivals`.
    query_groups : query -> the name of its group, whose queries share words.

    Returns
    -------
    A row for each criterion, pair of models and specification: criterion, model, other;
    specification (its number), metric, variant, normalisation, aggregation, lists, lookup ("any"
    where a choice makes no difference); n_queries (asked for), n_common (defined for both), value
    and other_value (aggregated over these, where it makes no difference by the mean),
    relative_difference (of the biases, over their mean: 2 if only `model` has any, -2 if only
    `other`), its percentile interval over resampled groups of queries (_low, _high;
    NaN of fewer than `cluster_bootstrap.FEWEST`),
    more_biased (a model, or "neither"), status ("counted", or why it is not), note (the same in
    words).
    """
    excluded = {*no_rivals(own, vectors, derived), *failing_models(own)}
    models = [m for m in dict.fromkeys(own["model"]) if m not in excluded]
    scores = pd.concat([one[one["headline"]] for one in (own, *others)], ignore_index=True)
    scores = without_controls(scores[scores["model"].isin(models)])
    criteria = list(next(iter(lists.values())))
    rows = []
    for criterion in [*criteria, OVERALL] if len(criteria) > 1 else criteria:
        every = list(specifications(scores, criterion, lists, lookups, variants))
        for pair in combinations(models, 2):
            names = {"criterion": criterion, "model": pair[0], "other": pair[1]}
            of_pair = _of_pair(every, pair, minimum_coverage, query_groups, (seed, criterion))
            rows += [
                {**names, "specification": number, **row} for number, row in enumerate(of_pair, 1)
            ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _of_pair(
    every: Sequence[Measured],
    pair: tuple[str, str],
    minimum_coverage: float,
    query_groups: Mapping[str, str],
    identity: tuple[int, str],
) -> Iterator[dict[str, Any]]:
    # Variant and normalisation -> the lists that were compared, what they ask for and on what.
    earlier: dict[tuple[str, str], list[tuple[Measured, frozenset[str]]]] = {}
    unscored: set[Specification] = set()
    counted: list[Compared] = []
    for measured in every:
        if not {*pair} & {*measured.models}:
            continue
        values = measured.of_pair(pair)
        common = ~np.isnan(values).any(axis=0)
        status, note = _judged(measured, values, pair, minimum_coverage)
        specification = measured.specification
        compared = earlier.setdefault((specification.variant, specification.normalisation), [])
        on = frozenset(measured.of_query[common])
        if status == COUNTED and (known := _part_of(measured, on, compared)):
            status, note = NOT_SCORED, SAME_LISTS.format(known)
        elif status == COUNTED:
            compared.append((measured, on))
            this = Compared(specification, measured.of_query[common], values[:, common])
            if same := repeated_variant(this, counted):
                status, note = REPEATED, SAME_COMPARISON.format(same)
            else:
                counted.append(this)
        told = {"n_queries": measured.asked, "n_common": int(common.sum())}
        told |= {"status": status, "note": note}
        if status == NOT_SCORED:
            unmade = specification._replace(normalisation=ANY, aggregation=ANY)
            if unmade not in unscored:
                yield {**unmade._asdict(), **told}
            unscored.add(unmade)
            continue
        both = values[:, common]
        one_sign = ((both >= 0).all(axis=1) | (both <= 0).all(axis=1)).all()
        # The mean of absolute values is then the size of the mean; zero has either sign.
        no_choice = one_sign or len(measured.rules) == 1
        for rule in (ANY,) if no_choice else measured.rules:
            chosen = specification._replace(aggregation=rule)
            mean = measured.rules[-1] if rule == ANY else rule
            groups = [query_groups.get(query, query) for query in measured.of_query[common]]
            names = (*identity, *sorted(pair), *chosen)
            numbers = _numbers(measured, values[:, common], groups, mean, pair, names)
            kept = numbers if status == COUNTED else {k: numbers.get(k) for k in _VALUES}
            yield {**chosen._asdict(), **told, **kept}


def _judged(
    measured: Measured, values: np.ndarray, pair: tuple[str, str], minimum_coverage: float
) -> tuple[str, str]:
    """Status and note of a specification for a pair, but for lists that are part of others."""
    if not {*pair} <= {*measured.models}:
        return NOT_SCORED, NO_SCORES
    undefined = np.isnan(values)
    if measured.specification.normalisation == UNIT_LENGTH and undefined.all():
        return NOT_SCORED, NO_UNIT_LENGTH
    if measured.incomparable:
        return measured.incomparable, NOTES[measured.incomparable]
    if (~undefined.any(axis=0)).sum() < max(1, minimum_coverage * measured.asked):
        share = f"{100 * minimum_coverage:g}%"
        return FEW_QUERIES, f"fewer than {share} of the (sub-)queries are defined for both models"
    return COUNTED, ""


def _part_of(
    measured: Measured, on: frozenset[str], compared: Sequence[tuple[Measured, frozenset[str]]]
) -> str | None:
    """Lists that were compared already on what these could be compared on, though they ask more."""
    for other, others_on in compared:
        if on <= others_on and not {*measured.queries} <= {*other.queries}:
            return other.specification.lists
    return None


def _numbers(
    measured: Measured,
    values: np.ndarray,
    groups: Sequence[str],
    rule: str,
    pair: tuple[str, str],
    identity: tuple[object, ...],
) -> dict[str, Any]:
    """Values of both models, how much they differ, and which has the larger bias."""
    if not values.size:
        return {}
    values = np.abs(values) if rule.startswith("abs_") else values
    means = values.mean(axis=1)
    bias = unfairness(means, measured.direction)
    generator = np.random.default_rng(int.from_bytes(identity_digest(*identity)))
    drawn = mean_resamples(values, groups, generator)
    low, high = percentile_ends(relative_difference(*unfairness(drawn, measured.direction)))
    tied = len({*tie_numbers(bias)}) == 1
    difference = 0.0 if tied else float(relative_difference(*bias))
    return {
        "value": means[0],
        "other_value": means[1],
        "relative_difference": difference,
        "relative_difference_low": low,
        "relative_difference_high": high,
        "more_biased": NEITHER if tied else pair[int(difference < 0)],
    }
