"""Ranks, their sums and correlations in publications, recomputed from what these print."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from fairflow.statistics.correlation_tests import correlation
from fairflow.studies.direction import unfairness
from fairflow.studies.published.publication import DERIVED, RANK, RANK_SUM


class PrintedNumbers:
    """The numbers of publications by model, from which they derive others.

    Parameters
    ----------
    published : from `read_published`.
    directions : metric -> {signed, larger_is_fairer}; other metrics rank from small to large.
    """

    def __init__(
        self, published: pd.DataFrame, directions: Mapping[str, Mapping[str, bool]]
    ) -> None:
        self._directions = directions
        plain = published[(published["item"] == "") & published["value"].notna()]
        self._scores = plain[~plain["measure"].isin(["p_value", *DERIVED])]
        self._ranks = plain[plain["measure"] == RANK]
        self._seen: dict[tuple[object, ...], pd.Series] = {}

    def derive(self, row: Mapping[str, object]) -> tuple[float, str]:
        """What a derived number should be, and from what; or NaN, and why."""
        if row["measure"] == RANK:
            return self._rank(row)
        if row["measure"] == RANK_SUM:
            ranks = self._ranks[
                (self._ranks["paper"] == row["paper"]) & self._same(self._ranks, row)
            ]
            return float(ranks["value"].sum()), "sum of the printed ranks"
        return self._correlation(row)

    def _same(self, frame: pd.DataFrame, row: Mapping[str, object]) -> pd.Series:
        return (frame["model"] == row["model"]) & (frame["metric"] == row["metric"])

    def _unfairness(self, paper: object, place: object, metric: str, scope: object) -> pd.Series:
        """Model -> its most precise printed score, the smaller the fairer."""
        key = paper, place, metric, scope
        if key not in self._seen:
            self._seen[key] = self._find_unfairness(*key)
        return self._seen[key]

    def _find_unfairness(
        self, paper: object, place: object, metric: str, scope: object
    ) -> pd.Series:
        frame = self._scores
        frame = frame[
            (frame["paper"] == paper) & (frame["metric"] == metric) & (frame["scope"] == scope)
        ]
        frame = frame.assign(elsewhere=frame["place"] != place)
        order = {"by": ["decimals", "elsewhere"], "ascending": [False, True], "kind": "stable"}
        frame = frame.sort_values(**order).drop_duplicates("model")
        direction = self._directions.get(metric, {"signed": True, "larger_is_fairer": False})
        values = frame.set_index("model")["value"].astype(float)
        return unfairness(values, direction)

    def _rank(self, row: Mapping[str, object]) -> tuple[float, str]:
        scores = self._unfairness(row["paper"], row["place"], str(row["metric"]), row["scope"])
        if row["model"] not in scores.index:
            return np.nan, "the scores behind this rank are not printed"
        lowest, highest = (scores.rank(method=m)[row["model"]] for m in ("min", "max"))
        # Scores that are equal as printed were not equal before they were rounded.
        nearest = min(max(float(row["value"]), lowest), highest)
        return float(nearest), "rank of the printed scores"

    def _correlation(self, row: Mapping[str, object]) -> tuple[float, str]:
        first, second = str(row["metric"]).split(" ~ ")
        by_score = [
            self._unfairness(row["paper"], row["place"], metric, row["scope"]).rank()
            for metric in (first, second)
        ]
        by_rank = [self._printed_ranks(row, metric) for metric in (first, second)]
        method = str(row["measure"])
        correlations = [
            (_correlate(by_rank, method), f"{method} correlation of the printed ranks"),
            (_correlate(by_score, method), f"{method} correlation of the printed scores' ranks"),
            (
                _correlate([self._rank_sums(row, metric) for metric in (first, second)], "pearson"),
                "Pearson correlation of the sums of the other criteria's ranks",
            ),
        ]
        defined = [pair for pair in correlations if not np.isnan(pair[0])]
        if not defined:
            return np.nan, "the ranks behind this correlation are not printed"
        return min(defined, key=lambda pair: abs(pair[0] - float(row["value"])))

    def _rank_sums(self, row: Mapping[str, object], metric: str) -> pd.Series:
        """Model -> sum of its ranks by the printed scores of every other criterion."""
        paper, scope = row["paper"], row["scope"]
        ranks = self._ranks[(self._ranks["paper"] == paper) & (self._ranks["scope"] != scope)]
        summands = [
            self._unfairness(paper, None, metric, other).rank() for other in ranks["scope"].unique()
        ]
        return sum(summands[1:], summands[0]) if summands else pd.Series(dtype=float)

    def _printed_ranks(self, row: Mapping[str, object], metric: str) -> pd.Series:
        frame = self._ranks
        chosen = frame[
            (frame["paper"] == row["paper"])
            & (frame["metric"] == metric)
            & (frame["scope"] == row["scope"])
        ]
        return chosen.drop_duplicates("model").set_index("model")["value"].astype(float)


def _correlate(ranks: list[pd.Series], method: str) -> float:
    both = pd.concat(ranks, axis=1, join="inner").dropna().to_numpy(dtype=float)
    return correlation(*both.T, method) if len(both) > 1 else np.nan
