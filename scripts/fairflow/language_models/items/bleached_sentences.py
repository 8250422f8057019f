"""Sentences that say little but a word: fairflow's own templates, "plain".

May et al. (2019, https://doi.org/10.18653/v1/N19-1063) test encoders on such sentences; their files
are data of their own (CC BY-NC), see `loaders.seat`, and these templates are other ones.
"""

from __future__ import annotations

from collections.abc import Iterable

from fairflow.language_models.errors import ItemError

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
