"""Which words of each set a model has."""

import pytest

from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.studies.score_table import coverage

LOOKUP = Lookup(({}, {"lowercase": True}))


@pytest.fixture(scope="module")
def model(model_of):
    return model_of(man=[1, 0], boy=[1, 1], home=[0, 1], Bill=[2, 1])


def rows(model, *queries):
    slices = [(f"m{i % 2}", f"q{i}", model.look_up(q, LOOKUP)) for i, q in enumerate(queries)]
    return coverage(slices).to_dict(orient="records")


def test_a_word_set_has_one_row_per_model_with_all_its_queries(model):
    first = Query([["man"]], [["home"]], ["Men"], ["Home"])
    second = Query([["boy"]], [["home"]], ["Boys"], ["Home"])
    table = rows(model, first, first, second)
    assert [(row["model"], row["word_set"], row["queries"]) for row in table] == [
        ("m0", "Men", "q0"),
        ("m0", "Home", "q0 q2"),
        ("m1", "Men", "q1"),
        ("m1", "Home", "q1"),
        ("m0", "Boys", "q2"),
    ]


def test_words_that_are_one_to_the_model_are_named_with_every_set_that_holds_one(model_of):
    pruned = model_of(roi=[2, 1], monarque=[2, 1], sire=[2, 1], zut=[0, 0], bof=[0, 0], eau=[0, 1])
    query = Query([["roi", "monarque"], ["sire", "zut"]], [["eau", "bof"]])
    table = rows(pruned, query)
    named = [row["same_vector_words"] for row in table]
    assert named == ["roi = monarque = sire", "roi = monarque = sire", ""]
    # Words with a zero vector are missing, none that share one.
    assert [(row["found"], row["distinct"]) for row in table] == [(2, 1), (1, 1), (1, 1)]


def test_found_and_lost_words_add_up_to_all_words_duplicates_included(model):
    query = Query([["man", "Man", "lost", "lost", "boy"]], [["home"]], ["Men"])
    men, home = rows(model, query)
    assert (men["words"], men["found"], men["oov"], men["duplicated"]) == (5, 3, 2, 1)
    assert men["oov_words"] == "lost, lost"
    assert (home["words"], home["found"], home["oov"], home["oov_words"]) == (1, 1, 0, "")
