"""The associations of single target words, query by query."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import pandas as pd

from fairflow.products.figures.study_frames import StudyFrames, in_order


class Measure(NamedTuple):
    """What a measure of target words is, where no side is taken, and where its poles lie.

    `right` is the place, 0 or 1, of the attribute set at which large values lie.
    """

    about: str
    zero: float
    right: int


# Measures that a metric gives for each target word.
MEASURES = {
    "association": Measure(
        "mean cosine similarity with the first attribute set less that with the second", 0.0, 0
    ),
    "negative_probability": Measure("probability of the class of the second attribute set", 0.5, 1),
}


class Word(NamedTuple):
    """A target word, its set's place among the target sets, its value (NaN when lost)."""

    word: str
    place: int
    value: float


@dataclass(frozen=True)
class WordPanel:
    """The words of one query on one model.

    Attributes
    ----------
    words : by value, the largest first. lost : those that the model lacks.
    between : words of the middle that are left out after half of `words`, 0 if none.
    poles : names of the attribute sets at small and at large values, empty if not known.
    """

    query: str
    title: str
    model: str
    words: tuple[Word, ...]
    lost: tuple[Word, ...]
    between: int = 0
    poles: tuple[str, ...] = ()

    def ends(self, most: int) -> WordPanel:
        """Both ends of a list of more words than `most`, an even number."""
        left_out = len(self.words) - most
        if left_out < 2:
            return self
        half = most // 2
        return replace(self, words=(*self.words[:half], *self.words[-half:]), between=left_out)


class WordPanels(NamedTuple):
    """Panels of the first metric that has words with one of `MEASURES`.

    `undefined` are the queries without value on any model.
    """

    metric: str
    measure: str
    panels: list[WordPanel]
    undefined: list[str]


def word_panels(frames: StudyFrames) -> WordPanels | None:
    """A panel for each (sub-)query on the first model that defines it; None without any words."""
    if "words" not in frames.scores:
        return None
    for metric, rows in frames.scores.groupby("metric", sort=False):
        measures = in_order(w["measure"] for words in rows["words"].map(_listed) for w in words)
        for measure in measures:
            if measure in MEASURES:
                return _panels(frames, str(metric), measure, rows)
    return None


def _listed(words: object) -> list[dict]:
    return list(words) if hasattr(words, "__iter__") else []


def _panels(frames: StudyFrames, metric: str, measure: str, rows: pd.DataFrame) -> WordPanels:
    panels, undefined = [], []
    for query, scores in rows.groupby("query", sort=False):
        defined = scores[scores["words"].map(lambda words: len(_listed(words)) > 0)]
        if defined.empty:
            undefined.append(str(query))
        first = defined[defined["model"] == (in_order(defined["model"]) or [None])[0]]
        for row in first.to_dict("records"):
            name = row["subquery"] if len(first) > 1 else frames.query_label(str(query))
            panels.append(_panel(frames, row, name, measure))
    return WordPanels(metric, measure, panels, undefined)


def _panel(frames: StudyFrames, row: dict, title: str, measure: str) -> WordPanel:
    entries = [entry for entry in _listed(row["words"]) if entry["measure"] == measure]
    sets = in_order(entry["set"] for entry in entries)
    words = [Word(e["word"], sets.index(e["set"]), float(e["value"])) for e in entries]
    words.sort(key=lambda word: (-word.value, word.place, word.word))
    lost = _lost(frames.coverage, row["model"], row["query"], sets)
    return WordPanel(
        row["query"], title, row["model"], tuple(words), lost, poles=poles(title, measure)
    )


def poles(label: str, measure: str) -> tuple[str, ...]:
    """The two attribute sets of a label, that of small values first; none if it names others."""
    attributes = label.partition(" wrt ")[2].partition(" [")[0].split(" and ")
    if len(attributes) != 2:
        return ()
    right = MEASURES[measure].right
    return attributes[1 - right], attributes[right]


def _lost(coverage: pd.DataFrame, model: str, query: str, sets: list[str]) -> tuple[Word, ...]:
    """Lost words of the target sets; a score's own list does not tell sets apart."""
    if not {"queries", "lost_words"} <= set(coverage.columns):
        return ()
    used = coverage["queries"].map(lambda queries: query in str(queries).split()).astype(bool)
    rows = coverage[used & (coverage["model"] == model) & coverage["word_set"].isin(sets)]
    return tuple(
        Word(word, sets.index(name), math.nan)
        for name, words in zip(rows["word_set"], rows["lost_words"], strict=True)
        if isinstance(words, str)
        for word in words.split(", ")
    )
