"""Embeddings: word vectors of a sample of documents, from counts or by training.

Each function takes the sample, the window, the smallest count of a word in the sample, a seed and
parameters, and returns words by descending count, ties by the word, and their vectors (float32).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairflow.corpora.cooccurrence import count_bands, vocabulary, window_sums
from fairflow.errors import FairflowError, nearest
from fairflow.files.atomic import atomic_path

if TYPE_CHECKING:
    from fairflow.corpora.sample import Sample

Vectors = tuple[list[str], np.ndarray]

# gensim trains on the first 10,000 tokens of a text and ignores the rest in silence.
LONGEST_PIECE = 10_000
# The parameters of gensim that are not arguments here, by its own names.
_OF_BOTH = ("alpha", "min_alpha", "sg", "hs", "negative", "ns_exponent", "cbow_mean", "sample")
TRAINED = {
    "sgns": ("Word2Vec", (*_OF_BOTH, "shrink_windows")),
    "fasttext": ("FastText", (*_OF_BOTH, "shrink_windows", "min_n", "max_n", "bucket")),
}
_ROWS = 1 << 12


def pmi_vectors(
    counts: Any, word_sums: np.ndarray, context_sums: np.ndarray, total: float | np.ndarray
) -> Any:
    """Positive pointwise mutual information of words with contexts, as vectors.

    max(0, log(n(w, c) N / (n(w) n(c)))) with n(w, c) the co-occurrences of the two words, n(w) and
    n(c) those of each with all words of the sample, and N those of all words; 0 where a count is 0.
    (Bullinaria and Levy 2007, https://doi.org/10.3758/BF03193020)

    Parameters
    ----------
    counts : (..., words, contexts), or a sparse table, which stays sparse.
    word_sums, context_sums, total : (..., words), (..., contexts), (...).

    Returns
    -------
    as `counts`, of float64, natural logarithm.
    """
    if not isinstance(counts, np.ndarray):
        counts = counts.tocsr().astype(float)
        rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        counts.data = _ppmi(counts.data, word_sums[rows], context_sums[counts.indices], total)
        counts.eliminate_zeros()
        return counts
    total = np.asarray(total, dtype=float)[..., None, None]
    return _ppmi(counts, word_sums[..., :, None], context_sums[..., None, :], total)


def _ppmi(counts: np.ndarray, of_word: Any, of_context: Any, total: Any) -> np.ndarray:
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = of_word * of_context
        np.divide(total, ratio, out=ratio)
        ratio *= counts
    return np.log(ratio, out=np.zeros_like(ratio), where=ratio > 1)


def pmi(
    sample: Sample, window: int, minimum_count: int, seed: int, *, contexts: int = 1000
) -> Vectors:
    """Positive PMI with the `contexts` most frequent words, fewer if the sample has fewer.

    Nothing here is random: the seed changes nothing. See `pmi_vectors`.
    """
    numbers = _words_of(sample, minimum_count, "pmi", 0)
    sums = window_sums(sample, window)
    columns = numbers[:contexts]
    matrix = np.zeros((len(numbers), len(columns)), dtype=np.float32)
    for first, counts in count_bands(sample, numbers, columns, window):
        rows = slice(first, first + counts.shape[0])
        table = pmi_vectors(counts, sums[numbers[rows]], sums[columns], sums.sum())
        matrix[rows] = table.astype(np.float32).toarray()
        del counts, table  # before the next band is counted
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
    sums, size = window_sums(sample, window), len(numbers)
    bands = []
    for first, counts in count_bands(sample, numbers, numbers, window, upper=True):
        rows = slice(first, first + counts.shape[0])
        table = pmi_vectors(counts, sums[numbers[rows]], sums[numbers], sums.sum())
        # Half of the diagonal, as the table is the sum of this triangle and its transpose.
        half = diags_array(table.diagonal(first) / 2, offsets=first, shape=table.shape)
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
    embedding: str,
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
    seed : below 2**32. parameters : of gensim's class, by its names, see `TRAINED`.

    Raises
    ------
    FairflowError : an unknown parameter, or not more words than dims.
    """
    from gensim import models

    check_parameters(embedding, parameters)
    numbers = _words_of(sample, minimum_count, embedding, dims)
    model = getattr(models, TRAINED[embedding][0])(
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
    numbers = vocabulary(sample, minimum_count)
    if len(numbers) > dims:
        return numbers
    raise FairflowError(
        f"{embedding}: {len(numbers):,} words occur at least {max(minimum_count, 1)} times in "
        f"this sample of {len(sample.documents):,} documents; "
        + (f"more than {dims} (dims) are needed. Lower dims or" if dims else "one is needed. Lower")
        + " minimum_count, or merge the smallest subcorpora."
    )


EMBEDDINGS: dict[str, Callable[..., Vectors]] = {
    "pmi": pmi,
    "ppmi_svd": ppmi_svd,
    "sgns": partial(_trained, "sgns"),
    "fasttext": partial(_trained, "fasttext"),
}


def check_parameters(embedding: str, names: Iterable[str]) -> None:
    """Compare names with the parameters of an embedding.

    Raises
    ------
    FairflowError : one of another name, with the nearest.
    """
    keywords = inspect.signature(EMBEDDINGS[embedding]).parameters.values()
    valid = [keyword.name for keyword in keywords if keyword.kind is keyword.KEYWORD_ONLY]
    valid += TRAINED.get(embedding, ("", ()))[1]
    for name in names:
        if name not in valid:
            raise FairflowError(f"{embedding}: no parameter {name!r}. {nearest(name, valid)}")


def train(
    sample: Sample,
    embedding: str,
    parameters: Mapping[str, Any],
    window: int,
    minimum_count: int,
    seed: int,
) -> Vectors:
    """The words of a sample, in descending order of their count, and their vectors.

    Parameters
    ----------
    embedding : one of `EMBEDDINGS`. parameters : its own, by name.
    window : how many words apart two words may be. minimum_count : of a word with a vector.

    Raises
    ------
    FairflowError : an unknown parameter, or a sample with too few words.
    """
    check_parameters(embedding, parameters)
    return EMBEDDINGS[embedding](sample, window, minimum_count, seed, **parameters)


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
        for start in range(0, len(words), _ROWS):
            rows = matrix[start : start + _ROWS].astype("<f4")
            for word, row in zip(words[start : start + _ROWS], rows, strict=True):
                file.write(word.encode() + b" " + row.tobytes())
