"""Fixtures of the tests of language models and of the compatibility layer for them."""

import os

import pytest
from language_oracle import FOLDER
from with_torch import load_language_model

os.environ["HF_HUB_OFFLINE"] = "1"


@pytest.fixture(scope="session")
def oracle_models(torch):
    """The oracle's two models: "bert" and "gpt2"."""
    return {
        name: load_language_model(FOLDER / "lm" / f"tiny-{name}", device="cpu")
        for name in ("bert", "gpt2")
    }


@pytest.fixture(scope="session")
def masked(torch):
    """A masked model with pinned weights."""
    from models import masked_model

    return masked_model()


@pytest.fixture(scope="session")
def causal(torch):
    """A causal model with pinned weights."""
    from models import causal_model

    return causal_model()
