"""The table of published methods."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from fairflow.files.tables import read_table
from fairflow.nulls import METHODS
from fairflow.nulls.methods.method import VALUE
from fairflow.studies.tables import columns_of
from fairflow.studies.tabulate import Tabulation

# Verdicts other than what is counted, see `fairflow.nulls.methods.method`.
HOLDS = "holds"
# As far as this from the right value is right.
NEAR = 0.05


def methods_table(found: pd.DataFrame, said: Mapping[str, Mapping[str, str]]) -> pd.DataFrame:
    """What each method finds in its worlds, with what is said of it and two verdicts.

    verdict, verdict_ours : "holds", or else what is counted: the interval of a share is above
        at_most, or a value is not near the right one.

    Parameters
    ----------
    found : rows of `fairflow.nulls.methods.method.tried`. said : method -> its texts.
    """
    rows = [{**row, **said[row["method"]]} for row in found.to_dict("records")]
    for row in rows:
        row |= {"verdict": _verdict(row, "theirs"), "verdict_ours": _verdict(row, "ours")}
    return pd.DataFrame(rows, columns=columns_of(METHODS))


def _verdict(row: Mapping[str, Any], who: str) -> str:
    if row["counts"] == VALUE:
        return HOLDS if abs(row[who] - row["at_most"]) <= NEAR else VALUE
    return HOLDS if row[f"{who}_low"] <= row["at_most"] else row["counts"]


def tables_of_methods(study: Tabulation, how: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """The table of methods, as `fairflow.nulls.jobs` asks for it."""
    found = pd.concat(map(read_table, study.read["methods"]), ignore_index=True)
    return {METHODS: methods_table(found, how["said"])}
