"""Published numbers and ours: which of ours corresponds to each, and whether it is reproduced.

A number from random splits is reproduced if new random splits give it, too.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fairflow.scores.ranked import PRIMARY, ranked_rows
from fairflow.studies.aggregation import OVERALL
from fairflow.studies.published.publication import DERIVED, PrintedNumbers
from fairflow.studies.tables import columns_of

# (model, metric, query or sub-query or criterion, measure, word or "")
Key = tuple[str, str, str, str, str]


class Number(NamedTuple):
    """A number, what was lost or left out on the way to it, and the random splits behind it.

    Attributes
    ----------
    splits : for each query that the number is a mean over, the value on each split; empty for a
        number that no random splits went into.
    """

    value: float
    remark: str
    splits: Sequence[Sequence[float]] = ()


# Columns of a score file that hold a further number of a measure.
NUMBER_COLUMNS = ("p_value", "p_normal")
# The number of missing words that a remark names; coverage.csv has all.
SHOWN_WORDS = 6

PROBABILITY, SHARE = "negative_probability", "negative_share"


def computed_numbers(
    scores: pd.DataFrame, aggregates: pd.DataFrame, items: Collection[str]
) -> dict[Key, Number]:
    """Every number of a study, with what was lost or left out on the way to it.

    A query whose sub-queries were measured is listed by their names.

    Parameters
    ----------
    scores, aggregates : a study's tables. wanted : the words whose numbers are of interest.
    """
    numbers: dict[Key, Number] = {}
    headline = ranked_rows(scores)
    measures = dict(zip(headline["metric"], headline["measure"], strict=True))
    for row in aggregates.to_dict(orient="records"):
        undefined = _text(row["undefined"])
        remark = f"undefined here: {undefined}" if undefined else ""
        key = row["model"], row["metric"], row["criterion"], measures.get(row["metric"], ""), ""
        numbers[key] = Number(row["value"], remark, _splits_of_mean(headline, row))
    cell = ["model", "metric", "query"]
    split = headline.duplicated(cell, keep=False)
    several = set(headline.loc[split, cell].itertuples(index=False, name=None))
    for row in scores.to_dict(orient="records"):
        whole = () if tuple(row[name] for name in cell) in several else (row["query"],)
        for name in (row["subquery"], *whole):
            for measure, item, number, splits in _numbers(row, items):
                key = row["model"], row["metric"], name, measure, item
                numbers[key] = Number(number, _remark(row), [splits] if len(splits) else [])
    return numbers


def _splits_of_mean(headline: pd.DataFrame, row: Mapping[str, Any]) -> list[Sequence[float]]:
    """The splits behind each defined query of an aggregate, if it is a mean over such queries."""
    if row["aggregation"] != "avg":
        return []
    of_cell = (headline["model"] == row["model"]) & (headline["metric"] == row["metric"])
    of_criterion = headline[of_cell & headline["value"].notna()]
    if row["criterion"] != OVERALL:
        of_criterion = of_criterion[of_criterion["criterion"] == row["criterion"]]
    splits = list(of_criterion.drop_duplicates("subquery_digest")["splits"])
    return splits if all(map(len, splits)) else []


def _numbers(
    row: Mapping[str, Any], items: Collection[str]
) -> Iterator[tuple[str, str, float, Sequence[float]]]:
    """Measure, word, value and values on random splits of everything in a row of scores."""
    yield row["measure"], "", row["value"], row.get("splits", ())
    if not row[PRIMARY]:
        return
    for column in NUMBER_COLUMNS:
        if column in row:
            yield column, "", math.nan if row[column] is None else row[column], ()
    p_normal = row.get("p_normal") or math.nan
    if p_normal > 0:
        # As Caliskan et al. print small ones.
        yield "p_normal_rounded_up", "", 10.0 ** math.ceil(math.log10(p_normal)), ()
    words = list(row["words"])
    judged = [word for word in words if word["measure"] == PROBABILITY]
    total = sum(word["value"] for word in judged)
    totals = np.sum([word.get("splits", ()) for word in judged], axis=0)
    for word in words:
        if word["word"] in items:
            splits = word.get("splits", ())
            yield word["measure"], word["word"], word["value"], splits
            if word["measure"] == PROBABILITY:
                shares = np.divide(splits, totals)
                yield SHARE, word["word"], word["value"] / total, shares


def _remark(row: Mapping[str, Any]) -> str:
    """Why there is no number, or which words were lost, and which were found in another form."""
    respelt = [f"{w['word']} as {w['form']}" for w in row["matched_forms"]]
    parts = [_text(row["reason"])]
    for label, words in (("lost", list(row["oov_words"])), ("in another form", respelt)):
        # A reason names the words that were lost.
        if words and not (label == "lost" and parts[0]):
            more = f" and {len(words) - SHOWN_WORDS} more" if len(words) > SHOWN_WORDS else ""
            parts.append(f"{label}: {', '.join(words[:SHOWN_WORDS])}{more}")
    return "; ".join(filter(None, parts))


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


# A published number outside this central part of the distribution was not drawn from it; some
# 250 are compared, so that 99 % would call two or three of them wrongly.
CENTRAL = 0.999
MEANS = 10_000


def quantile_of(value: float, splits: Sequence[Sequence[float]], draws: int) -> float:
    """The share of means over `draws` random splits that are below a number, ties by half.

    The distribution is that of a future mean, given ours: the mean of `draws` values drawn from
    the known splits, plus the error of our own mean over as many splits as there are.

    Parameters
    ----------
    value : the number. splits : for each query, the score on each split; the number is the mean
        over the queries. draws : the number of splits behind it.

    Returns
    -------
    Between 0 and 1.
    """
    means = np.zeros(MEANS)
    every = [np.asarray(scores, dtype=float) for scores in splits]
    counts = _counts(tuple(map(len, every)), draws)
    for scores, (of_theirs, of_ours) in zip(every, counts, strict=True):
        theirs, ours = _resampled_means(scores, of_theirs), _resampled_means(scores, of_ours)
        means += (theirs + scores.mean() - ours) / len(splits)
    return float(np.mean(means < value) + np.mean(means == value) / 2)


def drawn_from(quantile: float) -> bool:
    """Whether a quantile is in the central part of the distribution."""
    return (1 - CENTRAL) / 2 <= quantile <= (1 + CENTRAL) / 2


@lru_cache(maxsize=4)
def _counts(lengths: tuple[int, ...], draws: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """How often each split is drawn, for their mean and for ours: the same for all numbers."""
    random = np.random.default_rng(0)
    return [(_drawn(n, draws, random), _drawn(n, n, random)) for n in lengths]


def _drawn(n: int, size: int, random: np.random.Generator) -> np.ndarray:
    """Counts of n things in samples of a size: (MEANS, n)."""
    places = random.integers(0, n, (MEANS, size)) + n * np.arange(MEANS)[:, np.newaxis]
    counts = np.bincount(places.ravel(), minlength=MEANS * n).reshape(MEANS, n)
    return counts.astype(np.min_scalar_type(size))


def _resampled_means(scores: np.ndarray, counts: np.ndarray) -> np.ndarray:
    if scores.min() == scores.max():
        # Rounding would part means that are equal.
        return np.full(MEANS, scores[0])
    return np.einsum("ij,j->i", counts, scores) / counts[0].sum()


MATCH, TOLERATED, DRAWN = "match", "within tolerance", "within the draws"
DIFFERS, ABSENT = "differs", "not computed"
VERDICTS = (MATCH, TOLERATED, DRAWN, DIFFERS, ABSENT)

COLUMNS = columns_of("published")


def compare_published(
    published: pd.DataFrame,
    scores: pd.DataFrame,
    aggregates: pd.DataFrame,
    directions: Mapping[str, Mapping[str, bool]],
    how: Mapping[str, Any],
    further: Iterable[tuple[Key, Number]] = (),
) -> pd.DataFrame:
    """Each published number with ours, the difference, a verdict, the cause and the reason.

    Verdicts: "match" (equal at the printed decimals, or undefined in both), "within tolerance" (of
    a number that was not solved to the end), "within the draws" (a mean over random splits drawn
    without a seed that is in the central 99.9 % of means over as many seeded ones), "differs",
    "not computed". Ranks, sums of ranks and correlations are compared with those of the
    publication's numbers.

    Parameters
    ----------
    published : from `fairflow.studies.published.publication.read_published`.
    scores, aggregates : a study's tables.
    directions : metric -> {signed, larger_is_fairer}.
    how : stand_ins (published model -> ours), absent (published model -> why none of ours stands
        for it), ranked (the file whose numbers of ranked measures figures show).
    further : numbers that are not in these tables.
    """
    numbers = computed_numbers(scores, aggregates, set(published["item"]))
    numbers |= dict(further)
    remarks = {key[:3]: number.remark for key, number in reversed(numbers.items())}
    headline = ranked_rows(scores)
    ranked = dict(zip(headline["metric"], headline["measure"], strict=True))
    printed = PrintedNumbers(published, directions)
    rows = []
    for row in published.to_dict(orient="records"):
        model = None if row["measure"] in DERIVED else how["stand_ins"].get(row["model"])
        if row["measure"] in DERIVED:
            value, told = printed.derive(row)
            ours = told if math.isnan(value) else Number(value, told)
        else:
            ours = _ours(row, model, numbers, remarks, how["absent"])
        is_ranked = ranked.get(row["metric"]) == row["measure"] and row["item"] == ""
        shown = row["file"] == how["ranked"] and is_ranked
        rows.append({**_judged(row, ours), "model": model, PRIMARY: shown})
    return pd.DataFrame(rows, columns=COLUMNS)


def uncompared(
    published: pd.DataFrame, reason: str, of_models: Mapping[str, str] | None = None
) -> pd.DataFrame:
    """The rows of published numbers that nothing is compared with.

    Parameters
    ----------
    of_models : published model -> the reason of its numbers; `reason` is that of the others.
    """
    reasons, whole = of_models or {}, {"model": None, PRIMARY: False}
    rows = [
        _judged(row, reasons.get(row["model"], reason)) | whole
        for row in published.to_dict(orient="records")
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def published_verdict(difference: float, decimals: int, tolerance: float) -> str:
    """What a difference means for a number printed with these decimals.

    Parameters
    ----------
    tolerance : NaN for exact numbers.
    """
    if math.isnan(difference):
        return ABSENT
    # The last term forgives the binary rounding of a decimal half.
    if abs(difference) <= 0.5 * 10.0**-decimals + 1e-9:
        return MATCH
    return TOLERATED if abs(difference) <= tolerance else DIFFERS


def unexpected(comparison: pd.DataFrame) -> pd.DataFrame:
    """Numbers declared reproducible that differ."""
    declared = comparison["reproducible"] == "yes"
    return comparison[declared & (comparison["verdict"] == DIFFERS)]


def _ours(
    row: Mapping[str, Any],
    model: str | None,
    numbers: Mapping[Key, Number],
    remarks: Mapping[tuple[str, str, str], str],
    absent: Mapping[str, str],
) -> Number | str:
    """Our number, or why it is missing."""
    if model is None:
        why = absent.get(row["model"], f"{row['model']} is not a model of this study")
        return f"only published: {why}"
    key = model, row["metric"], row["scope"], row["measure"], row["item"]
    if key in numbers:
        return numbers[key]
    if key[:3] not in remarks:
        return f"{row['metric']} of {row['scope']} is not computed in this study"
    what = row["measure"] + (" of this word" if row["item"] else "")
    remark = f" ({remarks[key[:3]]})" if remarks[key[:3]] else ""
    return f"no {what} among the results{remark}"


def _verdict_of(row: Mapping[str, Any], ours: Number) -> tuple[str, float]:
    """The verdict on a number that was computed, and its quantile among random draws."""
    difference = ours.value - row["value"]
    if math.isnan(difference):
        both = math.isnan(ours.value) and math.isnan(row["value"])
        # Ours undefined where a number is printed: nothing to compare.
        return MATCH if both else ABSENT if math.isnan(ours.value) else DIFFERS, math.nan
    result = published_verdict(difference, row["decimals"], row["tolerance"])
    if not (len(ours.splits) and row["draws"] > 0):
        return result, math.nan
    quantile = quantile_of(row["value"], ours.splits, int(row["draws"]))
    if result == DIFFERS and not drawn_from(quantile):
        # A printed number stands for all that round to it: the one nearest to ours.
        half = 0.5 * 10.0 ** -row["decimals"]
        nearest = row["value"] + min(max(difference, -half), half)
        quantile = quantile_of(nearest, ours.splits, int(row["draws"]))
    return DRAWN if result == DIFFERS and drawn_from(quantile) else result, quantile


def _judged(row: Mapping[str, Any], ours: Number | str) -> dict[str, Any]:
    """The row of a published number with ours, or with the reason why ours is missing."""
    known = ours if isinstance(ours, Number) else Number(math.nan, ours)
    result, quantile = (ABSENT, math.nan) if known is not ours else _verdict_of(row, known)
    kept = ("metric", "scope", "item", "measure", "decimals", "draws", "reproducible", "erratum")
    unknown = "not expected" if row["reproducible"] == "yes" else "unknown"
    return {
        **{name: row[name] for name in (*kept, "note", "file")},
        "table": ", ".join(filter(None, (row["paper"], row["place"]))),
        "published_model": row["model"],
        "published": row["value"],
        "computed": known.value,
        "difference": known.value - row["value"],
        "quantile": quantile,
        "verdict": result,
        "cause": {DRAWN: "unseeded", DIFFERS: row["cause"] or unknown}.get(result, ""),
        "reason": known.remark,
    }
