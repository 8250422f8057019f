"""Models for the tests of language-model metrics."""

from language_fixtures import causal, masked, oracle_models, torch

__all__ = ["causal", "masked", "oracle_models", "torch"]
