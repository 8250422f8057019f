"""A word is transformed as its options say before it is looked up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow.queries.lookup import preprocess_word

DECOMPOSED = "e\u0301"


@pytest.mark.parametrize(
    ("options", "word", "expected"),
    [
        ({}, "McÉwan", "McÉwan"),
        ({"lowercase": True}, "McÉwan", "mcéwan"),
        # In Turkish the letter with a dot keeps it, and that without stays without.
        ({"lowercase": "tr"}, "I\u0130", "\u0131i"),
        ({"lowercase": "az", "titlecase": True}, "I\u0130", "\u0131i"),
        ({"uppercase": True}, "Straße", "STRASSE"),
        ({"titlecase": True}, "o'neil mary-jane 3rd", "O'Neil Mary-Jane 3Rd"),
        ({"strip_accents": True}, "Éĉole", "Ecole"),
        ({"strip_accents": "unicode"}, "naïve Ωß 汉", "naive Ωß 汉"),
        ({"strip_accents": "unicode"}, DECOMPOSED, "e"),
        ({"strip_accents": "ascii"}, "naïve Ωß 汉", "naive  "),
        ({"strip_accents": False}, "é", "é"),
        ({"lowercase": True, "strip_accents": True}, "ÉCOLE", "ecole"),
        ({"lowercase": False, "uppercase": True}, "word", "WORD"),
        ({"lowercase": True, "underscores": True}, "Hạnh phúc", "hạnh_phúc"),
        ({"underscores": False}, "xe đạp", "xe đạp"),
    ],
)
def test_each_option_transforms_the_word(options, word, expected):
    assert preprocess_word(word, options) == expected


def test_a_callable_makes_the_other_options_irrelevant():
    options = {"preprocessor": lambda word: word + "É", "lowercase": True, "strip_accents": True}
    assert preprocess_word("AB", options) == "ABÉ"


@pytest.mark.parametrize("options", [{"uppercase": True}, {"preprocessor": str.upper}])
def test_the_prefix_is_put_in_front_after_the_transformation(options):
    assert preprocess_word("word", options, "/c/en/") == "/c/en/WORD"


@pytest.mark.parametrize("prefix", [None, ""])
def test_no_options_and_no_prefix_leave_the_word_as_it_is(prefix):
    assert preprocess_word("Word", None, prefix) == "Word"


@pytest.mark.parametrize(
    ("option", "hint"),
    [
        ("lowecase", "Did you mean 'lowercase'?"),
        ("strip_accent", "Did you mean 'strip_accents'?"),
        (
            "qqq",
            "Valid: lowercase, preprocessor, strip_accents, titlecase, underscores, uppercase.",
        ),
    ],
)
def test_an_unknown_option_is_refused_with_the_nearest_one(option, hint):
    with pytest.raises(TypeError) as error:
        preprocess_word("word", {option: True})
    assert str(error.value) == f"unknown preprocessor option {option!r}. {hint}"


@given(st.text(), st.sampled_from(["unicode", "ascii"]))
def test_stripping_accents_twice_changes_nothing_more(word, how):
    once = preprocess_word(word, {"strip_accents": how})
    assert preprocess_word(once, {"strip_accents": how}) == once


@given(st.text())
def test_ascii_leaves_nothing_but_ascii_and_keeps_all_ascii(word):
    stripped = preprocess_word(word, {"strip_accents": "ascii"})
    assert stripped.isascii()
    if word.isascii():
        assert stripped == word
