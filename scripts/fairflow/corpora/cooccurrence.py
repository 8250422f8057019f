"""Co-occurrences of words within a window, counted in blocks of a sample, flat in memory.

Two tokens co-occur if they are in the same document, at most `window` tokens apart. The distance is
that in the text: words that are not counted keep their place. Every pair of tokens counts once for
each of the two, so that the counts of words with the same words are symmetric.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairflow.corpora.sample import Sample, draw_sample, drawn_times
from fairflow.files.checked_files import read_arrays, write_arrays
from fairflow.statistics.seeds import identity_generator

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


# Cells of the table that are counted in one pass over the sample: about 200 MB at the worst.
_CELLS = 1 << 23
# Positions whose windows are in memory at a time.
_POSITIONS = 1 << 17


def numbered_words(sample: Sample, minimum_count: int = 1) -> np.ndarray:
    """Numbers of the words that a sample holds often enough, by descending count, then by word."""
    counts, words = sample.counts(), sample.corpus.words
    found = np.flatnonzero(counts >= max(minimum_count, 1)).tolist()
    return np.array(sorted(found, key=lambda n: (-counts[n], words[n])), dtype=np.int64)


def count_words(
    sample: Sample, window: int, place_of: np.ndarray, groups: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The co-occurrences of words with all words, rare ones included, and their tokens.

    Co-occurrences follow from where a word is in its documents. Their sum is that of the whole
    table.

    Parameters
    ----------
    place_of : (words of the corpus,) in the result; words of one place are counted together.
    groups : (documents,) of the sample, from 0.

    Returns
    -------
    (groups, places) each.
    """
    shape = int(groups.max()) + 1, int(place_of.max()) + 1
    size, done = shape[0] * shape[1], 0
    sums, tokens = np.zeros(size), np.zeros(size, np.int64)
    for numbers, bounds in sample.blocks():
        lengths = np.diff(bounds)
        before = np.arange(bounds[-1]) - np.repeat(bounds[:-1], lengths)
        behind = np.repeat(lengths, lengths) - 1 - before
        group = np.repeat(groups[done : done + len(lengths)], lengths)
        keys = group * shape[1] + place_of[numbers]
        sums += np.bincount(keys, np.minimum(before, window) + np.minimum(behind, window), size)
        tokens += np.bincount(keys, minlength=size)
        done += len(lengths)
    return sums.reshape(shape), tokens.reshape(shape)


def window_sums(sample: Sample, window: int) -> np.ndarray:
    """(words of the corpus,) the co-occurrences of each with all words."""
    every, one = np.arange(len(sample.corpus.words)), np.zeros(len(sample.documents), np.int64)
    return count_words(sample, window, every, one)[0][0]


