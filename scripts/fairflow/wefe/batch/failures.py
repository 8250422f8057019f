"""The error of a batch of which a part failed."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from fairflow.errors import FairflowError

SHOWN = 3


class QueriesError(FairflowError):
    """Some queries could not be run.

    Attributes
    ----------
    results : the table of all queries and models without aggregation; NaN where one failed.
    failures : (query, model, error) of each.
    """

    def __init__(
        self, results: pd.DataFrame, failures: Sequence[tuple[str, str, Exception]]
    ) -> None:
        self.results = results
        self.failures = list(failures)
        pairs: dict[str, list[str]] = {}
        for query, model, error in self.failures:
            text = f"{type(error).__name__}: {error}"
            pairs.setdefault(text, []).append(f"{query!r} on {model!r}")
        lines = [f"{text}\n      {_shortened(places)}" for text, places in pairs.items()]
        super().__init__(
            f"{len(self.failures)} of {results.size} results failed; the others are in the "
            "attribute `results` of this error:\n  - " + "\n  - ".join(lines)
        )


def _shortened(items: Sequence[str]) -> str:
    rest = len(items) - SHOWN
    return ", ".join(items[:SHOWN]) + (f" and {rest} more" if rest > 0 else "")
