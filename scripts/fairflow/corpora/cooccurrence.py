"""Co-occurrences of words within a window, counted in blocks of a sample, flat in memory.

Two tokens co-occur if they are in the same document, at most `window` tokens apart. The distance is
that in the text: words that are not counted keep their place. Every pair of tokens counts once for
each of the two, so that the counts of words with the same words are symmetric.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from fairflow.corpora.sample import Sample

# Cells of the table that are counted in one pass over the sample: about 200 MB at the worst.
_CELLS = 1 << 23
# Positions whose windows are in memory at a time.
_POSITIONS = 1 << 17


def vocabulary(sample: Sample, minimum_count: int = 1) -> np.ndarray:
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
    lookups = [places(numbers, len(sample.corpus.words)) for numbers in (rows, columns)]
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
