"""What every figure is: drawn from the tables of a study, as rows to plot again, and in words."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from fairflow.studies.wording import counted, listed, shortened

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from fairflow.products.figures._study_frames import StudyFrames

_NAMES = ["criterion", "query", "query_label", "subquery", "metric", "model"]
_INTERVALS = ["ci_low", "ci_high", "ci_low_both", "ci_high_both", "ci_level"]
_BANDS = ["null_band_low", "null_band_high", "frequency_source"]
_FACTS = ["n_words", "n_oov", "sampled_from", "status", "reason", "statistics", "statistics_note"]


class BaseFigure(ABC):
    """A figure of a study; one of scores needs `plot` alone.

    The first line of a subclass's docstring is what lists of figures say of it.

    Attributes
    ----------
    of_study : it shows what a study adds to scores, so that a table of scores cannot be drawn.
    nothing : what is drawn in place of the figure where `data` has no rows.
    frames : the tables of the study; any may be empty.
    label, query_label : how the figure prints an id, and the id of a query.
    """

    of_study: ClassVar[bool] = False
    nothing: ClassVar[str] = "No scores in this study."

    def __init__(self, frames: StudyFrames) -> None:
        self.frames = frames
        self.label, self.query_label = frames.label, frames.query_label

    @abstractmethod
    def plot(self) -> Figure:
        """The figure of a study with `data`, or a sentence that says why it has nothing to draw."""

    def data(self) -> pd.DataFrame:
        """The rows behind the figure: by default every primary score, without lists of words."""
        rows = self.frames.scores.reindex(columns=[*_NAMES, "value", *_INTERVALS, *_BANDS, *_FACTS])
        reasons = ("reason", "statistics_note")
        return rows.assign(**{r: rows[r].map(shortened, na_action="ignore") for r in reasons})

    def title(self, rows: pd.DataFrame) -> str:
        """A sentence above the panels: what the figure shows; "" without one.

        Parameters
        ----------
        rows : `data` with label_metric and label_model, not empty.
        """
        return ""

    def around_zero(self, rows: pd.DataFrame, over: str = "over target words") -> str:
        """How many intervals exclude zero, of metrics that say what is above their fair 0."""
        readings = map(self.frames.reading, rows["metric"])
        signed = [reading["fair"] == 0 and bool(reading["above"]) for reading in readings]
        metrics = rows.loc[signed, "label_metric"].unique()
        whose = f"{listed(metrics)}: " * (len(metrics) < rows["metric"].nunique())
        told = excluding_zero(rows[signed], over)
        return whose + told if told else ""

    def printed(self, measure: str) -> pd.DataFrame:
        """Published values of a measure: columns model, scope, item, table and published."""
        columns = ["measure", "model", "scope", "item", "table", "published"]
        rows = self.frames.published.reindex(columns=columns)
        return rows[(rows["measure"] == measure) & rows["published"].notna()]

    def about(self, rows: pd.DataFrame) -> str:
        """A sentence on what is drawn, which begins the caption.

        Parameters
        ----------
        rows : `data` with label_metric and label_model, not empty.
        """
        models, metrics = rows["label_model"].unique(), rows["label_metric"].unique()
        intervals = "ci_low" in rows and rows["ci_low"].notna().any()
        with_them = ", with intervals and the bands of random words," if intervals else ""
        return (
            f"Scores{with_them} of {listed(models)} by {listed(metrics)} on "
            f"{counted(rows['query'].nunique(), 'query', 'queries')}, in rows by query."
        )


def excluding_zero(rows: pd.DataFrame, over: str = "over target words") -> str:
    """How many intervals of scores exclude zero; empty where none has an interval."""
    known = rows.dropna(subset="ci_low")
    clear = ((known["ci_low"] > 0) | (known["ci_high"] < 0)).sum()
    return f"{clear} of {len(known)} intervals {over} exclude zero" * (len(known) > 0)
