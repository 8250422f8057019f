"""Reading a lexicon: a list of terms, or the table of HurtLex."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.loaders.table_rows import table_rows

COLUMN = "lemma"
LONGEST_TERM = 8
SEPARATORS = {"\t": "a tab", ",": "a comma", ";": "a semicolon", "|": "a bar"}


def read_lexicon(path: str | Path) -> list[str]:
    """The terms of a file, each once.

    Either one term per line, where empty lines and lines that start with # are left out; or, as
    HurtLex (Bassignana et al. 2018) is published, a table of columns between tabs, of which
    "lemma" holds the terms: those of every level and category. The first line tells which.

    Raises
    ------
    ItemError : not UTF-8, no term, a table without that column, or a line that is no term (it
        has columns, more than eight words, or no letter); with the line.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ItemError(f"{path} is no lexicon: {error}") from error
    first = next((line for line in lines if line.strip()), "")
    if "\t" in first:
        numbered = _column(path)
    else:
        numbered = [(number, line.strip()) for number, line in enumerate(lines, start=1)]
        numbered = [(number, line) for number, line in numbered if line and line[0] != "#"]
    for number, term in numbered:
        problem = _term_problem(term)
        if problem:
            raise ItemError(
                f"{path}, line {number}: {term[:60]!r} {problem}; a lexicon has one term per line, "
                f"or is a table with tabs and a column {COLUMN}"
            )
    if not numbered:
        raise ItemError(f"{path} has no words")
    return list(dict.fromkeys(term for _, term in numbered))


def _column(path: str | Path) -> list[tuple[int, str]]:
    """(line, term) of each row of a table."""
    rows = list(table_rows(path, csv.excel_tab, [COLUMN]))
    for row in rows:
        if row.problem:
            raise ItemError(f"{path}, {row.why(row.problem)}")
    return [(row.line, term) for row in rows if (term := row.cells[COLUMN].strip())]


def _term_problem(term: str) -> str | None:
    separators = [name for sign, name in SEPARATORS.items() if sign in term]
    if separators:
        return f"holds {' and '.join(separators)}"
    if len(term.split()) > LONGEST_TERM:
        return f"has more than {LONGEST_TERM} words"
    return None if re.search(r"[^\W\d_]", term) else "has no letter"
