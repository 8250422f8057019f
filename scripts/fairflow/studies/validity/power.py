"""How large must an association be for the test of a query to find it?"""

from __future__ import annotations

import pandas as pd

from fairflow.metrics.weat import WEATStatistic


def weat_tests(scores: pd.DataFrame) -> pd.DataFrame:
    """One row of scores for each model and query with WEAT's test."""
    if "p_statistic" not in scores:
        return pd.DataFrame(columns=["model", "query", "p_value", "alternative"])
    tested = scores["is_primary"] & (scores["p_statistic"] == WEATStatistic.tested)
    return scores[tested].dropna(subset="p_value").drop_duplicates(["model", "query"])
