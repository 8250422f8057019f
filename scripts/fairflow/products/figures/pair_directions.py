"""On which side of each pair of base words a word lies, and on which words the pairs disagree."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from fairflow.products.figures import _drawing as page
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure, span
from fairflow.studies.validity.base_pairs import COSINES
from fairflow.studies.wording import counted, interval_brackets, listed

AGREEMENT = ("model", "base_pairs", "value", "pair", "label", "kappa", "kappa_low", "kappa_high")
# Inches: the row of a pair, of one of many pairs, and what surrounds the axes of a panel.
ROW, THIN_ROW, HEAD, NAMES, GAP, FOOT, RIGHT = 0.102, 0.03, 0.15, 0.13, 0.08, 0.42, 0.05
MOST_NAMED_PAIRS, MOST_NAMED_WORDS, MOST_TOLD = 14, 8, 4
# Of the second side and the first; readers who are colour-blind tell them apart.
HUES = ("#0072B2", "#FFFFFF", "#D55E00")
COLOURS = LinearSegmentedColormap.from_list("sides", HUES)
# The share of values that are within the ends of the colours.
WITHIN = 98


class Panel(NamedTuple):
    """The words of a model on the sides of a set of base pairs.

    Attributes
    ----------
    values : above 0 on the first side, (pairs, words), the words that most pairs put there first.
    shares : of the pairs that put a word on the first side, (words,). sides : names of both.
    agreement : the row of `pair_agreement` for all pairs, or only a label.
    """

    model: str
    pairs: list[str]
    words: list[str]
    values: np.ndarray
    shares: np.ndarray
    sides: tuple[str, str]
    agreement: dict

    @property
    def disputed(self) -> list[int]:
        """Places of the words on which pairs agree least, from the left."""
        order = np.argsort(np.abs(self.shares - 0.5), kind="stable")
        return sorted([int(at) for at in order if 0 < self.shares[at] < 1][:MOST_NAMED_WORDS])

    @property
    def row(self) -> float:
        """Inches of a pair."""
        return ROW if len(self.pairs) <= MOST_NAMED_PAIRS else THIN_ROW

    @property
    def height(self) -> float:
        """Inches."""
        return HEAD + self.row * len(self.pairs) + NAMES + GAP

    @property
    def agreed(self) -> str:
        """Fleiss' kappa of the pairs, with its interval, and on how many words they agree."""
        same = ((self.shares == 0) | (self.shares == 1)).sum()
        pairs = int(np.isfinite(self.values).any(axis=1).sum())
        told = f"{counted(pairs, 'pair')} agree on {same} of {len(self.words)} words"
        if np.isnan(kappa := self.agreement.get("kappa", np.nan)):
            return told
        ends = (self.agreement.get(f"kappa_{end}", np.nan) for end in ("low", "high"))
        return f"kappa {interval_brackets(kappa, *ends, is_signed=False)}, {told}"


