"""All tests on one model: Gonen & Goldberg's, Bolukbasi's, word similarity and analogies.

Direct bias is the mean of |cos(w, b)| over words that should be neutral (Bolukbasi et al. 2016,
with c = 1); indirect bias is the share of the similarity of two words that goes back to b.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairflow.errors import DegenerateError, FairflowError
from fairflow.files.packed_files import open_packed
from fairflow.metrics._direction import direction_of
from fairflow.metrics.direct_bias import DirectBias
from fairflow.metrics.explained_variance import ExplainedVariance
from fairflow.queries.query import Vocabulary
from fairflow.remains.findings import (
    ANALOGIES,
    CLASSIFIER,
    CLUSTERS,
    DIRECT,
    DIRECT_BEFORE,
    EXPLAINED,
    FEWEST,
    HIDDEN,
    INDIRECT,
    NEIGHBOURS,
    PROFESSIONS,
    SIMILARITY,
    Answers,
    Finding,
    ModelFindings,
    Settings,
    undefined,
)
from fairflow.vectors.directions import indirect_bias, unit
from fairflow.vectors.query_vectors import LookedAt, PairVectors, WordVectors
from fairflow.vectors.vocabulary import (
    FirstWords,
    directions,
    first_words,
    hidden_bias_tests,
    look_at,
    nearest_rows,
    plain_words,
)
from fairflow.vectors.word_embedding_model import WordRows
from fairflow.vectors.word_frequency import CHOSEN


def hidden_findings(
    limited: LookedAt, numbers: np.ndarray, settings: Settings, vocabulary: str = ""
) -> Iterator[Finding]:
    """Clusters, neighbours and classifier of words by the side that they leaned to before.

    Parameters
    ----------
    limited : the limited vocabulary. numbers : of its words, their places in that of before.
    vocabulary : what is to be known of it, for the notes.
    """
    n = len(limited.words)
    known = {"covered": n, "total": limited.total}
    few = f"only {n} words of the limited vocabulary" if n < 2 * FEWEST else ""
    if why := limited.note if limited.leaning is None else few:
        yield from undefined(HIDDEN, why, **known)
        return
    sizes = {name: getattr(settings, name) for name in settings.SIZES}
    found = hidden_bias_tests(limited.directions, limited.leaning, **sizes)
    for test, runs, used, asked in (
        (CLUSTERS, found.cluster_accuracies, len(found.clustered), settings.clustered),
        (CLASSIFIER, found.classifier_accuracies, found.classified, settings.classified),
    ):
        fewer = f"of {used} instead of {asked} words, as there are no more" if used < asked else ""
        note = "; ".join(filter(None, (fewer, vocabulary)))
        yield Finding(test, runs=tuple(runs.tolist()), n=used, chance=0.5, note=note, **known)
    if found.neighbours is None:
        why = f"only {n} words, which have no {settings.neighbours} neighbours each"
        yield from undefined(HIDDEN[1:3], why, **known)
        return
    professions = list(dict.fromkeys(settings.professions))
    for test, rows, total in (
        (NEIGHBOURS, np.arange(n), limited.total),
        (PROFESSIONS, places_of(professions, limited.words), len(professions)),
    ):
        known = {"covered": len(rows), "total": total}
        if len(rows) < FEWEST:
            yield Finding(test, note=f"only {len(rows)} of these words are there", **known)
            continue
        each = (values[rows].astype(float) for values in (limited.leaning, found.neighbours))
        answers = Answers(numbers[rows], *each)
        yield Finding(test, answers=answers, n=len(rows), chance=0.0, note=vocabulary, **known)


def places_of(words: Sequence[str], among: Sequence[str]) -> np.ndarray:
    """Where words stand, of those that are among others."""
    at = {word: place for place, word in enumerate(among)}
    return np.array([at[word] for word in words if word in at], dtype=np.int64)


def visible_findings(
    model: WordRows, before: WordRows, limited: LookedAt, numbers: np.ndarray, settings: Settings
) -> Iterator[Finding]:
    """Direct and indirect bias, and how much of the pairs' differences is one direction.

    Parameters
    ----------
    limited : the limited vocabulary. numbers : of its words, their places in that of before.
    """
    neutral = settings.neutral
    found = [number for number, word in enumerate(neutral) if word in model]
    known = {"covered": len(found), "total": len(neutral)}
    vectors = model.vectors([neutral[number] for number in found])
    _, usable = directions(vectors)
    places = np.array(found, dtype=np.int64)[usable]
    words = tuple(neutral[number] for number in places)
    own = _pairs(model, settings.pairs)
    old = own if model is before else _pairs(before, settings.pairs)
    if not isinstance(old, str) and model.dims != before.dims:
        old = f"vectors of {model.dims} numbers have no direction of {before.dims}"
    for test, pairs in ((DIRECT, own), (DIRECT_BEFORE, old)):
        if why := _why_not(pairs, len(words)):
            yield Finding(test, note=why, **known)
            continue
        targets = [WordVectors("professions", words, words, vectors[usable].astype(float))]
        values = np.array([w.value for w in DirectBias().compute(targets, [], pairs).words])
        answers = Answers(places, np.ones(len(values)), values)
        yield Finding(test, answers=answers, n=len(words), chance=0.0, **known)
    yield _indirect(limited, numbers, own, settings)
    yield _explained(own, settings.pairs)


def _why_not(pairs: PairVectors | str, words: int) -> str:
    if isinstance(pairs, str):
        return pairs
    return "" if words else "the model has none of the professions that should be neutral"


def _pairs(model: WordRows, pairs: Sequence[Sequence[str]]) -> PairVectors | str:
    """The pairs that a model has whole, or why they have no direction."""
    if not pairs:
        return "the study names no pairs of words: name a set under remains"
    whole = [tuple(pair) for pair in pairs if all(word in model for word in pair)]
    if not whole:
        return "the model has no pair whole"
    vectors = model.vectors([word for pair in whole for word in pair])
    usable = directions(vectors)[1].reshape(-1, 2).all(axis=1)
    known = tuple(pair for pair, flag in zip(whole, usable, strict=True) if flag)
    if not known:
        return "the pairs have no direction"
    vectors = vectors.astype(float).reshape(len(whole), 2, -1)[usable]
    found = PairVectors(known, unit(vectors.reshape(2 * len(known), -1)).reshape(vectors.shape))
    try:
        direction_of(found)
    except DegenerateError as error:
        return str(error)
    return found


def _indirect(
    limited: LookedAt, numbers: np.ndarray, own: PairVectors | str, settings: Settings
) -> Finding:
    """Of each neutral profession, the mean size with the words nearest to it."""
    neutral = settings.neutral
    places = places_of(neutral, limited.words)
    known = {"covered": len(places), "total": len(neutral)}
    if why := _why_not(own, len(places)):
        return Finding(INDIRECT, note=why, **known)
    near = nearest_rows(limited.directions, places, min(settings.near, len(limited.words) - 1))
    exact, direction = limited.directions.astype(float), direction_of(own).basis[0]
    values = np.array(
        [
            np.abs(indirect_bias(exact[rows], exact[place], direction)).mean()
            for place, rows in zip(places, near, strict=True)
        ]
    )
    usable = np.isfinite(values)
    note = f"with the {near.shape[1]} words nearest to each"
    n = int(usable.sum())
    answers = Answers(numbers[places][usable], np.ones(n), values[usable])
    return Finding(INDIRECT, answers=answers, n=n, chance=0.0, note=note, **known)


def _explained(own: PairVectors | str, pairs: Sequence[Sequence[str]]) -> Finding:
    if isinstance(own, str):
        return Finding(EXPLAINED, note=own, total=len(pairs))
    known = {"covered": len(own.words), "total": len(pairs), "n": len(own.words)}
    measures = ExplainedVariance().compute([], [], own).measures
    limit, mean = measures["shuffled_95"], measures["shuffled_mean"]
    note = "" if np.isnan(limit) else f"of shuffled pairs 95 % reach no more than {limit:.2f}"
    value = measures["explained_variance"]
    return Finding(EXPLAINED, value=value, chance=mean, note=note, **known)


# Similarities that are held at once: 32 MB.
_CELLS = 8_000_000


def similarity_answers(
    rows: WordRows, pairs: Sequence[tuple[str, str]], scores: Sequence[float]
) -> Answers:
    """The cosines of pairs of words beside the scores that people gave them.

    A word is sought as it is written, then in lower case, with a capital, and in capitals.
    """
    words = dict.fromkeys(word for pair in pairs for word in pair)
    spelt: dict[str, str] = {}
    for word in words:
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
    return Answers(np.array(covered, dtype=np.int64), np.array(scores)[covered], cosines)


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

    Pairs stand one a line, two words and a score between tabs, of which several count as one; a
    line that starts with # is a comment. Questions are four words between spaces; a line that
    starts with : is a heading.

    Parameters
    ----------
    kind : what the file holds. packing : how it lies in the file at `path`, see `open_packed`.

    Raises
    ------
    DownloadError : the file is not the one promised.
    FairflowError : it is not in that encoding, holds no item, or a line that is none; its number.
    """
    with open_packed(Path(path), **(packing or {})) as stream:
        data = b"".join(iter(lambda: stream.read(1 << 20), b""))
    name = Path((packing or {}).get("member") or path).name
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise FairflowError(f"{name} is not {encoding}: {error.reason}") from error
    comment, taken, expected = _KINDS[kind]
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.startswith(comment):
            continue
        try:
            found.append(taken(line.strip()))
        except ValueError:
            raise FairflowError(
                f"{name}, line {number}: expected {expected}, found {line.strip()!r}"
            ) from None
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


