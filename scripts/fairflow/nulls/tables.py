"""The tables of studies with intersections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from fairflow.nulls import CROSSED
from fairflow.nulls.intersections import intersections
from fairflow.studies.tabulate import Tabulation


def tables_of_crossed(study: Tabulation, how: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """The table of groups, as `fairflow.nulls.crossed` asks for it."""
    return {"intersections": intersections(study.table("scores.parquet"), how)}


MAKERS = {CROSSED: tables_of_crossed}
