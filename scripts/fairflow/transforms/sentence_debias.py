"""SentenceDebias: what sentences differ in that differ in one word is taken out of every text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from fairflow.transforms import _words
from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation
from fairflow.vectors.directions import bias_subspace
from fairflow.vectors.word_embedding_model import word_rows


def swapped_sentences(
    sentences: Sequence[str], rows: Sequence[Sequence[str]]
) -> tuple[tuple[str, ...], ...]:
    """Each sentence as it is for every place of rows of words, those of one place alone.

    A word is found as a whole, in any case, and its counterpart takes its case. Sentences with no
    word of the rows, or words of two places, are left out; those with the same result count once.

    Parameters
    ----------
    rows : [[woman, man], ...], of one length; of a word in several the first is taken.

    Raises
    ------
    ValueError : a word stands at two places.
    """
    found: dict[str, tuple[int, Sequence[str]]] = {}
    for row in rows:
        for place, word in enumerate(row):
            known, _ = found.setdefault(word.lower(), (place, row))
            if known != place:
                raise ValueError(
                    f"definitional: {word!r} stands first in one entry and later in another, so "
                    "that a sentence with it has no side: put words of one group at one place"
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
    """A word in capitals, with a first capital or in small letters, as another is written."""
    if model.islower():
        return word.lower()
    if model.isupper() and len(model) > 1:
        return word.upper()
    return word[:1].upper() + word[1:]


SLOT = "{word}"
# They suit words of every class, pronouns and names among them.
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
    """Project every text on what is orthogonal to a subspace of sentences (Liang et al. 2020).

    Sentences in sets, in each of which one is made of another by exchanging a definitional word
    for its counterpart, with vectors v; B the first k principal components of all v minus the
    means of their sets:

        x <- x - B'B x

    Nothing is equalised, and lengths are not restored: the map is linear, and the vectors are
    taken at their own lengths. It assumes that what the sentences differ in besides the words'
    meaning of group averages out over them.

    The authors take sentences that hold the words from five corpora. Here they are the definitional
    words in `templates`, ten of our own unless others are given, or the lines of a text of the
    user's. Ten templates for ten pairs are a hundred pairs of sentences, which are more alike than
    those of a corpus: the subspace is rather that of the words.

    Parameters
    ----------
    definitional : rows of words, [[woman, man], ...], all of one length, two or more.
    components : k, at most the rank of the sets.
    templates : texts with "{word}" in them, in the place of `TEMPLATES`.
    sentences : the lines of a file, in the place of templates. One that holds words of one place
        of the rows alone (woman, she, but not he) is taken, with each of them exchanged for its
        counterpart in the sentences beside it; others are counted in the record.
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
            texts = _templates(TEMPLATES if templates is None else templates)
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
                    "leave sentences out, and they are made of templates"
                )

    def training_texts(self) -> tuple[str, ...]:
        """The sentences of all sets."""
        return _words.every_word(self.sets)

    def fit(self, base: Any) -> Derivation:
        """The subspace of a base, whose words are sentences.

        Raises
        ------
        FairflowError : no set has two sentences with a vector; they do not differ in as many
            directions as `components`.
        """
        base = word_rows(base)
        found = _words.found_sets(base, self.sets, "sentences", unit=False)
        # Which template is paired with which is no chance: sets are not shuffled.
        subspace = bias_subspace(found.vectors, self.components, name="sentences", null=False)
        return Derivation(
            remove=subspace.basis,
            facts=subspace.facts
            | {"sets_of_sentences": len(found.words), "lines_left_out": self.left_out}
            | _words.account(base, missing={"sentences": found.missing}),
        )


def _templates(given: Any) -> tuple[str, ...]:
    """Texts with one place for a word each.

    Raises
    ------
    ValueError : something else.
    """
    texts = _words.word_list("templates", given, least=1)
    for text in texts:
        if text.count(SLOT) != 1:
            raise ValueError(f"templates: expected {SLOT} once in each, found {text!r}")
    return texts