def count_pairs(
    sample: Sample,
    rows: np.ndarray,
    columns: np.ndarray,
    window: int,
    groups: np.ndarray | None = None,
    upper: bool = False,
) -> Iterator[tuple[slice, csr_matrix]]:
    """How often words co-occur with words, as bands of rows, each from a pass over the sample.

    Parameters
    ----------
    rows, columns : numbers of words, each at most once. window : tokens on either side.
    groups : (documents,) of the sample, from 0. Counts of each group are separate: that of column c
        in group g is in column c * number of groups + g.
    upper : whether to count only columns from the number of the row on: the upper triangle of a
        table whose rows are its columns.

    Yields
    ------
    which rows are in the band, and their counts.
    """
    from scipy.sparse import csr_matrix

    groups = np.zeros(len(sample.documents), np.int64) if groups is None else groups
    n_groups = int(groups.max()) + 1
    width = len(columns) * n_groups
    pairs = 2 * window * sample.counts()[rows]
    cells = np.minimum(pairs, width)
    starts = np.flatnonzero(np.diff((np.cumsum(cells) - cells) // _CELLS, prepend=-1))
    # No cell is larger than the sum of its row.
    kind = np.int32 if pairs.max(initial=0) < 1 << 31 else np.int64
    lookups = places(rows, len(sample.corpus.words)), places(columns, len(sample.corpus.words))
    for first, last in pairwise([*starts.tolist(), len(rows)]):
        total = csr_matrix((last - first, width), dtype=kind)
        for row, column, document in _found(sample, *lookups, window, (first, last), upper):
            keys = (row - first) * width + column * n_groups + groups[document]
            keys, counts = np.unique(keys, return_counts=True)
            total += csr_matrix((counts.astype(kind), np.divmod(keys, width)), total.shape)
        yield slice(first, last), total


def _found(
    sample: Sample,
    row_of: np.ndarray,
    column_of: np.ndarray,
    window: int,
    band: tuple[int, int],
    upper: bool,
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Row, column and document of every pair whose row is in the band, some positions at a time."""
    offsets = np.r_[-window:0, 1 : window + 1]
    done = 0
    for tokens, bounds in sample.blocks():
        rows, columns = row_of[tokens], column_of[tokens]
        positions = np.flatnonzero((rows >= band[0]) & (rows < band[1]))
        for start in range(0, len(positions), _POSITIONS):
            some = positions[start : start + _POSITIONS]
            document = np.searchsorted(bounds, some, "right") - 1
            near = some[:, None] + offsets
            valid = (near >= bounds[document, None]) & (near < bounds[document + 1, None])
            column = columns.take(near, mode="clip")
            valid &= column >= (rows[some, None] if upper else 0)
            of_each = np.stack([rows[some], done + document])
            row, of_document = np.repeat(of_each, valid.sum(axis=1), axis=1)
            yield row, column[valid], of_document
        done += len(bounds) - 1


def places(numbers: np.ndarray, size: int, other: int = -1) -> np.ndarray:
    """(size,) the index of each number, `other` of those that are not among them."""
    found = np.full(size, other, dtype=np.int32)
    found[numbers] = np.arange(len(numbers))
    return found


MOST_BLOCKS = 500
# Look-ups of the sets of each query: query -> "targets" or "attributes" -> fields of each set's
# `fairflow.queries.lookup.SetLookup`.
Sets = Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]
_PLAIN = ["name", "documents", "cluster", "n_clusters", "undated", "sets", "words", "contexts"]
_PLAIN += ["n_frequent", "shuffled"]
_SPARSE = ("data", "indices", "indptr")


@dataclass(frozen=True)
class SubcorpusCounts:
    """Counts of the words of queries by block of documents, which a bootstrap re-weights.

    Attributes
    ----------
    name : CORPUS-SUBCORPUS. documents : how many there are. cluster, n_clusters : the field whose
        values say which of them are drawn together, and how many such clusters there are; "" if
        each is drawn by itself. undated : how many of the corpus have no date.
    sets : of the queries, looked up among the words of the subcorpus.
    words : the list words that the corpus holds. contexts : the context words of `pmi`, then those
        list words that are not among them. n_frequent : the number of context words of `pmi`.
    shuffled : how many blocks at the end are samples whose tokens were dealt anew.
    pairs : (words * contexts, blocks) co-occurrences. sums, tokens : (blocks, contexts + 1)
        co-occurrences with all words, and tokens, of each context word and of all other words.
    """

    name: str
    documents: int
    cluster: str
    n_clusters: int
    undated: int
    sets: Sets
    words: list[str]
    contexts: list[str]
    n_frequent: int
    shuffled: int
    pairs: csr_matrix
    sums: np.ndarray
    tokens: np.ndarray

    @property
    def n_blocks(self) -> int:
        """Blocks of clusters of documents."""
        return len(self.sums) - self.shuffled

    @cached_property
    def place(self) -> dict[str, int]:
        """Context word -> its place among these."""
        return {word: number for number, word in enumerate(self.contexts)}

    @cached_property
    def numbers(self) -> dict[str, int]:
        """List word -> how often it occurs."""
        numbers = self.tokens[: self.n_blocks].sum(axis=0).tolist()
        return {word: numbers[self.place[word]] for word in self.words}

    @property
    def n_tokens(self) -> int:
        """Tokens of all documents."""
        return int(self.tokens[: self.n_blocks].sum())

    def weights(self, kind: str, number: int, seed: int, change: float = 1.0) -> np.ndarray:
        """(blocks,) how often each block occurs in a draw.

        Where each cluster is a block, the draw is that of `fairflow.corpora.sample.draw_sample`.

        Parameters
        ----------
        seed : of the study. change : how much of what a draw of documents does is done.
        """
        own, found = self.n_blocks, np.zeros(len(self.sums))
        if kind == "shuffled":
            found[own + number] = 1
        elif kind == "documents":
            found[:own] = 1 + change * (drawn_times(own, number, seed, self.name) - 1)
        else:
            found[:own] = 1
        return found

    def between(self, first: Sequence[str], second: Sequence[str]) -> csr_matrix:
        """Co-occurrences of words with words: (words of the first * of the second, blocks)."""
        row = {word: number for number, word in enumerate(self.words)}
        rows = np.array([row[word] for word in first])[:, np.newaxis] * len(self.contexts)
        return self.pairs[(rows + [self.place[word] for word in second]).ravel()]

    def write(self, path: str | Path) -> None:
        """Write them as one .npz file. Equal counts give equal bytes."""
        arrays = {name: getattr(self.pairs, name) for name in _SPARSE}
        arrays |= {"sums": self.sums, "tokens": self.tokens}
        write_arrays({name: getattr(self, name) for name in _PLAIN}, arrays, path)

    @staticmethod
    def read(path: str | Path) -> SubcorpusCounts:
        """The inverse of `write`.

        Raises
        ------
        FairflowError : the file is damaged.
        """
        from scipy.sparse import csr_matrix

        def made(told: dict[str, Any], arrays: dict[str, Any]) -> SubcorpusCounts:
            shape = len(told["words"]) * len(told["contexts"]), len(arrays["sums"])
            pairs = csr_matrix(tuple(arrays.pop(name) for name in _SPARSE), shape)
            return SubcorpusCounts(**told, **arrays, pairs=pairs)

        return read_arrays(path, "file of co-occurrences", made)


def count_subcorpus(
    sample: Sample,
    name: str,
    sets: Sets,
    list_words: Sequence[str],
    shuffled: int,
    seed: int,
    *,
    contexts: int,
    window: int,
    minimum_count: int = 1,
) -> SubcorpusCounts:
    """Count the words of queries in a subcorpus and in `shuffled` samples of it.

    Each cluster of documents is a block; more than 500 are dealt at random into blocks of nearly
    the same number of clusters. Only the windows of list words are visited.

    Parameters
    ----------
    list_words : those that the corpus lacks are left out. contexts : the number of the most
        frequent words of the sample that are the context words of `pmi`. minimum_count : a context
        word has at least that many tokens, as in `pmi`.
    """
    from scipy.sparse import hstack

    corpus, groups = sample.corpus, sample.clusters
    size = int(groups.max()) + 1
    if size > MOST_BLOCKS:
        groups = (identity_generator(seed, "blocks").permutation(size) % MOST_BLOCKS)[groups]
    number_of = {word: number for number, word in enumerate(corpus.words)}
    held = [number_of[word] for word in dict.fromkeys(list_words) if word in number_of]
    words, frequent = np.array(held, np.int64), numbered_words(sample, minimum_count)[:contexts]
    columns = np.array([*dict.fromkeys([*frequent, *words])], np.int64)
    # With one place more for all other words.
    place_of = places(columns, len(corpus.words) + 1, len(columns))
    anew = [draw_sample(sample, "shuffled", n, seed, f"{name}-")[0] for n in range(shuffled)]
    parts = [
        (_by_block(each, words, columns, window, own), *count_words(each, window, place_of, own))
        for each, own in ((sample, groups), *((one, np.zeros_like(groups)) for one in anew))
    ]
    pairs, sums, tokens = zip(*parts, strict=True)
    return SubcorpusCounts(
        name,
        len(sample.documents),
        sample.cluster,
        size,
        int(np.isnan(corpus.dates).sum()),
        sets,
        [corpus.words[number] for number in words],
        [corpus.words[number] for number in columns],
        len(frequent),
        shuffled,
        hstack(pairs, format="csr"),
        np.concatenate(sums),
        np.concatenate(tokens),
    )


def _by_block(
    sample: Sample, words: np.ndarray, columns: np.ndarray, window: int, groups: np.ndarray
) -> csr_matrix:
    """(words * columns, blocks) co-occurrences."""
    from scipy.sparse import csr_matrix, vstack

    none = csr_matrix((0, int(groups.max()) + 1), dtype=np.int32)
    bands = count_pairs(sample, words, columns, window, groups)
    parts = [counts.reshape(-1, none.shape[1]) for _, counts in bands]
    return vstack([none, *parts], format="csr")
