"""A study at a glance: the effect size of each query on each model, and which are certain."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _study_frames as study
from fairflow.products.figures._study_frames import in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies.comparability import IS_CONTROL
from fairflow.studies.wording import counted, listed

EFFECT = "effect_size"
_NAMES = ["criterion", "query", "query_label", "subquery", "metric", "measure", "model"]
_FACTS = ["value", "n_words", "n_oov", "p_value", "p_bh", "null_band_low", "null_band_high"]
_TEXTS = ["family", "status", "reason", IS_CONTROL]
# The largest effect size there is; of other measures the scale ends at the largest value.
LARGEST_EFFECT = 2.0
LABEL_WIDTH = 46
# Inches: a line of text, a column at most, the names of rows, the key on the right, the gaps above
# a criterion and within one.
LINE, COLUMN = 8.0 / page.POINTS_PER_INCH, 0.9
LABELS, KEY, BETWEEN, WITHIN = 2.55, 1.55, 0.2, 0.06
# Inches: the least column with room for a value; the colour bar; an entry of the legend; what parts
# rows, which is less where they are many.
NUMBER, BAR, ENTRY = 0.33, (0.12, 1.1), 0.13
LOOSE, TIGHT = 0.04, -0.005
# Letters of a line of the key, and of what is written below all.
KEY_WIDTH, FOOT_WIDTH = 24, 160
CONTROL = "control query, not counted"
# The place of a value among those of random target sets -> its mark and what it means.
MARKS: dict[str, tuple[page.Look, str]] = {
    "beyond": ({"marker": "o", "fillstyle": "full"}, "beyond 95% of\nrandom target sets"),
    "within": ({"marker": "o", "fillstyle": "none"}, "within 95% of\nrandom target sets"),
    "unbanded": ({"marker": "_"}, "no random target\nsets to compare with"),
}
MARK = page.Look(markersize=2.8, markeredgewidth=0.7, linestyle="none")


def claims(rows: pd.DataFrame) -> Iterator[str]:
    """How many cells there are, how many are certain, and why some are empty; in sentences."""
    defined = rows.dropna(subset="value")
    banded = defined.dropna(subset="null_band_low")
    n_tests, n_models = rows["subquery"].nunique(), rows["model"].nunique()
    yield (
        f"{counted(n_tests, 'test')} x {counted(n_models, 'model')}: {len(defined)} of {len(rows)} "
        "cells have a value."
    )
    if sentence := significant(rows):
        yield f"{sentence} (p < {ALPHA:g} after Benjamini-Hochberg's correction)."
    if len(banded):
        yield (
            f"{banded['beyond'].sum()} of {len(banded)} values with a null band of random words "
            "are outside it."
        )
    missing = rows.loc[rows["value"].isna(), "status"].fillna("not scored")
    if len(missing):
        counts = missing.str.replace("_", " ").replace("ok", "undefined").value_counts()
        yield f"Without value: {listed(f'{name} ({n})' for name, n in counts.items())}."


def significant(rows: pd.DataFrame) -> str:
    """How many tested values are significant and no random words score as high; "" without tests.

    As the claims of a study count: what random words reach, too, says nothing of the words.
    """
    tested = rows.dropna(subset=["value", "p_bh"])
    strong = tested[tested["survives"]]
    as_random = int((strong["mark"] == "within").sum())
    n = len(strong) - as_random
    verb = "is" if n == 1 else "are"
    also = f"; {as_random} more, but random words score as high" if as_random else ""
    return f"{n} of {len(tested)} associations {verb} significant{also}" if len(tested) else ""


class Overview(BaseFigure):
    """Draw a map of values: (sub-)queries as rows, models as columns.

    A cell of `data` has its value, an asterisk where it is significant after Benjamini-Hochberg's
    correction, and a mark of `MARKS` for the null band of random words, if any value has one. The
    scale is symmetric; cells without value are hatched. Many columns have numbers as names, and the
    key on the right says whose they are. What decides stands below all.
    """

    of_study = True

    def plot(self) -> Figure:
        rows = self.data()
        width = page.DOUBLE_COLUMN - LABELS - KEY
        models = in_order(rows["model"])
        labels = self._row_labels(rows)
        column = min(COLUMN, width / len(models))
        names = [self.label(model) for model in models]
        heads, key = page.column_heads(names, column)
        head = LINE * page.most_lines(heads) + 0.05
        every = study.queries_by_criterion(rows)
        notes = self._notes(rows)
        foot = LINE * (1 + page.line_count(page.wrapped(" ".join(notes), FOOT_WIDTH))) + 0.08
        lines = LINE * page.most_lines(labels.values())
        n_rows = rows["subquery"].nunique()
        room = page.PAGE - head - foot - BETWEEN * len(every) - WITHIN * n_rows / page.MOST_ROWS
        row_height = lines + (LOOSE if n_rows * (lines + LOOSE) <= room else TIGHT)
        fit = int(room / row_height / rows.groupby("query")["subquery"].nunique().max())
        criteria = study.first_queries(every, fit)
        shown, of = (sum(map(len, one.values())) for one in (criteria, every))
        notes.append(page.left_for_space(shown, of, "queries"))
        panels = [*_panels(rows, criteria)]
        sizes = [len(in_order(panel["subquery"])) for _, panel in panels]
        gaps = [0.0, *(BETWEEN if name else WITHIN for name, _ in panels[1:])]
        height = head + sum(sizes) * row_height + sum(gaps) + 0.02
        height = foot + max(height, BAR[1] + 0.7 + ENTRY * (6 + 1.9 * len(key)))
        figure = Figure(figsize=(page.DOUBLE_COLUMN, height))
        top = height - head
        for (name, panel), size, gap in zip(panels, sizes, gaps, strict=True):
            top -= gap
            box = (LABELS, top - size * row_height, column * len(models), size * row_height)
            axes = page.axes_at(figure, *box)
            mesh = _draw_panel(axes, panel, models, _limit(rows), column >= NUMBER)
            keys = in_order(panel["subquery"])
            axes.set_yticks(np.arange(len(keys)) + 0.5, [labels[key] for key in keys])
            axes.set_xticks(np.arange(len(models)) + 0.5, [] if gap else heads)
            axes.tick_params(axis="x", labelbottom=False, labeltop=True, pad=1)
            if len(every) > 1 and name:
                place: page.Look = {"va": "bottom", "ha": "left", "fontweight": "bold"}
                left = 0.03 - LABELS
                at = (left / box[2], 1 + 0.03 / box[3])
                axes.text(*at, name, transform=axes.transAxes, **place)
            top -= size * row_height
        self._draw_key(figure, mesh, rows, key, LABELS + column * len(models) + 0.25, head)
        left = 0.03 / page.DOUBLE_COLUMN
        told = page.wrapped(" ".join(notes), FOOT_WIDTH)
        figure.text(left, 0.03 / height, told, va="bottom", fontsize=page.SMALL_TEXT)
        return page.finished(figure, notes)

    def title(self, rows: pd.DataFrame) -> str:
        return significant(rows)

    def data(self) -> pd.DataFrame:
        """The scores of one metric: the first whose measure is an effect size, else the first.

        Returns
        -------
        Columns criterion, query, query_label, subquery (its name, with the query's where two have
        the same), metric, measure, model, value, n_words, n_oov, p_value, p_bh, null_band_low,
        null_band_high, family, status, reason, `IS_CONTROL`, survives (p_bh is below 0.05), beyond
        (the value is outside the null band of random words) and mark (of `MARKS`; "" where no value
        has such a band).
        """
        scores = self.frames.scores.reindex(columns=[*_NAMES, *_FACTS, *_TEXTS])
        if scores.empty:
            return scores
        rows = scores[scores["metric"] == study.first_effect_size(scores)]
        rows = rows.assign(**{name: rows[name].astype(float) for name in _FACTS})
        several = rows.groupby("query")["subquery"].transform("nunique") > 1
        labels = rows["query"].map({q: self.query_label(q) for q in in_order(rows["query"])})
        names = rows["subquery"].where(several, labels)
        n_queries = rows.groupby(names)["query"].transform("nunique")
        names = names.where((n_queries < 2) | ~several, names + " [" + rows["query"] + "]")
        value = rows["value"]
        beyond = (value < rows["null_band_low"]) | (value > rows["null_band_high"])
        unknown = rows["null_band_low"].isna().to_numpy()
        survives = rows["p_bh"] < ALPHA
        marks = [""] * 3 if unknown.all() else ["beyond", "unbanded", "within"]
        mark = np.select([beyond, unknown], marks[:2], marks[2])
        return rows.assign(subquery=names, survives=survives, beyond=beyond, mark=mark)

    def about(self, rows: pd.DataFrame) -> str:
        return (
            f"{rows['label_metric'].iloc[0]} of each query (rows) on each model (columns), with "
            "marks for what survives correction and what is outside the null band of random words."
        )

    def _row_labels(self, rows: pd.DataFrame) -> dict[str, str]:
        """The name of each row, in lines; as pairs where the axis says that above 0 means these."""
        pairs = self.frames.pairs_above_zero(rows["metric"].iloc[0])
        label = page.paired_sets if pairs else page.wrapped_query
        first = rows.drop_duplicates("subquery")
        scores = self.frames.scores.loc[first.index].to_dict("records")
        is_control = first[IS_CONTROL].eq(True)
        of_rows = zip(first["subquery"], map(study.sides_of, scores), is_control, strict=True)
        return {
            name: label(name, LABEL_WIDTH, sides) + f"\n({CONTROL})" * control
            for name, sides, control in of_rows
        }

    def _draw_key(
        self,
        figure: Figure,
        mesh: QuadMesh,
        rows: pd.DataFrame,
        key: Sequence[str],
        left: float,
        head: float,
    ) -> None:
        """The colour bar with its poles, what the marks mean, and the names of numbered columns."""
        width, height = figure.get_size_inches()
        metric = rows["metric"].iloc[0]
        name = page.wrapped(self.label(metric), KEY_WIDTH)
        top = height - head
        figure.text(left / width, top / height, name, va="top", fontweight="bold")
        top -= LINE * page.line_count(name) + 0.08
        axes = page.axes_at(figure, left, top - BAR[1], *BAR)
        bar = figure.colorbar(mesh, cax=axes)
        bar.outline.set_linewidth(0.4)
        for end, text in zip((1.0, 0.0), self.frames.poles(metric), strict=True):
            look: page.Look = {"va": "top" if end else "bottom", "fontsize": page.SMALL_TEXT}
            text = page.wrapped(text, KEY_WIDTH - 10)
            axes.text(4.2, end, text, transform=axes.transAxes, **look)
        names = (page.wrapped(name, KEY_WIDTH - 4) for name in key)
        named = (page.line_handle(name, linestyle="none") for name in names)
        if handles := [*_handles(rows), *named]:
            look = {"loc": "upper left", "bbox_to_anchor": (0, -0.1), "ncols": 1}
            look |= {"borderpad": 0, "borderaxespad": 0, "handlelength": 1.2}
            axes.legend(handles=handles, **look)

    def _notes(self, rows: pd.DataFrame) -> list[str]:
        """What a reader must know: a model without null bands, for one, has no frames."""
        defined = rows.dropna(subset="value")
        without = {"no null band of random words": "null_band_low", "no test": "p_bh"}
        notes = list(claims(rows))
        if rows["mark"].any() and rows["p_bh"].notna().any():
            notes.append("Counted is what has an asterisk and no open circle.")
        if defined[IS_CONTROL].eq(True).any():
            notes.append("Control queries are no tests of bias: they have no asterisk.")
            defined = defined[~defined[IS_CONTROL].eq(True)]
        for what, column in without.items():
            lacking = defined[defined[column].isna()]
            models = [self.label(model) for model in in_order(lacking["model"])]
            if models:
                whose = f", of {listed(models)}" if len(lacking) < len(defined) else ""
                notes.append(f"{what.capitalize()} in {len(lacking)} cells{whose}.")
        return notes


def _panels(rows: pd.DataFrame, shown: dict[str, list[str]]) -> Iterator[tuple[str, pd.DataFrame]]:
    """The rows of each panel with its criterion, which is named once: no panel has many rows."""
    for criterion, queries in shown.items():
        of_criterion = rows[rows["query"].isin(queries)]
        for number, part in enumerate(page.even_parts(in_order(of_criterion["subquery"]))):
            yield "" if number else criterion, of_criterion[of_criterion["subquery"].isin(part)]


def _limit(rows: pd.DataFrame) -> float:
    """End of the scale, on both sides."""
    if (rows["measure"] == EFFECT).all():
        return LARGEST_EFFECT
    largest = rows["value"].abs().max()
    return float(largest) if largest > 0 else 1.0


def _draw_panel(
    axes: Axes, panel: pd.DataFrame, models: list[str], limit: float, numbers: bool
) -> QuadMesh:
    keys = in_order(panel["subquery"])
    matrix = panel.pivot(index="subquery", columns="model", values="value")
    matrix = matrix.reindex(index=keys, columns=models).to_numpy(dtype=float)
    marks = panel.set_index(["subquery", "model"])[["survives", "mark"]]

    def write(row: int, column: int, value: float, face: object) -> None:
        if np.isnan(value):
            return
        survives, mark = marks.loc[(keys[row], models[column])]
        colour = page.text_colour_on(face)
        text = f"{value:.2f}".replace("-", "\N{MINUS SIGN}") if numbers else ""
        page.small_text(axes, column + 0.5, row + 0.5, text + "*" * bool(survives), colour)
        if mark:
            at = column + (0.88 if numbers else 0.8)
            axes.plot(at, row + 0.5, label=mark, color=colour, **MARKS[mark][0], **MARK)

    return page.heat_map(axes, matrix, limit, 0.8, write)


def _handles(rows: pd.DataFrame) -> Iterator[page.Handle]:
    if rows["survives"].any():
        look = {"marker": (5, 2, 0), "markersize": 4, "color": "black", "linestyle": "none"}
        yield page.line_handle(f"significant: p < {ALPHA:g}\nafter correction", **look)
    occurring = {*rows.loc[rows["value"].notna(), "mark"]}
    for name, (look, means) in MARKS.items():
        if name in occurring:
            yield page.line_handle(means, color="black", **look, **MARK)
    if rows["value"].isna().any():
        yield Patch(label="no value", **page.no_value_look())
