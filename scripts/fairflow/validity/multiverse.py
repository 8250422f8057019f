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
from fairflow.scores.ranked import ranked_rows
from fairflow.statistics.counts import FEW_COUNTS
from fairflow.statistics.intervals import percentile_interval
from fairflow.statistics.item_bootstrap import mean_resamples, relative_difference
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
from fairflow.studies.tables import columns_of
from fairflow.studies.wording import listed

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
    lists : the version of the word lists. lookup : how words are looked up.
    """

    metric: str
    variant: str
    normalisation: str
    aggregation: str
    lists: str
    lookup: str


class ScoredModels(NamedTuple):
    """What models score in a specification, before queries become one number.

    Attributes
    ----------
    queries : of the lists. values : a row a sub-query, a column a model; NaN where undefined.
    of_query : the query of each sub-query.
    asked : the number of requested (sub-)queries, with those that no model defines.
    direction : signed and larger_is_fairer, of the metric.
    incomparable : the status that says why values are not comparable between models, or "".
    """

    specification: Specification
    queries: tuple[str, ...]
    values: pd.DataFrame
    of_query: np.ndarray
    asked: int
    direction: Mapping[str, bool]
    incomparable: str


def _specifications(
    scores: pd.DataFrame, criterion: str, how: Mapping[str, Any]
) -> Iterator[ScoredModels]:
    """Every specification of a criterion, its aggregation left open.

    Variants that differ in name, test or normalisation alone are one, so that none counts twice;
    vectors as they are given and of unit length are one where values are the same.

    Parameters
    ----------
    scores : primary rows of every study that contributes; a row may be there several times.
    """
    variants = how["variants"]
    values = _values(scores, variants)
    # Variants of one convention are one, under the name of that of vectors as given, if any.
    name_of: dict[str, str] = {}
    for variant in sorted(variants, key=lambda name: variants[name]["normalize"]):
        name_of.setdefault(variants[variant]["convention"], variant)
    conventions = dict.fromkeys(facts["convention"] for facts in variants.values())
    choices = [
        (name_of[convention], rows, normalisation)
        for convention in conventions
        for rows in [values[values["convention"] == convention]]
        for normalisation in _normalisations(rows, variants[name_of[convention]]["scales"])
    ]
    for name, lookup, queries in _versions(scores, criterion, how["lists"], how["lookups"]):
        for variant, every, normalisation in choices:
            facts, rows = variants[variant], every[every["query"].isin(queries)]
            given = UNIT_LENGTH if normalisation == UNIT_LENGTH else AS_GIVEN
            # Sub-queries of several queries count once.
            keys = ["model", "subquery_digest"]
            of_these = rows[rows["normalisation"] == given].drop_duplicates(keys)
            wide = of_these.pivot(index="subquery_digest", columns="model", values="value")
            first = of_these.drop_duplicates("subquery_digest").set_index("subquery_digest")
            grows = facts["scales"] and normalisation == AS_GIVEN
            yield ScoredModels(
                Specification(facts["metric"], variant, normalisation, "", name, lookup),
                queries,
                wide.astype(float),
                first["query"][wide.index].to_numpy(dtype=object),
                len(wide) + len({*queries} - {*rows["query"]}),
                facts,
                GROWS_WITH_LENGTH
                if grows
                else SCALES_WITH_DIMENSION * facts["depends_on_dimension"],
            )


def _versions(
    scores: pd.DataFrame, criterion: str, lists: Lists, lookups: Mapping[str, str]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Name, look-up and queries of each version of a criterion's word lists, equal ones once.

    A version without queries for one of several criteria takes the study's own queries for it.
    Queries with the same words but another look-up are the same version with another look-up.
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


def _values(scores: pd.DataFrame, variants: Variants) -> pd.DataFrame:
    """Rows model, query, subquery_digest, convention, normalisation, value; each once."""
    rows = scores[scores["metric"].isin(list(variants))]
    rows = rows.assign(
        convention=rows["metric"].map({n: facts["convention"] for n, facts in variants.items()}),
        value=rows["value"].where(rows["status"] != FEW_COUNTS),
    )
    normal = rows["metric"].map({n: facts["normalize"] for n, facts in variants.items()})
    unit = rows.assign(
        normalisation=UNIT_LENGTH, value=rows["value"].where(normal, rows["value_normalized"])
    )
    table = pd.concat([rows[~normal].assign(normalisation=AS_GIVEN), unit])
    keys = ["model", "query", "subquery_digest", "convention", "normalisation"]
    defined_first = table[[*keys, "value"]].sort_values("value", key=pd.isna, kind="stable")
    return defined_first.drop_duplicates(keys).sort_index(kind="stable")


def _normalisations(values: pd.DataFrame, scales: bool) -> tuple[str, ...]:
    """Which of them are choices for a convention, whose values grow with length or do not."""
    keys = ["model", "query", "subquery_digest"]
    wide = values.pivot(index=keys, columns="normalisation", values="value")
    wide = wide.reindex(columns=[AS_GIVEN, UNIT_LENGTH]).astype(float)
    given, unit = wide.notna().any()
    if not given and (unit or scales):
        return (UNIT_LENGTH,)
    both = wide.dropna().to_numpy()
    if scales:
        return AS_GIVEN, UNIT_LENGTH
    if both.size == 0:
        return (AS_GIVEN,)
    same = np.allclose(both[:, 0], both[:, 1], rtol=SAME_VALUE, atol=SAME_VALUE)
    return (ANY,) if same else (AS_GIVEN, UNIT_LENGTH)


# Further statuses of a specification, next to those of `fairflow.studies.comparability`.
COUNTED, NOT_SCORED = "counted", "not_scored"
NEITHER = "neither"
NO_SCORES = "no study that is named here scores both models so"
NO_UNIT_LENGTH = "no values of unit-length vectors, as with statistics: none"
SAME_LISTS = "the queries in which these lists differ from {} are not scored for both models"

_VALUES = ("value", "other_value")


def specification_curve(
    own: pd.DataFrame, others: Sequence[pd.DataFrame], how: Mapping[str, Any]
) -> pd.DataFrame:
    """Every two models of a study, compared in every specification.

    Both are compared on the same (sub-)queries, equal ones once. Models are those that the study
    ranks: no second model with the same vectors, no derived one, no one that fails a control query.
    A specification whose values grow with the length of vectors or depend on their dimension is not
    counted, nor is one without scores of both models. Mean and mean of absolute values are one
    specification where all values of each model have one sign.

    Parameters
    ----------
    own, others : score tables of the study and of other studies whose scores it uses.
    how : lists (version -> criterion -> queries; the first is the study's own); lookups (query ->
        how its words are looked up); variants (metric variant -> metric, convention, which is equal
        for variants that are one, normalize, scales with the length of vectors,
        depends_on_dimension, signed, larger_is_fairer); minimum_coverage (the share of
        (sub-)queries that must be defined for both); vectors and derived, as for
        `comparability.no_rivals`; query_groups (query -> the name of its group, whose queries share
        words); seed.

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
    excluded = {*no_rivals(own, how["vectors"], how["derived"]), *failing_models(own)}
    models = [m for m in dict.fromkeys(own["model"]) if m not in excluded]
    scores = pd.concat([ranked_rows(one) for one in (own, *others)], ignore_index=True)
    scores = without_controls(scores[scores["model"].isin(models)])
    criteria = list(next(iter(how["lists"].values())))
    rows = []
    for criterion in [*criteria, OVERALL] if len(criteria) > 1 else criteria:
        every = list(_specifications(scores, criterion, how))
        for pair in combinations(models, 2):
            names = {"criterion": criterion, "model": pair[0], "other": pair[1]}
            of_pair = _of_pair(every, pair, criterion, how)
            rows += [
                {**names, "specification": number, **row} for number, row in enumerate(of_pair, 1)
            ]
    return pd.DataFrame(rows, columns=columns_of("specification_curve"))


