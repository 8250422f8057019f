"""What a critical-difference diagram shows of one criterion and metric."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pandas as pd

from fairflow.products.figures.drawing import wrapped
from fairflow.products.figures.ranked_models import marked_label
from fairflow.products.figures.study_frames import StudyFrames, in_order

# Heights in inches: a line of text, what parts labels, a bar that joins models.
LINE, GAP, BAR = 0.1, 0.03, 0.055
# Above the axis: its numbers, and the critical difference.
NUMBERS, WIDTH = 0.14, 0.14
LABEL_WIDTH, TEXT_WIDTH = 24, 66
# Friedman's test, of whose outcome a diagram tells, is of three or more.
LEAST_MODELS = 3


@dataclass(frozen=True)
class Facet:
    """Mean ranks of one criterion and metric, the best model first, and what was tested.

    Attributes
    ----------
    ranks : model -> mean rank over queries. labels : of these models, in lines.
    joined : groups of models that no test separates, each in the order of the ranks.
    width : of the critical difference, in ranks; NaN if there is none.
    text : what the test says, in lines.
    """

    title: str
    ranks: dict[str, float]
    labels: list[str]
    joined: list[list[str]]
    width: float
    text: str

    def sides(self) -> tuple[list[int], list[int]]:
        """Places of the models labelled on the left, and on the right from the last one."""
        half = math.ceil(len(self.ranks) / 2)
        return list(range(half)), list(range(len(self.ranks) - 1, half - 1, -1))

    def above(self) -> float:
        """Inches above the axis."""
        return NUMBERS + (0.0 if math.isnan(self.width) else WIDTH)

    def label_height(self, number: int) -> float:
        """Inches of a model's label."""
        return LINE * line_count(self.labels[number]) + GAP

    def top_of_labels(self) -> float:
        """Inches below the axis."""
        return BAR * (len(self.joined) + 1) + 0.03

    def height(self) -> float:
        """Inches."""
        labels = max(sum(self.label_height(i) for i in side) for side in self.sides())
        return self.above() + self.top_of_labels() + labels + LINE * line_count(self.text) + 0.05


def line_count(text: str) -> int:
    """Lines of a text, 0 of an empty one."""
    return text.count("\n") + 1 if text else 0


def facet(frames: StudyFrames, test: dict) -> Facet:
    """The facet of a row of `frames.friedman`."""

    def own(frame: pd.DataFrame) -> pd.DataFrame:
        if frame.empty:
            return frame
        same = frame["metric"] == test["metric"]
        return frame[same & (frame["criterion"] == test["criterion"])]

    ranks = own(frames.mean_ranks).sort_values("mean_rank", kind="stable")
    ranks = dict(zip(ranks["model"], ranks["mean_rank"], strict=True))
    pairs = own(frames.pairwise)
    every = in_order(own(frames.rank_uncertainty).get("model", []))
    missing = [frames.label(model) for model in every if model not in ranks]
    parts = [*_verdict(test, len(ranks))]
    if missing:
        parts.append(f"not compared: {', '.join(missing)}")
    return Facet(
        title=f"{test['criterion']}: {frames.label(test['metric'])}",
        ranks=ranks,
        labels=[_label(marked_label(frames, model), rank) for model, rank in ranks.items()],
        joined=joined_models(list(ranks), pairs, test["alpha"]),
        width=test["critical_difference"],
        text="\n".join(wrapped(part, TEXT_WIDTH) for part in parts),
    )


def _label(model: str, rank: float) -> str:
    # A figure alone on a line would be taken for a model's.
    return textwrap.fill(f"{model}\N{NO-BREAK SPACE}{rank:.2f}", LABEL_WIDTH)


def _verdict(test: dict, n_models: int) -> Iterator[str]:
    n = f"{test['n_queries']:.0f} queries"
    if n_models < LEAST_MODELS:
        return
    if math.isnan(test["p_value"]):
        yield f"{n}; no Friedman test: {str(test['note']).split(';')[0]}"
    else:
        yield f"{n}; Friedman {_p(test['p_value'])}"
    # Wilcoxon's smallest p, all differences of one sign, times the pairs.
    n_pairs = n_models * (n_models - 1) / 2
    if n_pairs and n_pairs * 2.0 ** (1 - test["n_queries"]) >= test["alpha"]:
        yield "too few queries to separate any two models"


def _p(value: float) -> str:
    digits = "< 0.001" if value < 0.001 else f"= {value:.2g}" if value < 0.1 else f"= {value:.2f}"
    return f"p {digits}".replace(" ", "\N{NO-BREAK SPACE}")


def joined_models(models: Sequence[str], pairs: pd.DataFrame, alpha: float) -> list[list[str]]:
    """The largest groups of models of which no two are separated, each in the order of `models`.

    Parameters
    ----------
    pairs : model, other, wilcoxon_holm; both orders of each pair.
    """
    if pairs.empty:
        return []
    alike = pairs[pairs["wilcoxon_holm"] >= alpha]
    near = {model: set(alike.loc[alike["model"] == model, "other"]) for model in models}
    groups = [group for group in _cliques([], list(models), [], near) if len(group) > 1]
    return sorted(
        (sorted(group, key=models.index) for group in groups),
        key=lambda group: [models.index(model) for model in group],
    )


def _cliques(
    chosen: list[str], open_: list[str], done: list[str], near: dict[str, set[str]]
) -> Iterator[list[str]]:
    """Maximal cliques, after Bron & Kerbosch (1973)."""
    if not open_ and not done:
        yield chosen
    for number, model in enumerate(open_):
        later = [other for other in open_[number + 1 :] if other in near[model]]
        before = [other for other in [*done, *open_[:number]] if other in near[model]]
        yield from _cliques([*chosen, model], later, before, near)
