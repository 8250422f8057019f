"""The lengths of a model's vectors, on which RND, RNSB and RIPA depend, and how many are equal."""

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
    """Euclidean lengths of the vectors of a model, and how many of these are the same.

    Attributes
    ----------
    vocabulary : distinct words. dims : length of a vector.
    mean_norm, sd_norm, min_norm, max_norm : of the vectors that have a direction, those neither
        zero nor non-finite; the standard deviation is the population's. NaN if there is none.
    share_unit_length : how many of these have length 1 within 1e-3; between 0 and 1, or NaN.
    n_zero : zero vectors. n_not_finite : vectors with NaN or infinity.
    n_sharing : words whose vector, one with a direction, is that of another word too, as in pruned
        models. n_distinct : how many such vectors there are, each counted once.
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
    VectorFormatError : the file of vectors is not what its index says.
    """
    count = unit = zero = not_finite = 0
    mean, squares, least, most = 0.0, 0.0, math.inf, -math.inf
    marks = []
    for block in store.blocks():
        # In single precision a square may leave the range that its vector is in.
        wide = block.astype(np.float64)
        lengths = np.sqrt(np.einsum("ij,ij->i", wide, wide))
        zero += int((lengths == 0).sum())
        not_finite += int((~np.isfinite(lengths)).sum())
        usable = np.isfinite(lengths) & (lengths > 0)
        if not usable.any():
            continue
        marks.append(_marks(block[usable]))
        lengths = lengths[usable]
        # Chan, Golub & LeVeque (1979): a block's moments joined with those before.
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
    """Write the norms as a table of one row, with the name of the model; NaN is an empty field."""
    row = {"model": model} | asdict(measured)
    fields = {k: None if isinstance(v, float) and math.isnan(v) else v for k, v in row.items()}
    write_rows([fields], list(fields), path)


def _marks(block: np.ndarray) -> np.ndarray:
    """8 bytes for each vector, alike for equal ones and for hardly any others: (words,), uint64."""
    # A zero may have a sign.
    rows = np.ascontiguousarray(block + 0)
    digests = (blake2b(row, digest_size=8).digest() for row in rows)
    return np.frombuffer(b"".join(digests), dtype="<u8")
