"""The compatibility layer is tested with the models of tests/unit/language_models."""

import pytest
from language_fixtures import causal, masked, oracle_models

__all__ = ["causal", "masked", "oracle_models"]


@pytest.fixture
def compat(torch):
    from fairflow.fairlangproc import metrics

    return metrics


@pytest.fixture
def both(masked):
    """A masked model and its tokenizer."""
    return masked.network, masked.tokens.tokenizer
