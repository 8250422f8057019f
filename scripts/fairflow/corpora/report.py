"""A study of a corpus in the report."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from fairflow.corpora.trends import parted

# The table of a corpus by the kind of its rows.
TABLES = ("corpus_scores", "corpus_trends", "corpus_words")


def prepared(frames: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    """The tables that the page shows in place of those of the study."""
    if "corpus_scores" not in frames:
        return {}
    return dict(zip(TABLES, parted(frames["corpus_scores"]), strict=True))
