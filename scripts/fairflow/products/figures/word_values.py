"""The values of single words that the metrics of one model give, as a table."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

_CELL = ["model", "metric", "query", "subquery"]


def with_word_values(scores: pd.DataFrame, measures: Sequence[str]) -> pd.DataFrame:
    """The rows of scores whose words have all of some measures."""
    if "words" not in scores:
        return scores.iloc[:0]
    wanted = set(measures)
    has = [wanted <= {word["measure"] for word in listed(words)} for words in scores["words"]]
    return scores[has]


def word_values(scores: pd.DataFrame, measures: Sequence[str]) -> pd.DataFrame:
    """A row for each word of each score that has all of some measures, in the order of the scores.

    Returns
    -------
    Columns model, metric, query, subquery, set, word, and one for each measure.
    """
    columns = [*_CELL, "set", "word", *measures]
    rows = []
    for score in with_word_values(scores, measures).to_dict("records"):
        of_words: dict[tuple[str, str], dict[str, float]] = {}
        for entry in listed(score["words"]):
            if entry["measure"] in measures:
                key = entry["set"], entry["word"]
                of_words.setdefault(key, {})[entry["measure"]] = float(entry["value"])
        cell = {name: score[name] for name in _CELL}
        rows += [
            cell | {"set": name, "word": word} | values
            for (name, word), values in of_words.items()
            if len(values) == len(measures)
        ]
    return pd.DataFrame(rows, columns=columns)


def first_metric(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of the metric that stands first; all of none."""
    return rows if rows.empty else rows[rows["metric"] == rows["metric"].iloc[0]]


def listed(words: object) -> list[dict]:
    """The words of a score, as a list; none of one that was not read with any."""
    return list(words) if hasattr(words, "__iter__") else []
