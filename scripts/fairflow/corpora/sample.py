"""Samples of the documents of a corpus: as they are, drawn with replacement, or shuffled."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fairflow.corpora.corpus import Corpus
from fairflow.corpora.documents import MISSING
from fairflow.corpora.rows import check_field, decimal_year, first_day
from fairflow.errors import ConfigurationError, FairflowError
from fairflow.files.checksums import identity_digest
from fairflow.statistics.seeds import identity_generator, identity_seed

# Tokens that are in memory at a time.
BLOCK_TOKENS = 1_000_000


@dataclass(frozen=True)
class Sample:
    """Some documents of a corpus.

    Attributes
    ----------
    documents : their numbers in ascending order; repeated if a document was drawn repeatedly.
    cluster : the field whose values say which documents are drawn together, such as their author;
        "" if each is drawn by itself.
    shuffle : None, or the seed with which all tokens of the sample are dealt anew over its
        documents. These keep their lengths, and words keep their frequencies in the sample.
    """

    corpus: Corpus
    documents: np.ndarray
    cluster: str = ""
    shuffle: int | None = None

    @staticmethod
    def open(
        files: Mapping[str, str | Path],
        divisions: Mapping[str, Any],
        subcorpus: str,
        cluster: str = "",
    ) -> Sample:
        """All documents of a subcorpus, see `documents_of`.

        Raises
        ------
        FairflowError : the corpus has no field `cluster`.
        """
        corpus = Corpus.open(files)
        if cluster:
            check_field(cluster, [*corpus.fields], "cluster")
        return Sample(corpus, documents_of(corpus, divisions, subcorpus), cluster)

    @cached_property
    def clusters(self) -> np.ndarray:
        """(documents,) the number of the cluster of each, in the order of their first documents.

        A document without the field is by itself.
        """
        if not self.cluster:
            return np.arange(len(self.documents))
        values, numbers = self.corpus.fields[self.cluster], dict[Any, int]()
        named = ((values[n] not in ("", *MISSING) and values[n]) or n for n in self.documents)
        return np.array([numbers.setdefault(name, len(numbers)) for name in named])

    def blocks(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Tokens and bounds of whole documents, the same in every pass.

        Returns
        -------
        tokens : (tokens,) word numbers of about `BLOCK_TOKENS` tokens, or of one longer document.
        bounds : (documents + 1,) where each document begins in `tokens`, and the end of the last.
        """
        if self.shuffle is None:
            for starts, bounds in self._parts():
                yield _gathered(self.corpus.tokens, starts, bounds), bounds
            return
        # Blocks of a random permutation of all tokens, without all of them in memory.
        left, random = self.counts(), identity_generator(self.shuffle, "shuffled")
        for _, bounds in self._parts():
            dealt = random.multivariate_hypergeometric(left, bounds[-1], method="marginals")
            left -= dealt
            tokens = np.repeat(np.arange(len(left), dtype=np.int32), dealt)
            random.shuffle(tokens)
            yield tokens, bounds

    def counts(self) -> np.ndarray:
        """(words,) int64: how often each word of the corpus occurs in the sample."""
        found = np.zeros(len(self.corpus.words), np.int64)
        for tokens, _ in replace(self, shuffle=None).blocks():
            found += np.bincount(tokens, minlength=len(found))
        return found

    def _parts(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Where the documents of each block begin in the corpus, and their bounds in the block."""
        starts = self.corpus.bounds[self.documents]
        lengths = self.corpus.bounds[self.documents + 1] - starts
        ends, first, done = np.cumsum(lengths), 0, 0
        while first < len(starts):
            last = max(first + 1, int(np.searchsorted(ends, done + BLOCK_TOKENS, "right")))
            yield starts[first:last], np.concatenate(([0], ends[first:last] - done))
            first, done = last, int(ends[last - 1])


def draw_sample(sample: Sample, kind: str, number: int, seed: int, name: str) -> tuple[Sample, int]:
    """A draw of a sample, and the seed of its training.

    Parameters
    ----------
    kind : documents (drawn with replacement, with all of their cluster), seeds (the same
        documents), or shuffled.
    number : of the draw. The first of the seeds, 0, is the model itself.
    name : of the model, CORPUS-SUBCORPUS-EMBEDDING. The embeddings of a subcorpus have the same
        draws of documents.
    """
    subcorpus = name.rpartition("-")[0]
    if kind == "documents":
        times = drawn_times(int(sample.clusters.max()) + 1, number, seed, subcorpus)
        documents = np.repeat(sample.documents, times[sample.clusters])
        sample = replace(sample, documents=documents, cluster="")
    elif kind == "shuffled":
        sample = replace(sample, shuffle=identity_seed(seed, subcorpus, kind, number))
    return sample, identity_seed(seed, name, kind, number)


def drawn_times(size: int, number: int, seed: int, subcorpus: str) -> np.ndarray:
    """(size,) how often a draw has each cluster of documents, or block of them.

    As many are drawn, with replacement.

    Parameters
    ----------
    number : of the draw. subcorpus : CORPUS-SUBCORPUS.
    """
    of_draw = identity_seed(seed, subcorpus, "documents", number)
    drawn = identity_generator(of_draw, "documents").integers(0, size, size)
    return np.bincount(drawn, minlength=size)


def _gathered(tokens: np.ndarray, starts: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """The tokens of documents that begin at `starts`, one document after the other."""
    lengths = np.diff(bounds)
    if (starts[1:] == starts[:-1] + lengths[:-1]).all():
        return np.array(tokens[starts[0] : starts[0] + bounds[-1]])
    return tokens[np.arange(bounds[-1]) + np.repeat(starts - bounds[:-1], lengths)]


_SHOWN = 12


def plain_name(label: object) -> str:
    """A label in Latin letters, digits and _; a part of its checksum where it has neither."""
    name = re.sub(r"[^a-z0-9]+", "_", str(label).lower()).strip("_")
    return name or identity_digest(label).hex()[:8]


class EmptySubcorpus(FairflowError, ValueError):
    """No document belongs to the subcorpus."""


class Subcorpus(NamedTuple):
    """A part of a corpus.

    Attributes
    ----------
    division : its name in the configuration; "" where the corpus has no division.
    name : of letters, digits and _ alone, such as 1850_1899 or parties_democratic.
    label : for readers, such as 1850-1899 (with a dash) or Democratic.
    position : the middle of its range in years; NaN where it is no range of dates.
    """

    division: str
    name: str
    label: str
    position: float


def subcorpora(divisions: Mapping[str, Any]) -> list[Subcorpus]:
    """The subcorpora of all divisions, found without the texts.

    Parameters
    ----------
    divisions : name -> {"date": limits in ascending order} or {"field": name, "values": a list of
        values, or label -> list of values}. A range begins at its first limit and ends before the
        next.

    Raises
    ------
    ConfigurationError : a limit is no date, limits are not ascending, or two subcorpora of a
        division have the same name.
    """
    return [subcorpus for subcorpus, _, _ in _parts(divisions)]


def documents_of(corpus: Corpus, divisions: Mapping[str, Any], name: str) -> np.ndarray:
    """Numbers of the documents of a subcorpus, int64, ascending.

    Raises
    ------
    EmptySubcorpus : no document belongs to it; the error says what the field has instead.
    FairflowError : the corpus has no such field. KeyError : no subcorpus has that name.
    """
    part, field, wanted = {found[0].name: found for found in _parts(divisions)}[name]
    if field is not None:
        check_field(field, [*corpus.fields], f"division {part.division}")
    if not part.division:
        chosen = np.ones(len(corpus.bounds) - 1, bool)
    elif field is None:
        chosen = (corpus.dates >= wanted[0]) & (corpus.dates < wanted[1])
    else:
        chosen = np.array([value in wanted for value in corpus.fields[field]], bool)
    if not chosen.any():
        raise EmptySubcorpus(
            f"division {part.division}: {part.label} has no document: {_instead(corpus, field)}. "
            "Change the division in config/corpora.yaml"
        )
    return np.flatnonzero(chosen)


def _instead(corpus: Corpus, field: str | None) -> str:
    """What the documents have, in place of what a subcorpus asks for."""
    if field is None and corpus.card["date"] is None:
        return "the corpus has no key date, which names the field with dates"
    if field is None:
        first, last = (corpus.card[key] for key in ("first_date", "last_date"))
        return f"dates are from {first} to {last}" if first else "no document has a date"
    most = Counter(corpus.fields[field]).most_common(_SHOWN)
    values = ", ".join(f"{value!r} ({number:,})" for value, number in most)
    return f"the field {field!r} has the values {values}"


def _parts(divisions: Mapping[str, Any]) -> list[tuple[Subcorpus, str | None, Any]]:
    """Each subcorpus with its field (None for dates), and the limits or the set of its values."""
    if not divisions:
        return [(Subcorpus("", "all", "all documents", math.nan), None, None)]
    parts = [
        part
        for name, entry in divisions.items()
        for part in (_ranges if "date" in entry else _groups)(name, entry)
    ]
    times = Counter(part.name for part, _, _ in parts)
    if twice := [part.name for part, field, _ in parts if field and times[part.name] > 1]:
        problem = f"two subcorpora would have the name {twice[0]}: give them other labels"
        raise ConfigurationError([problem])
    # Two divisions by date may have a range in common.
    full = (f"{part.division}_" * (times[part.name] > 1) + part.name for part, _, _ in parts)
    return [(part._replace(name=next(full)), *rest) for part, *rest in parts]


def _ranges(division: str, entry: Mapping[str, Any]) -> Iterator[tuple[Subcorpus, None, Any]]:
    days = [day for limit in entry["date"] if (day := first_day(str(limit)))]
    if len(days) < len(entry["date"]) or any(a >= b for a, b in pairwise(days)):
        problem = f"division {division}: expected dates (1853, 1853-12 or 1853-12-05) in ascending"
        raise ConfigurationError([f"{problem} order, found {', '.join(map(str, entry['date']))}"])
    whole = all(day.month == day.day == 1 for day in days)
    for first, end in pairwise(days):
        last = end - timedelta(days=1)
        ends = dict.fromkeys(str(day.year if whole else day) for day in (first, last))
        name, label = "_".join(ends).replace("-", "_"), "–".join(ends)  # noqa: RUF001
        start, stop = decimal_year(str(first)), decimal_year(str(end))
        yield Subcorpus(division, name, label, (start + stop) / 2), None, (start, stop)


def _groups(division: str, entry: Mapping[str, Any]) -> Iterator[tuple[Subcorpus, str, Any]]:
    values = entry["values"]
    labelled = values if isinstance(values, Mapping) else {str(value): [value] for value in values}
    for label, wanted in labelled.items():
        part = Subcorpus(division, f"{division}_{plain_name(label)}", str(label), math.nan)
        yield part, entry["field"], {str(value) for value in wanted}
