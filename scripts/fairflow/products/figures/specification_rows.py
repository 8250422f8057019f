"""What stands where in the figure of specifications: sections of criteria, rows of choices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from fairflow.products.figures.drawing import wrapped
from fairflow.products.figures.study_frames import StudyFrames, in_order
from fairflow.studies.aggregation import OVERALL
from fairflow.studies.specification_curve import COUNTED
from fairflow.studies.specifications import ANY

MOST_PAIRS = 2
LABEL_WIDTH, HEADING_WIDTH = 28, 12
# Columns of the table by which a row of dots is chosen, under their headings.
HEADINGS = {
    "variant": "Metric",
    "normalisation": "Vectors",
    "aggregation": "Queries become one by",
    "lists": "Word lists",
    "lookup": "Look-up",
}
_AGGREGATIONS = {"abs_avg": "mean of absolute values", "avg": "mean"}

Pair = tuple[str, str]


@dataclass(frozen=True)
class ChoiceRow:
    """A row under the curve: the heading of a kind of choice (choice is None), or one choice."""

    column: str
    choice: str | None
    label: str

    @property
    def lines(self) -> int:
        """Lines of text."""
        return self.label.count("\n") + 1

    def made_in(self, panel: pd.DataFrame) -> pd.Series:
        """The specifications that make this choice."""
        return panel[self.column] == self.choice

    def any_of(self, panel: pd.DataFrame) -> pd.Series:
        """The specifications to which it makes no difference."""
        return (panel[self.column] == ANY) & (self.choice is not None)


class Section(NamedTuple):
    """Specifications of one criterion, side by side from left to right."""

    criterion: str
    count: str
    left: float
    right: float

    @property
    def middle(self) -> float:
        """Where its heading stands."""
        return (self.left + self.right) / 2

    def heading(self, turned: bool) -> str:
        """Criterion and count, on one line to be read from below, or in narrow lines."""
        if turned:
            return f"{self.criterion}, {self.count}"
        return f"{wrapped(self.criterion, HEADING_WIDTH)}\n{self.count}"


def pairs_shown(summary: pd.DataFrame) -> list[Pair]:
    """The pairs that are drawn, the model that more often shows the larger bias first.

    Those whose order hangs most on choices: with the largest share of specifications on the side of
    fewer.
    """
    counts = {}
    for key, rows in with_specifications(summary).groupby(["model", "other"], sort=False):
        n_model, n_other = rows["n_model"].sum(), rows["n_other"].sum()
        pair = key if n_model >= n_other else key[::-1]
        counts[pair] = min(n_model, n_other) / max(1, n_model + n_other)
    return sorted(counts, key=counts.__getitem__, reverse=True)[:MOST_PAIRS]


def with_specifications(summary: pd.DataFrame) -> pd.DataFrame:
    """Rows of single criteria that count some specification, or of all criteria together."""
    some = summary[summary["n_specifications"] > 0]
    single = some[some["criterion"] != OVERALL]
    return single if len(single) else some


def of_pair(table: pd.DataFrame, pair: Pair) -> pd.DataFrame:
    """The rows of two models, in whichever order the table names them."""
    model, other = table["model"], table["other"]
    forward = (model == pair[0]) & (other == pair[1])
    return table[forward | ((model == pair[1]) & (other == pair[0]))]


def placed(curve: pd.DataFrame, pair: Pair) -> pd.DataFrame:
    """Counted specifications of a pair, a section for each criterion, sorted in each.

    Columns of the table, differences turned so that they are positive where the first model shows
    more bias, and x.
    """
    rows = of_pair(curve[curve["status"] == COUNTED], pair)
    turned = rows["model"] != pair[0]
    low, high = rows["relative_difference_low"], rows["relative_difference_high"]
    rows = rows.assign(
        relative_difference=rows["relative_difference"].where(
            ~turned, -rows["relative_difference"]
        ),
        relative_difference_low=low.where(~turned, -high),
        relative_difference_high=high.where(~turned, -low),
    )
    sections = []
    start = 0.0
    for _, section in rows.groupby("criterion", sort=False):
        by_size = section.sort_values("relative_difference", kind="stable")
        sections.append(by_size.assign(x=[start + number for number in range(len(by_size))]))
        start += len(by_size) + 1.5
    return pd.concat(sections, ignore_index=True)


def sections(panel: pd.DataFrame, pair: Pair) -> list[Section]:
    """Where the section of each criterion lies, and in how many the first model shows more."""
    return [
        Section(
            str(criterion),
            f"{int((rows['more_biased'] == pair[0]).sum())} of {len(rows)}",
            rows["x"].min() - 0.75,
            rows["x"].max() + 0.75,
        )
        for criterion, rows in panel.groupby("criterion", sort=False)
    ]


def choice_rows(frames: StudyFrames, panel: pd.DataFrame) -> list[ChoiceRow]:
    """The rows of a panel: kinds of choices of which several were made."""
    return list(_choice_rows(frames, panel))


def _choice_rows(frames: StudyFrames, panel: pd.DataFrame) -> Iterator[ChoiceRow]:
    for column, heading in HEADINGS.items():
        in_turn = panel.sort_values("specification", kind="stable")[column]
        made = [choice for choice in in_order(in_turn) if choice != ANY]
        if len(made) > 1:
            yield ChoiceRow(column, None, heading)
            for choice in made:
                label = _AGGREGATIONS.get(choice, frames.label(choice)).replace("_", " ")
                yield ChoiceRow(column, choice, wrapped(label, LABEL_WIDTH))
