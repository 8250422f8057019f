"""What vectors are good for: similarity of words as people judge it, and analogies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairflow.remains.findings import Answers
from fairflow.vectors.most_frequent import directions
from fairflow.vectors.word_rows import WordRows

# Similarities that are held at once: 32 MB.
_CELLS = 8_000_000


def similarity_answers(
    rows: WordRows, pairs: Sequence[tuple[str, str]], scores: Sequence[float]
) -> Answers:
    """The cosines of pairs of words beside the scores that people gave them.

    A word is sought as it is written, then in lower case, with a capital, and in capitals.
    """
    words = dict.fromkeys(word for pair in pairs for word in pair)
    spelt = {word: form for word in words if (form := _spelling(rows, word)) is not None}
    vectors, usable = directions(rows.vectors(list(spelt.values()))) if spelt else ((), ())
    at = {word: row for row, word in enumerate(spelt) if usable[row]}
    covered = [number for number, pair in enumerate(pairs) if all(word in at for word in pair)]
    left, right = (
        np.array([vectors[at[pairs[number][side]]] for number in covered]) for side in (0, 1)
    )
    cosines = np.einsum("ij,ij->i", left, right, dtype=np.float64) if covered else np.empty(0)
    return Answers(np.array(covered, dtype=np.int64), np.array(scores)[covered], cosines)


def _spelling(rows: WordRows, word: str) -> str | None:
    forms = (word, word.lower(), word.capitalize(), word.upper())
    return next((form for form in forms if form in rows), None)


def analogy_answers(
    words: Sequence[str], vectors: np.ndarray, questions: Sequence[Sequence[str]]
) -> Answers:
    """Which analogies a : b as c : d come out: is d the word nearest to b - a + c?

    3CosAdd (Mikolov et al. 2013), a, b and c left out. Case is set aside: of words that differ by
    it alone the first one counts.

    Parameters
    ----------
    words, vectors : among which answers are sought; unit vectors (words, dims).
    questions : four words each; one with a word that is not among them is not covered.
    """
    first: dict[str, int] = {}
    for row, word in enumerate(words):
        first.setdefault(word.lower(), row)
    at = {word: place for place, word in enumerate(first)}
    sought = vectors[list(first.values())]
    folded = [[word.lower() for word in question] for question in questions]
    covered = [number for number, four in enumerate(folded) if all(word in at for word in four)]
    places = np.array([[at[word] for word in folded[number]] for number in covered])
    right = np.zeros(len(covered))
    step = max(1, _CELLS // max(1, len(sought)))
    for start in range(0, len(covered), step):
        a, b, c, d = places[start : start + step].T
        near = (sought[b] - sought[a] + sought[c]) @ sought.T
        near[np.arange(len(a))[:, np.newaxis], np.stack([a, b, c], axis=1)] = -np.inf
        right[start : start + step] = near.argmax(axis=1) == d
    return Answers(np.array(covered, dtype=np.int64), np.ones(len(covered)), right)
