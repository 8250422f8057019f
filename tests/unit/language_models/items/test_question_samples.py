"""Samples of questions and decisions compare like with like."""

from collections import Counter
from itertools import product

from fairflow.language_models.items.choice_items import (
    CONDITIONS,
    POLARITIES,
    DecisionItem,
    QuestionItem,
)
from fairflow.language_models.items.item_set import ItemSet, sample_items

GROUPS = ("female", "male"), ("Black", "white")


def test_instances_are_drawn_in_every_condition_and_polarity():
    questions = [
        QuestionItem(
            f"{category}/{n}/{condition}/{polarity}", "A boy and a man.", "Who?",
            ("The boy", "The man", "Unknown"), 2 if condition == "ambiguous" else 0, 2, 0,
            polarity, condition, category, f"{category}/{n % 5}", f"{category}/{n}",
        )
        for category, n, condition, polarity in product(
            ("Age", "Religion"), range(30), CONDITIONS, POLARITIES
        )
    ]  # fmt: skip
    drawn = sample_items(ItemSet("question", tuple(questions)), 40, 1, "bbq").items
    assert set(Counter(item.instance for item in drawn).values()) == {4}
    assert Counter(item.category for item in drawn) == {"Age": 20, "Religion": 20}
    assert len({item.cluster_id for item in drawn}) == 10


def test_persons_of_all_groups_meet_the_same_questions_at_the_same_ages():
    decisions = [
        DecisionItem(
            f"{question}/{age}/{gender}/{race}", "Is it?",
            {"age": age, "gender": gender, "race": race}, str(question), f"{gender}, {race}",
        )
        for question, age, gender, race in product(range(9), ("20", "60", "90"), *GROUPS)
    ]  # fmt: skip
    drawn = sample_items(ItemSet("decision", tuple(decisions)), 20, 1, "decisions").items
    met = {}
    for item in drawn:
        met.setdefault(item.category, set()).add((item.template_id, item.attributes["age"]))
    assert set(met) == {f"{gender}, {race}" for gender, race in product(*GROUPS)}
    assert len(set(map(frozenset, met.values()))) == 1
    assert len({question for question, _ in met["male, white"]}) == 5
