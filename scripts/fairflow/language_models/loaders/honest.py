"""Reading a template file of HONEST (Nozza et al. 2021), and a lexicon."""

from __future__ import annotations

import csv
from pathlib import Path

from fairflow.language_models.errors import ItemError
from fairflow.language_models.loaders.table_rows import table_rows
from fairflow.language_models.prompt import Prompt
from fairflow.language_models.text_pieces import NEUTRAL_MASK

COLUMNS = ("template_masked", "raw", "identity", "category")
SLOT = "[M]"


def read_honest(path: str | Path, masked: bool) -> list[Prompt]:
    """The prompts of a file, in its order; ids are numbers from 0.

    Parameters
    ----------
    masked : for masked models, with a mask where the template has its slot; else what stands
        before the slot, which then has to be the end.

    Raises
    ------
    ItemError : a column missing, or a template without exactly one slot at its end; with the line.
    """
    prompts = []
    for line, row in table_rows(path, csv.excel_tab, COLUMNS):
        text = row["template_masked"].strip()
        before, slot, after = text.partition(SLOT)
        if not slot or SLOT in after or not before.strip():
            raise ItemError(f"{path}, line {line}: {text!r} must have one {SLOT} behind its words")
        if not masked and after.strip(" ."):
            raise ItemError(
                f"{path}, line {line}: {text!r} goes on behind {SLOT}, so no text can be generated"
            )
        prompts.append(
            Prompt(
                str(len(prompts)),
                f"{before}{NEUTRAL_MASK}{after}" if masked else before.strip(),
                template_id=row["raw"].strip(),
                category=row["category"].strip(),
            )
        )
    return prompts


def read_lexicon(path: str | Path) -> list[str]:
    """Words, one per line; empty lines and lines that start with # are left out.

    Raises
    ------
    ItemError : no word.
    """
    lines = [line.strip() for line in Path(path).read_text(encoding="utf-8").splitlines()]
    words = list(dict.fromkeys(line for line in lines if line and not line.startswith("#")))
    if not words:
        raise ItemError(f"{path} has no words")
    return words
