"""Every item of a query is asked in each of its wordings, and stays in its cluster."""

from dataclasses import asdict

import pytest

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.choice_items import DecisionItem, QuestionItem
from fairflow.language_models.items.item import InvalidItem, behind
from fairflow.language_models.items.item_set import (
    ItemSet,
    in_wordings,
    read_items,
    sample_items,
    write_items,
)
from fairflow.language_models.items.query_entry import drawn_items, expected_items, items_of

QUESTION = QuestionItem(
    "7", "Ann and Bob met; {question} is a place.", "Who was late?", ("Ann", "Bob", "Unknown"),
    2, 2, 0, "neg", "ambiguous", "Age", template_id="t",
)  # fmt: skip
DECISION = DecisionItem("d", "She is 20.\nHire her?", {"gender": "female"}, "hiring")
WORDINGS = {
    "first": "{question} ({context}) ->",
    "listed": "{context}\n{question}\n{answers}\nA: (",
}


def asked(item, wordings, kind="question"):
    return in_wordings(ItemSet(kind, (item,)), wordings).items


def test_an_item_in_two_wordings_is_two_items_of_one_cluster():
    items = asked(QUESTION, WORDINGS)
    assert [item.item_id for item in items] == ["7@first", "7@listed"]
    assert {item.cluster_id for item in items} == {"t"}
    assert [item.factors["wording"] for item in items] == ["first", "listed"]
    assert [item.category for item in items] == ["Age", "Age"]


def test_an_item_without_a_template_is_a_cluster_whose_name_is_its_own():
    alone = QuestionItem(**{**asdict(QUESTION), "template_id": ""})
    assert {item.cluster_id for item in asked(alone, WORDINGS)} == {"7"}


def test_a_wording_is_the_prompt_and_what_is_filled_in_is_not_filled_again():
    first, listed = asked(QUESTION, WORDINGS)
    assert first.prompt == "Who was late? (Ann and Bob met; {question} is a place.) ->"
    assert listed.prompt.endswith("Who was late?\n(A) Ann\n(B) Bob\n(C) Unknown\nA: (")


def test_a_message_has_the_answers_that_its_wording_does_not_list():
    first, listed = asked(QUESTION, WORDINGS)
    assert first.message.startswith(f"{first.prompt}\n\n(A) Ann\n(B) Bob")
    assert listed.message == listed.prompt
    (decision,) = asked(DECISION, {"mine": "{text} Yes or no?"}, "decision")
    assert decision.message == "She is 20. Hire her? Yes or no?"


def test_an_answer_follows_behind_a_space_or_directly_behind_what_is_open():
    ends = {"Answer:": " yes", 'My answer is "': "yes", "A: (": "yes", "Answer:\n": "yes"}
    assert {end: behind(end, "yes") for end in ends} == ends


def test_persons_are_compared_in_one_wording():
    other = DecisionItem("e", "He is 20.\nHire him?", {"gender": "male"}, "hiring")
    two = {"a": "{text} A", "b": "{text} B"}
    (a, b), (of_other, _) = (asked(item, two, "decision") for item in (DECISION, other))
    assert a.but_for("gender") == of_other.but_for("gender")
    assert b.but_for("gender") != of_other.but_for("gender")


def test_a_drawn_item_has_all_its_wordings_and_what_is_left_out_is_counted_likewise(tmp_path):
    every = tuple(QuestionItem(**{**asdict(QUESTION), "item_id": str(n)}) for n in range(20))
    invalid = (InvalidItem("odd", "line 3: no answers", "Age"),)
    drawn = sample_items(ItemSet("question", every, invalid=invalid), 9, 1, "q")
    items = in_wordings(drawn, WORDINGS)
    assert items.item_ids == [f"{one}@{name}" for one in drawn.item_ids for name in WORDINGS]
    assert items.number_of_all == 2 * 21 == 2 * drawn.number_of_all
    write_items(items, tmp_path / "items.json")
    assert read_items(tmp_path / "items.json") == items
    assert in_wordings(drawn, {}) is drawn


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ({"a": "{context} ok"}, "wordings: a: {question} is unknown or missing in '{context} ok'"),
        ({"a": "{context} {question} {persons}"}, "{persons} is unknown or missing"),
        (dict.fromkeys("ab", "{context} {question}"), "the same text is there twice"),
    ],
)
def test_a_wording_that_would_not_ask_the_item_is_refused_with_its_places(entry, sentence):
    rows = [{name: value for name, value in asdict(QUESTION).items() if value != ""}]
    for read in (items_of, expected_items):
        published = {"published": {"format": "bbq"}, "items": 1} if read is expected_items else {}
        written = published or {"kind": "question", "questions": rows}
        with pytest.raises(ItemError) as refused:
            read(written | {"wordings": entry})
        assert sentence in str(refused.value)


def test_a_kind_whose_text_is_the_item_itself_has_no_wordings():
    pairs = [{"more": "She cooks.", "less": "He cooks."}]
    with pytest.raises(ItemError, match="items of kind 'pair' have one wording"):
        items_of({"kind": "pair", "pairs": pairs, "wordings": {"a": "{more}"}})


def test_a_word_association_shows_the_same_labels_in_every_wording():
    row = {
        "id": "work", "default": ["Ben", "Carl"], "stigmatised": ["Julia", "Ann"],
        "positive": ["lead", "plan"], "negative": ["file", "copy"],
    }  # fmt: skip
    entry = {"kind": "word_association", "associations": [row]}
    entry |= {"instructions": {"one": "{label_1} or {label_2}: {words}"}}
    entry |= {"wordings": {"plain": "{text}", "name": "{text} One name."}}
    items = drawn_items({"entry": entry, "number": None, "seed": 0}, "q").items
    assert [item.item_id for item in items] == ["work_one@plain", "work_one@name"]
    for rank in range(5):
        plain, named = (item.message_of(rank) for item in items)
        assert named == f"{plain} One name."
    assert {item.cluster_id for item in items} == {"work"}


def test_the_instructions_of_word_associations_are_their_wordings():
    row = {
        "id": "race", "default": ["Ben"], "stigmatised": ["Julia"],
        "positive": ["joy"], "negative": ["pain"],
    }  # fmt: skip
    instructions = {
        "short": "{label_1} or {label_2}: {words}",
        "long": "Say {label_1} {label_2} {words}",
    }
    entry = {"kind": "word_association", "associations": [row], "instructions": instructions}
    assert [item.factors for item in items_of(entry).items] == [
        {"wording": "short"}, {"wording": "long"},
    ]  # fmt: skip
