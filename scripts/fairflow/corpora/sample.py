"""Samples of the documents of a corpus: as they are, drawn with replacement, or shuffled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from fairflow.corpora.corpus import Corpus
from fairflow.corpora.documents import MISSING
from fairflow.corpora.rows import check_field
from fairflow.corpora.subcorpora import documents_of
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
        values, numbers = self.corpus.fields[self.cluster], {}
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


def draw(sample: Sample, kind: str, number: int, seed: int, name: str) -> tuple[Sample, int]:
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
