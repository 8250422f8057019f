"""Which words of which set a model holds."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from fairflow.queries.lookup import SetLookup
from fairflow.vectors.query_vectors import QueryVectors


def coverage(slices: Iterable[tuple[str, str, QueryVectors]]) -> pd.DataFrame:
    """One row per model and distinct word set.

    Parameters
    ----------
    slices : (model, query, vectors).

    Returns
    -------
    Columns model, word_set, queries (that use it), words, found, lost, duplicated, shared (counts
    of words, found + lost = words), as_written (share of found words whose form is the word
    itself), and the lost, duplicated and shared words.
    """
    rows: dict[tuple[str, str, tuple[str, ...]], dict] = {}
    for model, query, vectors in slices:
        for account in vectors.accounts:
            key = model, account.name, tuple(account.words)
            row = rows.setdefault(key, _row(model, account))
            row["queries"].append(query)
    for row in rows.values():
        row["queries"] = " ".join(dict.fromkeys(row["queries"]))
    return pd.DataFrame(rows.values(), columns=_COLUMNS)


_COLUMNS = [
    "model",
    "word_set",
    "queries",
    "words",
    "found",
    "lost",
    "duplicated",
    "shared",
    "as_written",
    "lost_words",
    "duplicated_words",
    "shared_words",
]


def _row(model: str, account: SetLookup) -> dict:
    as_written = sum(form == account.words[position] for form, position in account.found.items())
    return {
        "model": model,
        "word_set": account.name,
        "queries": [],
        "words": len(account.words),
        "found": account.n_found,
        "lost": len(account.lost),
        "duplicated": len(account.duplicated),
        "shared": len(account.shared),
        "as_written": as_written / len(account.found) if account.found else 0.0,
        "lost_words": ", ".join(account.lost),
        "duplicated_words": ", ".join(account.duplicated),
        "shared_words": ", ".join(account.shared),
    }
