"""How strong must an association be for the test of a query to find it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from fairflow.metrics.weat import WEATStatistic
from fairflow.statistics.smallest_effect import ALPHA, POWER, smallest_effect
from fairflow.studies.validity.evidence import Evidence

COLUMNS = (
    *("criterion", "query", "n_first", "n_second", "alternative", "level", "power"),
    *("smallest_effect", "reason"),
)


def power(evidence: Evidence, scores: pd.DataFrame) -> pd.DataFrame:
    """The smallest effect size that the test of WEAT finds with 80 % power.

    A row for each query and alternative that the study tests; one for a query without a test.

    n_first, n_second : words of each target set that the test exchanges, the least over models.
    alternative : "two-sided", "greater" or "less". level : 0.05, of a test without correction for
        others. power : 0.8.
    smallest_effect : WEAT's d, see `fairflow.statistics.smallest_effect`.
    reason : why it is NaN, else "".

    Parameters
    ----------
    scores : the table of the study, with the values of words.
    """
    sizes: dict[str, dict[str, list[tuple[int, int]]]] = {}
    for test in weat_tests(scores).to_dict("records"):
        of_query = sizes.setdefault(test["query"], {})
        of_query.setdefault(test["alternative"], []).append(_sizes(test["words"]))
    without = {"level": ALPHA, "power": POWER, "reason": "no model has the test of WEAT"}
    rows = [
        without | {"criterion": criterion, "query": query} | found
        for query, criterion in evidence.criteria.items()
        for found in [_row(*each) for each in sizes.get(query, {}).items()] or [{}]
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def weat_tests(scores: pd.DataFrame) -> pd.DataFrame:
    """One row of scores for each model, query and alternative with WEAT's test."""
    if "p_statistic" not in scores:
        return pd.DataFrame(columns=["model", "query", "p_value", "alternative"])
    of_weat = scores["is_primary"] & (scores["p_statistic"] == WEATStatistic.tested)
    tested = scores[of_weat].dropna(subset="p_value")
    return tested.drop_duplicates(["model", "query", "alternative"])


def _row(alternative: str, sizes: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """From the sizes of the sets in each model."""
    first, second = (min(of_set) for of_set in zip(*sizes, strict=True))
    found = smallest_effect(first, second, alternative)
    numbers = {"n_first": first, "n_second": second, "smallest_effect": found.value}
    return numbers | {"alternative": alternative, "reason": found.reason}


def _sizes(words: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    """Words of the first target set and of the second that are in no other set."""
    sets = list(dict.fromkeys((each["set"], each["word"]) for each in words))
    times = Counter(word for _, word in sets)
    names = list(dict.fromkeys(name for name, _ in sets))
    alone = Counter(name for name, word in sets if times[word] == 1)
    return alone[names[0]], alone[names[-1]]