def model_findings(
    name: str,
    model: WordRows,
    before: WordRows,
    settings: Settings,
    benchmarks: Mapping[str, Benchmark],
    curated: str | None = None,
) -> ModelFindings:
    """What every test says of a model; one that cannot be made says why.

    Parameters
    ----------
    before : the model whose vectors tell which way words lean, and which words are looked at.
    benchmarks : by name. curated : how the words of the model before were chosen, if not by
        frequency alone: what is found among them holds for no wide vocabulary.

    Raises
    ------
    FairflowError : the models have no word in common.
    """
    from threadpoolctl import threadpool_limits

    vocabulary = Vocabulary(settings.vocabulary, limited=True, without=tuple(settings.specific))
    # Sums depend on how many threads share them.
    with threadpool_limits(1):
        limited = look_at(model, before, vocabulary, settings.ends)
        first = first_words(before, settings.vocabulary)
        numbers = places_of(limited.words, plain_words(first.words, settings.specific))
        here = first if model is before else first.among(model)
        found = [
            *hidden_findings(limited, numbers, settings, f"{CHOSEN}{curated}" if curated else ""),
            *visible_findings(model, before, limited, numbers, settings),
            *use_findings(model, here, benchmarks),
        ]
    facts = {"vocabulary": len(model), "words_looked_at": first.looked_at}
    return ModelFindings(name, tuple(found), facts)


