"""Directions and lengths of vectors: cosines, the subspace that pairs of words span, norms.

Bolukbasi, T., Chang, K.-W., Zou, J., Saligrama, V., & Kalai, A. (2016). Man is to Computer
Programmer as Woman is to Homemaker? Debiasing Word Embeddings. NIPS 2016.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from fairflow.errors import DegenerateError, FairflowError
from fairflow.files.atomic import write_rows
from fairflow.statistics.seeds import identity_generator

# Vectors have single precision: a smaller share of a vector, or of the first singular value, is
# rounding noise.
NOISE = 1e-6
SHUFFLES = 200
# Largest number of products of vectors in memory at once.
GRAMS = 4_000_000


@dataclass(frozen=True)
class BiasSubspace:
    """Directions of sets of words.

    Attributes
    ----------
    basis : (components, dims), orthonormal, in order of the variance explained.
    explained : share of the variance within sets, for every independent direction.
    """

    basis: np.ndarray
    explained: np.ndarray

    @property
    def facts(self) -> dict[str, Any]:
        """Facts about it, as plain values."""
        return {
            "directions": self.basis.tolist(),
            "explained_variance": self.explained.tolist(),
        }


def bias_subspace(
    sets: Sequence[np.ndarray],
    components: int | None = 1,
    *,
    name: str = "definitional",
) -> BiasSubspace:
    """Principal components of the vectors minus the means of their sets.

    The rows of a set sum to zero, so the data are centred: the components are the right singular
    vectors of all rows. Their signs are chosen so that the first word of the first set is on the
    positive side.

    Parameters
    ----------
    sets : for each set, the vectors of its words (words, dims).
    components : number of directions; None for all.

    Raises
    ------
    FairflowError : the words of the sets do not differ, or differ in too few directions.
    """
    rows = np.concatenate([vectors - vectors.mean(axis=0) for vectors in sets])
    _, values, directions = np.linalg.svd(rows, full_matrices=False)
    rank = int((values > NOISE * values[0]).sum()) if values[0] > NOISE else 0
    wanted = rank if components is None else components
    if rank == 0 or wanted > rank:
        what = "do not differ" if rank == 0 else f"differ in {rank} directions, not {wanted}"
        hint = f"; set components to {rank} or less" if rank else ""
        raise FairflowError(f"{name}: the words of its {len(sets)} entries {what}{hint}")
    return BiasSubspace(
        basis=_signed(directions[:wanted], rows),
        explained=values[:rank] ** 2 / (values**2).sum(),
    )


def indirect_bias(others: np.ndarray, word: np.ndarray, direction: np.ndarray) -> np.ndarray:
    """The share of the similarity with a word that is due to a direction: (others,).

    beta(n, w) = (n . w - cos(n', w')) / (n . w) with v' = v - (v . b) b (Bolukbasi et al. 2016).
    For a word without similarity it is infinite or NaN.

    Parameters
    ----------
    others : (others, dims), word : (dims,), direction : (dims,), all of length 1.
    """
    beside = others - np.outer(others @ direction, direction)
    own = word - (word @ direction) * direction
    similarities = others @ word
    with np.errstate(divide="ignore", invalid="ignore"):
        without = beside @ own / (np.linalg.norm(beside, axis=1) * np.linalg.norm(own))
        return (similarities - without) / similarities


def _signed(directions: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Directions with their signs chosen so that the first row with a component is positive."""
    parts = directions @ rows.T
    first = (np.abs(parts) > NOISE * np.abs(parts).max(axis=1, keepdims=True)).argmax(axis=1)
    return directions * np.sign(parts[np.arange(len(parts)), first])[:, np.newaxis]


