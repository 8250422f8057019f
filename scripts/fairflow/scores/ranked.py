"""Which rows of scores a study ranks by: of each variant those of one measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# The column that says it, of tables of scores and of published numbers.
PRIMARY = "is_primary"


def ranked_rows(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of the measure that is ranked by."""
    return table[table[PRIMARY].astype(bool)]