def quality_findings(
    name: str, model: WordRows, benchmarks: Mapping[str, Benchmark]
) -> ModelFindings:
    """How well the cosines of a model agree with the similarity that people see.

    Parameters
    ----------
    benchmarks : pairs of words, by name.
    """
    pairs = {name: one for name, one in benchmarks.items() if one.kind == SIMILARITY}
    return ModelFindings(name, tuple(use_findings(model, first_words(model, 0), pairs)), {})


def use_findings(
    model: WordRows, first: FirstWords, benchmarks: Mapping[str, Benchmark]
) -> Iterator[Finding]:
    """Word similarity and analogies of any model.

    Parameters
    ----------
    first : the words of the model among which the answers to analogies are sought.
    """
    for name, benchmark in benchmarks.items():
        if benchmark.kind == ANALOGIES:
            answers = analogy_answers(first.words, first.directions, benchmark.items)
            note = f"answers are sought among {len(first.words)} words"
        else:
            answers = similarity_answers(model, benchmark.items, benchmark.scores)
            note = ""
        known = {"subject": name, "covered": len(answers.items), "total": len(benchmark.items)}
        if len(answers.items) < FEWEST:
            why = f"only {len(answers.items)} of its items have all words in the model"
            yield Finding(benchmark.kind, note=why, **known)
            continue
        yield Finding(benchmark.kind, answers=answers, n=len(answers.items), note=note, **known)
