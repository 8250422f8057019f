"""The table of words in contexts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from fairflow.files.cell_arrays import ArrayFiles
from fairflow.nulls.ceat import Crossed, authors_p, crossed_effect
from fairflow.studies.tables import columns_of
from fairflow.studies.tabulate import Tabulation


def row_of(told: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """The row of a query and a model, from what `query_in_contexts` gave.

    authors_p : one-sided as in their code, for the sign that the combined effect has.
    """
    counts = dict(zip(("n_first", "n_second", "n_1", "n_2"), told["words"], strict=True))
    found, combined, p = Crossed(reason=told["reason"]), math.nan, math.nan
    if arrays:
        found = crossed_effect(arrays["associated"], counts["n_first"])
        combined, p = authors_p(arrays["effects"], arrays["variances"])
        if combined < 0:
            _, p = authors_p(-arrays["effects"], arrays["variances"])
    row = {**counts, "contexts": told["contexts"], "left_out": ", ".join(told["left_out"])}
    ours = zip(("effect", "low", "high", "p_value", "reason"), found, strict=True)
    return row | dict(ours) | {"authors_effect": combined, "authors_p": p}


def tables_of_contexts(study: Tabulation, how: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """The table of a study of words in contexts, as `fairflow.nulls.ceat_jobs` asks for it."""
    made = ArrayFiles(study.read["contextual_associations"], row_of)
    rows = [{"model": model, "query": query, **row} for (model, query), row in made.items()]
    return {"ceat": pd.DataFrame(rows, columns=columns_of("ceat"))}
