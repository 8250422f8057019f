"""Which rows of a ranking are drawn, and what a reader must know of the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import pandas as pd

from fairflow.products.figures.study_frames import StudyFrames, in_order, rows_of_source
from fairflow.studies.comparability import (
    DERIVED,
    GROWS_WITH_LENGTH,
    NO_RIVALS,
    NOTES,
    SAME_VECTORS,
)
from fairflow.studies.controls import doubtful

# At the label of a model of which a control query does not come out.
MARK = "\N{DAGGER}"
_TEXT = ["status", "note"]


class RankedModels(NamedTuple):
    """The rows to draw, without metrics and models that are not ranked; and notes on these."""

    rows: pd.DataFrame
    notes: list[str]


def ranked_models(frames: StudyFrames, source: str) -> RankedModels:
    """The ranking from a source; no rows when nobody has a rank."""
    rows = rows_of_source(frames.ranking, source)
    if rows.empty:
        return RankedModels(rows, [])
    rows = rows.assign(**{name: rows.get(name, pd.Series("", rows.index)) for name in _TEXT})
    notes = list(_notes(frames, rows))
    if rows["rank"].isna().all():
        notes = notes or sorted({note for note in rows["note"].dropna() if note})
        return RankedModels(rows[:0], notes)
    return RankedModels(rows[~rows["status"].isin([GROWS_WITH_LENGTH, *NO_RIVALS])], notes)


def why_no_ranking(notes: list[str]) -> str:
    """The end of a sentence that says that there is none."""
    return f": {' '.join(note.rstrip('.') + '.' for note in notes)}" if notes else "."


def _notes(frames: StudyFrames, rows: pd.DataFrame) -> Iterator[str]:
    grows = in_order(rows.loc[rows["status"] == GROWS_WITH_LENGTH, "metric"])
    if grows:
        names = ", ".join(frames.label(metric) for metric in grows)
        yield f"No ranks by {names}: {NOTES[GROWS_WITH_LENGTH].split(';')[0]}."
    same = rows[rows["status"] == SAME_VECTORS].drop_duplicates("model")
    if len(same):
        names = ", ".join(frames.label(model) for model in same["model"])
        yield f"Not ranked, as another model here is the same vectors: {names}."
    derived = rows[rows["status"] == DERIVED].drop_duplicates("model")
    if len(derived):
        names = ", ".join(frames.label(model) for model in derived["model"])
        yield f"Not ranked, as they come of another model here: {names}."


def marked_label(frames: StudyFrames, model: str) -> str:
    """The label of a model, with a mark when a control query does not come out."""
    return frames.label(model) + (f" {MARK}" if model in _doubtful_models(frames) else "")


def control_notes(frames: StudyFrames, models: Iterable[str]) -> list[str]:
    """What the mark stands for, if any of these models has it."""
    doubt_of = _doubtful_models(frames)
    told = [
        f"{frames.label(model)}: {doubt_of[model]}"
        for model in in_order(models)
        if model in doubt_of
    ]
    what = "a control query, which sensible vectors show, does not come out"
    return [f"{MARK} {what} ({'; '.join(told)})."] if told else []


def _doubtful_models(frames: StudyFrames) -> dict[str, str]:
    """Model -> what its control queries say, where one does not come out."""
    if frames.ranking.empty or "control" not in frames.ranking:
        return {}
    rows = frames.ranking[frames.ranking["control"].map(doubtful)].drop_duplicates("model")
    return dict(zip(rows["model"], rows["control"], strict=True))
