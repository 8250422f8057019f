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
from typing import Any

import numpy as np
import pandas as pd

from fairflow.files.identity import identity_digest
from fairflow.statistics.cluster_bootstrap import (
    mean_resamples,
    percentile_ends,
    relative_difference,
)
from fairflow.studies.aggregation import OVERALL
from fairflow.studies.comparability import FEW_QUERIES, GROWS_WITH_LENGTH, NOTES, no_rivals
from fairflow.studies.direction import unfairness
from fairflow.studies.ranking import tie_numbers
from fairflow.studies.specification_repeats import Compared, different_rules, repeated_variant
from fairflow.studies.specifications import (
    ANY,
    UNIT_LENGTH,
    Lists,
    Measured,
    Specification,
    Variants,
    specifications,
)

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
    seed: int,
) -> pd.DataFrame:
    """Every two models of a study, compared in every specification.

    Both are compared on the same (sub-)queries, equal ones once. Models are those that the study
    ranks: one of each vectors, none that comes of another. A specification whose values grow with
    the length of vectors ranks nobody and is not counted, nor is one without scores of both models,
    nor a second one of the same metric that only changes the unit of values. Mean and mean of
    absolute values are one specification where all values of each model have one sign.

    Parameters
    ----------
    own, others : score tables of the study and of those whose scores it uses besides.
    lists, lookups, variants : as for `specifications.specifications`.
    minimum_coverage : the share of (sub-)queries that must be defined for both.
    vectors, derived : as for `comparability.no_rivals`.

    Returns
    -------
    A row for each criterion, pair of models and specification: criterion, model, other;
    specification (its number), metric, variant, normalisation, aggregation, lists, lookup ("any"
    where a choice makes no difference); n_queries (asked for), n_common (defined for both), value
    and other_value (aggregated over these, where it makes no difference by the mean),
    relative_difference (of the biases, over their mean: 2 if only `model` has any, -2 if only
    `other`), its percentile interval over resampled queries (_low, _high; queries are kept whole),
    more_biased (a model, or "neither"), status ("counted", or why it is not), note (the same in
    words).
    """
    excluded = no_rivals(own, vectors, derived)
    models = [m for m in dict.fromkeys(own["model"]) if m not in excluded]
    scores = pd.concat([one[one["headline"]] for one in (own, *others)], ignore_index=True)
    scores = scores[scores["model"].isin(models)]
    criteria = list(next(iter(lists.values())))
    rows = []
    for criterion in [*criteria, OVERALL] if len(criteria) > 1 else criteria:
        every = list(specifications(scores, criterion, lists, lookups, variants))
        for pair in combinations(models, 2):
            names = {"criterion": criterion, "model": pair[0], "other": pair[1]}
            of_pair = _of_pair(every, pair, minimum_coverage, (seed, criterion))
            rows += [
                {**names, "specification": number, **row} for number, row in enumerate(of_pair, 1)
            ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _of_pair(
    every: Sequence[Measured],
    pair: tuple[str, str],
    minimum_coverage: float,
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
        for rule in different_rules(measured, values[:, common]):
            chosen = specification._replace(aggregation=rule)
            mean = measured.rules[-1] if rule == ANY else rule
            numbers = _numbers(measured, values, mean, pair, (*identity, *sorted(pair), *chosen))
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
    if measured.grows:
        return GROWS_WITH_LENGTH, NOTES[GROWS_WITH_LENGTH]
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
    of_pair: np.ndarray,
    rule: str,
    pair: tuple[str, str],
    identity: tuple[object, ...],
) -> dict[str, Any]:
    """Values of both models, how much they differ, and which has the larger bias."""
    common = ~np.isnan(of_pair).any(axis=0)
    if not common.any():
        return {}
    values = of_pair[:, common]
    values = np.abs(values) if rule.startswith("abs_") else values
    means = values.mean(axis=1)
    bias = unfairness(means, measured.direction)
    generator = np.random.default_rng(int.from_bytes(identity_digest(*identity)))
    drawn = mean_resamples(values, measured.of_query[common], generator)
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
