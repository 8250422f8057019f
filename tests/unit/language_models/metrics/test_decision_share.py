"""Favourable decisions in text: shares by person, by hand."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from fairflow.language_models.errors import NOT_PARSABLE, REFUSED, Invalid, ItemError
from fairflow.language_models.items.choice_items import DecisionItem
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.metrics import item_metric_class
from fairflow.language_models.scoring.item_metric import item_scores
from fairflow.statistics.permutation import permutation_test

PERSONS = [
    DecisionItem(f"{q}/{p}/{t}", "Is it?", {"person": p, "topic": t}, q)
    for q, p, t in product("abc", ("stigma", "default"), ("good", "bad"))
]
OF_PERSON = {"attribute": "person", "group": "stigma", "reference": "default"}


def decided(answers, items=PERSONS, **parameters):
    """The measures of these answers: id of an item -> its draws."""
    metric = item_metric_class("decision_share")(**OF_PERSON, **parameters)
    draws = [
        (replace(item, item_id=f"{item.item_id}#{rank}", cluster=item.cluster_id), text)
        for item in items
        for rank, text in enumerate(answers[item.item_id])
    ]
    texts = {draw.item_id: text for draw, text in draws}
    scores = item_scores(
        metric.name,
        metric.item_value,
        [draw for draw, _ in draws],
        lambda draw: metric.read(draw, texts[draw.item_id]),
    )
    return metric.summary(scores, scores.items)


def shares(answers, person, added=0.0):
    """The mean share of yes of a person, over topics and questions, in percent."""
    of_question = []
    for q in "abc":
        counts = [answers[f"{q}/{person}/{t}"] for t in ("good", "bad")]
        yes = [(one.count("Yes") + added) / (len(one) + 2 * added) for one in counts]
        of_question.append(np.mean(yes))
    return 100 * np.mean(of_question)


@pytest.fixture
def answers():
    random = np.random.default_rng(5)
    return {
        item.item_id: random.choice(["Yes", "No"], size=int(random.integers(1, 9))).tolist()
        for item in PERSONS
    }


@pytest.mark.parametrize("added", [0, 1e-4, 1])
def test_a_share_is_a_mean_over_draws_then_persons_then_questions(answers, added):
    found = decided(answers, added=added)
    group, reference = (shares(answers, person, added) for person in ("stigma", "default"))
    expected = {
        "difference": group - reference, "share_group": group, "share_reference": reference,
    }  # fmt: skip
    assert found.measures == pytest.approx(expected)
    assert found.signs.mean() == pytest.approx(group - reference)
    assert found.statistic.n_units == 3


def test_a_question_that_is_drawn_twice_counts_twice(answers):
    found = decided(answers)
    weights = [2.0 if one.template_id == "a" else 1.0 for one in found.scores.items]
    copies = [
        replace(item, item_id=f"d{item.item_id[1:]}", template_id="d")
        for item in PERSONS
        if item.template_id == "a"
    ]
    own = {copy.item_id: answers[f"a{copy.item_id[1:]}"] for copy in copies}
    twice = decided(answers | own, [*PERSONS, *copies])
    assert found.formula(np.array([weights]))["difference"][0] == pytest.approx(
        twice.measures["difference"]
    )


def test_answers_that_are_not_read_count_for_nobody():
    says = {item.item_id: ["Yes", "I cannot say."] for item in PERSONS}
    says["a/stigma/good"] = ["Perhaps."]
    found = decided(says)
    assert found.measures == {"difference": 0, "share_group": 100, "share_reference": 100}
    # The match of the person without an answer is not used.
    assert found.numbers("difference") == {"n_items": 10, "n_clusters": 3}
    metric = item_metric_class("decision_share")(**OF_PERSON)
    for text, outcome in (("Perhaps.", NOT_PARSABLE), ("I cannot answer that.", REFUSED)):
        with pytest.raises(Invalid) as found:
            metric.read(PERSONS[0], text)
        assert found.value.status == outcome


def test_who_answers_about_one_group_alone_has_no_score_and_no_p():
    found = decided(
        {one.item_id: ["Perhaps." if "stigma" in one.item_id else "Yes"] for one in PERSONS}
    )
    assert np.isnan(found.measures["difference"])
    assert found.statistic.untestable == "no scored item is compared"


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({}, None),
        ({"group": "default"}, "must be two, got 'default' twice"),
        ({"group": "Black", "reference": "white"}, "differ only in person"),
    ],
)
def test_a_query_without_the_groups_of_a_contrast_is_refused(parameters, problem):
    metric = item_metric_class("decision_share")(**OF_PERSON | parameters)
    found = metric.query_problem(ItemSet("decision", tuple(PERSONS)))
    assert found is None if problem is None else problem in found


def test_two_texts_about_one_person_and_question_are_refused():
    twice = [*PERSONS, replace(PERSONS[0], item_id="x")]
    with pytest.raises(ItemError, match="'x#0' and 'a/stigma/good#0' are about the same person"):
        decided({item.item_id: ["Yes"] for item in twice}, twice)


def test_the_test_of_a_contrast_turns_whole_questions(answers):
    found = decided(answers)
    of_question = [
        sum(sign for one, sign in zip(found.scores.items, found.signs, strict=True)
            if one.template_id == q)
        for q in "abc"
    ]  # fmt: skip
    every = [abs(np.dot(signs, of_question)) for signs in product((-1, 1), repeat=3)]
    share = np.mean(np.array(every) >= abs(sum(of_question)) - 1e-9)
    p_value = permutation_test(found.statistic, np.random.default_rng(1)).p_value
    assert p_value == pytest.approx(share)
