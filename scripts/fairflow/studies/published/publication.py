"""Published numbers as their files hold them, and the ranks and correlations that follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from fairflow.errors import FairflowError
from fairflow.statistics.rank_tests import correlation
from fairflow.studies.comparability import unfairness
from fairflow.studies.published.published_file import (
    FILE_COLUMNS,
    NUMBER_COLUMNS,
    TEXT_COLUMNS,
    published_problems,
)

# Measures that follow from other published numbers.
RANK, RANK_SUM = "rank", "sum of ranks"
CORRELATIONS = ("spearman", "kendall")
DERIVED = (RANK, RANK_SUM, *CORRELATIONS)


def read_published(paths: str | Path | Iterable[str | Path] | None) -> pd.DataFrame:
    """Files of published numbers as one frame with the further column `file`.

    Cells of text that are empty hold ""; an empty `value` is a number published as undefined.

    Raises
    ------
    FairflowError : naming every fault of the first file that has one, see `published_problems`.
    """
    paths = [] if paths is None else [paths] if isinstance(paths, (str, Path)) else list(paths)
    frames = [_read(Path(path)) for path in paths]
    empty = pd.DataFrame(columns=["file", *FILE_COLUMNS])
    return pd.concat(frames, ignore_index=True) if frames else empty


def printed_scores(published: pd.DataFrame) -> pd.DataFrame:
    """Scores of models with the ranks printed for them, each model, metric and scope once.

    Of several places in a publication the first counts; a rank that is an erratum is left out.

    Returns
    -------
    Columns model, metric, scope, value, rank (NaN where none is printed).
    """
    keys = ["model", "metric", "scope"]
    usable = published[(published["item"] == "") & published["value"].notna()]
    scores = usable[~usable["measure"].isin(["p_value", *DERIVED])].drop_duplicates(keys)
    ranks = usable[(usable["measure"] == RANK) & (usable["erratum"] == "")].drop_duplicates(keys)
    ranks = ranks[[*keys, "value"]].rename(columns={"value": "rank"})
    return scores[[*keys, "value"]].merge(ranks, on=keys, how="left")


def _read(path: Path) -> pd.DataFrame:
    problems = published_problems(path)
    if problems:
        raise FairflowError("\n".join(problems))
    frame = pd.read_csv(
        path,
        dtype=dict.fromkeys(TEXT_COLUMNS, "string"),
        keep_default_na=False,
        na_values={name: [""] for name in NUMBER_COLUMNS},
    )
    frame = frame.astype(dict.fromkeys(TEXT_COLUMNS, object))
    frame.insert(0, "file", path.stem)
    return frame


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
