"""The rows of metric variants, read from score files that several variants share.

A score file holds all that a metric with its parameters says of a query: every measure, tested on
every side. Which measure is ranked and which side is tested is what a variant chooses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from fairflow.errors import FairflowError

_KEY = ["model", "query", "subquery"]
_TESTED = ("p_side", "p_value", "p_method", "p_smallest", "p_error", "p_normal")


def variant_rows(
    stored: pd.DataFrame, variants: Mapping[str, Mapping[str, Any]], queries: Sequence[str]
) -> pd.DataFrame:
    """Rows of the score files as those of each variant: model by model, variant by variant.

    Parameters
    ----------
    stored : rows of score files, in the order of models.
    variants : variant -> computed (what `metric` says in its score files); and of a variant of
        words measure (the one that is its headline), side (of the test; None for the metric's
        usual one) and measures (name in the file -> its name here, None for all as they are).
    queries : those that are wanted, in order.

    Raises
    ------
    FairflowError : a (sub-)query has no such measure.
    """
    if stored.empty:
        return stored
    place = {query: number for number, query in enumerate(queries)}
    wanted = stored[stored["query"].isin(place)]
    every = {name: wanted[wanted["metric"] == s["computed"]] for name, s in variants.items()}
    parts = [_rows(some, name, variants[name]) for name, some in every.items() if len(some)]
    if not parts:
        return wanted.iloc[:0].drop(columns="tests")
    rows = pd.concat(parts, ignore_index=True).drop(columns="tests")
    models = {model: number for number, model in enumerate(dict.fromkeys(stored["model"]))}
    of_variant = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    keys = rows["query"].map(place), of_variant, rows["model"].map(models)
    return rows.iloc[np.lexsort(keys)].reset_index(drop=True)


def _rows(stored: pd.DataFrame, name: str, shown: Mapping[str, Any]) -> pd.DataFrame:
    """Rows of one computation as those of a variant."""
    rows = stored.assign(metric=name)
    if "measure" not in shown:
        return rows
    if shown["measures"]:
        rows["measure"] = rows["measure"].map(shown["measures"])
        rows = rows[rows["measure"].notna()].copy()
    headline = rows["measure"] == shown["measure"]
    without = ~rows.set_index(_KEY).index.isin(rows[headline].set_index(_KEY).index)
    if without.any():
        query, found = rows.loc[without, "query"].iloc[0], ", ".join(set(rows["measure"]))
        raise FairflowError(f"{name}, {query}: no measure {shown['measure']!r}, only {found}")
    return _tested(_headed(rows, stored, headline), shown["side"])


def _headed(rows: pd.DataFrame, stored: pd.DataFrame, headline: pd.Series) -> pd.DataFrame:
    """With the values of words on the rows of the headline."""
    of_words = stored[stored["headline"]]
    keys = of_words[_KEY].itertuples(index=False, name=None)
    words = dict(zip(keys, of_words["words"], strict=True))
    none = np.empty(0, dtype=object)
    every = zip(rows[_KEY].itertuples(index=False, name=None), headline, strict=True)
    rows["words"] = pd.Series([words[key] if head else none for key, head in every], rows.index)
    return rows.assign(headline=headline)


def _tested(rows: pd.DataFrame, side: str | None) -> pd.DataFrame:
    """With the test of a side, where there is one."""
    if side is None:
        return rows
    found = [{test["p_side"]: test for test in tests}.get(side) for tests in rows["tests"]]
    given = np.array([test is not None for test in found])
    for column in _TESTED:
        rows.loc[given, column] = [test[column] for test in found if test is not None]
    return rows
