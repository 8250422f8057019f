"""Arguments that the compatibility layer refuses."""

import math

import pytest

from fairflow.language_models.errors import ItemError

ONE = (["[MASK] is a [MASK]."], [("he", "she")], ["nurse"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["He is a [MASK]."], *ONE[1:]), r"sentence 0: .* must have two \[MASK\], found 1"),
        ((["He is here."], *ONE[1:]), "found 0"),
        ((["[MASK] [MASK] [MASK]"], *ONE[1:]), "found 3"),
        (([], [], []), "at least one entry"),
        ((ONE[0], [("he", "she", "it")], ONE[2]), "compares 2 targets, found 3"),
        ((ONE[0], [("he", "")], ONE[2]), "empty target or fill"),
        ((ONE[0] * 2, ONE[1] * 2, ONE[2]), "2 sentences, 2 target_words, 1 fill_words"),
        ((*ONE, [2]), "mask_index must be 0 or 1"),
        ((*ONE, [0, 1]), "2 mask_indices"),
        (("[MASK] is a [MASK].", *ONE[1:]), "single text"),
    ],
)
def test_lpbs_refuses_arguments_that_do_not_fit(arguments, message, compat, both):
    with pytest.raises(ItemError, match=message):
        compat.LPBS(*both, *arguments)


def test_cbs_takes_tuples_of_unequal_length(compat, both):
    groups = [("he", "she"), ("john", "mary", "anna")]
    found = compat.CBS(*both, ["[MASK] is a [MASK]."] * 2, groups, ["nurse"] * 2, [0, 0])
    assert len(found) == 2
    assert not found.isnan().any()


def test_sentences_may_differ_in_length_and_an_invalid_one_is_nan(compat, both, caplog):
    found = compat.CPS(*both, ["He is here.", "She was a very good nurse.", "It"], ["He"] * 3)
    assert [math.isnan(value) for value in found] == [False, True, True]
    assert "sentence 1 is not scored: 'He' is not in" in caplog.text
    assert math.isnan(compat.AUL(*both, ["", "He is here."])[0])


@pytest.mark.parametrize(
    ("completions", "message"),
    [([], r"found \[\]"), ([[]], r"found \[0\]"), ([["x"], ["x", "y"]], r"found \[1, 2\]")],
)
def test_honest_needs_equally_many_completions(completions, message, compat):
    with pytest.raises(ItemError, match=message):
        compat.HONEST(completions, ["fool"])


@pytest.mark.parametrize("call", ["CPS", "AUL"])
def test_empty_lists_are_refused(call, compat, both):
    arguments = ([], []) if call == "CPS" else ([],)
    with pytest.raises(ItemError, match="at least one entry"):
        getattr(compat, call)(*both, *arguments)


def test_weat_takes_sets_of_any_size_and_gives_nan_for_an_empty_one(compat, both):
    metric = compat.BertWEAT(*both).metric
    found = metric(["nurse", "kid"], ["doctor"], ["he", "john"], ["she"])
    assert not math.isnan(found["effect_size"])
    assert math.isnan(metric([], ["doctor"], ["he"], ["she"])["effect_size"])
    assert metric(["ноль"], ["doctor"], ["he"], ["she"])["W1_size"] == 0
