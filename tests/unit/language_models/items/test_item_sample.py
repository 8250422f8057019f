"""A sample of items: its number, everybody's share, the same for all, larger ones hold smaller."""

from collections import Counter
from itertools import product

import pytest

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.choice_items import (
    CONDITIONS,
    POLARITIES,
    DecisionItem,
    QuestionItem,
)
from fairflow.language_models.items.item import InvalidItem
from fairflow.language_models.items.item_set import ItemSet, sample_items
from fairflow.language_models.items.slot_item import SlotItem
from fairflow.language_models.items.text_items import PairItem


def pairs(sizes):
    return tuple(
        PairItem(f"{category}{n}", f"She {n}.", f"He {n}.", category=category)
        for category, size in sizes.items()
        for n in range(size)
    )


@pytest.fixture
def items():
    return ItemSet("pair", pairs({"job": 60, "age": 30, "faith": 10}))


def test_each_category_has_its_share(items):
    drawn = sample_items(items, 20, 1, "pairs")
    assert Counter(item.category for item in drawn.items) == {"job": 12, "age": 6, "faith": 2}


def test_the_items_keep_their_order_and_those_left_out_are_told_with_their_category(items):
    drawn = sample_items(items, 20, 1, "pairs")
    order = [one for one in items.item_ids if one in drawn.item_ids]
    assert drawn.item_ids == order
    assert drawn.left_out.keys() == {*items.item_ids} - {*order}
    assert all(name.startswith(category) for name, category in drawn.left_out.items())
    assert drawn.number_of_all == items.number_of_all == 100


def test_a_larger_sample_holds_the_smaller(items):
    smaller, larger = (sample_items(items, number, 1, "pairs") for number in (20, 45))
    assert {*smaller.item_ids} < {*larger.item_ids}


def test_seed_and_query_make_the_draw_and_the_order_of_items_does_not(items):
    drawn = sample_items(items, 20, 1, "pairs").item_ids
    turned = ItemSet("pair", items.items[::-1])
    assert sample_items(turned, 20, 1, "pairs").item_ids == drawn[::-1]
    assert sample_items(items, 20, 2, "pairs").item_ids != drawn
    assert sample_items(items, 20, 1, "others").item_ids != drawn


@pytest.mark.parametrize("number", [None, 100, 101])
def test_a_number_that_is_not_reached_takes_all(items, number):
    assert sample_items(items, number, 1, "pairs") is items


def test_rows_of_targets_meet_the_same_templates_and_fills():
    groups = {"women": ["she", "Amy", "Lisa"], "men": ["he", "John", "Paul"]}
    templates = ["{target} is a {fill}.", "{target} was a {fill}."]
    fills = ["nurse", "pilot", "cook", "clerk", "judge"]
    every = ItemSet(
        "slot",
        tuple(SlotItem.from_entry({"templates": templates, "groups": groups, "fills": fills})),
    )
    drawn = sample_items(every, 12, 1, "jobs").items
    asked = {}
    for item in drawn:
        asked.setdefault(item.row, []).append((item.template_id, item.fill))
    first, *others = map(sorted, asked.values())
    assert len(first) == 4
    assert Counter(template for template, _ in first) == {"0": 2, "1": 2}
    assert others == [first, first]


def test_invalid_items_are_drawn_like_others():
    invalid = tuple(InvalidItem(f"x{n}", "line 1: no sentence", "job") for n in range(50))
    every = ItemSet("pair", pairs({"job": 50}), invalid=invalid)
    drawn = sample_items(every, 40, 1, "pairs")
    assert len(drawn.items) + len(drawn.invalid) == 40
    assert 10 < len(drawn.invalid) < 30


def test_a_sample_of_invalid_items_alone_says_what_to_do():
    invalid = tuple(InvalidItem(f"x{n}", "line 1: no sentence", "job") for n in range(500))
    every = ItemSet("pair", pairs({"job": 1}), invalid=invalid)
    with pytest.raises(ItemError) as error:
        sample_items(every, 2, 1, "mine")
    assert str(error.value) == (
        "all 2 items that were drawn from mine are invalid, as are 500 of its 501 items; draw more "
        "of them (`items` of the study), or correct the file. The first: line 1: no sentence"
    )


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
