"""What the tables of validity are made from: slices of a study, norms, and published word sets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fairflow.metrics import METRICS
from fairflow.metrics.base_metric import BaseMetric
from fairflow.queries.query_file import read_property
from fairflow.vectors.query_vectors import QueryVectors, WordVectors
from fairflow.vectors.word_frequency import read_language_list

NO_DIRECTION = "zero or non-finite vectors: {}"


class Norm(NamedTuple):
    """Numbers of words that come from people or statistics, and the two poles they lie between.

    Attributes
    ----------
    label : for tables. values : word -> number; larger is nearer to the first pole.
    words : the reference of its word set.
    first, second : references of the word sets of the poles, words paired by position.
    """

    name: str
    label: str
    values: Mapping[str, float]
    words: str
    first: str
    second: str


class BasePairs(NamedTuple):
    """Pairs of words that give a direction each, and words that are put on its sides.

    Attributes
    ----------
    first, second : references of the word sets of the pairs, paired by position.
    words : the reference of the words that are judged.
    known : references of words of the first side and of the second; () if none are known.
    """

    name: str
    label: str
    first: str
    second: str
    words: str
    known: tuple[str, ...] = ()


class Concept(NamedTuple):
    """A contrast of two poles that several publications measure with different words.

    Attributes
    ----------
    label : for tables. poles : names of both poles, "women" and "men".
    sets : publication -> references of its word sets for the first pole and the second.
    """

    name: str
    label: str
    poles: tuple[str, str]
    sets: Mapping[str, tuple[str, str]] = {}
    norms: tuple[Norm, ...] = ()
    base_pairs: tuple[BasePairs, ...] = ()


class MetricChoice(NamedTuple):
    """A metric of words with its parameters, as a study uses it.

    Attributes
    ----------
    measure : that is ranked. normalize : vectors are divided by their lengths first.
    """

    name: str
    metric: BaseMetric
    parameters: Mapping[str, Any]
    measure: str
    normalize: bool


class ModelWords:
    """The vectors of one model for the words of norms, pairs and published sets.

    A word with a zero or non-finite vector counts as missing.

    Parameters
    ----------
    found : the slice of these words; its target sets have the references of word sets as names.
    """

    def __init__(self, found: QueryVectors) -> None:
        self._vectors = found.vectors
        self._accounts = {account.name: account for account in found.targets}
        useless = {*found.without_direction}
        self._rows = {form: row for row, form in enumerate(found.forms) if form not in useless}

    def asked(self, reference: str) -> tuple[str, ...]:
        """The words of a set as they are written there; () for a set that was not looked up."""
        account = self._accounts.get(reference)
        return tuple(account.words) if account else ()

    @cached_property
    def _form_of(self) -> dict[str, str]:
        """Word as written -> the form found."""
        return {
            word: form
            for account in self._accounts.values()
            for word, form in zip(account.words, account.form_of, strict=True)
            if form in self._rows
        }

    def known(self, words: Iterable[str]) -> list[str]:
        """Those of these words, as written in some set, that have a vector."""
        return [word for word in words if word in self._form_of]

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """Vectors of words that are `known`, as written in some set: (words, dims), float64."""
        rows = [self._rows[self._form_of[word]] for word in words]
        return self._vectors[np.array(rows, dtype=int)].astype(np.float64)

    def word_set(self, name: str, words: Sequence[str]) -> WordVectors:
        """Words as the set of a query, which keeps their positions; a repeated form counts once."""
        form_of = [self._form_of.get(word) for word in words]
        forms = tuple(dict.fromkeys(form for form in form_of if form is not None))
        rows = np.array([self._rows[form] for form in forms], dtype=int)
        vectors = self._vectors[rows].astype(np.float64)
        return WordVectors(name, forms, form_of, vectors, tuple(words))

    def pairs(self, first: str, second: str) -> tuple[list[tuple[str, str]], np.ndarray]:
        """The whole pairs of two sets paired by position, and their vectors: (pairs, 2, dims)."""
        both = zip(self.asked(first), self.asked(second), strict=False)
        whole = [pair for pair in both if len(self.known(pair)) == 2]
        if not whole:
            return [], np.empty((0, 2, self._vectors.shape[-1]))
        vectors = self.vectors([word for pair in whole for word in pair])
        return whole, vectors.reshape(len(whole), 2, -1)


@dataclass(frozen=True, eq=False)
class Evidence:
    """What the tables of validity of a study are made from.

    Attributes
    ----------
    concepts : by name. words : model -> its words of norms, pairs and published sets.
    slices : (model, query) -> the slice of a query of the study.
    criteria : query -> criterion, of the study's queries of words.
    sets : query -> references of its target sets, and of its attribute sets.
    metrics : those of words, by name. frequency : word in lower case -> the decimal logarithm of
        its share in texts; a word without an entry is not known to be in any.
    derived : model -> the one of the study that it is derived from.
    """

    concepts: Mapping[str, Concept]
    words: Mapping[str, ModelWords]
    slices: Mapping[tuple[str, str], QueryVectors]
    criteria: Mapping[str, str]
    sets: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]
    metrics: Mapping[str, MetricChoice] = field(default_factory=dict)
    frequency: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    derived: Mapping[str, str] = field(default_factory=dict)

    @property
    def models(self) -> list[str]:
        """In the order of the study."""
        return list(dict.fromkeys([*self.words, *(model for model, _ in self.slices)]))

    def named_slices(self) -> Iterator[tuple[dict[str, str], QueryVectors]]:
        """Each slice, with the columns model, criterion and query of its rows."""
        for (model, query), found in self.slices.items():
            criterion = self.criteria.get(query, "")
            yield {"model": model, "criterion": criterion, "query": query}, found

    def concepts_of(self, query: str) -> list[tuple[Concept, str, bool]]:
        """The concepts that a query contrasts: concept, "targets" or "attributes", and whether the
        first pole comes first.
        """
        found = []
        roles = zip(("targets", "attributes"), self.sets.get(query, ()), strict=False)
        for role, references in roles:
            for concept in self.concepts.values():
                published = {*concept.sets.values()}
                if tuple(references) in published:
                    found.append((concept, role, True))
                elif tuple(reversed(references)) in published:
                    found.append((concept, role, False))
        return found


def sets_of_query(
    found: QueryVectors,
) -> tuple[Sequence[WordVectors], Sequence[WordVectors], str]:
    """Target sets and attribute sets of a slice; without sets, why it is not measured."""
    if found.rejected:
        return (), (), found.rejected[1]
    if useless := found.without_direction:
        return (), (), NO_DIRECTION.format(", ".join(useless))
    targets, attributes = found.word_vectors()
    if empty := [each.name for each in (*targets, *attributes) if not each.words]:
        return (), (), f"no word of {empty[0]} is known"
    return targets, attributes, ""


def read_concept(name: str, entry: Mapping[str, Any]) -> Concept:
    """A concept from the plain values of config/validity.yaml, with the numbers of its norms.

    Parameters
    ----------
    entry : of the concept, in which properties are paths of files.

    Raises
    ------
    FairflowError : a property cannot be read.
    """
    norms, pairs = entry.get("norms", {}), entry.get("base_pairs", {})
    read = {norm: read_property(given["property"]) for norm, given in norms.items()}
    return Concept(
        name,
        entry["label"],
        tuple(entry["poles"]),
        {publication: tuple(pair) for publication, pair in entry.get("sets", {}).items()},
        tuple(
            Norm(norm, read[norm].label, read[norm].values, given["words"], *given["poles"])
            for norm, given in norms.items()
        ),
        tuple(
            BasePairs(n, of["label"], first, second, of["words"], tuple(of.get("known", ())))
            for n, of in pairs.items()
            for first, second in [of["pairs"]]
        ),
    )


def metric_choice(name: str, metric: str, **how: Any) -> MetricChoice:
    """A metric of a study from the plain values of its variant.

    Parameters
    ----------
    metric : its file in `fairflow.metrics`. how : measure, parameters and normalize.
    """
    made = METRICS.load(metric)()
    return MetricChoice(
        name, made, how.get("parameters", {}), how["measure"], how.get("normalize", False)
    )


def read_evidence(
    read: Mapping[tuple[str, str], QueryVectors],
    paths_to_shares: Sequence[str | Path],
    how: Mapping[str, Any],
) -> Iterator[Evidence]:
    """What the tables are made from, model by model, so that one is in memory at a time.

    Parameters
    ----------
    read : the slices of the study by model and query.
    how : slices, model and query of each that is looked at; words, of each of validity's words; and
        concepts, criteria, sets, metrics, seed and derived of `Evidence`, as plain values.
    """
    shares: dict[str, float] = {}
    for path in paths_to_shares:
        shares |= read_language_list(path)
    every = Evidence(
        concepts={name: read_concept(name, entry) for name, entry in how["concepts"].items()},
        words={},
        slices={},
        sets={query: (tuple(of[0]), tuple(of[1])) for query, of in how["sets"].items()},
        metrics={name: metric_choice(name, **one) for name, one in how["metrics"].items()},
        frequency=shares,
        **{name: how[name] for name in ("criteria", "seed", "derived")},
    )
    for model in dict.fromkeys(model for model, _ in (*how["words"], *how["slices"])):
        own, asked = (
            {key: read[key] for key in map(tuple, how[kind]) if key[0] == model}
            for kind in ("slices", "words")
        )
        yield replace(
            every,
            words={name: ModelWords(found) for (name, _), found in asked.items()},
            # No table of validity needs random words or the vocabulary.
            slices={k: replace(of, random=None, vocabulary=None) for k, of in own.items()},
        )
