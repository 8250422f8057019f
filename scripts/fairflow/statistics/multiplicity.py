"""P-values of several tests, adjusted for their number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from fairflow.errors import FairflowError, nearest

if TYPE_CHECKING:
    import pandas as pd

# One test: equal sub-queries of several queries are the same test.
TEST = ["model", "metric", "subquery_digest"]


def holm(p: np.ndarray) -> np.ndarray:
    """P-values adjusted for the chance of any false rejection (Holm 1979).

    The i-th smallest of m becomes the largest of (m - j + 1) p_(j) over j <= i, at most 1.

    Parameters
    ----------
    p : (m,), 0 to 1. NaN stays NaN and does not count as a test.
    """

    def adjust(ordered: np.ndarray) -> np.ndarray:
        return np.maximum.accumulate(np.arange(len(ordered), 0, -1) * ordered)

    return _adjusted(p, adjust)


def benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    """P-values adjusted for the share of false rejections (Benjamini & Hochberg 1995).

    The i-th smallest of m becomes the smallest of m p_(j) / j over j >= i, at most 1. Valid for
    independent or positively dependent tests.

    Parameters
    ----------
    p : (m,), 0 to 1. NaN stays NaN and does not count as a test.
    """

    def adjust(ordered: np.ndarray) -> np.ndarray:
        m = len(ordered)
        scaled = m * ordered / np.arange(1, m + 1)
        return np.minimum.accumulate(scaled[::-1])[::-1]

    return _adjusted(p, adjust)


def adjust_families(scores: pd.DataFrame, families: Sequence[str]) -> pd.DataFrame:
    """Adjusted p-values of a study's headline tests.

    A family is the rows that are equal in the columns named; without a column all tests are one
    family. A test that stands in several queries of a family counts once. Where Monte Carlo gave
    its rows different p-values, the largest is adjusted.

    Parameters
    ----------
    scores : a study's table with headline, p_value, model, metric, subquery_digest and the columns
        of `families`; its index has no duplicates.

    Returns
    -------
    Columns family, p_holm, p_bh with the index of `scores`; None and NaN where nothing was tested.

    Raises
    ------
    FairflowError : there is no such column.
    """
    import pandas as pd

    for name in families:
        if name not in scores:
            raise FairflowError(
                f"families: the scores have no column {name!r}. {nearest(name, scores.columns)}"
            )
    adjusted = pd.DataFrame({"family": None, "p_holm": np.nan, "p_bh": np.nan}, scores.index)
    adjusted["family"] = adjusted["family"].astype(object)
    tested = scores[scores["headline"] & scores["p_value"].notna()]
    groups = tested.groupby(list(families), sort=False) if families else [(("all",), tested)]
    for key, group in groups:
        distinct = group.groupby(TEST, sort=False)["p_value"].max()
        values = {"p_holm": holm(distinct.to_numpy()), "p_bh": benjamini_hochberg(distinct)}
        found = group[TEST].join(pd.DataFrame(values, index=distinct.index), on=TEST)
        adjusted.loc[group.index, ["p_holm", "p_bh"]] = found[["p_holm", "p_bh"]]
        adjusted.loc[group.index, "family"] = " / ".join(map(str, key))
    return adjusted


def _adjusted(p: np.ndarray, adjust: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    p = np.asarray(p, dtype=float)
    result = np.full(p.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    result[order] = np.minimum(adjust(p[order]), 1.0)
    return result
