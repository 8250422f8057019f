"""Published prompts and sentences: HONEST, BOLD, HolisticBias, SEAT; and templates of sentences.

May et al. (2019, https://doi.org/10.18653/v1/N19-1063) test encoders on sentences that say little
but a word; their files have another licence (CC BY-NC), and the templates here are different.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.data_files import Row, read_document, table_rows
from fairflow.language_models.items.item import NEUTRAL_MASK, InvalidItem
from fairflow.language_models.items.text_items import Prompt

COLUMNS = ("template_masked", "raw", "identity", "category")
COMPLETION_SLOT = "[M]"


def read_honest(path: str | Path) -> list[Prompt | InvalidItem]:
    """The prompts of a file, in its order; ids are numbers from 0, the cluster is the identity.

    A prompt has a mask where the template has its slot; see `item_set.prompts_for`. A row without
    exactly one slot behind its words, or with too few cells, is an invalid item.

    Raises
    ------
    ItemError : a column missing; with the line.
    """
    rows = enumerate(table_rows(path, csv.excel_tab, COLUMNS))
    return [row.made(_prompt, str(number), row.text("category")) for number, row in rows]


def _prompt(number: str, row: Row) -> Prompt:
    text, template, identity, category = map(row.text, COLUMNS)
    before, slot, after = text.partition(COMPLETION_SLOT)
    if not slot or COMPLETION_SLOT in after or not before.strip():
        raise ItemError(f"{text!r} must have one {COMPLETION_SLOT} behind its words")
    shown = f"{before}{NEUTRAL_MASK}{after}"
    return Prompt(number, shown, template_id=template, category=category, cluster=identity)


SEAT_KEYS = ("targ1", "targ2", "attr1", "attr2")


def read_seat(path: str | Path) -> list[tuple[str, tuple[str, ...]]]:
    """The name and the texts of the two sets of targets and the two of attributes of a file.

    Raises
    ------
    ItemError : a set missing or empty, or something in it that is no text.
    """
    content, sets = read_document(path), []
    for key in SEAT_KEYS:
        entry = content.get(key) if isinstance(content, dict) else None
        examples = entry.get("examples") if isinstance(entry, dict) else None
        named = isinstance(examples, list) and all(isinstance(text, str) for text in examples)
        if not (examples and named and all(map(str.strip, examples))):
            raise ItemError(f"{path}: {key}.examples must be a list of texts, got {examples!r}")
        sets.append((entry.get("category", key), tuple(examples)))
    return sets


# {a} is the word with its article, {A} the same at the start of a sentence, {T} the word there.
TEMPLATES = {
    "name": ("We met {t}.", "{T} came in.", "I know {t}.", "They talked about {t}."),
    "noun": ("We saw {a}.", "{A} was there.", "I think of {a}.", "They talked about the {t}."),
    "mass": ("We saw {t}.", "{T} was there.", "I think of {t}.", "They talked about {t}."),
    "adjective": ("It was {t}.", "All of it seems {t}.", "I would call it {t}.", "They were {t}."),
}


def bleached_sentences(words: Iterable[str], kind: str) -> dict[str, tuple[str, str, str]]:
    """Every template of a kind with every word, word by word: sentence -> word, kind, template.

    Parameters
    ----------
    kind : a key of `TEMPLATES`. "noun" is for words that take an article.
    """
    return {
        template.format(
            t=word,
            T=word[:1].upper() + word[1:],
            a=with_article(word),
            A="A" + with_article(word)[1:],
        ): (word, kind, template)
        for word in words
        for template in TEMPLATES[kind]
    }


def with_article(word: str) -> str:
    """The word with "a" or "an", by its first letter."""
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"
