"""Co-occurrences of words within a window, counted in blocks of a sample, flat in memory.

Two tokens co-occur if they are in the same document, at most `window` tokens apart. The distance is
that in the text: words that are not counted keep their place. Every pair of tokens counts once for
each of the two, so that the counts of words with the same words are symmetric.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fairflow.files.checked_files import read_arrays, write_arrays
from fairflow.statistics.seeds import identity_generator

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from fairflow.corpora.sample import Sample

MOST_BLOCKS = 500
# Cells of the table that are counted in one pass over the sample: about 200 MB at the worst.
_CELLS = 1 << 23
# Positions whose windows are in memory at a time.
_POSITIONS = 1 << 17
# Rows of the counts by block that are added up at a time.
_ROWS = 1 << 13


def vocabulary(sample: Sample, minimum_count: int = 1) -> np.ndarray:
    """Numbers of the words that a sample holds often enough, by descending count, then by word."""
    counts, words = sample.counts(), sample.corpus.words
    found = np.flatnonzero(counts >= max(minimum_count, 1)).tolist()
    return np.array(sorted(found, key=lambda n: (-counts[n], words[n])), dtype=np.int64)


def window_sums(sample: Sample, window: int) -> np.ndarray:
    """(words,) the co-occurrences of each word of the corpus with all words, rare ones included.

    They follow from where a word is in its documents. Their sum is that of the whole table.
    """
    sums = np.zeros(len(sample.corpus.words))
    for tokens, bounds in sample.blocks():
        sums += np.bincount(tokens, _neighbours(bounds, window), len(sums))
    return sums


def count_pairs(sample: Sample, rows: np.ndarray, columns: np.ndarray, window: int) -> csr_matrix:
    """How often words co-occur with words.

    Parameters
    ----------
    rows, columns : numbers of words, each at most once. window : tokens on either side.

    Returns
    -------
    (rows, columns) whole numbers. It takes 8 bytes for each pair of words that co-occurs;
    `count_bands` gives the same in parts.
    """
    from scipy.sparse import csr_matrix, vstack

    none = csr_matrix((0, len(columns)), dtype=np.int32)
    bands = [counts for _, counts in count_bands(sample, rows, columns, window)]
    return vstack([none, *bands], format="csr")


def count_bands(
    sample: Sample,
    rows: np.ndarray,
    columns: np.ndarray,
    window: int,
    groups: np.ndarray | None = None,
    upper: bool = False,
) -> Iterator[tuple[int, csr_matrix]]:
    """The table of `count_pairs` as bands of rows, each counted in a pass over the sample.

    Parameters
    ----------
    groups : (documents,) of the sample, from 0. Counts of each group are separate: that of column c
        in group g is in column c * number of groups + g.
    upper : whether to count only columns from the number of the row on: the upper triangle of a
        table whose rows are its columns.

    Yields
    ------
    the number of the band's first row, and its counts.
    """
    from scipy.sparse import csr_matrix

    n_groups = 1 if groups is None else int(groups.max()) + 1
    width = len(columns) * n_groups
    pairs = 2 * window * sample.counts()[rows]
    cells = np.minimum(pairs, width)
    starts = np.flatnonzero(np.diff((np.cumsum(cells) - cells) // _CELLS, prepend=-1))
    # No cell is larger than the sum of its row.
    kind = np.int32 if pairs.max(initial=0) < 1 << 31 else np.int64
    lookups = [_places(numbers, len(sample.corpus.words)) for numbers in (rows, columns)]
    for first, last in pairwise([*starts.tolist(), len(rows)]):
        found = _window_pairs(sample, *lookups, window, (first, last), groups, upper)
        keys = ((row * width + column * n_groups + group) for row, column, group in found)
        tables = (_table(key, last - first, width, kind) for key in keys)
        yield first, _added(csr_matrix((last - first, width), dtype=kind), tables)


def _window_pairs(
    sample: Sample,
    row_of: np.ndarray,
    column_of: np.ndarray,
    window: int,
    band: tuple[int, int],
    groups: np.ndarray | None,
    upper: bool,
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray | int]]:
    """Row within the band, column and group of every pair, some positions at a time."""
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
            number = valid.sum(axis=1)
            group = 0 if groups is None else np.repeat(groups[done + document], number)
            yield np.repeat(rows[some] - band[0], number).astype(np.int64), column[valid], group
        done += len(bounds) - 1


def _table(keys: np.ndarray, rows: int, width: int, kind: type) -> csr_matrix:
    """Counts of row * width + column."""
    from scipy.sparse import csr_matrix

    keys.sort()
    at = np.flatnonzero(np.diff(keys, prepend=-1))
    counts, keys = np.diff(at, append=len(keys)).astype(kind), keys[at]
    ends = np.searchsorted(keys, np.arange(rows + 1) * width)
    columns = keys - np.repeat(np.arange(rows) * width, np.diff(ends))
    parts = (counts, columns.astype(np.int32), ends.astype(np.int32))
    return csr_matrix(parts, shape=(rows, width))


def _added(empty: csr_matrix, tables: Iterable[csr_matrix]) -> csr_matrix:
    """The sum of many tables; those of similar size are added first, so that each costs little."""
    sums = [empty]
    for table in tables:
        while sums and sums[-1].nnz < 2 * table.nnz:
            table = sums.pop() + table
        sums.append(table)
    while len(sums) > 1:
        sums.append(sums.pop() + sums.pop())
    return sums[0]


def _places(numbers: np.ndarray, size: int) -> np.ndarray:
    """(size,) the index of each number, -1 of others."""
    places = np.full(size, -1, dtype=np.int32)
    places[numbers] = np.arange(len(numbers))
    return places


def _neighbours(bounds: np.ndarray, window: int) -> np.ndarray:
    """(tokens,) how many other tokens of the document are in the window of each."""
    lengths = np.diff(bounds)
    before = np.arange(bounds[-1]) - np.repeat(bounds[:-1], lengths)
    behind = np.repeat(lengths, lengths) - 1 - before
    return np.minimum(before, window) + np.minimum(behind, window)


class Cooccurrences(NamedTuple):
    """Co-occurrences of list words in each draw; whole numbers.

    Attributes
    ----------
    counts : (draws, words, contexts). word_sums, context_sums : (draws, words), (draws, contexts),
        the co-occurrences of each word with all words. total : (draws,) all co-occurrences.
    tokens : (draws, words) how often each word occurs.
    """

    counts: np.ndarray
    word_sums: np.ndarray
    context_sums: np.ndarray
    total: np.ndarray
    tokens: np.ndarray


@dataclass(frozen=True)
class BlockCounts:
    """Co-occurrences of list words by block of documents, which a bootstrap re-weights.

    Attributes
    ----------
    words : the list words that the corpus holds. contexts : the context words of `pmi`, then those
        list words that are not among them. n_frequent : the number of context words of `pmi`.
    pairs : (words * contexts, blocks) counts. sums : (blocks, contexts + 1) co-occurrences of each
        context word, and of all other words, with all words. tokens : (blocks, words) counts.
    """

    words: list[str]
    contexts: list[str]
    n_frequent: int
    pairs: csr_matrix
    sums: np.ndarray
    tokens: np.ndarray

    def total(self, weights: np.ndarray) -> Cooccurrences:
        """The counts of samples in which each block occurs a whole number of times.

        Parameters
        ----------
        weights : (draws, blocks) whole numbers.
        """
        weights = weights.astype(float)
        counts = np.empty((len(weights), self.pairs.shape[0]))
        for start in range(0, counts.shape[1], _ROWS):
            some = self.pairs[start : start + _ROWS].toarray().astype(float)
            np.matmul(weights, some.T, out=counts[:, start : start + _ROWS])
        sums = weights @ self.sums
        place = {word: number for number, word in enumerate(self.contexts)}
        return Cooccurrences(
            counts.reshape(len(weights), len(self.words), len(self.contexts)),
            sums[:, [place[word] for word in self.words]],
            sums[:, :-1],
            sums.sum(axis=1),
            weights @ self.tokens,
        )

    def parts(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        """Plain values and arrays, the arguments of `of_parts`."""
        account = {"words": self.words, "contexts": self.contexts, "n_frequent": self.n_frequent}
        pairs = {name: getattr(self.pairs, name) for name in ("data", "indices", "indptr")}
        return account, {"sums": self.sums, "tokens": self.tokens, **pairs}

    @staticmethod
    def of_parts(account: dict[str, Any], arrays: dict[str, np.ndarray]) -> BlockCounts:
        """The inverse of `parts`."""
        from scipy.sparse import csr_matrix

        shape = (len(account["words"]) * len(account["contexts"]), len(arrays["sums"]))
        pairs = csr_matrix(tuple(arrays[name] for name in ("data", "indices", "indptr")), shape)
        return BlockCounts(**account, pairs=pairs, sums=arrays["sums"], tokens=arrays["tokens"])

    def write(self, path: str | Path) -> None:
        """Write them as one .npz file. Equal counts give equal bytes."""
        write_arrays(*self.parts(), path)

    @staticmethod
    def read(path: str | Path) -> BlockCounts:
        """The inverse of `write`.

        Raises
        ------
        FairflowError : the file is damaged.
        """
        return read_arrays(path, "file of co-occurrences", BlockCounts.of_parts)


def count_blocks(
    sample: Sample,
    list_words: Sequence[str],
    contexts: int,
    window: int,
    seed: int,
    minimum_count: int = 1,
    most: int | None = None,
) -> BlockCounts:
    """Count the co-occurrences of list words in each block of documents.

    Each document is a block; more than `most` (500) are dealt at random into blocks of nearly
    the same number of documents. Only the windows of list words are visited.

    Parameters
    ----------
    list_words : those that the corpus lacks are left out. contexts : the number of the most
        frequent words of the sample that are the context words of `pmi`. minimum_count : a context
        word has at least so many tokens, as in `pmi`.
    """
    corpus, size, most = sample.corpus, len(sample.documents), most or MOST_BLOCKS
    groups = np.arange(size)
    if size > most:
        groups = identity_generator(seed, "blocks").permutation(size) % most
    number_of = {word: number for number, word in enumerate(corpus.words)}
    words = [number_of[word] for word in dict.fromkeys(list_words) if word in number_of]
    frequent = vocabulary(sample, minimum_count)[:contexts].tolist()
    columns = list(dict.fromkeys([*frequent, *words]))
    blocks, width = min(size, most), len(columns) + 1
    place = _places(np.array(columns, dtype=np.int64), len(corpus.words))
    place[place < 0] = width - 1
    sums, tokens, done = np.zeros(blocks * width), np.zeros(blocks * width, np.int64), 0
    for numbers, bounds in sample.blocks():
        group = np.repeat(groups[done : done + len(bounds) - 1], np.diff(bounds))
        keys = group * width + place[numbers]
        sums += np.bincount(keys, _neighbours(bounds, window), len(sums))
        tokens += np.bincount(keys, minlength=len(tokens))
        done += len(bounds) - 1
    return BlockCounts(
        [corpus.words[number] for number in words],
        [corpus.words[number] for number in columns],
        len(frequent),
        _pairs_by_block(sample, words, columns, window, groups),
        sums.reshape(blocks, width),
        tokens.reshape(blocks, width)[:, place[words]],
    )


def _pairs_by_block(
    sample: Sample, words: list[int], columns: list[int], window: int, groups: np.ndarray
) -> csr_matrix:
    """(words * columns, blocks) counts."""
    from scipy.sparse import csr_matrix, vstack

    blocks = int(groups.max()) + 1
    found = [csr_matrix((0, blocks), dtype=np.int32)]
    rows, contexts = np.array(words, dtype=np.int64), np.array(columns, dtype=np.int64)
    for _, counts in count_bands(sample, rows, contexts, window, groups):
        found.append(counts.reshape(-1, blocks).tocsr())
    return vstack(found, format="csr")


def drawn_weights(blocks: int, seeds: Sequence[int]) -> np.ndarray:
    """(seeds, blocks) how often each block is drawn, with replacement, for each seed.

    Where each document is a block, these are the documents of `Sample.drawn`.
    """
    drawn = [identity_generator(seed, "documents").integers(0, blocks, blocks) for seed in seeds]
    return np.array([np.bincount(numbers, minlength=blocks) for numbers in drawn])
