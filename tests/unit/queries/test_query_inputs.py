"""The declared inputs of a query are part of its digest, its subqueries and its file."""

import pytest

from fairflow import Query
from fairflow.queries.query import QueryInputs, Vocabulary, missing, query_inputs
from fairflow.queries.query_file import query_of, read_words, words_of_sets, write_words

PAIRS = (("she", "he"), ("her", "his"))
FULL = QueryInputs(PAIRS, {"nurse": 0.9}, Vocabulary(1000, True, ("actress",)))
EMPTY = QueryInputs()


@pytest.mark.parametrize(
    "declared",
    [
        EMPTY,
        FULL,
        QueryInputs(pairs=PAIRS),
        QueryInputs(vocabulary=Vocabulary()),
        QueryInputs((), {"a": 1}),
    ],
)
def test_plain_values_give_it_back(declared):
    assert query_inputs(declared.plain()) == declared


def test_it_knows_what_it_holds():
    assert FULL.names == {"pairs", "property", "vocabulary"}
    assert not EMPTY
    assert EMPTY.text() == ""


def test_a_query_without_it_keeps_its_digest():
    sets = [["he"]], [["good"]]
    assert Query(*sets).digest == Query(*sets, declared=EMPTY).digest
    assert len({Query(*sets, declared=d).digest for d in (EMPTY, FULL, QueryInputs(PAIRS))}) == 3


def test_parts_of_a_query_declare_the_same():
    query = Query([["a"], ["b"]], [["c"]], declared=FULL)
    assert [part.declared for part in query.get_subqueries((1, 1))] == [FULL, FULL]


def test_queries_that_declare_different_things_differ():
    assert Query([["a"]], [], declared=FULL) != Query([["a"]], [])


def test_the_file_of_a_query_holds_it(tmp_path):
    sets = {"targets": {"Words": ["nurse"]}, "attributes": {}}
    words = words_of_sets({**sets, **QueryInputs(PAIRS).plain()})
    write_words({"q": words}, tmp_path / "words.json")
    read = query_of(read_words(tmp_path / "words.json")["q"])
    assert read == query_of({**sets, "pairs": PAIRS})
    assert read.declared == QueryInputs(PAIRS)


def test_pairs_stand_for_targets_each_word_once():
    declared = QueryInputs((("she", "he"), ("she", "man")))
    assert declared.as_targets() == {"pairs": ["she", "he", "man"]}


def test_what_is_no_pair_is_refused():
    with pytest.raises(ValueError, match="expected two words, found a, b, c"):
        QueryInputs((("a", "b", "c"),))


def test_what_is_missing_is_said_in_a_sentence():
    assert missing(["pairs"], ["pairs", "property"]) is None
    assert missing(["pairs", "vocabulary"], ["pairs"]) == (
        "needs vocabulary (a vocabulary to search)"
    )
