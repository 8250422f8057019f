"""Answers of a file are put to the questions that were asked, and what does not fit is said."""

from dataclasses import replace

import pytest

from fairflow.errors import FairflowError
from fairflow.language_models.items.asking import questions
from fairflow.language_models.items.choice_items import DecisionItem
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.scoring.given_answers import taken
from fairflow.language_models.slices.answer_files import GivenAnswer

ITEMS = ItemSet(
    "decision",
    tuple(DecisionItem(one, f"Hire {one}?", {"age": "20"}, "hire") for one in ("ann", "bob")),
)


def given(*ids, text="yes"):
    return [
        GivenAnswer(one, text, where=f"a.jsonl, line {n}") for n, one in enumerate(ids, start=1)
    ]


def asked(draws=2, items=ITEMS, query="q"):
    return [one.id for one in questions(items, query, draws)]


def test_all_answers_are_taken_in_the_order_of_the_questions():
    completions, account = taken(ITEMS, "q", given(*reversed(asked())))
    assert [(one.prompt_id, one.rank) for one in completions] == [
        *(("ann", 0), ("ann", 1), ("bob", 0), ("bob", 1))
    ]
    assert account["rows"] == account["answered"] == 4
    assert account["missing"] == account["doubled"] == account["unknown"] == 0


def test_an_absurd_rank_costs_no_more_than_its_row():
    far = asked(1)[0][:-1] + "999999999"
    completions, _ = taken(ITEMS, "q", given(*asked(1), far))
    assert [one.status for one in completions] == ["ok", "ok", "ok", "missing"]


def test_of_two_answers_to_a_question_the_first_counts():
    first = asked(1)
    completions, account = taken(ITEMS, "q", [*given(*first), *given(first[0], text="no")])
    assert (completions[0].text, account["doubled"]) == ("yes", 1)


def test_an_answer_counts_before_an_error_of_the_provider():
    first, second = asked(1)
    failed = [replace(one, text=None, status="missing") for one in given(first, second)]
    completions, account = taken(ITEMS, "q", [failed[0], *given(first, second), failed[1]])
    assert [one.status for one in completions] == ["ok", "ok"]
    assert (account["missing"], account["doubled"]) == (0, 1)


def test_several_answers_to_one_request_are_draws():
    several = [replace(one, rank=rank) for one in given(*asked(1)) for rank in range(2)]
    completions, account = taken(ITEMS, "q", several)
    assert [one.rank for one in completions] == [0, 1, 0, 1]
    assert (account["missing"], account["doubled"]) == (0, 0)


def test_rows_of_other_queries_and_unknown_ids_are_counted():
    foreign = asked(1, query="r")
    _, account = taken(ITEMS, "q", given(*asked(1), *foreign, "x", "y", "z", "w"))
    assert (account["of_other_queries"], account["unknown"]) == (2, 4)
    assert account["examples"] == ["x", "y", "z"]


def test_answers_to_other_items_are_refused():
    other = replace(ITEMS, items=(replace(ITEMS.items[0], text="Fire ann?"),))
    with pytest.raises(FairflowError, match=r"a.jsonl, line 3: 1 answers .*have changed since"):
        taken(ITEMS, "q", given(*asked(1), *asked(1, other)))


def test_answers_to_items_of_a_larger_sample_are_no_fault_and_those_to_more_items_are():
    ann = replace(ITEMS, items=ITEMS.items[:1], left_out={"bob": ""})
    completions, account = taken(ann, "q", given(*asked()))
    assert [one.status for one in completions] == ["ok", "ok"]
    assert (account["left_out"], account["missing"]) == (2, 0)
    other = replace(ITEMS, items=(replace(ITEMS.items[0], text="Fire ann?"),))
    with pytest.raises(FairflowError, match="have changed since"):
        taken(ann, "q", given(*asked(), *asked(1, other)))


def test_a_file_without_an_answer_to_the_query_is_refused():
    with pytest.raises(
        FairflowError, match=r"a.jsonl: no answer to query 'q' in 2 rows, but 2 answers to"
    ):
        taken(ITEMS, "q", given(*asked(1, query="r")))
    with pytest.raises(FairflowError, match=r"unknown ids, such as 'ann'.*such as 'ann'"):
        taken(ITEMS, "q", given("ann"))
    with pytest.raises(FairflowError, match="is empty"):
        taken(ITEMS, "q", [])


def test_where_ids_are_those_of_items_equal_ids_are_draws():
    completions, account = taken(ITEMS, "q", given("ann", "ann", "ann", "cid"), by_item=True)
    assert [(one.prompt_id, one.rank) for one in completions] == [
        *(("ann", 0), ("ann", 1), ("ann", 2), ("bob", 0))
    ]
    assert (account["missing"], account["unknown"]) == (1, 1)
