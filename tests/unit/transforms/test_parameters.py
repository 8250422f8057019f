"""Faulty parameters of transforms are refused in a sentence whose advice works."""

import re

import pytest

from fairflow.files.configuration_files import read_yaml
from fairflow.transforms._words import (
    joined_lists,
    number_above,
    separate_groups,
    sets_of_words,
    three_numbers,
    word_list,
)

QUOTES = "put it in quotes"
LISTS = "Write lists in a list, [[he, his], [she, her]], and the name of one set without"


@pytest.mark.parametrize("word", [False, 1, None, 1.5])
def test_what_yaml_reads_as_no_word_is_to_be_put_in_quotes(word):
    with pytest.raises(ValueError, match=f"words, found {word!r} in it.*{QUOTES}"):
        word_list("specific", ["he", word])


@pytest.mark.parametrize("read", [word_list, joined_lists, sets_of_words, separate_groups])
def test_the_keys_of_a_mapping_are_no_list(read):
    with pytest.raises(ValueError, match=r"groups must be a list of .*found {'men': "):
        read("groups", {"men": ["he"], "women": ["she"]})


@pytest.mark.parametrize("read", [sets_of_words, separate_groups])
@pytest.mark.parametrize("given", [["he", "she"], [["he", "she"], "toy:pairs"]])
def test_a_text_among_lists_is_told_how_lists_and_names_are_written(read, given):
    with pytest.raises(ValueError, match=re.escape(LISTS)):
        read("definitional", given)


@pytest.mark.parametrize("text", ["1e3", "1e-5", "1e30", "60"])
def test_a_number_that_yaml_reads_as_a_text_is_told_as_yaml_reads_it(tmp_path, text):
    with pytest.raises(ValueError, match="must be a number above 0") as error:
        number_above("alpha", text)
    advice = re.search("write (.*), without quotes", str(error.value))[1]
    (tmp_path / "a.yaml").write_text(f"alpha: {advice}")
    assert number_above("alpha", read_yaml(tmp_path / "a.yaml")["alpha"]) == float(text)


@pytest.mark.parametrize("text", ["nan", "inf", "many", None, [1]])
def test_what_is_no_number_gets_no_such_advice(text):
    with pytest.raises(ValueError, match=r"must be a number above 0, found [^:]*$"):
        number_above("alpha", text)


@pytest.mark.parametrize("weights", [3, "abc", [1, 2], {"a": 1, "b": 2, "c": 3}, [1, 2, 0]])
def test_three_numbers_are_three_numbers(weights):
    assert three_numbers("weights", [1, 2, 3]) == (1, 2, 3)
    with pytest.raises(ValueError, match=r"weights must be (three numbers|a number) above 0"):
        three_numbers("weights", weights)
