"""SentenceDebias: remove the subspace in which sentences differ that differ in one word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from fairflow.transforms import _words
from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.directions import bias_subspace
from fairflow.vectors.word_rows import word_rows


def swapped_sentences(
    sentences: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[tuple[str, ...], ...]:
    """Variants of each sentence, with the words of one column of rows replaced by each column.

    Whole words are matched in any case, and the replacement gets the same case. Sentences without a
    word of the rows, or with words of two columns, are left out; equal results count once.

    Parameters
    ----------
    rows : [[woman, man], ...], of equal length; if a word is in several rows, the first is used.

    Raises
    ------
    ValueError : a word is in two columns.
    """
    found: dict[str, tuple[int, Sequence[str]]] = {}
    for row in rows:
        for place, word in enumerate(row):
            known, _ = found.setdefault(word.lower(), (place, row))
            if known != place:
                raise ValueError(
                    f"definitional: {word!r} has different places in two entries, so that a "
                    "sentence with it has no side: put the words of one group in the same place"
                )

    def counterpart(place: int, match: re.Match[str]) -> str:
        own, row = found[match[0].lower()]
        return match[0] if own == place else _in_case_of(match[0], row[place])

    longest_first = sorted(found, key=len, reverse=True)
    words = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.I)
    swapped = []
    every_place = range(len(rows[0]))
    for sentence in sentences:
        places = {found[word.lower()][0] for word in words.findall(sentence)}
        if len(places) == 1:
            swapped.append(
                tuple(words.sub(partial(counterpart, place), sentence) for place in every_place)
            )
    return tuple(dict.fromkeys(swapped))


def _in_case_of(model: str, word: str) -> str:
    """A word in upper, title or lower case, like another word."""
    if model.islower():
        return word.lower()
    if model.isupper() and len(model) > 1:
        return word.upper()
    return word[:1].upper() + word[1:]


SLOT = "{word}"
# They fit words of every class, including pronouns and names.
TEMPLATES = (
    "The word is {word}.",
    "They said {word}.",
    "Someone wrote {word} on the wall.",
    "We read about {word}.",
    "The story is about {word}.",
    "I thought of {word}.",
    "It was {word} again.",
    "Everybody talked about {word}.",
    "The picture shows {word}.",
    "This sentence has {word} in it.",
)


class SentenceDebias(BaseTransform):
    """Remove a subspace of sentences from every text by projection (Liang et al. 2020).

    The sentences of a set differ only in definitional words, which are exchanged for their
    counterparts. B = first k principal components of all sentence vectors minus the means of their
    sets:

        x <- x - B'B x

    Nothing is equalised and lengths are not restored: the map is linear, and vectors are used with
    their original lengths. The method assumes that other differences between the sentences average
    out.

    The authors take sentences with these words from five corpora. Here the sentences are made from
    `templates`, by default ten written for fairflow, or are the lines of a file. Ten templates and
    ten pairs give a hundred pairs of sentences, which are more similar than those of a corpus: the
    subspace is closer to that of the words.

    Parameters
    ----------
    definitional : rows of words, [[woman, man], ...], all of the same length, two or more.
    components : k, at most the rank of the sets.
    templates : texts with "{word}", instead of `TEMPLATES`.
    sentences : the lines of a file, instead of templates. A line is used if its definitional words
        are all in one column of the rows (woman, she, but not he); in its counterparts each of
        these words is exchanged. Other lines are counted in the record.

    Examples
    --------
    >>> from fairflow.transforms import SentenceDebias
    >>> texts = SentenceDebias([["woman", "man"], ["she", "he"]]).training_texts()
    >>> len(texts), texts[0]
    (40, 'The word is woman.')

    See also
    --------
    fairflow.transforms.LinearProjection : the same with words.
    fairflow.transforms.BaseTransform : how a transform is fitted and applied.
    """

    citation = "liang2020towards"
    word_sets = {"definitional": "tuples", "sentences": "lines"}
    of_sentences = True

    def __init__(
        self,
        definitional: Sequence[Sequence[str]],
        components: int = 1,
        templates: Sequence[str] | None = None,
        sentences: Sequence[str] | None = None,
    ) -> None:
        rows = _words.sets_of_words("definitional", definitional)
        if len({len(row) for row in rows}) > 1:
            raise ValueError("definitional: the entries must all have as many words")
        self.components = _words.whole_number("components", components)
        self.left_out = 0
        if sentences is None:
            texts = _words.word_list("templates", TEMPLATES if templates is None else templates, 1)
            if wrong := [text for text in texts if text.count(SLOT) != 1]:
                raise ValueError(f"templates: expected {SLOT} once in each, found {wrong[0]!r}")
            self.sets = tuple(
                tuple(text.replace(SLOT, word) for word in row) for text in texts for row in rows
            )
        elif templates is not None:
            raise ValueError("give templates or sentences, not both")
        else:
            lines = _words.word_list("sentences", sentences, least=1)
            self.sets = swapped_sentences(lines, rows)
            self.left_out = len(lines) - len(self.sets)
            if not self.sets:
                raise ValueError(
                    f"sentences: none of {len(lines)} holds a definitional word ({rows[0][0]}, "
                    f"{rows[0][1]}) without one of another place: give texts about people, or "
                    "remove sentences to use the templates"
                )

    def training_texts(self) -> tuple[str, ...]:
        """The sentences of all sets."""
        return _words.every_word(self.sets)

    def fit(self, base: Any) -> Derivation:
        """Find the subspace of a base, whose words are sentences.

        Raises
        ------
        FairflowError : no set has two sentences with a vector; the sentences differ in fewer
            directions than `components`.
        """
        base = word_rows(base)
        found = _words.found_sets(base, self.sets, "sentences", unit=False)
        subspace = bias_subspace(found.vectors, self.components, name="sentences")
        return Derivation(
            remove=subspace.basis,
            facts=subspace.facts
            | {"sets_of_sentences": len(found.words), "lines_left_out": self.left_out}
            | _words.account(base, missing={"sentences": found.missing}),
        )