def shuffled_shares(sets: Sequence[np.ndarray]) -> np.ndarray | None:
    """The share of the first direction after words are shuffled among the sets of equal size.

    Each position of the sets keeps its words, in another order (Antoniak, M., & Mimno, D. (2021).
    Bad Seeds: Evaluating Lexical Methods for Bias Measurement. ACL 2021). If random pairs reach the
    same share, it is not a property of the pairs. Sets with a missing word are not shuffled.

    Returns
    -------
    The share in each shuffle, (`SHUFFLES`,); None if there are fewer than two sets.
    """
    size = max(len(vectors) for vectors in sets)
    full = np.stack([vectors for vectors in sets if len(vectors) == size])
    count = len(full)
    if count < 2:
        return None
    flat = full.reshape(count * size, -1)
    gram = flat @ flat.T
    generator = identity_generator(0, "shuffled sets", count, size)
    step = max(1, GRAMS // gram.size)
    return np.concatenate(
        [
            _first_shares(gram, _shuffled(min(step, SHUFFLES - start), count, size, generator))
            for start in range(0, SHUFFLES, step)
        ]
    )


def _shuffled(draws: int, count: int, size: int, generator: np.random.Generator) -> np.ndarray:
    """The index of the vector at each position of shuffled sets: (draws, sets, positions)."""
    order = np.broadcast_to(np.arange(count * size).reshape(count, size), (draws, count, size))
    shuffled = generator.permuted(order, axis=1)
    shuffled[..., 0] = order[..., 0]
    return shuffled


def _first_shares(gram: np.ndarray, order: np.ndarray) -> np.ndarray:
    """First eigenvalue divided by the sum of all, of rows minus their sets' means: (draws,)."""
    draws, count, size = order.shape
    flat = order.reshape(draws, -1)
    # Minus the means of the sets, on both sides.
    products = gram[flat[:, :, np.newaxis], flat[:, np.newaxis]]
    products = products.reshape(draws, count, size, count, size)
    products = products - products.mean(axis=2, keepdims=True)
    products = products - products.mean(axis=4, keepdims=True)
    values = np.linalg.eigvalsh(products.reshape(draws, count * size, count * size))
    sums = values.sum(axis=1)
    return np.divide(values[:, -1], sums, out=np.zeros(draws), where=sums > 0)


def cosine(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """(n, dims), (m, dims) -> (n, m) cosines; rows must not be zero."""
    return unit(left) @ unit(right).T  # (n, dims) @ (dims, m)


def mean_unit(rows: np.ndarray) -> np.ndarray:
    """Mean of the rows divided by their lengths: (n, dims) -> (dims,).

    Its product with a unit vector is the mean of that vector's cosines with the rows.
    """
    return (1 / _lengths(rows)) @ rows / len(rows)


def mean_direction(rows: np.ndarray, name: str) -> np.ndarray:
    """Mean of the vectors of a named set, for formulas that need its direction: (dims,).

    Raises
    ------
    DegenerateError : the vectors cancel each other.
    """
    mean = rows.mean(axis=0)
    if not mean.any():
        raise DegenerateError(f"the mean vector of {name} is zero")
    return mean


def unit(rows: np.ndarray) -> np.ndarray:
    """Rows divided by their Euclidean length."""
    return rows / _lengths(rows)[:, np.newaxis]


def _lengths(rows: np.ndarray) -> np.ndarray:
    return np.sqrt(np.einsum("ij,ij->i", rows, rows))


# Rows per product, padded with zeros: products of another shape may be summed in another order.
ROWS = 256


def product(vectors: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """(n, dims) @ (dims, m) -> (n, m), float64."""
    number, dims = vectors.shape
    stacks = -(-number // ROWS)
    if number < stacks * ROWS:
        padded = np.zeros((stacks * ROWS, dims))
        padded[:number] = vectors
        vectors = padded
    with np.errstate(invalid="ignore"):
        products = vectors.reshape(stacks, ROWS, dims) @ matrix
    return products.reshape(stacks * ROWS, -1)[:number]


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """Rows scaled to length 1 in place: (n, dims), float64; a zero row stays zero."""
    return _divided(vectors, _column_of_lengths(vectors))


def unit_rests(vectors: np.ndarray, before: np.ndarray, unit: bool) -> np.ndarray:
    """Rows scaled to length 1 in place; a row that is only rounding noise becomes zero.

    Parameters
    ----------
    before : the vectors before the projection. unit : whether these have length 1, or are zero.
    """
    lengths = _column_of_lengths(vectors)
    few = np.flatnonzero(lengths < 2 * NOISE) if unit else np.arange(len(vectors))
    noise = few[(lengths[few] < NOISE * _column_of_lengths(before[few]))[:, 0]]
    vectors[noise] = lengths[noise] = 0
    return _divided(vectors, lengths)


def _column_of_lengths(vectors: np.ndarray) -> np.ndarray:
    # Equal to numpy.linalg.norm to the last bit, with one copy of the rows less.
    with np.errstate(invalid="ignore"):
        return np.sqrt(np.add.reduce(vectors * vectors, axis=1, keepdims=True))


def _divided(vectors: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    lengths[lengths == 0] = 1
    with np.errstate(invalid="ignore"):
        return np.divide(vectors, lengths, out=vectors)


UNIT_TOLERANCE = 1e-3


@dataclass(frozen=True)
class VectorNorms:
    """Euclidean lengths of the vectors of a model, and the number of equal vectors.

    Attributes
    ----------
    vocabulary : distinct words. dims : length of a vector.
    mean_norm, sd_norm, min_norm, max_norm : of the vectors with a direction, which are neither zero
        nor non-finite; sd of the population. NaN if there is no such vector.
    share_unit_length : the share of these with length 1 within 1e-3; between 0 and 1, or NaN.
    n_zero : zero vectors. n_not_finite : vectors with NaN or infinity.
    n_sharing : words that share a vector (one with a direction) with another word, as in pruned
        models. n_distinct : number of different vectors with a direction.
    """

    vocabulary: int
    dims: int
    mean_norm: float
    sd_norm: float
    min_norm: float
    max_norm: float
    share_unit_length: float
    n_zero: int
    n_not_finite: int
    n_sharing: int
    n_distinct: int


def vector_norms(store: Any) -> VectorNorms:
    """Measure every vector of a model, in one pass.

    Parameters
    ----------
    store : with `dims`, a length and `blocks()`, as `fairflow.vectors.store.VectorStore` has them.

    Raises
    ------
    VectorFormatError : the file of vectors does not match its index.
    """
    count = unit = zero = not_finite = 0
    mean, squares, least, most = 0.0, 0.0, math.inf, -math.inf
    marks = []
    for block in store.blocks():
        # In single precision the square of a number may overflow.
        wide = block.astype(np.float64)
        lengths = np.sqrt(np.einsum("ij,ij->i", wide, wide))
        zero += int((lengths == 0).sum())
        not_finite += int((~np.isfinite(lengths)).sum())
        usable = np.isfinite(lengths) & (lengths > 0)
        if not usable.any():
            continue
        marks.append(_marks(block[usable]))
        lengths = lengths[usable]
        # Chan, Golub & LeVeque (1979): a block's moments combined with those of earlier blocks.
        count += len(lengths)
        step = float(lengths.mean()) - mean
        earlier = 1 - len(lengths) / count
        mean += step * len(lengths) / count
        squares += float(lengths.var()) * len(lengths) + step**2 * earlier * len(lengths)
        least, most = min(least, float(lengths.min())), max(most, float(lengths.max()))
        unit += int((np.abs(lengths - 1) <= UNIT_TOLERANCE).sum())
    uses = np.unique(np.concatenate(marks or [np.empty(0)]), return_counts=True)[1]
    counts = {
        "n_zero": zero,
        "n_not_finite": not_finite,
        "n_sharing": int(uses[uses > 1].sum()),
        "n_distinct": len(uses),
    }
    if not count:
        return VectorNorms(len(store), store.dims, *(math.nan,) * 5, **counts)
    sd = math.sqrt(squares / count)
    return VectorNorms(len(store), store.dims, mean, sd, least, most, unit / count, **counts)


def write_vector_norms(measured: VectorNorms, model: str, path: str | Path) -> None:
    """Write the norms as a table of one row with the name of the model; NaN is an empty field."""
    row = {"model": model} | asdict(measured)
    fields = {k: None if isinstance(v, float) and math.isnan(v) else v for k, v in row.items()}
    write_rows([fields], list(fields), path)


def _marks(block: np.ndarray) -> np.ndarray:
    """A 64-bit hash of each vector: (words,), uint64."""
    # A zero may have a sign.
    rows = np.ascontiguousarray(block + 0)
    digests = (blake2b(row, digest_size=8).digest() for row in rows)
    return np.frombuffer(b"".join(digests), dtype="<u8")
