"""Tables of a corpus for figures of a study of any size."""

from collections.abc import Sequence

import pandas as pd
from corpus_tables import corpus_tables


def planted(
    models: Sequence[str], queries: Sequence[tuple[str, str]], missing: bool
) -> dict[str, pd.DataFrame]:
    """As many subcorpora as there are models.

    Parameters
    ----------
    queries : criterion and id of each. missing : without any value.
    """
    decades = [f"{year}-{year + 9}" for year in range(1600, 1600 + 10 * len(models), 10)]
    return corpus_tables([query for _, query in queries], {"decades": decades}, missing)
