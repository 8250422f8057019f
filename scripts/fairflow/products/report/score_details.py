"""The data of each score on the page: marks of the chart, and details, compact for JSON."""

import math
import shlex
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import Any

import pandas as pd

from fairflow.products.report.html_tables import DETAILS
from fairflow.studies.comparability import SAME_VECTORS
from fairflow.studies.wording import shortened

INTERVAL_ENDS = {"ci_both": ("ci_low_both", "ci_high_both")}
DIGITS = 6
WORD_DIGITS = 4
# Words of a set and of a list on the page; the table of scores has all of them.
MOST_WORDS, MOST_LISTED = 12, 40


def score_details(
    headline: pd.DataFrame, others: pd.DataFrame, explained: Collection[str] = ()
) -> dict[str, Any]:
    """Details of each row of `headline`; equal texts, word lists and word values are stored once.

    Parameters
    ----------
    headline : rows of a study's scores, in the order of the page.
    others : rows of the other measures, which go with the row of the same model, metric and
        (sub-)query.
    explained : models whose scores `fairflow explain` finds.

    Returns
    -------
    texts : distinct texts. lists : distinct lists of places in `texts`.
    values : distinct [measure, [[set, list], ...], [value, ...]], the values of all sets' words.
    fields : [label, kind]. rows : per row of `headline` its fields, in order: a number, a place in
        `texts`, [low, high], a place in `lists`, or None.
    measures : per row [[measure, value], ...]. words : per row the places in `values`.
    """
    texts, lists, values = _Numbering(), _Numbering(), _Numbering()
    other_measures: dict[tuple[str, ...], list[tuple[str, Any]]] = {}
    for record in others.to_dict("records"):
        pair = (record["measure"], rounded(record["value"], DIGITS))
        other_measures.setdefault(_identity(record), []).append(pair)
    rows, measures, words = [], [], []
    for record in headline.to_dict("records"):
        if record["model"] in explained:
            names = (record["model"], record["metric"], record["query"])
            record["explain"] = f"fairflow explain {' '.join(map(shlex.quote, names))}"
        rows.append([_field(record, name, kind, texts, lists) for name, _, kind in DETAILS])
        own = other_measures.get(_identity(record), [])
        measures.append([[texts[name], value] for name, value in own])
        words.append(_word_values(record["words"], texts, lists, values))
    return {
        "texts": list(texts),
        "lists": list(lists),
        "values": list(values),
        "fields": [[label, kind] for _, label, kind in DETAILS],
        "rows": rows,
        "measures": measures,
        "words": words,
    }


class _Numbering(dict[Hashable, int]):
    """Distinct things, numbered in the order of appearance."""

    def __missing__(self, thing: Hashable) -> int:
        return self.setdefault(thing, len(self))


def _identity(record: Mapping[str, Any]) -> tuple[str, ...]:
    # Two subqueries of a query may have the same name and different words, hence the digest.
    return tuple(record[k] for k in ("criterion", "model", "metric", "query", "subquery_digest"))


def _field(
    record: Mapping[str, Any], name: str, kind: str, texts: _Numbering, lists: _Numbering
) -> Any:
    if kind == "interval":
        ends = INTERVAL_ENDS.get(name, (f"{name}_low", f"{name}_high"))
        pair = [rounded(record.get(end), DIGITS) for end in ends]
        return None if None in pair else pair
    value = record.get(name)
    if kind == "list":
        items = () if value is None or isinstance(value, float) else value
        words = [i if isinstance(i, str) else f"{i['word']} as {i['form']}" for i in items]
        more = [f"and {len(words) - MOST_LISTED:,} more"] * (len(words) > MOST_LISTED)
        shown = (*words[:MOST_LISTED], *more)
        return lists[tuple(texts[word] for word in shown)] if words else None
    if kind == "number":
        return rounded(value, DIGITS)
    return texts[value] if isinstance(value, str) and value else None


