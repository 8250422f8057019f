"""Every word of a set is either found or lost, and a set that loses too many is rejected."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow.queries.lookup import (
    Lookup,
    look_up_set,
    preprocess_word,
    rejection,
    shared_forms,
    without_other_cases,
)

AS_WRITTEN_THEN_LOWER = ({}, {"lowercase": True})
VARIANTS = ({}, {"uppercase": True}, {"titlecase": True})


def look_up(words, vocabulary, preprocessors=({},), strategy="first", prefix=None):
    lookup = Lookup(preprocessors, strategy)
    return look_up_set("Set", words, set(vocabulary).__contains__, lookup, prefix)


def losing(lost, total):
    """The account of a set of `total` words that lost `lost`."""
    words = [f"w{i}" for i in range(total)]
    return look_up(words, words[lost:])


def test_found_forms_stand_in_the_order_of_the_set_with_the_position_of_their_word():
    account = look_up(["c", "zz", "a"], {"a", "c"})
    assert list(account.found.items()) == [("c", 0), ("a", 2)]
    assert account.lost == ["zz"]


def test_first_takes_the_first_form_that_exists():
    account = look_up(["Bill", "Rose", "MAY"], {"Bill", "bill", "rose"}, AS_WRITTEN_THEN_LOWER)
    assert list(account.found.items()) == [("Bill", 0), ("rose", 1)]
    assert account.lost == ["MAY"]


def test_all_takes_every_form_that_exists():
    account = look_up(["bill", "may"], {"bill", "BILL", "May"}, VARIANTS, "all")
    assert list(account.found.items()) == [("bill", 0), ("BILL", 0), ("May", 1)]


@pytest.mark.parametrize(
    ("vocabulary", "forms"),
    [
        ({"Paul", "marie", "fille"}, ["Paul", None, "fille"]),
        ({"paul", "marie", "fille"}, ["paul", "marie", "fille"]),
    ],
)
def test_one_case_tries_lower_case_only_where_no_word_of_the_query_is_found_with_its_capital(
    vocabulary, forms
):
    sets, holds = [["Paul", "Marie"], ["fille"]], vocabulary.__contains__
    own = without_other_cases(Lookup(AS_WRITTEN_THEN_LOWER, "one_case"), sets, holds)
    found = [look_up_set("Set", words, holds, own).form_of for words in sets]
    assert [*found[0], *found[1]] == forms
    # A set by itself has no query, and takes the first form.
    alone = Lookup(AS_WRITTEN_THEN_LOWER, "one_case")
    assert look_up_set("Set", ["Paul"], {"Paul", "paul"}.__contains__, alone).found == {"Paul": 0}


def test_the_prefix_belongs_to_the_form_and_not_to_the_lost_word():
    account = look_up(["Bill", "zz"], {"/c/en/bill", "zz"}, ({"lowercase": True},), prefix="/c/en/")
    assert account.found == {"/c/en/bill": 0}
    assert account.lost == ["zz"]


def test_a_duplicate_is_found_and_not_lost():
    # WEFE counts 1 of 3 words as lost here.
    account = look_up(["man", "man", "boy"], {"man", "boy"})
    assert account.lost == []
    assert account.found == {"man": 0, "boy": 2}
    assert account.duplicated == ["man"]


def test_a_word_that_becomes_equal_to_another_is_a_duplicate():
    account = look_up(["Man", "man", "boy"], {"man", "boy"}, ({"lowercase": True},))
    assert (account.lost, account.duplicated) == ([], ["man"])


letters = st.text("aAb", min_size=1, max_size=2)
preprocessors = st.sampled_from([({},), AS_WRITTEN_THEN_LOWER, VARIANTS])
strategies = st.sampled_from(["first", "all"])


@given(st.lists(letters, min_size=1), st.sets(letters), preprocessors, strategies)
def test_found_words_and_lost_words_are_all_words(words, vocabulary, options, strategy):
    account = look_up(words, vocabulary, options, strategy)
    forms = [[preprocess_word(word, option) for option in options] for word in words]
    n_found = sum(any(form in account.found for form in tried) for tried in forms)
    assert n_found + len(account.lost) == len(words)
    assert set(account.found) <= vocabulary


@given(st.lists(letters, min_size=1), st.sets(letters), preprocessors)
def test_the_strategy_changes_forms_but_not_which_words_are_lost(words, vocabulary, options):
    first, every = (look_up(words, vocabulary, options, how) for how in ("first", "all"))
    assert first.lost == every.lost
    assert set(first.found) <= set(every.found)


def test_a_word_found_in_another_form_is_named_with_the_preprocessor_that_made_it():
    account = look_up(["Ann", "bob"], {"ann", "bob"}, [{}, {"lowercase": True}], "first")
    assert account.respelt == [("Ann", "ann")]
    assert account.preprocessors == {"ann": 1, "bob": 0}


def test_forms_of_several_sets_are_shared():
    accounts = [look_up(words, {"a", "b", "c"}) for words in (["a", "b"], ["b", "c"])]
    assert shared_forms(accounts) == {"b"}


def test_each_word_knows_its_form_also_when_it_is_repeated():
    account = look_up(["a", "A", "lost", "a"], {"a"}, [{}, {"lowercase": True}])
    assert account.form_of == ["a", "a", None, "a"]


@pytest.mark.parametrize(
    ("lost", "total", "threshold"),
    # 1 - 7/10 is above 0.3 in floating point, 3/10 is not.
    [(0, 5, 0.0), (1, 5, 0.2), (4, 20, 0.2), (3, 10, 0.3), (1, 3, 1 / 3), (5, 5, 1.0)],
)
def test_a_set_exactly_at_the_threshold_is_accepted(lost, total, threshold):
    assert rejection([losing(lost, total)], threshold) is None


@pytest.mark.parametrize(
    ("lost", "total", "threshold"), [(1, 100, 0.0), (1, 3, 0.2), (5, 20, 0.2), (4, 10, 0.3)]
)
def test_a_set_above_the_threshold_is_rejected(lost, total, threshold):
    assert rejection([losing(lost, total)], threshold) is not None


@given(st.integers(0, 50), st.integers(1, 50), st.integers(0, 10))
def test_the_threshold_is_a_bound_on_the_exact_fraction(lost, total, tenths):
    lost = min(lost, total)
    rejected = rejection([losing(lost, total)], tenths / 10) is not None
    assert rejected == (10 * lost > tenths * total)


def test_the_rejection_names_each_rejected_set_and_its_lost_words():
    kept = look_up_set("Kept", ["a", "b"], "ab".__contains__, Lookup())
    men = look_up_set("Men", ["a", "x", "y"], "ab".__contains__, Lookup())
    jobs = look_up_set("Jobs", ["z"], "ab".__contains__, Lookup())
    assert rejection([kept, men, jobs], 0.2) == (
        "Men lost 2 of 3 words (x, y), more than the allowed share of 0.2; "
        "Jobs lost 1 of 1 words (z), more than the allowed share of 0.2"
    )


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"preprocessors": ()}, TypeError, "non-empty list"),
        ({"preprocessors": {"lowercase": True}}, TypeError, "non-empty list"),
        ({"preprocessors": [{"lowecase": True}]}, TypeError, "Did you mean 'lowercase'"),
        ({"preprocessors": ["lowercase"]}, TypeError, "must be a dict of options"),
        ({"strategy": "any"}, ValueError, "'first' or 'all' or 'one_case', got 'any'"),
    ],
)
def test_a_policy_that_does_not_exist_is_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        Lookup(**arguments)


def test_several_forms_of_one_word_do_not_make_up_for_lost_words():
    # WEFE counts three vectors for three words here, so none as lost.
    account = look_up(["man", "zz1", "zz2"], {"man", "MAN", "Man"}, VARIANTS, "all")
    assert len(account.found) == 3
    assert account.lost == ["zz1", "zz2"]
    assert account.share_lost == 2 / 3


def test_a_word_is_lost_once_however_many_forms_were_tried():
    account = look_up(["WOMAN", "Zebra", "cAr"], {"car"}, AS_WRITTEN_THEN_LOWER)
    assert account.lost == ["WOMAN", "Zebra"]


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
