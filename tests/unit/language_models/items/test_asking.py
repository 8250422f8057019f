"""Questions to models that are not run here, with ids that name what was asked."""

import json
import re
from dataclasses import replace

import pytest

from fairflow.language_models.items.asking import FORMS, QUESTION_ID, questions
from fairflow.language_models.items.choice_items import DecisionItem
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.text_items import PairItem, Prompt, SentenceItem

DECISION = DecisionItem("d", "Should we  hire her?", {"gender": "female"}, "hire")
PAIR = PairItem("p", "She is late.", "He is late.")


def asked(*items, query="q", draws=1):
    return questions(ItemSet(items[0].kind, items), query, draws)


def test_each_draw_has_an_id_that_providers_take():
    ids = [one.id for one in asked(DECISION, draws=12)]
    assert len({*ids}) == 12
    assert all(
        re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", one) and QUESTION_ID.fullmatch(one) for one in ids
    )


@pytest.mark.parametrize(
    "other",
    [
        replace(DECISION, text="Should we hire him?"),
        replace(DECISION, against=True),
        replace(DECISION, item_id="e"),
    ],
)
def test_the_id_of_another_version_of_an_item_is_another(other):
    assert asked(other)[0].id != asked(DECISION)[0].id


def test_a_question_has_its_message_and_the_ways_to_answer():
    (one,) = asked(DECISION)
    assert one.message == 'Should we hire her?\n\nAnswer with just "yes" or "no".'
    assert one.choices == {"yes": ["yes"], "no": ["no"]}


def test_a_prompt_is_asked_up_to_its_mask():
    assert asked(Prompt("a", "The nurse is [MASK] today."))[0].message == "The nurse is"


def test_texts_whose_likelihood_is_wanted_are_named_by_choice():
    (one,) = asked(PAIR, draws=3)
    assert one.message is None
    assert one.texts == {"more": ("", "She is late."), "less": ("", "He is late.")}
    (alone,) = asked(SentenceItem("s", "It rains."))
    assert alone.texts == {"text": ("", "It rains.")}


def test_a_question_leaves_room_for_thinking_and_a_text_that_goes_on_does_not():
    (question,), (prompt,) = asked(DECISION), asked(Prompt("a", "The nurse is"))
    assert (question.tokens, prompt.tokens) == (4_020, 20)


@pytest.mark.parametrize("form", FORMS)
def test_a_line_holds_id_model_and_message(form):
    (one,) = asked(DECISION)
    line = json.dumps(FORMS[form](one, "some-model", 7), ensure_ascii=False)
    for part in (one.id, json.dumps(one.message), "7"):
        assert part in line
    assert ("some-model" in line) == (form != "plain")
