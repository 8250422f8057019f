"""What lies behind one effect size: the multilevel embedding association test (ML-EAT).

Wolfe, R., Hiniker, A., & Howe, B. (2024). ML-EAT: A Multilevel Embedding Association Test for
Interpretable and Transparent Social Science. AIES 2024. https://arxiv.org/abs/2408.01966
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from fairflow.metrics.weat import WEATStatistic, effect_size
from fairflow.statistics.permutation import exchange_p
from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies.tables import columns_of
from fairflow.validity.evidence import Evidence, sets_of_query
from fairflow.vectors.query_vectors import QueryVectors

NAMES = ("first_target", "second_target", "first_attribute", "second_attribute")
# Means of cosines that differ by less are equal.
_ROUNDING = 1e-12


def eat_patterns(evidence: Evidence) -> pd.DataFrame:
    """The two effect sizes and the four mean cosines that one effect size of WEAT mixes.

    Level 1 is WEAT's effect size, a score of the study. Of levels 2 and 3, with X, Y the target
    sets and A, B the attribute sets:

    mean_xa ... sd_yb : level 3, mean and sample standard deviation of the cosines of two sets,
        -1 to 1.
    d_x, d_y : level 2, of each attribute word the mean cosine with the words of one target set;
        the mean over A minus the mean over B, divided by the sample standard deviation over both.
        Above 0: the target set is nearer to A.
    p_x, p_y : two-sided permutation test of d, which exchanges attribute words; see `exchange_p`.
        The authors fit a normal distribution to 1,000 random exchanges and give one side.
    pattern : one of nine, in words. A target set is nearer to A or B where its p is below 0.05,
        else to neither. "" where it is unknown.
    reason : why a row has no numbers, or no pattern; else "".

    A row for each model and query.
    """
    rows = [names | _row(found) for names, found in evidence.named_slices()]
    return pd.DataFrame(rows, columns=columns_of("eat_patterns"))


def is_expected_pattern(row: Mapping[str, Any]) -> bool:
    """Whether a row of the table has the pattern that its effect size suggests: one target set is
    nearer to one attribute set, the other target set to the other.
    """
    first, second = sides(row)
    return first * second < 0


def _row(found: QueryVectors) -> dict[str, Any]:
    if len(found.targets) != 2 or len(found.attributes) != 2:
        return {"pattern": "", "reason": "two target sets and two attribute sets are needed"}
    names = tuple(account.name for account in (*found.targets, *found.attributes))
    row: dict[str, Any] = dict(zip(NAMES, names, strict=True)) | {"pattern": ""}
    targets, attributes, reason = sets_of_query(found)
    if reason:
        return row | {"reason": reason}
    tables = WEATStatistic.of(targets, attributes, {}).tables
    of_first = len(targets[0].words)
    for target, part in (("x", slice(of_first)), ("y", slice(of_first, None))):
        cosines = [table[part] for table in tables]
        for attribute, table in zip("ab", cosines, strict=True):
            row[f"mean_{target}{attribute}"] = float(table.mean())
            sd = float(table.std(ddof=1)) if table.size > 1 else math.nan
            row[f"sd_{target}{attribute}"] = sd
        near, far = (table.mean(axis=0) for table in cosines)
        row[f"d_{target}"] = effect_size(near, far, ddof=1)
        row[f"p_{target}"] = exchange_p(near, far)
    if math.isnan(row["d_x"]) or math.isnan(row["d_y"]):
        return row | {"reason": "all attribute words are equally near to a target set"}
    return row | {"pattern": _pattern(row), "reason": ""}


def sides(row: Mapping[str, Any]) -> tuple[int, int]:
    """Which attribute set each target set is nearer to: 1 the first, -1 the second, 0 neither."""
    first, second = (
        int(np.sign(row[f"d_{each}"])) if row[f"p_{each}"] < ALPHA else 0 for each in "xy"
    )
    return first, second


def _pattern(row: Mapping[str, Any]) -> str:
    x, y, a, b = (row[name] for name in NAMES)
    first, second = sides(row)
    nearer = {1: a, -1: b, 0: "neither"}
    if first == second == 0:
        return f"neither clearly nearer to {a} or {b}"
    if first == second:
        lead = row["mean_xa"] - row["mean_xb"] - row["mean_ya"] + row["mean_yb"]
        more = f"{x if first * lead > 0 else y} more so"
        return f"both nearer to {nearer[first]}, {more if abs(lead) > _ROUNDING else 'equally so'}"
    if first:
        return f"{x} nearer to {nearer[first]}, {y} to {nearer[second]}"
    return f"{y} nearer to {nearer[second]}, {x} to neither"
