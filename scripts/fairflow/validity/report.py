"""Specifications of a study in the report."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from fairflow.validity.multiverse import specification_summary

CURVE = "specification_curve"


def prepared(frames: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """The table that the page shows in place of that of the study."""
    return {CURVE: specification_summary(frames[CURVE])} if CURVE in frames else {}
