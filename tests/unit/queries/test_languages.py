"""Names of languages: which tags are one language, and which have lists of frequencies."""

import pytest

from fairflow.queries.languages import frequency_list, mark_of_all, same_language

MARKS = ("_NOUN", "_VERB")
WORDS = [f"e{i:05}" for i in range(300)]


@pytest.mark.parametrize(
    ("first", "second"),
    [("fr", "fr"), ("en-GB", "en-US"), ("zh", "zh-Hans"), ("zh-Hans-CN", "ZH-hans"), ("fil", "tl")],
)
def test_regions_and_an_unnamed_script_make_no_other_language(first, second):
    assert same_language(first, second)
    assert same_language(second, first)


@pytest.mark.parametrize(
    ("first", "second"), [("fr", "en"), ("zh-Hans", "zh-Hant"), ("ku", "ckb"), ("fr", "fro")]
)
def test_another_language_or_script_is_another(first, second):
    assert not same_language(first, second)


def test_the_codes_are_those_of_the_lists_that_exist():
    from wordfreq import available_languages

    listed = available_languages("best")
    assert frequency_list("tl") == frequency_list("fil") == "fil"
    assert frequency_list("zh-Hans") == "zh"
    assert frequency_list("hr") == "sh"
    assert frequency_list("nb") == frequency_list("no") == "nb"
    assert {frequency_list(code) for code in listed} == {*listed}
    assert frequency_list("ckb") is None
    assert frequency_list("th") is None


def test_a_mark_that_all_words_have_is_told():
    assert mark_of_all(WORDS) is None
    assert "--prefix /c/en/" in mark_of_all([f"/c/en/{word}" for word in WORDS])
    assert "(_NOUN, _VERB)" in mark_of_all([word + mark for word in WORDS for mark in MARKS])
    assert mark_of_all([f"a_{word}" for word in WORDS] + ["b"]) is None
