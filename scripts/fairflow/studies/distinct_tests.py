"""Which rows of a study's scores are one test, and p-values adjusted within families.

A test counts once, however many rows report it. Two rows are one when they rest on the same
vectors, the same words and the same statistic. So the effect sizes of WEAT with one standard
deviation or the other, and WEAT's sum, are one: exchanging words orders all three alike. A model
and its twin of unit length are one where the statistic knows only directions, and so are parts of
a model as far as they hold the same words. The alternative does not make it another test: one-sided
and two-sided p-values are two results of one test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from fairflow.errors import FairflowError, nearest
from fairflow.files.checksums import identity_digest
from fairflow.scores.ranked import ranked_rows
from fairflow.statistics.rank_tests import benjamini_hochberg, holm
from fairflow.studies.comparability import without_controls


class Sameness(NamedTuple):
    """What a study's models and metric variants have in common; by default nothing.

    Attributes
    ----------
    statistics : metric variant -> the name of the statistic that its test exchanges.
    vectors : model -> the name of its vectors, see `fairflow.studies.comparability.vectors_of`.
    scaling : metric variant -> whether the statistic changes with the length of vectors.
    """

    statistics: Mapping[str, str] = {}
    vectors: Mapping[str, str] = {}
    scaling: Mapping[str, bool] = {}

    def statistic(self, metric: str) -> str:
        """The name of a variant's statistic, its own by default."""
        return self.statistics.get(metric, metric)

    def vectors_for(self, model: str, metric: str) -> str:
        """The name of the vectors that a statistic sees of a model: its own where length counts."""
        return model if self.scaling.get(metric, False) else self.vectors.get(model, model)


def name_tests(scores: pd.DataFrame, same: Sameness) -> pd.Series:
    """A name for the test of each row, equal for rows of one test.

    Parameters
    ----------
    scores : with model, metric and subquery_digest; oov_words and matched_forms, which tell the
        words of parts of a model apart, and p_statistic count where they are given.
    """
    columns = ["subquery_digest", "oov_words", "matched_forms", "p_statistic"]
    given = [scores[name] for name in columns if name in scores]
    rows = zip(scores["model"], scores["metric"], *given, strict=True)
    parts = (
        (same.vectors_for(model, metric), same.statistic(metric), *map(_plain, words))
        for model, metric, *words in rows
    )
    # With a letter in front no reader of a table takes it for a number.
    names = ["m" + identity_digest(*each).hex()[:10] for each in parts]
    return pd.Series(names, index=scores.index, dtype=object)


def adjusted_once(
    p_values: pd.Series, tests: pd.Series, adjust: Callable[[np.ndarray], np.ndarray]
) -> pd.Series:
    """Adjusted p-values of a family in which equal tests count once, with their largest."""
    largest = p_values.groupby(tests, sort=False).max()
    return tests.map(dict(zip(largest.index, adjust(largest.to_numpy(dtype=float)), strict=True)))


def _plain(value: Any) -> str:
    """Text of a cell, the same for lists and arrays."""
    if value is None or isinstance(value, (str, float)):
        return value if isinstance(value, str) else ""
    items = (sorted(v.items()) if isinstance(v, dict) else v for v in value)
    return "\x1e".join(sorted(map(str, items)))


def adjust_families(
    scores: pd.DataFrame, families: Sequence[str], same: Sameness | None = None
) -> pd.DataFrame:
    """Adjusted p-values of a study's primary tests.

    A family is the tests that are equal in the columns named; without a column all tests are one
    family, and control queries are in none. Models of the same vectors count as one model, and
    variants that exchange the same statistic as one metric. A test counts once in its family,
    however many rows have it (see `fairflow.studies.distinct_tests`): where Monte Carlo gave these
    different p-values, the largest is adjusted. A test with two alternatives is one member, too:
    the rows of an alternative are adjusted with its p-values, and with the other one's for tests
    that lack it.

    Parameters
    ----------
    scores : a study's table, with the columns of `families`; alternative and what `name_tests`
        reads where it is given; its index has no duplicates.
    same : which models and metrics have vectors and statistics in common.

    Returns
    -------
    Columns test_id (of every row), family, p_holm, p_bh with the index of `scores`; None and
    NaN where nothing was tested.

    Raises
    ------
    FairflowError : there is no such column.
    """
    same = same or Sameness()
    for name in families:
        if name not in scores:
            raise FairflowError(
                f"families: the scores have no column {name!r}. {nearest(name, scores.columns)}"
            )
    names = name_tests(scores, same)
    adjusted = pd.DataFrame(
        {"test_id": names, "family": None, "p_holm": np.nan, "p_bh": np.nan}, scores.index
    ).astype({"family": object})
    tested = ranked_rows(without_controls(scores)).dropna(subset="p_value")
    keys = [_keys(tested, name, same) for name in families]
    for _, group in tested.groupby(keys, sort=False) if keys else [((), tested)]:
        sides = group.get("alternative", pd.Series("", group.index)).fillna("")
        tests = pd.DataFrame({"test": names[group.index], "side": sides, "p": group["p_value"]})
        adjusted.loc[group.index, ["p_holm", "p_bh"]] = _adjusted_family(tests)
        # By the names of what it holds, as 'Gender / weat, weat_es / model'.
        held = (", ".join(map(str, group[name].unique())) for name in families)
        adjusted.loc[group.index, "family"] = " / ".join(held) or "all"
    return adjusted


def _keys(tested: pd.DataFrame, name: str, same: Sameness) -> pd.Series:
    """What a column of a family is compared by."""
    if name == "metric":
        return tested["metric"].map(same.statistic)
    if name == "model":
        pairs = zip(tested["model"], tested["metric"], strict=True)
        return pd.Series([same.vectors_for(*pair) for pair in pairs], tested.index, dtype=object)
    return tested[name]


def _adjusted_family(tests: pd.DataFrame) -> pd.DataFrame:
    """Holm and Benjamini-Hochberg for each row of test, side and p of one family."""
    largest = tests.groupby(["test", "side"], sort=False)["p"].max().unstack()
    adjusted = pd.DataFrame(np.nan, tests.index, ["p_holm", "p_bh"])
    for side, rows in tests.groupby("side", sort=False):
        p = largest[side].fillna(largest.max(axis=1))
        for column, adjust in (("p_holm", holm), ("p_bh", benjamini_hochberg)):
            of_test = pd.Series(adjust(p.to_numpy()), p.index)
            adjusted.loc[rows.index, column] = rows["test"].map(of_test)
    return adjusted
