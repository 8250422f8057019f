"""Seeds that depend on the study's seed and on what is measured, never on the order of a run."""

from __future__ import annotations

import numpy as np

from fairflow.files.checksums import identity_digest


def identity_seed(seed: int, *identity: object) -> int:
    """A seed of 32 bits, as metrics take it."""
    return int.from_bytes(identity_digest(seed, *identity)[:4], "big")


def identity_generator(seed: int, *identity: object) -> np.random.Generator:
    """Random numbers of an identity, from all 256 bits of its digest."""
    return np.random.default_rng(list(identity_digest(seed, *identity)))
