"""Everything about each score that a page shows on demand, in compact form for JSON."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

# (column, label, kind); an interval's column is named without _low and _high.
FIELDS = (
    ("value", "Score", "number"),
    ("status", "Status", "text"),
    ("reason", "Reason", "text"),
    ("ci", "Interval, other target words or items", "interval"),
    ("ci_both", "Interval, other attribute words or templates too", "interval"),
    ("ci_level", "Level of the intervals", "number"),
    ("ci_method", "Method of the intervals", "text"),
    ("n_resamples", "Resamples", "number"),
    ("p_value", "p", "number"),
    ("p_holm", "p, Holm", "number"),
    ("p_bh", "p, Benjamini-Hochberg", "number"),
    ("family", "Family of tests", "text"),
    ("p_normal", "p, normal approximation", "number"),
    ("p_side", "Side of the test", "text"),
    ("p_statistic", "Statistic of the test", "text"),
    ("p_method", "Method of the test", "text"),
    ("n_permutations", "Permutations", "number"),
    ("p_smallest", "Smallest p possible", "number"),
    ("p_error", "Error of p", "number"),
    ("random", "Random target words, 95% band", "interval"),
    ("p_random", "p among random target words", "number"),
    ("n_random", "Random sets", "number"),
    ("random_source", "Frequency of random words by", "text"),
    ("loo", "Range when any one word is left out", "interval"),
    ("influential_word", "Word that matters most", "text"),
    ("value_unit_length", "Score with unit-length vectors", "number"),
    ("n_words", "Words or items", "number"),
    ("n_items", "Items that the score rests on", "number"),
    ("n_units", "Units of these items", "number"),
    ("sampled_from", "Items that the sample was drawn from", "number"),
    ("n_found", "Words found", "number"),
    ("n_lost", "Words lost", "number"),
    ("lost_words", "Lost words", "list"),
    ("duplicated_words", "Words repeated in a set", "list"),
    ("shared_words", "Words in several target sets", "list"),
    ("respelt_words", "Words found in another form", "list"),
    ("statistics", "Statistics", "text"),
    ("statistics_note", "Note on the statistics", "text"),
)
INTERVAL_ENDS = {"ci_both": ("ci_low_both", "ci_high_both")}
DIGITS = 6
WORD_DIGITS = 4


def score_details(headline: pd.DataFrame, others: pd.DataFrame) -> dict[str, Any]:
    """Details of each row of `headline`, equal texts, word lists and word values stored once.

    Parameters
    ----------
    headline : rows of a study's scores, in the order of the page.
    others : its other measures, which are listed with the row of the same model, metric and
        (sub-)query.

    Returns
    -------
    texts : distinct texts. lists : distinct lists of places in `texts`.
    values : distinct [measure, [[set, list], ...], [value, ...]], the values of all sets' words.
    fields : [label, kind]. rows : per row of `headline` its fields, in order: a number, a place in
        `texts`, [low, high], a place in `lists`, or None.
    measures : per row [[measure, value], ...]. words : per row the places in `values`.
    """
    texts, lists, values = _Numbering(), _Numbering(), _Numbering()
    other_measures = _other_measures(others)
    rows, measures, words = [], [], []
    for record in headline.to_dict("records"):
        rows.append([_field(record, name, kind, texts, lists) for name, _, kind in FIELDS])
        measures.append(
            [[texts[name], value] for name, value in other_measures.get(_identity(record), [])]
        )
        words.append(_word_values(record["words"], texts, lists, values))
    return {
        "texts": list(texts),
        "lists": list(lists),
        "values": list(values),
        "fields": [[label, kind] for _, label, kind in FIELDS],
        "rows": rows,
        "measures": measures,
        "words": words,
    }


class _Numbering(dict[Hashable, int]):
    """Distinct things, each with its place of first appearance."""

    def __missing__(self, thing: Hashable) -> int:
        return self.setdefault(thing, len(self))


def _identity(record: Mapping[str, Any]) -> tuple[str, ...]:
    # Subqueries of one query may share a name under other words, hence the digest.
    return tuple(record[k] for k in ("criterion", "model", "metric", "query", "subquery_digest"))


def _other_measures(others: pd.DataFrame) -> dict[tuple[str, ...], list[tuple[str, Any]]]:
    by_cell: dict[tuple[str, ...], list[tuple[str, Any]]] = {}
    for record in others.to_dict("records"):
        pair = (record["measure"], rounded(record["value"], DIGITS))
        by_cell.setdefault(_identity(record), []).append(pair)
    return by_cell


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
        return lists[tuple(texts[_item(item)] for item in items)] if len(items) else None
    if kind == "number":
        return rounded(value, DIGITS)
    return texts[value] if isinstance(value, str) and value else None


def _item(item: str | Mapping[str, str]) -> str:
    return item if isinstance(item, str) else f"{item['word']} as {item['form']}"


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
    return [values[_entry(name, sets, texts, lists)] for name, sets in measures.items()]


def _entry(
    measure: str,
    sets: Mapping[str, Sequence[tuple[str, float]]],
    texts: _Numbering,
    lists: _Numbering,
) -> tuple[Any, ...]:
    groups = tuple(
        (texts[name], lists[tuple(texts[word] for word, _ in group)])
        for name, group in sets.items()
    )
    numbers = tuple(rounded(value, WORD_DIGITS) for group in sets.values() for _, value in group)
    return (texts[measure], groups, numbers)


def rounded(value: Any, digits: int) -> float | int | None:
    """A whole number as it is, another with so many significant digits; None if not finite."""
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    whole = value == int(value) and abs(value) < 1e15
    return int(value) if whole else float(f"{value:.{digits}g}")
