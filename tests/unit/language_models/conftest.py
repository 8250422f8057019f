"""Models for the tests of language-model metrics."""

import gc

import pytest
from language_fixtures import causal, masked, oracle_models

__all__ = ["causal", "masked", "oracle_models"]


@pytest.fixture(scope="module", autouse=True)
def frozen() -> None:
    """What is there is not looked through again: each block of answers has Python collect."""
    gc.collect()
    gc.freeze()
