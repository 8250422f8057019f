"""Residual bias and quality after debiasing: tests of Gonen & Goldberg and of Bolukbasi et al., and
benchmarks, each for one model and the model before.

Direct bias is the mean of |cos(w, b)| over words that should be neutral (Bolukbasi et al. 2016,
with c = 1); indirect bias is the share of the similarity of two words that goes back to b.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from fairflow.errors import DegenerateError
from fairflow.files.checked_files import read_arrays, write_arrays
from fairflow.metrics._direction import direction_of
from fairflow.metrics.direct_bias import DirectBias
from fairflow.metrics.explained_variance import ExplainedVariance
from fairflow.queries.query import Vocabulary
from fairflow.studies.benchmarks import ANALOGIES, SIMILARITY, Answers, Benchmark, answers_of
from fairflow.vectors import vocabulary
from fairflow.vectors.directions import indirect_bias, unit
from fairflow.vectors.query_vectors import PairVectors, VocabularyVectors, WordVectors
from fairflow.vectors.word_embedding_model import WordRows
from fairflow.vectors.word_frequency import CHOSEN

# On fewer words or items a test tells nothing.
FEWEST = 10


class NamedTest(NamedTuple):
    """A test of vectors.

    Attributes
    ----------
    about : `RESIDUAL_BIAS` or `QUALITY`. label : for tables. measure : what the value is.
    statistic : of answers; None where the value is given, or that of several runs.
    """

    about: str
    label: str
    measure: str
    statistic: str | None = None


# What a test tells: of the bias that is left, or of the use that vectors are.
RESIDUAL_BIAS, QUALITY = "residual bias", "quality"
MEAN, PEARSON, SPEARMAN = "mean", "pearson", "spearman"
CLUSTERS, NEIGHBOURS, PROFESSIONS = "clusters", "neighbours", "neighbours_of_professions"
CLASSIFIER, DIRECT, DIRECT_BEFORE = "classifier", "direct_bias", "direct_bias_before"
INDIRECT, EXPLAINED = "indirect_bias", "explained_variance"
HIDDEN = (CLUSTERS, NEIGHBOURS, PROFESSIONS, CLASSIFIER)
_CORRELATED, _COSINE = ("Pearson correlation", PEARSON), ("mean of |cosine|", MEAN)
_SHARE = ("mean |share of similarity|", MEAN)
TESTS = {
    CLUSTERS: NamedTest(RESIDUAL_BIAS, "clusters of the most biased words", "accuracy"),
    NEIGHBOURS: NamedTest(RESIDUAL_BIAS, "neighbours of all words", *_CORRELATED),
    PROFESSIONS: NamedTest(RESIDUAL_BIAS, "neighbours of professions", *_CORRELATED),
    CLASSIFIER: NamedTest(RESIDUAL_BIAS, "classifier of the most biased words", "accuracy"),
    DIRECT: NamedTest(RESIDUAL_BIAS, "direct bias of professions", *_COSINE),
    DIRECT_BEFORE: NamedTest(
        RESIDUAL_BIAS, "direct bias of professions, direction before", *_COSINE
    ),
    INDIRECT: NamedTest(RESIDUAL_BIAS, "indirect bias of professions", *_SHARE),
    EXPLAINED: NamedTest(RESIDUAL_BIAS, "pairs that share one direction", "share of variance"),
    SIMILARITY: NamedTest(QUALITY, "word similarity", "Spearman correlation", SPEARMAN),
    ANALOGIES: NamedTest(QUALITY, "analogies", "share right", MEAN),
}


@dataclass(frozen=True, eq=False)
class Finding:
    """What one test says of a model: a value, values of several runs, or answers to items.

    Attributes
    ----------
    test : a key of `TESTS`. subject : the benchmark, or "".
    covered, total : items, words or pairs that the model has, and all there are.
    n : the number of items behind the value. chance : its value for vectors without any meaning.
    note : what a reader should know; the reason of a missing value.
    """

    test: str
    subject: str = ""
    value: float = math.nan
    runs: tuple[float, ...] = ()
    answers: Answers | None = None
    n: int = 0
    covered: int = 0
    total: int = 0
    chance: float = math.nan
    note: str = ""

    @property
    def is_undefined(self) -> bool:
        """Whether the test could not be made."""
        return math.isnan(self.value) and not self.runs and self.answers is None


@dataclass(frozen=True)
class ModelFindings:
    """The findings of one model.

    Attributes
    ----------
    model : its name. facts : what they all rest on, plain values.
    """

    model: str
    findings: tuple[Finding, ...]
    facts: dict[str, Any] = field(default_factory=dict)


def write_findings(found: ModelFindings, path: str | Path) -> None:
    """Write the findings of a model as one .npz file; equal findings, equal bytes."""
    rows, arrays = [], {}
    for number, finding in enumerate(found.findings):
        answers = vars(finding.answers) if finding.answers is not None else {}
        arrays |= {f"{name}_{number}": array for name, array in answers.items()}
        rows.append({**vars(finding), "answers": [*answers]})
    account = {"model": found.model, "facts": found.facts, "findings": rows}
    write_arrays(account, arrays, path)


def read_findings(path: str | Path) -> ModelFindings:
    """The inverse of `write_findings`.

    Raises
    ------
    FairflowError : the file is damaged.
    FileNotFoundError : there is no such file.
    """
    return read_arrays(path, "file of findings", _findings)


def _findings(account: dict[str, Any], arrays: dict[str, np.ndarray]) -> ModelFindings:
    findings = []
    for number, row in enumerate(account["findings"]):
        given = {name: arrays[f"{name}_{number}"] for name in row["answers"]}
        row |= {"answers": Answers(**given) if given else None, "runs": tuple(row["runs"])}
        findings.append(Finding(**row))
    return ModelFindings(account["model"], tuple(findings), account["facts"])


@dataclass(frozen=True)
class Settings:
    """Words and sizes; the sizes are Gonen & Goldberg's.

    Attributes
    ----------
    pairs : of words that differ in the bias alone, for its direction.
    ends : two words between which words lean, the first one's side first.
    professions : words that should be neutral; those that are also among `specific` count as none.
    specific : words that may show the bias, left out of the limited vocabulary.
    vocabulary : the number of the first words of a model that are used.
    n_clustered, n_classified : words of both sides that are put into clusters, or classified.
    n_train : of the classified ones, those that the classifier learns from.
    n_neighbours : of each word that are counted. n_nearest : for the indirect bias.
    n_runs : of k-means and of the classifier. n_init : starts of each k-means.
    """

    pairs: Sequence[Sequence[str]]
    ends: Sequence[str]
    professions: Sequence[str]
    specific: Sequence[str] = ()
    vocabulary: int = 50_000
    n_clustered: int = 1_000
    n_classified: int = 5_000
    n_train: int = 1_000
    n_neighbours: int = 100
    n_nearest: int = 10
    n_runs: int = 5
    n_init: int = 10

    # Those that `fairflow.vectors.vocabulary.hidden_bias_tests` takes.
    SIZES: ClassVar = ("n_clustered", "n_classified", "n_train", "n_neighbours", "n_runs", "n_init")

    @property
    def neutral(self) -> list[str]:
        """The professions that should be neutral."""
        own = {*self.specific, *self.ends, *(word for pair in self.pairs for word in pair)}
        return [word for word in dict.fromkeys(self.professions) if word not in own]


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

    asked = Vocabulary(settings.vocabulary, limited=True, without=tuple(settings.specific))
    # Sums depend on how many threads share them.
    with threadpool_limits(1):
        limited = vocabulary.read_vocabulary(model, before, asked, settings.ends)
        first = vocabulary.first_words(before, settings.vocabulary)
        numbers = _places_of(limited.words, vocabulary.plain_words(first.words, settings.specific))
        here = first if model is before else first.among(model)
        found = (
            *_hidden(limited, numbers, settings, f"{CHOSEN}{curated}" if curated else ""),
            *_visible(model, before, limited, numbers, settings),
            *_of_use(model, here, benchmarks),
        )
    facts = {"vocabulary": len(model), "words_looked_at": first.n_read}
    return ModelFindings(name, found, facts)


def quality_findings(
    name: str, model: WordRows, benchmarks: Mapping[str, Benchmark]
) -> ModelFindings:
    """How well the cosines of a model agree with the similarity that people see.

    Parameters
    ----------
    benchmarks : pairs of words, by name.
    """
    pairs = {name: one for name, one in benchmarks.items() if one.kind == SIMILARITY}
    return ModelFindings(name, tuple(_of_use(model, vocabulary.first_words(model, 0), pairs)))


def undefined(tests: Sequence[str], why: str, **known: Any) -> list[Finding]:
    """Findings of tests that cannot be made, for one reason."""
    return [Finding(test, note=why, **known) for test in tests]


def _hidden(
    limited: VocabularyVectors, numbers: np.ndarray, settings: Settings, chosen: str
) -> Iterator[Finding]:
    """Clusters, neighbours and classifier of words by the side that they leaned to before.

    Parameters
    ----------
    limited : the limited vocabulary. numbers : of its words, their places in that of before.
    chosen : what is to be known of it, for the notes.
    """
    n = len(limited.words)
    known = {"covered": n, "total": limited.total}
    few = f"only {n} words of the limited vocabulary" if n < 2 * FEWEST else ""
    if why := limited.note if limited.leaning is None else few:
        yield from undefined(HIDDEN, why, **known)
        return
    sizes = {name: getattr(settings, name) for name in settings.SIZES}
    found = vocabulary.hidden_bias_tests(limited.directions, limited.leaning, **sizes)
    for test, runs, used, asked in (
        (CLUSTERS, found.cluster_accuracies, len(found.clustered), settings.n_clustered),
        (CLASSIFIER, found.classifier_accuracies, found.classified, settings.n_classified),
    ):
        fewer = f"of {used} instead of {asked} words, as there are no more" if used < asked else ""
        note = "; ".join(filter(None, (fewer, chosen)))
        yield Finding(test, runs=tuple(runs.tolist()), n=used, chance=0.5, note=note, **known)
    if found.neighbours is None:
        why = f"only {n} words, which have no {settings.n_neighbours} neighbours each"
        yield from undefined((NEIGHBOURS, PROFESSIONS), why, **known)
        return
    professions = list(dict.fromkeys(settings.professions))
    for test, rows, total in (
        (NEIGHBOURS, np.arange(n), limited.total),
        (PROFESSIONS, _places_of(professions, limited.words), len(professions)),
    ):
        each = (values[rows].astype(float) for values in (limited.leaning, found.neighbours))
        answers = Answers(numbers[rows], *each)
        few = f"only {len(rows)} of these words are there"
        yield _answered(test, answers, total, few, chance=0.0, note=chosen)


def _answered(test: str, answers: Answers, total: int, few: str, **known: Any) -> Finding:
    """Answers to some of all items, or `few` as the reason why they tell nothing."""
    n = len(answers.items)
    told = {"covered": n, "total": total, "subject": known.pop("subject", "")}
    if n < FEWEST:
        return Finding(test, note=few, **told)
    return Finding(test, answers=answers, n=n, **told, **known)


def _places_of(words: Sequence[str], among: Sequence[str]) -> np.ndarray:
    """Where words stand, of those that are among others."""
    at = {word: place for place, word in enumerate(among)}
    return np.array([at[word] for word in words if word in at], dtype=np.int64)


def _visible(
    model: WordRows,
    before: WordRows,
    limited: VocabularyVectors,
    numbers: np.ndarray,
    settings: Settings,
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
    _, usable = vocabulary.directions(vectors)
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
    return "" if words else "the model lacks all professions that should be neutral"


def _pairs(model: WordRows, pairs: Sequence[Sequence[str]]) -> PairVectors | str:
    """The pairs that a model has whole, or why they have no direction."""
    if not pairs:
        return "the study names no pairs of words: name a set under remains"
    whole = [tuple(pair) for pair in pairs if all(word in model for word in pair)]
    if not whole:
        return "the model has no pair whole"
    vectors = model.vectors([word for pair in whole for word in pair])
    usable = vocabulary.directions(vectors)[1].reshape(-1, 2).all(axis=1)
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
    limited: VocabularyVectors, numbers: np.ndarray, own: PairVectors | str, settings: Settings
) -> Finding:
    """Of each neutral profession, the mean size with the words nearest to it."""
    neutral = settings.neutral
    places = _places_of(neutral, limited.words)
    known = {"covered": len(places), "total": len(neutral)}
    if why := _why_not(own, len(places)):
        return Finding(INDIRECT, note=why, **known)
    n_near = min(settings.n_nearest, len(limited.words) - 1)
    near = vocabulary.nearest_rows(limited.directions, places, n_near)
    exact, direction = limited.directions.astype(float), direction_of(own).basis[0]
    sizes = [
        np.abs(indirect_bias(exact[rows], exact[place], direction)).mean()
        for place, rows in zip(places, near, strict=True)
    ]
    usable = np.isfinite(sizes)
    n = int(usable.sum())
    answers = Answers(numbers[places][usable], np.ones(n), np.array(sizes)[usable])
    note = f"with the {near.shape[1]} words nearest to each"
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


def _of_use(
    model: WordRows, first: vocabulary.FirstWords, benchmarks: Mapping[str, Benchmark]
) -> Iterator[Finding]:
    """Word similarity and analogies of any model.

    Parameters
    ----------
    first : the words of the model that may answer analogies.
    """
    for name, one in benchmarks.items():
        answers, note = answers_of(model, first, one)
        few = f"only {len(answers.items)} of its items have all words in the model"
        yield _answered(one.kind, answers, len(one.items), few, subject=name, note=note)
