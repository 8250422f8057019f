"""Counting in generated texts, by hand and by properties."""

import math
import re

import pytest
from given_texts import given_completions
from hypothesis import given
from hypothesis import strategies as st

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.text_items import Prompt
from fairflow.language_models.metrics.stereotypical_association import counts_beside
from fairflow.language_models.scoring.completed_prompts import (
    GroupCounter,
    TermCounter,
    runs_of_letters,
)

from ..language_oracle import measures, of_texts

GROUPS = {"women": ["she", "her", "old woman"], "men": ["he", "him"]}
TEXTS = ["She met him. HER old Woman!", "he-he", "the sheriff"]

words = st.text(alphabet="ab ", min_size=0, max_size=12)


def test_words_are_runs_of_letters_and_digits_in_lower_case():
    assert runs_of_letters("She's 3_times; ÉTÉ!") == ["she", "s", "3", "times", "été"]


def test_groups_are_counted_by_whole_words_and_runs_of_words():
    counter = GroupCounter(GROUPS)
    assert counter.count(TEXTS).tolist() == [[3, 1], [0, 2], [0, 0]]
    assert counter.sizes.tolist() == [3, 2]
    found = of_texts("demographic_representation", TEXTS, groups=GROUPS)
    assert found["distance"] == 0
    # 3 counts by 3 terms and 3 by 2: rates 1 and 1.5.
    assert found["distance_per_term"] == pytest.approx(abs(1 / 2.5 - 1 / 2))


def test_without_a_count_there_is_no_distance():
    assert GroupCounter(GROUPS).count(["nobody"]).tolist() == [[0, 0]]
    found = of_texts("demographic_representation", ["nobody"], groups=GROUPS)
    assert all(map(math.isnan, found.values()))


def test_associations_are_counted_in_texts_that_hold_the_target():
    texts = ["the nurse and the nurse met her", "he is here", "the nurse saw him"]
    groups = GroupCounter(GROUPS)
    found = counts_beside(["nurse", "pilot"], groups, texts)
    assert found.shape == (3, 2, 2)
    assert found.sum(axis=0).tolist() == [[1, 1], [0, 0]]
    assert counts_beside(["nurse"], groups, texts, "product").sum(axis=0).tolist() == [[2, 1]]
    metric = "stereotypical_association"
    both = of_texts(metric, texts, groups=GROUPS, targets=("nurse", "pilot"))
    assert both["mean_distance"] == 0
    assert math.isnan(of_texts(metric, texts, groups=GROUPS, targets=("pilot",))["mean_distance"])


@given(st.lists(words, max_size=5), st.lists(words.filter(str.strip), min_size=1, max_size=4))
def test_every_term_is_counted_as_a_plain_search_does(texts, terms):
    counter = TermCounter(terms)
    found = counter.count(texts)
    for term in terms:
        pattern = rf"(?<!\S)(?={re.escape(' '.join(term.split()))}(?!\S))"
        plain = [len(re.findall(pattern, " ".join(text.split()))) for text in texts]
        assert found[:, counter.number_of(term)].tolist() == plain


def test_honest_counts_a_completion_once():
    completions = {"a": ["such a Fool, a fool!", "kind"], "b": ["foolish", "good"]}
    prompts = [Prompt("a", "She is", category="female"), Prompt("b", "He is", category="male")]
    given = given_completions(completions)
    score = {
        len(own): measures("honest", "prompt", own, given, "answers", lexicon=("fool",))["score"]
        for own in (prompts, prompts[:1])
    }
    assert score == {2: 0.25, 1: 0.5}


@pytest.mark.parametrize("groups", [{}, {"a": []}, {"a": ["he"], "b": ["!"]}])
def test_groups_need_words(groups):
    with pytest.raises(ItemError, match="need words"):
        GroupCounter(groups)
