"""The tables that every figure is drawn from: which rows are drawn, and what a reader must know."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, make_dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, Literal

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.products.figures import _drawing as page
from fairflow.statistics.outcome import Reading
from fairflow.studies import comparability
from fairflow.studies.columns import read_headlines, read_table
from fairflow.studies.ranking import EVERY, EVERY_NOTE
from fairflow.studies.tables import FIGURES, KINDS, study_tables

# What values above 0 say of two by two sets, in every figure.
FIRST_PAIR = "first group with first words"
_NO_READING = Reading().facts | {"scale": "", "ability": ""}
# Letters below all panels of a figure as wide as two columns, and how many a gap takes.
AXIS_LETTERS, GAP_LETTERS = 98, 5


_TABLES = [(table.name, pd.DataFrame) for table in study_tables(FIGURES, *KINDS)]
_TABLES += [("labels", dict), ("readings", dict), ("query_parts", dict)]
_FIELDS = [(name, type_, field(default_factory=type_)) for name, type_ in _TABLES]
# Its fields are known only when it is made.
_Tables: Any = make_dataclass("_Tables", _FIELDS, frozen=True)


class StudyFrames(_Tables):
    """Tidy results of one study: a frame for each table that figures read.

    Any frame may be empty, even without columns. labels: by model, metric, query or table id.
    readings: by metric, what its values say. query_parts: by query, its sets, sides and property.
    """

    def label(self, identifier: str) -> str:
        """Short label of an id, or the id itself."""
        return self._labels.get(identifier, identifier)

    @cached_property
    def _labels(self) -> dict[str, str]:
        """The labels, comparability.flagged where a model fails a control query."""
        return comparability.flagged(self.labels, self.scores)

    def axis_in_lines(self, metric: str, columns: int, name: str = "") -> str:
        """What a metric's values say, after a name, below one of several panels next to labels."""
        width = max(16, AXIS_LETTERS // columns - GAP_LETTERS)
        reading = self.reading(metric)["text"]
        if self.pairs_above_zero(metric):
            named, other = self.poles(metric)
            wide = f"\N{LEFTWARDS ARROW} {other}    {named} \N{RIGHTWARDS ARROW}"
            reading = wide if len(wide) <= width else f"above 0: {named}"
        return "\n".join(page.wrapped_name(part, width) for part in (name, reading) if part)

    def row_label(self, query: str, metrics: Iterable[str], width: int) -> str:
        """The label of a query in lines; as pairs where all metrics are above 0 for these."""
        label = self.query_label(query)
        in_lines = page.paired_sets if self.in_pairs(metrics) else page.wrapped_query
        return in_lines(label, width, self.sets(query))

    def sets(self, query: str) -> page.Sides:
        """Names of the target sets and of the attribute sets of a query; none of items."""
        parts = self.query_parts.get(query, {})
        return tuple(parts.get("targets", ())), tuple(parts.get("attributes", ()))

    def reading(self, metric: str) -> dict[str, Any]:
        """What its values say, see `Study.readings`."""
        return _NO_READING | self.readings.get(metric, {})

    def in_pairs(self, metrics: Iterable[str]) -> bool:
        """Whether the rows of these metrics are named by pairs of sets."""
        return all(map(self.pairs_above_zero, metrics))

    def pairs_above_zero(self, metric: str) -> bool:
        """Whether a value above 0 says that first targets go with first attributes."""
        return self.reading(metric)["of_pairs"]

    def poles(self, metric: str) -> tuple[str, str]:
        """What values far above 0 and far below 0 say; ("", "") where the reading names no side."""
        if self.pairs_above_zero(metric):
            return FIRST_PAIR, "the other way round"
        return self.reading(metric)["text"], ""

    def query_label(self, query: str) -> str:
        """Label of a query: from the labels, else from the scores, else the id itself.

        With the id behind it where another query of the study has the same label.
        """
        label = self._own_label(query)
        others = set() if self.scores.empty else {*self.scores["query"]} - {query}
        same = any(self._own_label(other) == label for other in others)
        return f"{label} [{query}]" if same else label

    def _own_label(self, query: str) -> str:
        if query in self.labels or self.scores.empty:
            return self.label(query)
        named = self.scores.loc[self.scores["query"] == query, "query_label"].dropna()
        return next(map(str, named), query)

    def sides(self, query: str) -> tuple[str, str]:
        """What the two sides of the direction of a query are called: the words of its first pair.

        Where its parts tell none they are the first words and the second words.
        """
        sides = self.query_parts.get(query, {}).get("sides")
        return tuple(sides or ("the first words", "the second words"))

    def places(self, models: Iterable[str]) -> dict[str, int]:
        """Model -> its place in the study, then of others: what it looks like in every figure."""
        every = in_order([*self.scores.get("model", ()), *models])
        return {model: place for place, model in enumerate(every)}

    def metrics(self) -> list[str]:
        """All metrics of the study, so that a metric keeps its colour in every figure."""
        frames = (self.scores, self.ranking)
        return in_order(metric for f in frames if not f.empty for metric in f["metric"])


def read_frames(
    paths: Mapping[str, str | Path], names: Mapping[str, Mapping[str, Any]]
) -> StudyFrames:
    """The tables of a study from their files, of all scores those that a study ranks by.

    Parameters
    ----------
    names : labels, readings and query_parts, see `fairflow.planning.study.Study`.
    """
    tables = {name: read_table(path) for name, path in paths.items() if name != "scores"}
    scores = read_headlines(paths["scores"])
    return StudyFrames(scores, **tables, **{name: dict(each) for name, each in names.items()})


def in_order(values: Iterable[str]) -> list[str]:
    """Distinct values in order of first appearance, without missing ones."""
    return [str(value) for value in dict.fromkeys(values) if not pd.isna(value)]


def first_effect_size(rows: pd.DataFrame) -> str:
    """The first metric whose measure is an effect size, else the first."""
    rows = rows.reindex(columns=["metric", "measure"])
    effects = rows.loc[rows["measure"] == "effect_size", "metric"]
    return in_order([*effects, *rows["metric"]])[0]


def computed_rows(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows by the scores of this study: of every model, where it ranks every model."""
    if frame.empty:
        return frame
    return frame[frame["source"] == (EVERY if EVERY in {*frame["source"]} else "computed")]


def queries_by_criterion(scores: pd.DataFrame) -> dict[str, list[str]]:
    """The queries of each criterion, in the order of the study."""
    return scores.groupby("criterion", sort=False)["query"].agg(in_order).to_dict()


def first_queries(criteria: dict[str, list[str]], limit: int) -> dict[str, list[str]]:
    """At most `limit` queries, the first of each criterion before the second of any."""
    turns = sorted(
        (turn, number, query)
        for number, queries in enumerate(criteria.values())
        for turn, query in enumerate(queries)
    )
    chosen = {query for *_, query in turns[: max(0, limit)]}
    kept = {name: [q for q in queries if q in chosen] for name, queries in criteria.items()}
    return {name: queries for name, queries in kept.items() if queries}


_CELL = ["model", "metric", "query", "subquery"]


def with_word_values(scores: pd.DataFrame, measures: Sequence[str]) -> pd.DataFrame:
    """The rows of scores whose words have all of some measures."""
    if "words" not in scores:
        return scores.iloc[:0]
    wanted = set(measures)
    has = [wanted <= {word["measure"] for word in word_entries(words)} for words in scores["words"]]
    return scores[has]


def scored_words(scores: pd.DataFrame, measures: Sequence[str]) -> pd.DataFrame:
    """A row for each word of each score that has all of some measures, in the order of the scores.

    Returns
    -------
    Columns model, metric, query, subquery, set, word, and one for each measure.
    """
    columns = [*_CELL, "set", "word", *measures]
    rows = []
    for score in with_word_values(scores, measures).to_dict("records"):
        of_words: dict[tuple[str, str], dict[str, float]] = {}
        for entry in word_entries(score["words"]):
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


def spoken(word: str) -> str:
    """A phrase as it is written in a sentence."""
    return word.replace("_", " ")


def sides_of(score: Mapping[str, Any]) -> page.Sides:
    """Names of the target sets and of the attribute sets of the (sub-)query of a score."""
    targets, attributes = (tuple(word_entries(score.get(n))) for n in ("targets", "attributes"))
    return targets, attributes


def first_metric(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of the metric that stands first; all of none."""
    return rows if rows.empty else rows[rows["metric"] == rows["metric"].iloc[0]]


def word_entries(words: Any) -> list[Any]:
    """A list of a score, such as its words; none of one that was not read with any."""
    return list(words) if hasattr(words, "__iter__") else []


# Marks the label of a model that fails a control query, or whose control query has no value.
MARK = "\N{DAGGER}"
_STATUS = ["status", "note"]
_UNRANKED = {
    comparability.SAME_VECTORS: "another model here is the same vectors",
    comparability.FAILS_CONTROL: "a control query fails, which sensible vectors show",
    comparability.DERIVED: "they are derived from another model here",
}


def shown_ranking(frames: StudyFrames) -> tuple[pd.DataFrame, list[str]]:
    """The ranking without metrics and models that are not ranked; notes on these.

    No rows when nobody has a rank. Of ranks of every model the notes say which say little.
    """
    rows = computed_rows(frames.ranking)
    if rows.empty:
        return rows, []
    rows = rows.assign(**{name: rows.get(name, pd.Series("", rows.index)) for name in _STATUS})
    notes = list(_ranking_notes(frames, rows))
    if rows["rank"].isna().all():
        return rows[:0], notes or sorted({note for note in rows["note"].dropna() if note})
    left_out = rows["status"].isin([*comparability.INCOMPARABLE, *comparability.NO_RIVALS]) & (
        rows["source"] != EVERY
    )
    return rows[~left_out], notes


def why_no_ranking(notes: list[str]) -> str:
    """The end of a sentence that says that there is no ranking."""
    return f": {' '.join(note.rstrip('.') + '.' for note in notes)}" if notes else "."


def _ranking_notes(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    every = rows["source"].iloc[0] == EVERY
    if every:
        yield EVERY_NOTE
    for status in comparability.INCOMPARABLE:
        if metrics := in_order(rows.loc[rows["status"] == status, "metric"]):
            every_name = ", ".join(frames.label(metric) for metric in metrics)
            lead = "Ranks say little by" if every else "No ranks by"
            yield f"{lead} {every_name}: {comparability.NOTES[status].split(';')[0]}."
    for status, why in _UNRANKED.items():
        own = rows[rows["status"] == status].drop_duplicates("model")
        names = [frames.label(model) for model in own["model"]]
        if names and status == comparability.FAILS_CONTROL:
            names = ["; ".join(map(": ".join, zip(names, own["control"], strict=True)))]
        if names:
            lead = "Ranked, although" if every else "Not ranked, as"
            yield f"{lead} {why}: {', '.join(names)}."


def marked_label(frames: StudyFrames, model: str) -> str:
    """The label of a model, with a mark when a control query does not come out."""
    return frames.label(model) + (f" {MARK}" if model in _doubtful_models(frames) else "")


# Inches: rows of models at most and at least, what surrounds all panels, and the gap between them.
RANK_ROW, LEAST_RANK_ROW, AROUND_RANKS, BETWEEN_RANKS = 0.24, 0.11, 1.0, 0.12


def rank_row(levels: int, rows: int) -> float:
    """Inches of each of some rows on each level of panels."""
    room = page.PAGE - AROUND_RANKS - BETWEEN_RANKS * levels
    return max(LEAST_RANK_ROW, min(RANK_ROW, room / (levels * rows)))


def rank_facets(
    frames: StudyFrames,
    criteria: Sequence[str],
    metrics: Sequence[str],
    models: Sequence[str],
    sharex: bool | Literal["col"] = True,
) -> tuple[Figure, dict[tuple[str, str], Axes]]:
    """Panels of (criterion, metric) with a row for each model.

    Parameters
    ----------
    sharex : which panels have one axis of values.
    """
    row = rank_row(len(criteria), len(models))
    height = len(criteria) * (len(models) * row + BETWEEN_RANKS) + AROUND_RANKS
    width = page.DOUBLE_COLUMN if len(metrics) > 1 else page.SINGLE_COLUMN
    figure = Figure(figsize=(width, height), layout="constrained")
    grid = figure.subplots(len(criteria), len(metrics), sharex=sharex, sharey=True, squeeze=False)
    for panels, criterion in zip(grid, criteria, strict=True):
        page.name_row(panels, criterion)
    for axes, metric in zip(grid[0], metrics, strict=True):
        axes.set_title(page.wrapped_name(frames.label(metric), min(20, 80 // len(metrics))))
    names = [marked_label(frames, model) for model in models]
    names = [page.wrapped_name(name, 28) if row == RANK_ROW else name for name in names]
    grid[0][0].set_yticks(range(len(models)), names)
    grid[0][0].set_ylim(len(models) - 0.5, -0.5)
    return figure, dict(zip(product(criteria, metrics), grid.flat, strict=True))


def control_notes(frames: StudyFrames, models: Iterable[str]) -> list[str]:
    """What the mark stands for, if any of these models has it."""
    doubt_of = _doubtful_models(frames)
    doubts = [f"{frames.label(m)}: {doubt_of[m]}" for m in in_order(models) if m in doubt_of]
    what = "a control query, which sensible vectors show, does not come out"
    return [f"{MARK} {what} ({'; '.join(doubts)})."] if doubts else []


def _doubtful_models(frames: StudyFrames) -> dict[str, str]:
    """Model -> what its control queries say, where one does not come out."""
    return comparability.failing_models(frames.ranking, comparability.DOUBTFUL)
