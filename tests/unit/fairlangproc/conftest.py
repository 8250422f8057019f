"""The compatibility layer is tested with the models of tests/unit/language_models."""

from language_fixtures import causal, masked, oracle_models

__all__ = ["causal", "masked", "oracle_models"]