def _of_pair(
    every: Sequence[ScoredModels], pair: tuple[str, str], criterion: str, how: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    # Variant and normalisation -> the lists that were compared, what they ask for and on what.
    earlier: dict[tuple[str, str], list[ScoredModels]] = {}
    unscored: set[Specification] = set()
    for measured in every:
        if not {*pair} & {*measured.values}:
            continue
        specification = measured.specification
        status, note = _judged(measured, pair, how["minimum_coverage"])
        both = np.ascontiguousarray(measured.values.reindex(columns=[*pair]).T)
        common = ~np.isnan(both).any(axis=0)
        values, of_query = both[:, common], measured.of_query[common]
        compared = earlier.setdefault((specification.variant, specification.normalisation), [])
        on = measured._replace(of_query=of_query)
        if status == COUNTED and (known := _part_of(on, compared)):
            status, note = NOT_SCORED, SAME_LISTS.format(known)
        elif status == COUNTED:
            compared.append(on)
        told = {"n_queries": measured.asked, "n_common": len(of_query), "status": status}
        told["note"] = note
        if status == NOT_SCORED:
            unmade = specification._replace(normalisation=ANY, aggregation=ANY)
            if unmade not in unscored:
                yield {**unmade._asdict(), **told}
            unscored.add(unmade)
            continue
        groups = [how["query_groups"].get(query, query) for query in of_query]
        for chosen, rule in _aggregations(measured, values):
            names = (how["seed"], criterion, *sorted(pair), *chosen)
            numbers = _numbers(values, measured.direction, groups, rule, pair, names)
            kept = numbers if status == COUNTED else {k: numbers.get(k) for k in _VALUES}
            yield {**chosen._asdict(), **told, **kept}


def _aggregations(
    measured: ScoredModels, values: np.ndarray
) -> Iterator[tuple[Specification, str]]:
    """The specifications that the aggregation makes of one, and the rule of each."""
    rules = dict.fromkeys(rule_for(rule, measured.direction["signed"]) for rule in RULES)
    one_sign = ((values >= 0).all(axis=1) | (values <= 0).all(axis=1)).all()
    # The mean of absolute values is then the size of the mean; zero has either sign.
    no_choice = one_sign or len(rules) == 1
    for rule in [*rules][-1:] if no_choice else rules:
        chosen = measured.specification._replace(aggregation=ANY if no_choice else rule)
        yield chosen, rule


def _judged(
    measured: ScoredModels, pair: tuple[str, str], minimum_coverage: float
) -> tuple[str, str]:
    """Status and note of a specification for a pair, but for lists that are part of others."""
    if not {*pair} <= {*measured.values}:
        return NOT_SCORED, NO_SCORES
    defined = measured.values[[*pair]].notna()
    if measured.specification.normalisation == UNIT_LENGTH and not defined.any(axis=None):
        return NOT_SCORED, NO_UNIT_LENGTH
    if measured.incomparable:
        return measured.incomparable, NOTES[measured.incomparable]
    if defined.all(axis=1).sum() < max(1, minimum_coverage * measured.asked):
        share = f"{100 * minimum_coverage:g}%"
        return FEW_QUERIES, f"fewer than {share} of the (sub-)queries are defined for both models"
    return COUNTED, ""


def _part_of(measured: ScoredModels, compared: Sequence[ScoredModels]) -> str | None:
    """Lists that were compared already on what these could be compared on, though they ask more."""
    for other in compared:
        on = {*measured.of_query} <= {*other.of_query}
        if on and not {*measured.queries} <= {*other.queries}:
            return other.specification.lists
    return None


def _numbers(
    values: np.ndarray,
    direction: Mapping[str, bool],
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
    bias = unfairness(means, direction)
    generator = np.random.default_rng(int.from_bytes(identity_digest(*identity)))
    drawn = mean_resamples(values, groups, generator)
    low, high = percentile_interval(relative_difference(*unfairness(drawn, direction)))
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


# Why one specification is not counted, and why several are not.
_EXCLUDED = {
    GROWS_WITH_LENGTH: ("grows with the length of vectors", "grow with the length of vectors"),
    SCALES_WITH_DIMENSION: (
        "depends on the dimension of vectors",
        "depend on the dimension of vectors",
    ),
    FEW_QUERIES: ("has too few queries in common", "have too few queries in common"),
    NOT_SCORED: ("is not scored for both", "are not scored for both"),
}
_PAIR = ["criterion", "model", "other"]
SUMMARY_COLUMNS = (
    *(*_PAIR, "n_specifications", "n_model", "n_other", "n_neither", "share_model"),
    *("median_relative_difference", "n_clear", "n_excluded", "note"),
)


def with_absent(curve: pd.DataFrame, studies: Sequence[str]) -> pd.DataFrame:
    """The curve, with a row for each study that would contribute but is not in this run."""
    note = "scores of this study are not in this run"
    rows = [{"lists": name, "status": NOT_SCORED, "note": note} for name in studies]
    return pd.concat([curve, pd.DataFrame(rows)], ignore_index=True) if rows else curve


def specification_summary(curve: pd.DataFrame) -> pd.DataFrame:
    """One row for each criterion and pair of models.

    Parameters
    ----------
    curve : from `specification_curve`.

    Returns
    -------
    Columns criterion, model, other, n_specifications (counted), n_model, n_other, n_neither
    (specifications in which it has the larger bias), share_model (n_model / n_specifications),
    median_relative_difference, n_clear (with an interval over queries that excludes 0; NaN
    without intervals), n_excluded, note (why these are not counted).
    """
    groups = curve.groupby(_PAIR, sort=False)
    absent = [*curve.loc[curve["criterion"].isna(), "lists"]]
    missed = [f"scores of {listed(absent)} are not in this run"] if absent else []
    rows = [{**dict(zip(_PAIR, key, strict=True)), **_summed(g)} for key, g in groups]
    for row in rows:
        row["note"] = "; ".join(filter(None, [row["note"], *missed]))
    return pd.DataFrame(rows, columns=list(SUMMARY_COLUMNS))


def _summed(rows: pd.DataFrame) -> dict[str, Any]:
    model, other = rows["model"].iloc[0], rows["other"].iloc[0]
    chosen = rows[rows["status"] == COUNTED]
    why = rows.loc[rows["status"] != COUNTED, "status"].value_counts(sort=False)
    more = chosen["more_biased"]
    clear = chosen["relative_difference_low"] > 0
    clear |= chosen["relative_difference_high"] < 0
    return {
        "n_specifications": len(chosen),
        "n_model": int((more == model).sum()),
        "n_other": int((more == other).sum()),
        "n_neither": int((more == NEITHER).sum()),
        "share_model": (more == model).mean() if len(chosen) else float("nan"),
        "median_relative_difference": chosen["relative_difference"].median(),
        "n_clear": clear.sum() if chosen["relative_difference_low"].notna().any() else float("nan"),
        "n_excluded": len(rows) - len(chosen),
        "note": "; ".join(f"{n} {_EXCLUDED[status][n > 1]}" for status, n in why.items()),
    }
