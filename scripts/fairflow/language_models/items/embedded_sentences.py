"""Sentences whose vectors are tested: the files of SEAT, and fairflow's own templates, "plain".

May et al. (2019, https://doi.org/10.18653/v1/N19-1063) test encoders on sentences that say little
but a word; their files are data of their own (CC BY-NC), and the templates here are other ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.data_files import JsonDocument, read_json

SEAT_KEYS = ("targ1", "targ2", "attr1", "attr2")


def read_seat(path: str | Path) -> list[tuple[str, tuple[str, ...]]]:
    """The name and the texts of the two sets of targets and the two of attributes of a file.

    Raises
    ------
    ItemError : a set missing or empty, or something in it that is no text; with the line.
    """
    document = read_json(path)
    if not isinstance(document.content, dict):
        raise document.problem("targ1", f"an object with {', '.join(SEAT_KEYS)} is expected")
    sets = [(key, _examples(document, key)) for key in SEAT_KEYS]
    return [(document.content[key].get("category", key), texts) for key, texts in sets]


def _examples(document: JsonDocument, key: str) -> tuple[str, ...]:
    entry = document.content.get(key)
    examples = entry.get("examples") if isinstance(entry, dict) else None
    if not isinstance(examples, list) or not examples:
        raise document.problem(key, f"{key}.examples must be a list of texts")
    for text in examples:
        if not isinstance(text, str) or not text.strip():
            raise document.problem(key, f"{key}.examples holds {text!r}, which is no text")
    return tuple(examples)


NAME = "plain"
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

    Raises
    ------
    ItemError : an unknown kind.
    """
    if kind not in TEMPLATES:
        raise ItemError(f"kind must be one of {', '.join(TEMPLATES)}, got {kind!r}")
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
