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
    itself), the lost, duplicated and shared words, those found by a vector composed of their parts,
    and same_vector_words: what is one word to the model, because it has one vector for several
    words of a query, at least one of them of the set.
    """
    rows: dict[tuple[str, str, tuple[str, ...]], dict] = {}
    for model, query, vectors in slices:
        equal = vectors.equal_forms
        for account in vectors.accounts:
            key = model, account.name, tuple(account.words)
            row = rows.setdefault(key, _row(model, account))
            row["queries"].append(query)
            for forms in equal:
                if not account.found.keys().isdisjoint(forms):
                    row["same_vector_words"].append(" = ".join(forms))
    for row in rows.values():
        row["queries"] = " ".join(dict.fromkeys(row["queries"]))
        row["same_vector_words"] = ", ".join(dict.fromkeys(row["same_vector_words"]))
    return pd.DataFrame(rows.values(), columns=_COLUMNS)


_COLUMNS = [
    *("model", "word_set", "queries", "words", "found", "lost", "duplicated", "shared"),
    *("as_written", "lost_words", "duplicated_words", "shared_words", "composed_words"),
    "same_vector_words",
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
        "composed_words": ", ".join(account.composed),
        "same_vector_words": [],
    }
