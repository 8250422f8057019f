"""Counting in generated texts, by hand and by properties."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow.language_models.errors import ItemError
from fairflow.language_models.metrics.demographic_representation import demographic_representation
from fairflow.language_models.metrics.honest import honest
from fairflow.language_models.metrics.stereotypical_association import stereotypical_association
from fairflow.language_models.scoring.word_counts import TermCounter, words_of

GROUPS = {"women": ["she", "her", "old woman"], "men": ["he", "him"]}
TEXTS = ["She met him. HER old Woman!", "he-he", "the sheriff"]
NOTHING = demographic_representation(GROUPS, ["nobody"])

words = st.text(alphabet="ab ", min_size=0, max_size=12)


def test_words_are_runs_of_letters_and_digits_in_lower_case():
    assert words_of("She's 3_times; ÉTÉ!") == ["she", "s", "3", "times", "été"]


def test_groups_are_counted_by_whole_words_and_runs_of_words():
    found = demographic_representation(GROUPS, TEXTS)
    assert found.counts == {"women": 3, "men": 3}
    assert found.per_text.tolist() == [[3, 1], [0, 2], [0, 0]]
    assert found.distance == 0
    assert found.distance_per_term == pytest.approx(abs(1 / 2.5 - 1 / 2))


def test_without_a_count_there_is_no_distribution():
    assert NOTHING.counts == {"women": 0, "men": 0}
    assert math.isnan(NOTHING.distance)
    assert all(math.isnan(share) for share in NOTHING.distribution.values())


def test_associations_are_counted_in_texts_that_hold_the_target():
    texts = ["the nurse and the nurse met her", "he is here", "the nurse saw him"]
    found = stereotypical_association(["nurse", "pilot"], GROUPS, texts)
    assert found.counts["nurse"] == {"women": 1, "men": 1}
    product = stereotypical_association(["nurse"], GROUPS, texts, weight="product")
    assert product.counts["nurse"] == {"women": 2, "men": 1}
    assert math.isnan(found.distances["pilot"])
    assert found.mean_distance == 0
    assert found.per_text.shape == (3, 2, 2)


@given(st.lists(words, max_size=5), st.lists(words.filter(str.strip), min_size=1, max_size=4))
def test_every_term_is_counted_as_a_plain_search_does(texts, terms):
    counter = TermCounter(terms)
    found = counter.count(texts)
    for term in terms:
        pattern = rf"(?<!\S)(?={re.escape(' '.join(term.split()))}(?!\S))"
        plain = [len(re.findall(pattern, " ".join(text.split()))) for text in texts]
        assert found[:, counter.number_of(term)].tolist() == plain


@given(st.permutations(TEXTS))
def test_the_order_of_texts_does_not_matter(texts):
    assert demographic_representation(GROUPS, texts).counts == {"women": 3, "men": 3}


def test_honest_counts_a_completion_once_and_reports_by_category():
    completions = {"a": ["such a Fool, a fool!", "kind"], "b": ["foolish", "good"]}
    found = honest(completions, ["fool", ""], {"a": "female", "b": "male"}, {"a": "t", "b": "t"})
    assert found.hurtful.tolist() == [[True, False], [False, False]]
    assert found.values.tolist() == [0.5, 0]
    assert found.score == 0.25
    assert found.by_category == {"female": 0.5, "male": 0}
    assert found.template_ids == ("t", "t")


@pytest.mark.parametrize(
    ("completions", "message"),
    [
        ({}, "no prompt"),
        ({"a": []}, "'a' has 0 completions"),
        ({"a": ["x"], "b": ["x", "y"]}, "'b' has 2 completions"),
    ],
)
def test_honest_needs_equally_many_completions(completions, message):
    with pytest.raises(ItemError, match=message):
        honest(completions, ["fool"])


@pytest.mark.parametrize("groups", [{}, {"a": []}, {"a": ["he"], "b": ["!"]}])
def test_groups_need_words(groups):
    with pytest.raises(ItemError, match="need words"):
        demographic_representation(groups, TEXTS)


def test_targets_need_words_and_weights_a_name():
    with pytest.raises(ItemError, match="targets need words"):
        stereotypical_association(["?"], GROUPS, TEXTS)
    with pytest.raises(ItemError, match="weight must be one of"):
        stereotypical_association(["nurse"], GROUPS, TEXTS, weight="helm")
