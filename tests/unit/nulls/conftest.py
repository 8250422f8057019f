"""A model for the tests of words in contexts."""

from language_fixtures import masked

__all__ = ["masked"]
