"""Embeddings: word vectors of a sample of documents, from counts or by training.

Each function takes the sample, the window, the smallest count of a word in the sample, a seed and
parameters, and returns words by descending count, ties by the word, and their vectors (float32).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairflow.corpora.cooccurrence import count_pairs, numbered_words, window_sums
from fairflow.corpora.sample import draw_sample
from fairflow.errors import FairflowError
from fairflow.files.atomic import atomic_path

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from fairflow.corpora.cooccurrence import SubcorpusCounts
    from fairflow.corpora.sample import Sample

Vectors = tuple[list[str], np.ndarray]

# Frequent words with which pmi counts others, unless an entry says otherwise.
CONTEXTS = 1000

# Embeddings whose documents are weighted, not drawn: how much of what a draw does is done to the
# weights. So no word is lost, and ratios are near their tangents; variances are as much smaller.
CHANGES = {"pmi": 0.25}

# gensim trains on the first 10,000 tokens of a text and ignores the rest in silence.
LONGEST_PIECE = 10_000


def pmi_vectors(
    counts: csr_matrix, word_sums: np.ndarray, context_sums: np.ndarray, total: float
) -> csr_matrix:
    """Positive pointwise mutual information of words with contexts, as vectors.

    max(0, log(n(w, c) N / (n(w) n(c)))) with n(w, c) the co-occurrences of the two words, n(w) and
    n(c) those of each with all words of the sample, and N those of all words; 0 where a count is 0.
    (Bullinaria and Levy 2007, https://doi.org/10.3758/BF03193020)

    Parameters
    ----------
    counts : (words, contexts). word_sums, context_sums : (words,), (contexts,).

    Returns
    -------
    as `counts`, of float64, natural logarithm.
    """
    found = counts.tocsr().astype(float)
    rows = np.repeat(np.arange(found.shape[0]), np.diff(found.indptr))
    found.data *= total / (word_sums[rows] * context_sums[found.indices])
    found.data = np.log(np.maximum(found.data, 1))
    found.eliminate_zeros()
    return found


def _tables(
    sample: Sample, window: int, numbers: np.ndarray, columns: np.ndarray, upper: bool = False
) -> Iterator[tuple[slice, csr_matrix]]:
    """Positive PMI of words with words, as bands of rows."""
    sums = window_sums(sample, window)
    for rows, counts in count_pairs(sample, numbers, columns, window, upper=upper):
        yield rows, pmi_vectors(counts, sums[numbers[rows]], sums[columns], sums.sum())


def pmi(
    sample: Sample, window: int, minimum_count: int, seed: int, *, contexts: int = CONTEXTS
) -> Vectors:
    """Positive PMI with the `contexts` most frequent words, fewer if the sample has fewer.

    Nothing here is random: the seed changes nothing. See `pmi_vectors`.
    """
    numbers = _words_of(sample, minimum_count, "pmi", 0)
    matrix = np.zeros((len(numbers), min(contexts, len(numbers))), dtype=np.float32)
    for rows, table in _tables(sample, window, numbers, numbers[:contexts]):
        matrix[rows] = table.astype(np.float32).toarray()
    return [sample.corpus.words[number] for number in numbers], matrix


def ppmi_svd(
    sample: Sample, window: int, minimum_count: int, seed: int, *, dims: int = 100
) -> Vectors:
    """The largest singular vectors of the table of positive PMI, each times the root of its value.

    The table is symmetric, so its singular values are the absolute values of its eigenvalues,
    and scipy's `eigsh` finds these from the upper triangle alone. The start is fixed, and the
    largest coordinate of each dimension is positive: the seed changes nothing.
    (Levy, Goldberg and Dagan 2015, https://doi.org/10.1162/tacl_a_00134)

    Parameters
    ----------
    dims : below the number of words.
    """
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import LinearOperator, eigsh

    numbers = _words_of(sample, minimum_count, "ppmi_svd", dims)
    size, bands = len(numbers), []
    for rows, table in _tables(sample, window, numbers, numbers, upper=True):
        # Half of the diagonal, as the table is the sum of this triangle and its transpose.
        diagonal = table.diagonal(rows.start) / 2
        half = diags_array(diagonal, offsets=rows.start, shape=table.shape)
        bands.append((rows, (table - half).tocsr()))

    def product(vector: np.ndarray) -> np.ndarray:
        vector = vector.ravel()
        result = np.concatenate([table @ vector for _, table in bands])
        for rows, table in bands:
            result += table.T @ vector[rows]
        return result

    operator = LinearOperator((size, size), matvec=product, dtype=np.float64)
    start = np.random.default_rng(0).random(size)
    values, vectors = eigsh(operator, dims, which="LM", v0=start)
    order = np.argsort(-np.abs(values), kind="stable")
    vectors = vectors[:, order]
    signs = np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(dims)])
    matrix = vectors * signs * np.sqrt(np.abs(values[order]))
    return [sample.corpus.words[number] for number in numbers], matrix.astype(np.float32)


class Pieces:
    """The documents of a sample as lists of words, cut into pieces of at most 10,000 tokens."""

    def __init__(self, sample: Sample) -> None:
        self.sample = sample
        self.words = np.array(sample.corpus.words, dtype=object)

    def __iter__(self) -> Iterator[list[str]]:
        for tokens, bounds in self.sample.blocks():
            for start, end in pairwise(bounds.tolist()):
                for first in range(start, end, LONGEST_PIECE):
                    yield self.words[tokens[first : min(first + LONGEST_PIECE, end)]].tolist()


def _trained(
    gensim_class: str,
    sample: Sample,
    window: int,
    minimum_count: int,
    seed: int,
    *,
    dims: int = 100,
    epochs: int = 5,
    **parameters: Any,
) -> Vectors:
    """Vectors of gensim's training: the same seed gives the same bits, as one thread trains.

    gensim leaves out words below the smallest count before it looks at windows, and shortens each
    window at random. Skip-gram is the default (`sg: 1`), for the rest gensim's own.
    (Mikolov et al. 2013, https://arxiv.org/abs/1310.4546; Bojanowski et al. 2017,
    https://doi.org/10.1162/tacl_a_00051)

    Parameters
    ----------
    gensim_class : of `gensim.models`. seed : below 2**32. parameters : of the class, by its names.

    Raises
    ------
    FairflowError : not more words than dims.
    """
    from gensim import models

    numbers = _words_of(sample, minimum_count, gensim_class, dims)
    model = getattr(models, gensim_class)(
        Pieces(sample),
        vector_size=dims,
        window=window,
        min_count=max(minimum_count, 1),
        seed=seed,
        workers=1,
        epochs=epochs,
        **({"sg": 1} | parameters),
    )
    words = [sample.corpus.words[number] for number in numbers]
    return words, model.wv.vectors[[model.wv.key_to_index[word] for word in words]]


def _words_of(sample: Sample, minimum_count: int, embedding: str, dims: int) -> np.ndarray:
    """Numbers of the words of an embedding.

    Raises
    ------
    FairflowError : not more than `dims`.
    """
    numbers = numbered_words(sample, minimum_count)
    if len(numbers) > dims:
        return numbers
    raise FairflowError(
        f"{embedding}: {len(numbers):,} words occur at least {max(minimum_count, 1)} times in "
        f"this sample of {len(sample.documents):,} documents, and more than {dims} are needed. "
        "Lower dims or minimum_count, or merge the smallest subcorpora."
    )


EMBEDDINGS: dict[str, Callable[..., Vectors]] = {
    "pmi": pmi,
    "ppmi_svd": ppmi_svd,
    "sgns": partial(_trained, "Word2Vec"),
    "fasttext": partial(_trained, "FastText"),
}


@dataclass(frozen=True)
class Training:
    """How the vectors of a model are made.

    Attributes
    ----------
    name : of the model, CORPUS-SUBCORPUS-EMBEDDING. embedding : one of `EMBEDDINGS`.
    parameters : its own, by name. window : how many words apart two words may be.
    minimum_count : of a word with a vector. seed : of the study.
    """

    name: str
    embedding: str
    parameters: Mapping[str, Any]
    window: int
    minimum_count: int
    seed: int

    def vectors(self, sample: Sample, kind: str = "seeds", number: int = 0) -> Vectors:
        """The words of a draw in descending order of their count, and their vectors.

        Parameters
        ----------
        sample : the subcorpus. kind, number : see `draw_sample`; by default the model itself.

        Raises
        ------
        FairflowError : a sample with too few words.
        """
        drawn, seed = draw_sample(sample, kind, number, self.seed, self.name)
        made = EMBEDDINGS[self.embedding]
        return made(drawn, self.window, self.minimum_count, seed, **self.parameters)

    def reweighted(self, counts: SubcorpusCounts, kind: str, number: int) -> Vectors:
        """Vectors of `pmi` of the list words in a draw, without counting anew.

        Words that are too rare in the subcorpus are missing, as in its model, and words without a
        token in the draw. Draws of documents change the weights by a part, see `CHANGES`.
        """
        from scipy.sparse import csr_matrix

        weights = counts.weights(kind, number, self.seed, CHANGES["pmi"])
        pairs = (counts.pairs @ weights).reshape(len(counts.words), len(counts.contexts))
        sums, tokens = weights @ counts.sums, weights @ counts.tokens
        held = [word for word in counts.words if counts.numbers[word] >= self.minimum_count]
        held = [word for word in held if tokens[counts.place[word]]]
        rows, columns = np.isin(counts.words, held), slice(counts.n_frequent)
        of_words = sums[[counts.place[word] for word in held]]
        table = csr_matrix(pairs[rows, columns])
        vectors = pmi_vectors(table, of_words, sums[columns], sums.sum()).toarray()
        return held, vectors.astype(np.float32)


def write_vectors(words: Sequence[str], matrix: np.ndarray, path: str | Path) -> None:
    """Write vectors as a binary word2vec file, which may be converted like any other.

    Parameters
    ----------
    matrix : (words, dims).

    Raises
    ------
    FairflowError : a word with a space, which ends a word in this format.
    """
    for word in words:
        if not word or set(word) & set(" \t\r\n"):
            raise FairflowError(f"a word of vectors has no spaces, found {word!r}: join it by '_'")
    with atomic_path(path) as temporary, open(temporary, "wb") as file:
        file.write(b"%d %d\n" % matrix.shape)
        for word, row in zip(words, matrix.astype("<f4"), strict=True):
            file.write(word.encode() + b" " + row.tobytes())
