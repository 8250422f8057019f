"""Published numbers as their files hold them, and the ranks and correlations that follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from fairflow.errors import FairflowError
from fairflow.statistics.intervals import normal_p, student_interval
from fairflow.statistics.rank_tests import correlation
from fairflow.studies.comparability import unfairness
from fairflow.studies.published.published_file import (
    FILE_COLUMNS,
    LIMITS,
    TEXT_COLUMNS,
    published_problems,
)

# Measures that follow from other published numbers.
RANK, RANK_SUM = "rank", "sum of ranks"
CORRELATIONS = ("spearman", "kendall")
# Of a number that is printed with its standard error, by the normal distribution.
LOW, HIGH, TWO_SIDED = FROM_ERROR = ("low", "high", "two_sided_p")
DERIVED = (RANK, RANK_SUM, *CORRELATIONS, *FROM_ERROR)
ERROR = "standard_error"


def read_published(paths: str | Path | Iterable[str | Path]) -> pd.DataFrame:
    """Files of published numbers as one frame with the further column `file`.

    Cells of text that are empty hold ""; an empty `value` is a number published as undefined.

    Raises
    ------
    FairflowError : naming every fault of the first file that has one, see `published_problems`.
    """
    frames = [_read(Path(path)) for path in ([paths] if isinstance(paths, (str, Path)) else paths)]
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
        na_values={name: [""] for name in LIMITS},
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
        named = published[~published["measure"].isin(DERIVED)].to_dict(orient="records")
        errors = {_what(row): row["value"] for row in named if row["measure"] == ERROR}
        self._with_errors = {
            what: (row["value"], errors[what])
            for row in named
            if row["measure"] != ERROR and (what := _what(row)) in errors
        }
        self._seen: dict[tuple[object, ...], pd.Series] = {}

    def derive(self, row: Mapping[str, Any]) -> tuple[float, str]:
        """What a derived number should be, and from what; or NaN, and why."""
        if row["measure"] == RANK:
            return self._rank(row)
        if row["measure"] == RANK_SUM:
            of_model = {name: row[name] for name in ("paper", "model", "metric")}
            return float(_where(self._ranks, of_model)["value"].sum()), "sum of the printed ranks"
        if row["measure"] in FROM_ERROR:
            return self._from_error(row)
        return self._correlation(row)

    def _unfairness(self, paper: str, place: str | None, metric: str, scope: str) -> pd.Series:
        """Model -> its most precise printed score, the smaller the fairer."""
        key = paper, place, metric, scope
        if key not in self._seen:
            frame = _where(self._scores, {"paper": paper, "metric": metric, "scope": scope})
            frame = frame.assign(elsewhere=frame["place"] != place)
            order = {"by": ["decimals", "elsewhere"], "ascending": [False, True], "kind": "stable"}
            frame = frame.sort_values(**order).drop_duplicates("model")
            direction = self._directions.get(metric, {"signed": True, "larger_is_fairer": False})
            values = frame.set_index("model")["value"].astype(float)
            self._seen[key] = unfairness(values, direction)
        return self._seen[key]

    def _rank(self, row: Mapping[str, Any]) -> tuple[float, str]:
        scores = self._unfairness(row["paper"], row["place"], row["metric"], row["scope"])
        if row["model"] not in scores.index:
            return np.nan, "the scores behind this rank are not printed"
        lowest, highest = (scores.rank(method=m)[row["model"]] for m in ("min", "max"))
        # Scores that are equal as printed were not equal before they were rounded.
        return float(min(max(row["value"], lowest), highest)), "rank of the printed scores"

    def _from_error(self, row: Mapping[str, Any]) -> tuple[float, str]:
        """The 95 % interval of a printed number, or the p of its distance from 0."""
        if _what(row) not in self._with_errors:
            return np.nan, "the number and its standard error are not printed"
        value, error = self._with_errors[_what(row)]
        if row["measure"] == TWO_SIDED:
            return normal_p(value, error), "p of the printed number and its error"
        low, high = student_interval(value, error)
        end = high if row["measure"] == HIGH else low
        return float(end), "interval of the printed number and its error"

    def _correlation(self, row: Mapping[str, Any]) -> tuple[float, str]:
        method, paper, scope = row["measure"], row["paper"], row["scope"]
        by_rank, by_score, by_sum = [], [], []
        for metric in row["metric"].split(" ~ "):
            of_criterion = {"paper": paper, "metric": metric, "scope": scope}
            ranks = _where(self._ranks, of_criterion).drop_duplicates("model")
            by_rank.append(ranks.set_index("model")["value"].astype(float))
            by_score.append(self._unfairness(paper, row["place"], metric, scope).rank())
            by_sum.append(self._rank_sums(paper, scope, metric))
        correlations = [
            (_correlate(by_rank, method), f"{method} correlation of the printed ranks"),
            (_correlate(by_score, method), f"{method} correlation of the printed scores' ranks"),
            (
                _correlate(by_sum, "pearson"),
                "Pearson correlation of the sums of the other criteria's ranks",
            ),
        ]
        defined = [pair for pair in correlations if not np.isnan(pair[0])]
        if not defined:
            return np.nan, "the ranks behind this correlation are not printed"
        return min(defined, key=lambda pair: abs(pair[0] - row["value"]))

    def _rank_sums(self, paper: str, scope: str, metric: str) -> pd.Series:
        """Model -> sum of its ranks by the printed scores of every other criterion."""
        printed = _where(self._ranks, {"paper": paper})["scope"]
        others = printed[printed != scope].unique()
        summands = [self._unfairness(paper, None, metric, other).rank() for other in others]
        return sum(summands[1:], summands[0]) if summands else pd.Series(dtype=float)


def _what(row: Mapping[str, Any]) -> tuple[str, ...]:
    """What a number, its standard error and its interval are printed for."""
    return tuple(row[name] for name in ("paper", "place", "model", "metric", "scope", "item"))


def _where(frame: pd.DataFrame, cells: Mapping[str, str]) -> pd.DataFrame:
    """The rows with these cells."""
    return frame[(frame[[*cells]] == [*cells.values()]).all(axis=1)]


def _correlate(ranks: list[pd.Series], method: str) -> float:
    both = pd.concat(ranks, axis=1, join="inner").dropna().to_numpy(dtype=float)
    return correlation(both[:, 0], both[:, 1], method) if len(both) > 1 else np.nan
