"""Tables of scores as a study has them, from a value for each model and query."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from fairflow.scores.ranked import PRIMARY
from fairflow.studies.columns import differences
from fairflow.studies.comparability import CONTROL, IS_CONTROL

DIRECTIONS = {
    "weat": {"signed": True, "larger_is_fairer": False},
    "rnsb": {"signed": False, "larger_is_fairer": False},
    "mac": {"signed": False, "larger_is_fairer": True},
    "ect": {"signed": False, "larger_is_fairer": True},
}
N_DRAWS = 20
NUMBERS = ["value_normalized", "n_found", "n_oov", "n_items", "n_clusters", "p_null_band"]
NUMBERS += ["fair", "ci_low_both", "ci_high_both", "ci_level", "null_band_low", "null_band_high"]
TUPLES = ["oov_words", "duplicated_words", "shared_words", "matched_forms"]
TUPLES += ["targets", "attributes"]


def score(
    model: str, query: str, value: float = 0.5, ranked: bool = True, **columns: Any
) -> dict[str, Any]:
    """A row of a table of scores, of the measure that is ranked by or of a further one."""
    return (
        dict.fromkeys(differences("scores.parquet", ())[0])
        | {"metric": "weat_es", "model": model, "query": query, "subquery": query, "category": ""}
        | {"subquery_digest": f"digest of {query}", "measure": "effect_size"}
        | {"criterion": "Gender", "query_label": query.upper(), PRIMARY: ranked}
        | {"value": value, "status": "ok" if value == value else "degenerate"}
        | {"reason": None if value == value else "a word is missing", "statistics": "ok"}
        | {"p_value": 0.01, "alternative": "two-sided", "n_words": 16}
        | {"ci_low": value - 1, "ci_high": value + 1}
        | dict.fromkeys(NUMBERS, math.nan)
        | dict.fromkeys(TUPLES, ())
        | {IS_CONTROL: False}
        | dict.fromkeys(CONTROL, "none")
        | {"words": [{"word": f"word of {query}", "set": "a", "measure": "m", "value": 0.0}]}
        | columns
    )


def as_table(path: str, rows: Sequence[Mapping[str, Any]] = ()) -> pd.DataFrame:
    """The table of a study of some rows, with all columns of its entry."""
    frame = pd.DataFrame(rows)
    return frame.assign(**dict.fromkeys(differences(path, frame)[0], ""))


def scores(values: Mapping[tuple[str, str], float], **columns: Any) -> pd.DataFrame:
    """A table of scores of (model, query) -> value; draws are near the value."""
    rows = []
    for (model, query), value in values.items():
        spread = np.random.default_rng([*model.encode(), *query.encode()]).normal(0, 0.05, N_DRAWS)
        rows.append(score(model, query, value) | {"draws": list(value + spread)} | columns)
    return pd.DataFrame(rows).astype({"statistics_note": object, "p_value": float})


def headline(model, digest, value, draws=None, metric="weat", criterion="Gender"):
    """What is aggregated and compared of a score; the digest stands for the words."""
    names = {"model": model, "metric": metric, "criterion": criterion, "query": f"q-{digest}"}
    names |= {"subquery": f"about {digest}", "subquery_digest": digest, PRIMARY: True}
    return names | {"value": value, "draws": draws}
