"""Faulty parameters of transforms are refused in a sentence whose advice works."""

import pytest

from fairflow.transforms._words import word_list

QUOTES = "put it in quotes"


@pytest.mark.parametrize("word", [False, 1, None, 1.5])
def test_what_yaml_reads_as_no_word_is_to_be_put_in_quotes(word):
    with pytest.raises(ValueError, match=f"words, found {word!r} in it.*{QUOTES}"):
        word_list("specific", ["he", word])
