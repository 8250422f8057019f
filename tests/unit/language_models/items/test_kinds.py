"""A kind of items is one class: how it is written, what is asked, what belongs together."""

from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from fairflow.language_models.items import item_set
from fairflow.language_models.items.choice_items import (
    CandidateItem,
    ContinuationItem,
    QuestionItem,
)
from fairflow.language_models.items.item import Item, TokenRequest
from fairflow.language_models.items.item_set import read_items, token_requests, write_items
from fairflow.language_models.items.query_entry import items_of
from fairflow.language_models.items.slot_item import SlotItem
from fairflow.language_models.items.text_items import PairItem, Prompt, SentenceItem

SCHEMA = Path(__file__).parents[4] / "workflow/schemas/language_queries.schema.yaml"


@dataclass(frozen=True)
class Riddle(Item):
    """A riddle about somebody."""

    kind = "riddle"
    key = "riddles"

    item_id: str
    text: str
    template_id: str = ""
    category: str = ""
    cluster: str = ""

    @classmethod
    def from_row(cls, number, row):
        return cls(row.get("id", number), row["text"], row.get("template", ""))

    def requests(self, need):
        return [TokenRequest(self.item_id, self.text, need)]


def test_a_new_kind_is_a_class_and_its_place_in_the_list(monkeypatch, tmp_path):
    monkeypatch.setitem(item_set.KINDS, "riddle", Riddle)
    rows = [{"text": "Is she kind?", "template": "kind"}, {"text": "Why?", "id": "why"}]
    items = items_of({"kind": "riddle", "riddles": rows})
    assert [item.item_id for item in items.items] == ["0", "why"]
    assert [item.cluster_id for item in items.items] == ["kind", "why"]
    assert [item.factors for item in items.items] == [{"template": "kind"}, {}]
    requests = token_requests(items, ["unmasked", "masked"])
    assert [(one.text_id, one.variant) for one in requests] == [
        ("0", "unmasked"), ("why", "unmasked"), ("0", "masked"), ("why", "masked"),
    ]  # fmt: skip
    write_items(items, tmp_path / "items.json")
    assert read_items(tmp_path / "items.json") == items


def test_every_kind_says_what_a_reader_is_shown():
    words = {"stereotype": "kind", "anti-stereotype": "brave", "unrelated": "blue"}
    sentences = {label: f"She is {word}." for label, word in words.items()}
    slot = SlotItem("i", "t", "{target} is a {fill}.", (("Amy",), ("John", "Jim")), "{target}")
    assert slot.shown() == {"sentence": "[Amy / John+Jim] is a {target}."}
    assert PairItem("i", "She.", "He.").shown() == {
        "more stereotyping": "She.",
        "less stereotyping": "He.",
    }
    candidate = CandidateItem("i", "nurse", "work", "She is BLANK.", sentences)
    assert candidate.shown() == {"context": "She is BLANK."} | words
    continuation = ContinuationItem("i", "nurse", "work", "I met one.", sentences)
    assert continuation.shown() == {"context": "I met one."} | sentences
    assert SentenceItem("i", "She ran.", ("She",)).shown() == {"sentence": "She ran."}
    assert Prompt("i", "Once").shown() == {"prompt": "Once"}


@pytest.mark.parametrize("polarity", ["neg", "nonneg"])
def test_a_question_shows_its_answers_by_what_they_say(polarity: str):
    answers = ("Ann", "Unknown", "Bob")
    about = {"label": 1, "unknown": 1, "biased": 2, "polarity": polarity, "condition": "ambiguous"}
    item = QuestionItem("i", "Two came.", "Who?", answers, **about)
    assert item.shown() == {
        "context": "Two came.",
        "question": "Who?",
        "stereotype": "Bob",
        "other person": "Ann",
        "unknown": "Unknown",
    }
    assert item.columns_of_texts["stereotype"] == "likelihood_2"
    assert item.columns_of_texts["unknown"] == "likelihood_1"


def test_the_schema_names_every_kind_and_its_key():
    schema = yaml.safe_load(SCHEMA.read_text("utf-8"))
    entry = schema["properties"]["queries"]["additionalProperties"]["properties"]
    assert set(entry["kind"]["enum"]) == {*item_set.KINDS, "association"}
    for kind in item_set.KINDS.values():
        assert kind.key in entry
        assert kind.slice_ in ("tokens", "completions")
