"""P-values of a study's headline tests, adjusted within the families that the study names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fairflow.errors import FairflowError, nearest
from fairflow.statistics.multiplicity import benjamini_hochberg, holm
from fairflow.studies.distinct_tests import Sameness, measurements

if TYPE_CHECKING:
    import pandas as pd


def adjust_families(
    scores: pd.DataFrame, families: Sequence[str], same: Sameness | None = None
) -> pd.DataFrame:
    """Adjusted p-values of a study's headline tests.

    A family is the tests that are equal in the columns named; without a column all tests are one
    family. Models of the same vectors count as one model, and variants that exchange the same
    statistic as one metric. A test counts once in its family, however many rows tell of it (see
    `fairflow.studies.distinct_tests`): where Monte Carlo gave these different p-values, the
    largest is adjusted. One that was made with two sides is one member, too: the rows of a side are
    adjusted with its p-values, and with the other side's for tests that have no such side.

    Parameters
    ----------
    scores : a study's table with headline, p_value, model, metric, subquery_digest and the columns
        of `families`; p_side and what `measurements` reads where it is given; its index has no
        duplicates.
    same : which models and metrics have vectors and statistics in common.

    Returns
    -------
    Columns measurement (of every row), family, p_holm, p_bh with the index of `scores`; None and
    NaN where nothing was tested.

    Raises
    ------
    FairflowError : there is no such column.
    """
    import pandas as pd

    same = same or Sameness()
    for name in families:
        if name not in scores:
            raise FairflowError(
                f"families: the scores have no column {name!r}. {nearest(name, scores.columns)}"
            )
    names = measurements(scores, same)
    adjusted = pd.DataFrame(
        {"measurement": names, "family": None, "p_holm": np.nan, "p_bh": np.nan}, scores.index
    ).astype({"family": object})
    tested = scores[scores["headline"] & scores["p_value"].notna()]
    keys = [_keys(tested, name, same) for name in families]
    groups = tested.groupby(keys, sort=False) if keys else [((), tested)]
    for _, group in groups:
        sides = group.get("p_side", pd.Series("", group.index)).fillna("")
        tests = pd.DataFrame({"test": names[group.index], "side": sides, "p": group["p_value"]})
        adjusted.loc[group.index, ["p_holm", "p_bh"]] = _adjusted_family(tests)
        adjusted.loc[group.index, "family"] = _family(group, families)
    return adjusted


def _keys(tested: pd.DataFrame, name: str, same: Sameness) -> pd.Series:
    """What a column of a family is compared by."""
    import pandas as pd

    if name == "metric":
        return tested["metric"].map(same.statistic)
    if name == "model":
        pairs = zip(tested["model"], tested["metric"], strict=True)
        return pd.Series([same.vectors_for(*pair) for pair in pairs], tested.index, dtype=object)
    return tested[name]


def _family(group: pd.DataFrame, families: Sequence[str]) -> str:
    """A family by the names of what it holds, as 'Gender / weat, weat_es / model'."""
    parts = (", ".join(map(str, dict.fromkeys(group[name]))) for name in families)
    return " / ".join(parts) or "all"


def _adjusted_family(tests: pd.DataFrame) -> pd.DataFrame:
    """Holm and Benjamini-Hochberg for each row of test, side and p of one family."""
    import pandas as pd

    largest = tests.groupby(["test", "side"], sort=False)["p"].max().unstack()
    adjusted = pd.DataFrame(np.nan, tests.index, ["p_holm", "p_bh"])
    for side, rows in tests.groupby("side", sort=False):
        p = largest[side].fillna(largest.max(axis=1))
        for column, adjust in (("p_holm", holm), ("p_bh", benjamini_hochberg)):
            of_test = pd.Series(adjust(p.to_numpy()), p.index)
            adjusted.loc[rows.index, column] = rows["test"].map(of_test)
    return adjusted