def _word_values(
    words: Iterable[Mapping[str, Any]] | None,
    texts: _Numbering,
    lists: _Numbering,
    values: _Numbering,
) -> list[int]:
    """The word values of a row, by measure; sets in order of first appearance."""
    measures: dict[str, dict[str, list[tuple[str, float]]]] = {}
    for word in () if words is None or isinstance(words, float) else words:
        sets = measures.setdefault(word["measure"], {})
        sets.setdefault(word["set"], []).append((word["word"], word["value"]))
    places = []
    for measure, sets in measures.items():
        shown = dict(_strongest(name, words) for name, words in sets.items())
        groups = tuple(
            (texts[name], lists[tuple(texts[word] for word, _ in group)])
            for name, group in shown.items()
        )
        every = (rounded(value, WORD_DIGITS) for group in shown.values() for _, value in group)
        places.append(values[texts[measure], groups, tuple(every)])
    return places


def _strongest(name: str, words: list[tuple[str, float]]) -> tuple[str, list[tuple[str, float]]]:
    """The words of a set with the largest values, in their order; and its name, which says so."""
    if len(words) <= MOST_WORDS:
        return name, words
    sizes = [-1.0 if math.isnan(value) else abs(value) for _, value in words]
    least = sorted(sizes, reverse=True)[MOST_WORDS - 1]
    kept = [pair for pair, size in zip(words, sizes, strict=True) if size >= least][:MOST_WORDS]
    return f"{name} ({MOST_WORDS} of {len(words):,} words, the largest)", kept


def rounded(value: Any, digits: int) -> float | int | None:
    """A whole number, or `digits` significant digits of another; None if not finite."""
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    whole = value == int(value) and abs(value) < 1e15
    return int(value) if whole else float(f"{value:.{digits}g}")


HEADING = ("criterion", "metric", "model", "subquery")
NUMBERS = ("value", "ci_low", "ci_high", "null_band_low", "null_band_high", "p_bh")
MARK_DIGITS = 4


def chart(
    headline: pd.DataFrame, ranking: pd.DataFrame, study: Mapping[str, Any], first: str | None
) -> dict[str, Any]:
    """The data of the chart: a mark for each row of `headline`, in the same order.

    Parameters
    ----------
    headline : rows of a study's scores; `subquery` is the name of a row.
    ranking : its ranking, which marks models that have the same vectors as another model.
    first : the metric that the chart shows first; by default the metric of the first row.

    Returns
    -------
    names : for "criterion", "metric", "model" and "subquery" the distinct names in order.
    marks : for each row of `headline` the indices of its names in these lists, in that order; the
        score, the ends of its interval and of its null band, and p adjusted (None if missing);
        and the index in `reasons` of the reason for a missing score, or None.
    signed : indices of metrics whose value 0 means no association.
    readings : index of a metric of items -> what its values say.
    quiet : indices of models that the chart hides at first.
    first : index of the metric that the chart shows first. subject : index of the study's subject.
    """
    places = {key: _Numbering() for key in HEADING}
    reasons = _Numbering()
    marks = [
        [
            *(places[key][str(record[key])] for key in HEADING),
            *(rounded(record.get(name), MARK_DIGITS) for name in NUMBERS),
            reasons[shortened(why)] if isinstance(why := record.get("reason"), str) else None,
        ]
        for record in headline.to_dict("records")
    ]
    metrics, models, labels = places["metric"], places["model"], study["labels"]
    same = ranking[ranking["status"] == SAME_VECTORS]["model"] if "status" in ranking else ()
    return {
        "names": {
            key: [labels.get(name, name) if key in ("metric", "model") else name for name in found]
            for key, found in places.items()
        },
        "marks": marks,
        "reasons": list(reasons),
        "signed": [metrics[name] for name in study.get("signed", ()) if name in metrics],
        "readings": {
            metrics[name]: reading["text"]
            for name, reading in study.get("readings", {}).items()
            if name in metrics and name in study.get("of_others", ()) and reading["text"]
        },
        "quiet": [models[name] for name in dict.fromkeys(same) if name in models],
        "first": metrics.get(first, 0),
        "subject": models.get(study.get("subject", "")),
    }
