"""The examples in docstrings give what they say, without a file or a network."""

import doctest
from importlib import import_module

import pytest

MODULES = (
    *(f"fairflow.metrics.{name}" for name in ("ect", "mac", "rnd", "rnsb", "weat")),
    "fairflow.vectors.word_embedding_model",
)


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_docstring_run(module):
    found = doctest.testmod(import_module(module))
    assert found.attempted > 0
    assert found.failed == 0