class PairDirections(BaseFigure):
    """Draw on which side of each base pair words lie: pairs as rows, words as thin columns.

    Needs `pair_directions` and `pair_agreement`. A panel for each set of pairs and model; words
    are sorted by the share of pairs that put them on the first side.
    """

    def plot(self) -> Figure:
        every = self._panels()
        if not every:
            return page.sentence_figure("No pairs of base words were compared in this study.")
        shown, height = [], FOOT
        for panel in every:
            if shown and height + panel.height > page.PAGE:
                break
            shown.append(panel)
            height += panel.height
        names = [pair for panel in shown for pair in _row_names(panel)] or [""]
        left = max(page.text_width(name, page.SMALL_TEXT) for name in names) / 72 + 0.06
        figure, top = Figure(figsize=(page.DOUBLE_COLUMN, height)), height
        for panel in shown:
            size = panel.row * len(panel.pairs)
            box = (left, top - HEAD - size, page.DOUBLE_COLUMN - left - RIGHT, size)
            self._draw_panel(page.axes_at(figure, *box), panel)
            top -= panel.height
        sides = dict.fromkeys(panel.sides for panel in shown)
        page.add_legend(
            figure,
            [
                Patch(label=f"nearer to {listed(in_order(names))}", color=colour)
                for names, colour in zip(zip(*sides, strict=True), HUES[::-2], strict=True)
            ],
        )
        page.set_notes(
            figure,
            [
                "A column is a word, dark where it is far from the middle; scales differ between "
                "panels. Below: words on which the pairs agree least.",
                page.left_for_space(len(shown), len(every), "panels"),
            ],
        )
        return figure

    def data(self) -> pd.DataFrame:
        """Each word on each pair of each model."""
        return self.frames.pair_directions

    def title(self, rows: pd.DataFrame) -> str:
        panels = self._panels()
        if len(panels) == 1:
            return f"{self.label(panels[0].model)}: {panels[0].agreed}"
        known = pd.DataFrame([panel.agreement for panel in panels]).reindex(columns=["kappa"])
        known = known.assign(model=[panel.model for panel in panels]).dropna()
        ends = (
            span(known, lambda row: self.label(row["model"]), ".2f", "kappa") if len(known) else ""
        )
        return f"Agreement of base pairs: kappa {ends}" * bool(ends)

    def alt_text(self, rows: pd.DataFrame) -> Iterator[str]:
        panels = self._panels()
        yield (
            "On which side of each pair of base words a word lies, in "
            f"{counted(len(panels), 'panel')}."
        )
        for panel in panels:
            words = [panel.words[at] for at in panel.disputed[:MOST_TOLD]]
            told = f"; least on {listed(words)}" if words else ""
            where = f"{self.label(panel.model)}, {panel.agreement['label'] or 'base pairs'}"
            yield f"{where}: {panel.agreed}{told}."

    def _panels(self) -> list[Panel]:
        rows, agreement = self.frames.pair_directions, self.frames.pair_agreement
        if rows.empty:
            return []
        agreement = agreement.reindex(columns=[*AGREEMENT])
        of_all = agreement["pair"].fillna("") == ""
        agreement = agreement[of_all & (agreement["value"] == COSINES)]
        found = []
        for same in _same_words(rows):
            for model, own in rows[rows["base_pairs"] == same[0]].groupby("model", sort=False):
                here = (agreement["base_pairs"] == same[0]) & (agreement["model"] == model)
                told = next(iter(agreement[here].to_dict("records")), {"label": ""})
                if len(same) > 1:
                    # These differ only in the words of known side, named behind a comma.
                    told |= {"label": told["label"].rpartition(", ")[0] or told["label"]}
                if own["value"].notna().any():
                    found.append(_panel(str(model), own, told))
        return found

    def _draw_panel(self, axes: Axes, panel: Panel) -> None:
        limit = np.nanpercentile(np.abs(panel.values), WITHIN) or 1.0
        values = np.ma.masked_invalid(panel.values)
        axes.set_facecolor(page.no_value_look()["facecolor"])
        # Columns are thinner than a point: drawn as an image they leave no seams.
        extent = (0, len(panel.words), len(panel.pairs), 0)
        look = {"cmap": COLOURS, "vmin": -limit, "vmax": limit, "interpolation": "nearest"}
        axes.imshow(values, aspect="auto", extent=extent, **look)
        axes.set_yticks(*_ticks(panel))
        axes.set_xticks([])
        axes.tick_params(axis="y", length=0, labelsize=page.SMALL_TEXT, pad=2)
        axes.spines[:].set_visible(False)
        said = panel.agreement["label"]
        title = ", ".join(filter(None, [self.label(panel.model), said]))
        axes.set_title(f"{title}: {panel.agreed}", pad=2, fontsize=7)
        self._name_words(axes, panel)

    def _name_words(self, axes: Axes, panel: Panel) -> None:
        """The poles at both ends below a panel, and between them the most disputed words."""
        first, second = panel.sides
        below = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "top"}
        below |= {"fontsize": page.SMALL_TEXT}
        left = f"\N{LEFTWARDS ARROW} {first}"
        right = f"{second} \N{RIGHTWARDS ARROW}"
        axes.annotate(left, (0, 0), (0, -2), ha="left", **below)
        axes.annotate(right, (1, 0), (0, -2), ha="right", **below)
        room = axes.get_position().width * page.DOUBLE_COLUMN * page.POINTS_PER_INCH
        room -= page.text_width(f"{left}  {right}", page.SMALL_TEXT)
        words = [panel.words[at] for at in panel.disputed]
        while (
            words and page.text_width(f"disputed: {', '.join(words)}", page.SMALL_TEXT) > room - 12
        ):
            words.pop()
        if words:
            axes.annotate(f"disputed: {', '.join(words)}", (0.5, 0), (0, -2), ha="center", **below)


def _same_words(rows: pd.DataFrame) -> list[list[str]]:
    """Base pairs, those together that are the same pairs and judge the same words."""
    found: dict[tuple[frozenset, frozenset], list[str]] = {}
    for name, own in rows.groupby("base_pairs", sort=False):
        found.setdefault((frozenset(own["pair"]), frozenset(own["word"])), []).append(str(name))
    return [*found.values()]


def _panel(model: str, rows: pd.DataFrame, agreement: dict) -> Panel:
    table = rows.drop_duplicates(["pair", "word"]).pivot(index="pair", columns="word")["value"]
    table = table.reindex(index=in_order(rows["pair"]), columns=in_order(rows["word"]))
    table = table.dropna(axis=1, how="all")
    values = table.to_numpy(dtype=float)
    shares = (values > 0).sum(axis=0) / np.isfinite(values).sum(axis=0)
    order = np.lexsort((-np.nanmean(values, axis=0), -shares))
    words = [str(table.columns[at]) for at in order]
    sides = (_side(rows[rows["value"] > 0]), _side(rows[rows["value"] < 0]))
    pairs = [*map(str, table.index)]
    return Panel(model, pairs, words, values[:, order], shares[order], sides, agreement)


def _side(rows: pd.DataFrame) -> str:
    return next(iter(in_order(rows["side"])), "neither side")


def _row_names(panel: Panel) -> list[str]:
    named = len(panel.pairs) <= MOST_NAMED_PAIRS
    return panel.pairs if named else [counted(len(panel.pairs), "pair")]


def _ticks(panel: Panel) -> tuple[np.ndarray, Sequence[str]]:
    names = _row_names(panel)
    return (np.arange(len(names)) + 0.5) * len(panel.pairs) / len(names), names
