"""Small studies: a test states only what it is about."""

import math
from typing import Any

import pandas as pd

from fairflow.scores.ranked import PRIMARY
from fairflow.studies.claims.claim import Claim, Results
from fairflow.studies.claims.study_claims import Stated, stated
from fairflow.studies.comparability import IS_CONTROL

NAN = math.nan
LABELS = {"a": "Model A", "b": "Model B", "c": "Model C", "weat": "WEAT", "rnd": "RND"}
LABELS |= {"q1": "Query 1", "q2": "Query 2", "bbq": "BBQ"}
SETS = {"q1": [["Men", "Women"], ["Career", "Family"]]}
SCORE = {
    "metric": "weat", "criterion": "Gender", "query_label": "Men and Women", "measure": "weat",
    "value": 0.5, "p_value": 0.01, "p_holm": 0.02, "p_bh": 0.02,
    "p_smallest": 0.001, "alternative": "two-sided", "ci_low": 0.1, "ci_high": 0.9,
    "ci_level": 0.95, "p_null_band": 0.01, "n_words": 16, "status": "ok", "reason": None,
    IS_CONTROL: False, "control": "passes", "control_status": "passes", "fair": 0.0,
}  # fmt: skip
PAIR = {"criterion": "Overall", "metric": "weat", "difference_low": 0.1, "difference_high": 0.5}
PAIR |= {
    "mean": 0.4,
    "other_mean": 0.1,
    "p_fairer": 0.001,
    "p_bh": 0.01,
    "wilcoxon_holm": 0.01,
    "n_groups": 6,
    "n_queries": 9,
}


def score(
    model: str = "a", query: str = "q1", ranked: bool = True, **columns: Any
) -> dict[str, Any]:
    """A row of scores: significant and beyond random words."""
    named = {"model": model, "query": query, "subquery": query, "test_id": f"{model} {query}"}
    return SCORE | named | {PRIMARY: ranked} | columns


def ranks(*models: str, criterion: str = "Overall", **columns: Any) -> list[dict[str, Any]]:
    """Rows of a ranking, the least biased first, with scores .1, .2, ..."""
    base = {"source": "computed", "criterion": criterion, "metric": "weat", "status": "compared"}
    return [
        base | {"model": model, "rank": float(n), "score": n / 10} | columns
        for n, model in enumerate(models, start=1)
    ]


def pair(more: str, less: str, difference: float = 0.3, **columns: Any) -> list[dict[str, Any]]:
    """Both orders of a pair, a clear difference."""
    row = PAIR | {"model": more, "other": less, "difference": difference} | columns
    turned = {"model": less, "other": more, "difference": -difference}
    turned |= {"mean": row["other_mean"], "other_mean": row["mean"]}
    turned |= {
        f"difference_{a}": -row[f"difference_{b}"] for a, b in (("low", "high"), ("high", "low"))
    }
    return [row, row | turned]


def results(scores: Any = (), subject: str = "", **tables: Any) -> Results:
    """Results of these rows; settings by the names of `Results`."""
    settings = {
        name: tables.pop(name) for name in [*tables] if name in Results.__dataclass_fields__
    }
    frames = {name: pd.DataFrame(rows) for name, rows in tables.items()}
    frames["scores"] = pd.DataFrame([*scores] or [score()])
    usual = {"labels": LABELS, "signed": ["weat"], "sets": SETS}
    return Results(frames, subject=subject, **usual | settings)


def said(*args: Any, **tables: Any) -> Stated:
    """The claims and the page of such a study."""
    return stated("A study", results(*args, **tables))


def claims(kind: str, *args: Any, **tables: Any) -> list[Claim]:
    """The claims of a kind."""
    return [one for one in said(*args, **tables).claims if one.kind == kind]


def verdicts(kind: str, *args: Any, **tables: Any) -> list[str]:
    """The verdicts of a kind."""
    return [one.verdict for one in claims(kind, *args, **tables)]
