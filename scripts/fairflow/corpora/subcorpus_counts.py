"""What is counted of a subcorpus once, for its tables and for draws of `pmi`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairflow.corpora.cooccurrence import BlockCounts, count_blocks, drawn_weights
from fairflow.corpora.sample import Sample, draw
from fairflow.files.checked_files import read_arrays, write_arrays
from fairflow.statistics.seeds import identity_seed

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

# Look-ups of the sets of each query: query -> "targets" or "attributes" -> fields of each set's
# `fairflow.queries.lookup.SetLookup`.
Sets = Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]]


@dataclass(frozen=True)
class SubcorpusCounts:
    """Counts of the words of queries in a subcorpus, and in samples of it.

    Attributes
    ----------
    name : CORPUS-SUBCORPUS. documents, tokens : how many there are.
    sets : of the queries, looked up among the words of the subcorpus.
    blocks : co-occurrences by block of documents; then one block for each sample whose tokens were
        dealt anew. shuffled : how many these are.
    """

    name: str
    documents: int
    tokens: int
    sets: Sets
    blocks: BlockCounts
    shuffled: int

    @property
    def n_blocks(self) -> int:
        """Blocks of documents."""
        return len(self.blocks.sums) - self.shuffled

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Word -> how often it occurs."""
        numbers = self.blocks.tokens[: self.n_blocks].sum(axis=0).tolist()
        return dict(zip(self.blocks.words, numbers, strict=True))

    def weights(self, draws: Iterable[tuple[str, int]], seed: int) -> np.ndarray:
        """How often each block occurs in each draw: (draws, blocks).

        Where each document is a block, the draws are those of `fairflow.corpora.sample.draw`.

        Parameters
        ----------
        draws : kind and number. seed : of the study.
        """
        draws, n = [*draws], self.n_blocks
        found = np.zeros((len(draws), n + self.shuffled), dtype=np.int64)
        for row, (kind, number) in zip(found, draws, strict=True):
            if kind == "shuffled":
                row[n + number] = 1
            elif kind == "documents":
                row[:n] = drawn_weights(n, [identity_seed(seed, self.name, kind, number)])[0]
            else:
                row[:n] = 1
        return found

    def pairs(self, first: Sequence[str], second: Sequence[str]) -> csr_matrix:
        """Co-occurrences of words with words: (words of the first * of the second, blocks)."""
        row = {word: number for number, word in enumerate(self.blocks.words)}
        column = {word: number for number, word in enumerate(self.blocks.contexts)}
        rows = np.array([row[word] for word in first])[:, np.newaxis] * len(column)
        return self.blocks.pairs[(rows + [column[word] for word in second]).ravel()]

    def write(self, path: str | Path) -> None:
        """Write them as one .npz file. Equal counts give equal bytes."""
        account, arrays = self.blocks.parts()
        names = ("name", "documents", "tokens", "sets", "shuffled")
        own = {name: getattr(self, name) for name in names}
        write_arrays({**own, "blocks": account}, arrays, path)

    @staticmethod
    def read(path: str | Path) -> SubcorpusCounts:
        """The inverse of `write`.

        Raises
        ------
        FairflowError : the file is damaged.
        """

        def made(account: dict[str, Any], arrays: dict[str, np.ndarray]) -> SubcorpusCounts:
            blocks = BlockCounts.of_parts(account.pop("blocks"), arrays)
            return SubcorpusCounts(**account, blocks=blocks)

        return read_arrays(path, "file of co-occurrences", made)


def count_subcorpus(
    sample: Sample,
    name: str,
    sets: Sets,
    list_words: Sequence[str],
    shuffled: int,
    seed: int,
    **how: int,
) -> SubcorpusCounts:
    """Count the words of queries in a subcorpus and in `shuffled` samples of it.

    Parameters
    ----------
    how : contexts, window and minimum_count, see `count_blocks`.
    """
    own = count_blocks(sample, list_words, seed=seed, **how)
    samples = (draw(sample, "shuffled", n, seed, f"{name}-")[0] for n in range(shuffled))
    anew = [count_blocks(each, list_words, seed=seed, most=1, **how) for each in samples]
    lengths = np.diff(sample.corpus.bounds)[sample.documents]
    blocks = _joined([own, *anew])
    return SubcorpusCounts(name, len(lengths), int(lengths.sum()), sets, blocks, shuffled)


def _joined(parts: Sequence[BlockCounts]) -> BlockCounts:
    """The blocks of counts of the same words, one after the other."""
    from scipy.sparse import hstack

    return replace(
        parts[0],
        pairs=hstack([part.pairs for part in parts], format="csr"),
        sums=np.concatenate([part.sums for part in parts]),
        tokens=np.concatenate([part.tokens for part in parts]),
    )
