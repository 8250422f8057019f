"""Reading a template file of HONEST (Nozza et al. 2021)."""

from __future__ import annotations

import csv
from pathlib import Path

from fairflow.language_models.items.loaders.table_rows import TableRow, table_rows
from fairflow.language_models.items.prompt import Prompt
from fairflow.language_models.items.spans import NEUTRAL_MASK
from fairflow.language_models.items.unreadable_item import UnreadableItem, some_readable

COLUMNS = ("template_masked", "raw", "identity", "category")
SLOT = "[M]"


def read_honest(path: str | Path, masked: bool) -> list[Prompt | UnreadableItem]:
    """The prompts of a file, in its order; ids are numbers from 0, the unit is the identity.

    A row without exactly one slot behind its words, or with too few cells, is an unreadable item.

    Parameters
    ----------
    masked : for masked models, with a mask where the template has its slot; else what stands
        before the slot, which then has to be the end.

    Raises
    ------
    ItemError : a column missing, no row that can be read; with the line.
    """
    rows = enumerate(table_rows(path, csv.excel_tab, COLUMNS))
    return some_readable((_prompt(str(number), row, masked) for number, row in rows), path)


def _prompt(number: str, row: TableRow, masked: bool) -> Prompt | UnreadableItem:
    text, template, identity, category = (row.cells.get(name, "").strip() for name in COLUMNS)
    before, slot, after = text.partition(SLOT)
    problem = row.problem
    if problem is None and (not slot or SLOT in after or not before.strip()):
        problem = f"{text!r} must have one {SLOT} behind its words"
    if problem is None and not masked and after.strip(" ."):
        problem = f"{text!r} goes on behind {SLOT}, so no text can be generated"
    if problem:
        return UnreadableItem(number, row.why(problem), category)
    shown = f"{before}{NEUTRAL_MASK}{after}" if masked else before.strip()
    return Prompt(number, shown, template_id=template, category=category, unit=identity)
