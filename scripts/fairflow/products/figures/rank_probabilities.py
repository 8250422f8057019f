"""How probable each place of each model is, over resampled words."""

from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from fairflow.products.figures import _drawing as page
from fairflow.products.figures import _study_frames as study
from fairflow.products.figures._study_frames import control_notes, in_order
from fairflow.products.figures.base_figure import BaseFigure
from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies import comparability
from fairflow.studies.comparability import COMPARED, SAME_VECTORS
from fairflow.studies.wording import counted

# A narrower share has no room for its number.
LEAST_LABELLED = 0.25
CELL = ["criterion", "metric", "model"]
_FACTS = [*CELL, "rank", "expected_rank", "rank_low", "rank_high", "n_draws", "n_queries", "status"]
_FACTS += ["draws_note", "same_vectors_as", "derived_from"]
# Models that repeat another one here.
_REPEATED = (SAME_VECTORS, comparability.DERIVED)
# Room for the expected rank, in widths of a whole bar.
ROOM = 1.85


class RankProbabilities(BaseFigure):
    """Draw the probability of each place: criteria as rows, metrics as columns.

    Needs `rank_probabilities` (criterion, metric, model, place, probability) and `ranking`
    (source, criterion, metric, model, expected_rank, rank_low, rank_high, n_draws, status,
    draws_note, same_vectors_as). The expected rank is at the end of the bar, with its 95% interval.
    """

    nothing = "No rank probabilities in this study: its scores hold no statistics."

    @property
    def _facts(self) -> pd.DataFrame:
        ranking = self.frames.ranking
        computed = ranking[ranking["source"] == "computed"] if len(ranking) else ranking
        return computed.reindex(columns=_FACTS).rename(columns={"draws_note": "note"})

    def plot(self) -> Figure:
        table, facts = self.frames.rank_probabilities, self._facts
        if table.empty:
            why = "; ".join(filter(None, in_order(facts["note"].dropna())))
            return page.sentence_figure(
                f"No rank probabilities in this study: {why}." if why else self.nothing
            )
        facts = facts[facts["metric"].isin(table["metric"])]
        models = in_order(facts.loc[~facts["status"].isin(_REPEATED), "model"])
        metrics, criteria = in_order(table["metric"]), in_order(facts["criterion"])
        figure, facets = study.rank_facets(self.frames, criteria, metrics, models)
        colours = place_colours(int(table["place"].max()))
        for (criterion, metric), axes in facets.items():
            shares, known = (
                frame[(frame["criterion"] == criterion) & (frame["metric"] == metric)]
                for frame in (table, facts)
            )
            _draw_facet(axes, shares, known, models, colours)
            if criterion == criteria[-1]:
                axes.set_xlabel("probability", x=0.5 / ROOM)
        axes.set(xlim=(0, ROOM), xticks=[0, 0.5, 1])
        names = ["place 1 (weakest association)", *(f"place {n + 2}" for n in range(len(colours)))]
        handles: list[page.Handle] = [
            Patch(label=name, facecolor=colour, edgecolor="white")
            for name, colour in zip(names, colours, strict=False)
        ]
        if told := next(filter(None, (_expected(row) for row in facts.itertuples())), ""):
            words = f"{told}: expected place,\nand its 95% interval"
            handles.append(page.line_handle(words, linestyle="none"))
        notes = [*self._notes(), *control_notes(self.frames, models)]
        return page.finished(figure, notes, handles, 5 if len(metrics) > 1 else 2)

    def title(self, rows: pd.DataFrame) -> str:
        """How many orders are settled, by the tests of pairs: probabilities are of words alone."""
        pairs, cases = self.frames.pairwise, self.frames.rank_probabilities
        if pairs.empty or cases.empty:
            return ""
        below = pairs.assign(told=(pairs["difference"] < 0) & (pairs["p_bh"] < ALPHA))
        settled = below.groupby(CELL)["told"].all().groupby(CELL[:2]).any()
        n_cases = len(cases[CELL[:2]].drop_duplicates())
        n, of = int(settled.sum()), counted(n_cases, "case")
        return f"In {n} of {of}, the model with the weakest association is clearly below all others"

    def data(self) -> pd.DataFrame:
        """The probability of each place; models without draws keep a row with their note."""
        facts, table = self._facts, self.frames.rank_probabilities
        return facts if table.empty else facts.merge(table, on=CELL, how="left")

    def about(self, rows: pd.DataFrame) -> str:
        return "Probability of each model's place over resampled words, a stacked bar per model."

    def _notes(self) -> list[str]:
        facts = self._facts
        draws = facts["n_draws"].max()
        notes = [
            f"Probability of each place over {draws:.0f} resamples of the words, the same for all "
            "models (ties share their places); next to it the expected rank and its 95% interval."
        ]
        for drawn in (False, True):
            rows = facts[(facts["n_draws"] > 0) == drawn]
            rows = rows[rows["note"].fillna("") != ""]
            for (status, note), same in rows.groupby(["status", "note"], sort=False):
                where = same.groupby(["criterion", "metric"], sort=False).ngroups
                label = f"{where} panels" if status == COMPARED else "" if drawn else "not ranked"
                if status in comparability.INCOMPARABLE:
                    label += f" by {', '.join(map(self.label, in_order(same['metric'])))}"
                elif status in _REPEATED:
                    label += f": {', '.join(map(self.label, in_order(same['model'])))}"
                if status == SAME_VECTORS:
                    other = self.label(same["same_vectors_as"].iloc[0])
                    note = comparability.same_vectors_note(other)
                notes.append(f"{label}: {note}.")
        return notes


def place_colours(places: int) -> list[tuple[float, float, float]]:
    """A colour for each place, dark to light, for any kind of colour vision and in grey."""
    shades = matplotlib.colormaps["cividis"](np.linspace(0.08, 0.98, max(2, places)))
    return [tuple(shade[:3]) for shade in shades[:places]]


def _draw_facet(
    axes: Axes,
    shares: pd.DataFrame,
    facts: pd.DataFrame,
    models: list[str],
    colours: list[tuple[float, float, float]],
) -> None:
    for y, model in enumerate(models):
        of_model = shares[shares["model"] == model].sort_values("place")
        left = 0.0
        for place, share in zip(of_model["place"], of_model["probability"], strict=True):
            colour = colours[int(place) - 1]
            axes.barh(y, share, 0.78, left=left, facecolor=colour, edgecolor="white")
            if share >= LEAST_LABELLED:
                ink = page.text_colour_on(colour)
                page.small_text(axes, left + share / 2, y, f"{share:.2f}", ink)
            left += share
        text, ink = _expectation(facts, model), "black"
        if of_model.empty:
            axes.barh(y, 1, 0.78, **page.no_value_look())
            ink = page.UNDEFINED_GREY
        page.small_text(axes, 1.04, y, text, ink, "left")
    axes.tick_params(axis="y", length=0)
    axes.spines["bottom"].set_bounds(0, 1)


def _expectation(facts: pd.DataFrame, model: str) -> str:
    """The expected rank of a model with its interval, or why it is missing."""
    own = next(facts[facts["model"] == model].itertuples(), None)
    if own is None:
        return "not scored"
    return _expected(own) or ("no draws" if own.status == COMPARED else "not ranked")


def _expected(row: Any) -> str:
    """'1.93 (1-2)': the expected rank with its interval; "" where it is missing."""
    if pd.isna(row.expected_rank):
        return ""
    low, high = row.rank_low, row.rank_high
    ends = f"{low:g}" if low == high else f"{low:g}\N{EN DASH}{high:g}"
    return f"{row.expected_rank:.2f} ({ends})"
