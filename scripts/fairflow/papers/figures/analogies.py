"""The first analogies along a direction, as a table with the place of each, printed and here."""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from fairflow.products.figures import _drawing as page
from fairflow.products.figures._study_frames import first_metric, in_order, scored_words, spoken
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.studies.wording import listed_briefly

MEASURES = ("place", "score")
# Pairs that are shown, and columns of pairs.
SHOWN, COLUMNS = 40, 2
# Inches: a row, the words of a pair, the gap between the columns; letters in a head of a place.
ROW, WORDS, GAP, HEAD = 0.135, 1.45, 0.18, 11
TEXT = page.SMALL_TEXT


class Analogies(BaseFigure):
    """Write the first pairs with their places: as published, and in each model.

    Needs `scores` with words "x|y" that have a place and a score, and `published` with the places
    that a publication prints; without any the pairs are those of the first model.
    """

    nothing = "No metric of this study finds analogies."

    def plot(self) -> Figure:
        rows = self._rows_of_first()
        shown = rows[rows["shown"]].head(SHOWN)
        models = _models(rows)
        half = -(-len(shown) // COLUMNS)
        first_head = "place in print" if rows.attrs["published"] else "place"
        heads = [page.wrapped_name(head, HEAD) for head in (first_head, *map(self.label, models))]
        top = 0.1 * page.most_lines(heads) + 0.12
        height = top + ROW * half + 0.06
        figure = Figure(figsize=(page.DOUBLE_COLUMN, height))
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, page.DOUBLE_COLUMN), ylim=(0, height))
        axes.axis("off")
        width = (page.DOUBLE_COLUMN - GAP * (COLUMNS - 1)) / COLUMNS
        place_width = (width - WORDS) / len(heads)
        look: page.Look = {"fontsize": TEXT, "va": "center_baseline"}
        for column in range(COLUMNS):
            left = column * (width + GAP)
            centres = left + place_width * (np.arange(len(heads)) + 0.5)
            centres[1:] += WORDS
            for x, head in zip(centres, heads, strict=True):
                axes.text(x, height - top + 0.05, head, ha="center", va="bottom", fontsize=TEXT)
            rule = height - top + 0.01
            axes.plot([left, left + width], [rule, rule], color="black", linewidth=0.5)
            part = shown.iloc[column * half : (column + 1) * half]
            for number, row in enumerate(part.to_dict("records")):
                y = height - top - ROW * (number + 0.5)
                if number % 2:
                    ends = (y - ROW / 2, y + ROW / 2)
                    sides = (left / page.DOUBLE_COLUMN, (left + width) / page.DOUBLE_COLUMN)
                    axes.axhspan(*ends, *sides, color=page.STRIPE, linewidth=0, zorder=0)
                axes.text(centres[0], y, f"{row['expected']:.0f}", ha="center", **look)
                pair = " \N{EN DASH} ".join(map(spoken, row["pair"].split("|")))
                axes.text(left + place_width, y, pair, **look)
                for centre, model in zip(centres[1:], models, strict=True):
                    _write_place(axes, centre, y, row[model], row["expected"], look)
        return page.finished(figure, self._agreement(rows))

    def title(self, rows: pd.DataFrame) -> str:
        rows = self._rows_of_first()
        printed = rows.attrs["published"]
        expected = rows.loc[rows["shown"], "expected"]
        same = [
            f"{(rows.loc[rows['shown'], model] == expected).sum()} in {self.label(model)}"
            for model in _models(rows)[0 if printed else 1 :]
        ]
        where = "in print" if printed else f"in {self.label(_models(rows)[0])}"
        of = f"Of {len(expected)} analogies {where}, {listed_briefly(same)} have the same place"
        return of * bool(same)

    def data(self) -> pd.DataFrame:
        """Each pair of each model with its place and score, and the place that is printed."""
        found = scored_words(self.frames.scores, MEASURES).rename(columns={"word": "pair"})
        if found.empty:
            return found
        places = self._published().rename(columns={"item": "pair", "scope": "query"})
        places = places[["query", "pair", "published"]].drop_duplicates(["query", "pair"])
        found = found.drop(columns=["subquery", "set"])
        return found.merge(places, on=["query", "pair"], how="left")

    def about(self, rows: pd.DataFrame) -> str:
        return "Pairs of words that differ along a direction, by their place, as printed and here."

    def _rows_of_first(self) -> pd.DataFrame:
        """Pairs of the first query that has any, by their place.

        Columns pair, expected (its place in print, else in the first model), shown (whether it has
        that place), one for each model (its place there), and attrs["published"].
        """
        found = first_metric(scored_words(self.frames.scores, MEASURES))
        if found.empty:
            return found
        found = found[found["query"] == found["query"].iloc[0]]
        places = found.pivot_table("place", "word", "model", sort=False)[in_order(found["model"])]
        printed = self._published()
        printed = printed[printed["scope"] == found["query"].iloc[0]].set_index("item")["published"]
        printed = printed[~printed.index.duplicated()]
        expected = printed if len(printed) else places.iloc[:, 0].dropna()
        table = places.reindex(expected.index.union(places.index, sort=False))
        table = table.assign(expected=expected.reindex(table.index), pair=table.index)
        table["shown"] = table["expected"].notna()
        table = table.sort_values("expected").reset_index(drop=True)
        table.attrs["published"] = bool(len(printed))
        return table

    def _published(self) -> pd.DataFrame:
        rows = self.printed("place")
        return rows[rows["item"].fillna("").astype(str).str.contains("|", regex=False)]

    def _agreement(self, rows: pd.DataFrame) -> Iterator[str]:
        """A sentence for each model, and what the signs of the table are."""
        with_place = rows[rows["shown"]]
        n = len(with_place)
        printed = rows.attrs["published"]
        where = "as in print" if printed else f"as in {self.label(_models(rows)[0])}"
        parts = [
            f"{self.label(model)} {int((with_place[model] == with_place['expected']).sum())} "
            f"({int(with_place[model].notna().sum())} found at any place)"
            for model in _models(rows)[0 if printed else 1 :]
        ]
        if parts:
            yield f"Of {n} pairs in the same place {where}: {'; '.join(parts)}."
        yield (
            f"The first {min(n, SHOWN)} are shown; blue: the same place, \N{EN DASH}: not among "
            "the pairs of the model."
        )


def _models(rows: pd.DataFrame) -> list[str]:
    return [name for name in rows if name not in ("expected", "pair", "shown")]


def _write_place(
    axes: Axes, x: float, y: float, place: float, expected: float, look: page.Look
) -> None:
    text, colour, weight = f"{place:.0f}", "black", "normal"
    if place == expected:
        colour, weight = page.PALETTE[0], "bold"
    elif pd.isna(place):
        text, colour = "\N{EN DASH}", page.UNDEFINED_GREY
    axes.text(x, y, text, ha="center", color=colour, fontweight=weight, **look)
