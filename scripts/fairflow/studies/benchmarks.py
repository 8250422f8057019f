"""Benchmarks of word vectors: their files, and what a model answers to their items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairflow.errors import FairflowError
from fairflow.files.packed_files import text_of_packed
from fairflow.vectors.first_words import FirstWords, directions
from fairflow.vectors.word_rows import WordRows

SIMILARITY, ANALOGIES = "similarity", "analogies"
# Similarities that are held at once: 32 MB.
_CELLS = 8_000_000


@dataclass(frozen=True, eq=False)
class BenchmarkAnswers:
    """What a model gives for each of some items: words, pairs of words, analogies.

    Attributes
    ----------
    items : their numbers among all, (covered,), by which those of two models are matched.
    expected : what it is compared with, (covered,); 1 where nothing is. given : (covered,).
    """

    items: np.ndarray
    expected: np.ndarray
    given: np.ndarray


@dataclass(frozen=True)
class Benchmark:
    """The items of a benchmark.

    Attributes
    ----------
    kind : `SIMILARITY` or `ANALOGIES`. items : two words each, or four. scores : of pairs.
    """

    kind: str
    items: tuple[tuple[str, ...], ...]
    scores: tuple[float, ...] = ()


def read_benchmark(
    path: str | Path, kind: str, encoding: str, packing: Mapping[str, Any] | None = None
) -> Benchmark:
    """The benchmark of a file.

    Each line is a pair: two words and a score, separated by one or more tabs. A line that starts
    with # is a comment. A question is four words separated by spaces; a line that starts with : is
    a heading.

    Parameters
    ----------
    kind : what the file holds. packing : how it is packed in the file at `path`, see `open_packed`.

    Raises
    ------
    DownloadError : the file is not the one promised.
    FairflowError : it is not in that encoding, has no item, or a line is no item; its number.
    """
    lines = text_of_packed(path, packing, encoding).split("\n")
    name = Path((packing or {}).get("member") or path).name
    comment, taken, expected = _KINDS[kind]
    found = []
    for number, line in enumerate(map(str.strip, lines), start=1):
        if not line or lines[number - 1].startswith(comment):
            continue
        try:
            found.append(taken(line))
        except ValueError:
            why = f"{name}, line {number}: expected {expected}, found {line!r}"
            raise FairflowError(why) from None
    if not found:
        raise FairflowError(f"{name} holds no item of a benchmark of {kind}")
    return Benchmark(kind, *map(tuple, zip(*found, strict=True)))


def _pair(line: str) -> tuple[tuple[str, str], float]:
    left, right, score = (part.strip() for part in line.split("\t") if part.strip())
    return (left, right), float(score)


def _question(line: str) -> tuple[tuple[str, ...]]:
    a, b, c, d = line.split()
    return ((a, b, c, d),)


# How a line that is a comment begins, what is taken of another, and what that should be.
_KINDS = {
    SIMILARITY: ("#", _pair, "two words and a number between tabs"),
    ANALOGIES: (":", _question, "four words"),
}


def answers_of(
    model: WordRows, first: FirstWords, benchmark: Benchmark
) -> tuple[BenchmarkAnswers, str]:
    """What a model answers to the items of a benchmark, and among how many words it does.

    Parameters
    ----------
    first : the words of the model that may answer analogies.
    """
    if benchmark.kind == SIMILARITY:
        return similarity_answers(model, benchmark.items, benchmark.scores), ""
    answers = analogy_answers(first.words, first.directions, benchmark.items)
    return answers, f"answers are chosen from {len(first.words)} words"


def similarity_answers(
    rows: WordRows, pairs: Sequence[Sequence[str]], scores: Sequence[float]
) -> BenchmarkAnswers:
    """The cosines of pairs of words, and the scores that people gave them.

    A word is looked up as it is written, then in lower case, with a capital, and in capitals.
    """
    spelt: dict[str, str] = {}
    for word in dict.fromkeys(word for pair in pairs for word in pair):
        forms = (word, word.lower(), word.capitalize(), word.upper())
        if known := [form for form in forms if form in rows]:
            spelt[word] = known[0]
    vectors, usable = directions(rows.vectors(list(spelt.values()))) if spelt else ((), ())
    at = {word: row for row, word in enumerate(spelt) if usable[row]}
    covered = [number for number, pair in enumerate(pairs) if all(word in at for word in pair)]
    left, right = (
        np.array([vectors[at[pairs[number][side]]] for number in covered]) for side in (0, 1)
    )
    cosines = np.einsum("ij,ij->i", left, right, dtype=np.float64) if covered else np.empty(0)
    return BenchmarkAnswers(np.array(covered, dtype=np.int64), np.array(scores)[covered], cosines)


def analogy_answers(
    words: Sequence[str], vectors: np.ndarray, questions: Sequence[Sequence[str]]
) -> BenchmarkAnswers:
    """Which analogies a : b as c : d come out: is d the word nearest to b - a + c?

    3CosAdd (Mikolov et al. 2013), a, b and c left out. Case is set aside: of words that differ by
    it alone the first one counts.

    Parameters
    ----------
    words, vectors : the possible answers; unit vectors (words, dims).
    questions : four words each; a question with a word that is not among them is not covered.
    """
    first: dict[str, int] = {}
    for row, word in enumerate(words):
        first.setdefault(word.lower(), row)
    at = {word: place for place, word in enumerate(first)}
    sought = vectors[list(first.values())]
    known = [[at.get(word.lower()) for word in question] for question in questions]
    covered = [number for number, four in enumerate(known) if None not in four]
    places = np.array([known[number] for number in covered])
    right = np.zeros(len(covered))
    step = max(1, _CELLS // max(1, len(sought)))
    for start in range(0, len(covered), step):
        a, b, c, d = places[start : start + step].T
        near = (sought[b] - sought[a] + sought[c]) @ sought.T
        near[np.arange(len(a))[:, np.newaxis], np.stack([a, b, c], axis=1)] = -np.inf
        right[start : start + step] = near.argmax(axis=1) == d
    return BenchmarkAnswers(np.array(covered, dtype=np.int64), np.ones(len(covered)), right)
