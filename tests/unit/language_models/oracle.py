"""The shared oracle of language-model metrics, where there is one beside the checkout."""

import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[4] / "shared/reference"
ORACLE = FOLDER / "lm-oracle.json"

# Of float32, as the oracle states them: log-probabilities and their means; sums and what follows.
LOGP, SUM = 5e-5, 5e-4

needs_oracle = pytest.mark.skipif(
    not ORACLE.is_file(), reason="the shared oracle of language models is not beside the checkout"
)


def oracle(key):
    """The cases under a key; none without the oracle, so that tests are collected all the same."""
    return json.loads(ORACLE.read_text("utf-8"))[key] if ORACLE.is_file() else []


def near(expected, tolerance):
    """Equal within an absolute tolerance."""
    return pytest.approx(expected, rel=0, abs=tolerance)
