"""Faulty parameters of transforms are refused in a sentence whose advice works."""

import re

import pytest

from fairflow.files.configuration_files import read_yaml
from fairflow.transforms._words import (
    number_above,
    word_list,
)

QUOTES = "put it in quotes"
LISTS = "Write lists in a list, [[he, his], [she, her]], and the name of one set without"


@pytest.mark.parametrize("word", [False, 1, None, 1.5])
def test_what_yaml_reads_as_no_word_is_to_be_put_in_quotes(word):
    with pytest.raises(ValueError, match=f"words, found {word!r} in it.*{QUOTES}"):
        word_list("specific", ["he", word])


@pytest.mark.parametrize("text", ["1e3", "1e-5", "1e30", "60"])
def test_a_number_that_yaml_reads_as_a_text_is_told_as_yaml_reads_it(tmp_path, text):
    with pytest.raises(ValueError, match="must be a number above 0") as error:
        number_above("alpha", text)
    advice = re.search("write (.*), without quotes", str(error.value))[1]
    (tmp_path / "a.yaml").write_text(f"alpha: {advice}")
    assert number_above("alpha", read_yaml(tmp_path / "a.yaml")["alpha"]) == float(text)
