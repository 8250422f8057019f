"""A multiverse of two models: in how many specifications each has more bias."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from fairflow.studies.comparability import FEW_QUERIES, GROWS_WITH_LENGTH, SCALES_WITH_DIMENSION
from fairflow.studies.multiverse import COUNTED, NEITHER, NOT_SCORED, REPEATED
from fairflow.studies.wording import listed

# Why one specification is not counted, and why several are not.
_EXCLUDED = {
    GROWS_WITH_LENGTH: ("grows with the length of vectors", "grow with the length of vectors"),
    SCALES_WITH_DIMENSION: (
        "depends on the dimension of vectors",
        "depend on the dimension of vectors",
    ),
    FEW_QUERIES: ("has too few queries in common", "have too few queries in common"),
    NOT_SCORED: ("is not scored for both", "are not scored for both"),
    REPEATED: ("repeats another in another unit", "repeat others in another unit"),
}
_PAIR = ["criterion", "model", "other"]
SUMMARY_COLUMNS = (
    *(*_PAIR, "n_specifications", "n_model", "n_other", "n_neither", "share_model"),
    *("median_relative_difference", "n_clear", "n_excluded", "note"),
)


def specification_summary(curve: pd.DataFrame, absent: Sequence[str] = ()) -> pd.DataFrame:
    """One row for each criterion and pair of models.

    Parameters
    ----------
    curve : from `specification_curve`. absent : studies that would contribute, but are not in this
        run.

    Returns
    -------
    Columns criterion, model, other, n_specifications (counted), n_model, n_other, n_neither
    (specifications in which it has the larger bias), share_model (n_model / n_specifications),
    median_relative_difference, n_clear (with an interval over queries that excludes 0; NaN
    without intervals), n_excluded, note (why these are not counted).
    """
    groups = curve.groupby(_PAIR, sort=False)
    rows = [{**dict(zip(_PAIR, key, strict=True)), **_row(g, absent)} for key, g in groups]
    return pd.DataFrame(rows, columns=list(SUMMARY_COLUMNS))


def _row(rows: pd.DataFrame, absent: Sequence[str]) -> dict[str, Any]:
    model, other = rows["model"].iloc[0], rows["other"].iloc[0]
    chosen = rows[rows["status"] == COUNTED]
    more = chosen["more_biased"]
    clear = chosen["relative_difference_low"] > 0
    clear |= chosen["relative_difference_high"] < 0
    return {
        "n_specifications": len(chosen),
        "n_model": int((more == model).sum()),
        "n_other": int((more == other).sum()),
        "n_neither": int((more == NEITHER).sum()),
        "share_model": (more == model).mean() if len(chosen) else float("nan"),
        "median_relative_difference": chosen["relative_difference"].median(),
        "n_clear": clear.sum() if chosen["relative_difference_low"].notna().any() else float("nan"),
        "n_excluded": len(rows) - len(chosen),
        "note": _note(rows, absent),
    }


def _note(rows: pd.DataFrame, absent: Sequence[str]) -> str:
    counts = rows.loc[rows["status"] != COUNTED, "status"].value_counts(sort=False)
    notes = [f"{number} {_EXCLUDED[status][number > 1]}" for status, number in counts.items()]
    if absent:
        notes.append(f"scores of {listed(absent)} are not in this run")
    return "; ".join(notes)
