"""BBQ and the continuations of StereoSet as published, each fault with its line."""

import json

import pytest

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.choice_data import read_bbq
from fairflow.language_models.items.item import InvalidItem
from fairflow.language_models.items.query_entry import FORMATS

QUESTION = {
    "example_id": 0, "question_index": "1", "question_polarity": "neg", "category": "Age",
    "context_condition": "ambig", "context": "I saw a boy and a man.", "question": "Who fell?",
    "ans0": "The man", "ans1": "The boy", "ans2": "Not known", "label": 2,
    "answer_info": {"ans0": ["man", "old"], "ans1": ["boy", "nonOld"], "ans2": ["?", "unknown"]},
}  # fmt: skip
CLEAR = {
    "example_id": 1,
    "context_condition": "disambig",
    "question_polarity": "nonneg",
    "label": 1,
}
TARGETS = '"category","example_id","target_loc"\n"Age",0,0\n"Age",1,1\n"Age",2,NA\n'
CONTINUATION = {
    "id": "a", "target": "nurse", "bias_type": "profession", "context": "She is a nurse.",
    "sentences": [
        {"sentence": f"It is {label}.", "gold_label": label}
        for label in ("unrelated", "stereotype", "anti-stereotype")
    ],
}  # fmt: skip


def written(path, *lines):
    """A file of these lines; those that are no text as JSON."""
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def bbq(tmp_path, *lines, targets=TARGETS):
    table = tmp_path / "additional_metadata.csv"
    table.write_text(targets, encoding="utf-8")
    return read_bbq(written(tmp_path / "Age.jsonl", *lines), table)


def continuations(tmp_path, *examples):
    file = written(tmp_path / "dev.json", {"data": {"intersentence": [*examples]}})
    return FORMATS["stereoset_intersentence"].items([file])


def test_the_target_of_bbq_is_the_answer_of_the_stereotype_in_either_polarity(tmp_path):
    first, second = bbq(tmp_path, QUESTION, QUESTION | CLEAR)
    assert (first.item_id, first.template_id, first.instance) == ("Age/0", "Age/1", "Age/0")
    assert (first.condition, second.condition) == ("ambiguous", "disambiguated")
    assert (first.biased, first.unknown, first.label) == (0, 2, 2)
    assert (second.polarity, second.biased) == ("nonneg", 1)
    assert first.instance == second.instance
    assert first.stratum == "Age, ambiguous, neg"
    requests = first.requests("continuation")
    assert [one.text.removeprefix(one.context) for one in requests] == [
        " The man", " The boy", " Not known",
    ]  # fmt: skip
    assert {one.context for one in requests} == {
        "Context: I saw a boy and a man.\n\nQuestion: Who fell?\n\nAnswer:"
    }


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"label": None}, "label is None, int is expected"),
        ({"label": [1, 2]}, r"label is [1, 2], int is expected"),
        ({"label": 0}, "the right answer of a context that is ambiguous cannot be 0"),
        ({"label": 3}, "label must be a place of an answer, 0 to 2; got 3"),
        ({"ans1": " "}, "a context, a question and 3 answers with words in them are needed"),
        ({"question_polarity": "pos"}, "polarity must be one of neg, nonneg, got 'pos'"),
        ({"context_condition": "both"}, "condition must be one of ambiguous, disambiguated"),
        ({"example_id": 2}, "the table of targets has NA for it, not a place"),
        ({"example_id": 3}, "the table of targets has nothing for it, not a place"),
        ({"answer_info": {}}, "it lacks answer_info.ans0"),
        (
            {"answer_info": {key: ["?", "unknown"] for key in ("ans0", "ans1", "ans2")}},
            "answer_info names 3 unknown answers, 1 is expected",
        ),
        ({"example_id": 0}, "the id 'Age/0' is there twice"),
        ('{"example_id": 1', "no JSON: Expecting ',' delimiter in column 17"),
        ("[1]", "it is no object"),
    ],
)
def test_a_question_that_cannot_be_read_is_an_item_with_its_line(line, reason, tmp_path):
    second = line if isinstance(line, str) else QUESTION | {"example_id": 1} | line
    first, found = bbq(tmp_path, QUESTION, second)
    assert first.item_id == "Age/0"
    assert isinstance(found, InvalidItem)
    assert found.category == "Age"
    assert "line 2: " in found.reason
    assert reason in found.reason


def test_bbq_needs_one_table_of_targets_that_is_of_one_mind(tmp_path):
    file = written(tmp_path / "Age.jsonl", QUESTION)
    with pytest.raises(ItemError, match=r"one table of targets \(.csv\)"):
        read_bbq(file)
    with pytest.raises(ItemError, match="line 5: another target of Age 0"):
        bbq(tmp_path, QUESTION, targets=TARGETS + '"Age",0,1\n')
    with pytest.raises(ItemError, match=r"Age\.jsonl: none of 1 items can be read"):
        bbq(tmp_path, QUESTION | {"label": 7})
    assert len(bbq(tmp_path, QUESTION, targets=TARGETS + '"Age",0,0\n')) == 1


def test_the_sequels_of_stereoset(tmp_path):
    (item,) = continuations(tmp_path, CONTINUATION)
    assert (item.cluster_id, item.category) == ("nurse", "profession")
    assert [one.text for one in item.requests("continuation")] == [
        "She is a nurse. It is stereotype.",
        "She is a nurse. It is anti-stereotype.",
        "She is a nurse. It is unrelated.",
    ]
    assert {one.context for one in item.requests("continuation")} == {"She is a nurse."}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"context": " "}, "context is empty"),
        (
            {"sentences": CONTINUATION["sentences"][:2]},
            "must have stereotype, anti-stereotype, unrel",
        ),
        (
            {"sentences": [CONTINUATION["sentences"][0]] * 3},
            "gold_label 'unrelated' of 'It is unrela",
        ),
        ({"target": 3}, "target is 3, str is expected"),
    ],
)
def test_a_sequel_that_cannot_be_read_is_an_item_with_its_line(change, reason, tmp_path):
    first, second = continuations(tmp_path, CONTINUATION, CONTINUATION | {"id": "b"} | change)
    assert (first.item_id, second.item_id) == ("a", "b")
    assert second.reason.startswith("line 1: data.intersentence[1]: ")
    assert reason in second.reason
