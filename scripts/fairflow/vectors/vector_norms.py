"""The lengths of a model's vectors, which RND, RNSB and RIPA depend on, and repeated vectors."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path

import numpy as np

from fairflow.files.atomic import write_rows
from fairflow.vectors.derivation import DerivedStore
from fairflow.vectors.store import VectorStore

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


def vector_norms(store: VectorStore | DerivedStore) -> VectorNorms:
    """Measure every vector of a model, in one pass.

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
        return VectorNorms(len(store), store.dims, *[math.nan] * 5, **counts)
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
