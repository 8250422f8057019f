"""A query holds named word sets, refuses what it cannot mean, and splits into smaller queries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow import Query
from fairflow.queries.query import QueryInputs, Vocabulary, missing, query_inputs
from fairflow.queries.query_file import query_of, read_words, words_of_sets, write_words


def query_with(targets, attributes):
    """A query of one-word sets: T0, T1, ... wrt A0, A1, ..."""
    return Query(
        [[f"t{i}"] for i in range(targets)],
        [[f"a{i}"] for i in range(attributes)],
        [f"T{i}" for i in range(targets)],
        [f"A{i}" for i in range(attributes)],
    )


@pytest.mark.parametrize(
    ("targets", "attributes", "message"),
    [
        ((["he"],), [["good"]], "target_sets must be a list or array"),
        ("he", [["good"]], "target_sets must be a list or array"),
        ([["he"]], (["good"],), "attribute_sets must be a list or array"),
        ([["he"]], None, "attribute_sets must be a list or array"),
        ([["he"], "she"], [["good"]], "target set 1 must be a list or array"),
        ([["he"]], [("good",)], "attribute set 0 must be a list or array"),
        ([["he", 1]], [["good"]], "target set 0 holds 1, which is not a string"),
        ([["he"]], [["good"], [None]], "attribute set 1 holds None, which is not a string"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused_and_named(targets, attributes, message):
    with pytest.raises(TypeError, match=message):
        Query(targets, attributes)


@pytest.mark.parametrize(
    ("targets", "attributes", "message"),
    [
        ([], [["good"]], "target_sets is empty"),
        ([["he"], []], [["good"]], "target set 1 has no words"),
        ([["he"]], [[]], "attribute set 0 has no words"),
    ],
)
def test_an_empty_set_is_refused(targets, attributes, message):
    with pytest.raises(ValueError, match=message):
        Query(targets, attributes)


@pytest.mark.parametrize("names", ["xy", [1, 2], ["X", None]])
def test_names_must_be_a_list_of_strings(names):
    # WEFE takes the string "xy" apart into the names "x" and "y".
    with pytest.raises(TypeError, match="target_sets_names must be a list of strings"):
        Query([["he"], ["she"]], [["good"]], names)


@pytest.mark.parametrize("names", [[], ["X"], ["X", "Y", "Z"]])
def test_there_must_be_as_many_names_as_sets(names):
    with pytest.raises(ValueError, match="2 target sets need as many names"):
        Query([["he"], ["she"]], [["good"]], names)


def test_repeated_names_are_refused_and_named():
    with pytest.raises(ValueError, match=r"target sets must have distinct names.*\['X'\]"):
        Query([["he"], ["she"]], [["good"]], ["X", "X"])
    with pytest.raises(ValueError, match=r"attribute sets must have distinct names.*\['A'\]"):
        Query([["he"]], [["good"], ["bad"]], ["X"], ["A", "A"])


def test_a_target_set_and_an_attribute_set_may_share_a_name():
    assert Query([["he"]], [["good"]], ["X"], ["X"]).query_name == "X wrt X"


def test_the_printed_form_is_that_of_the_manual():
    assert repr(query_with(1, 1)) == (
        "<Query: T0 wrt A0\n- Target sets: [['t0']]\n- Attribute sets:[['a0']]>"
    )


def test_queries_are_equal_when_words_order_and_names_are():
    query = Query([["he", "him"]], [["good"]], ["X"], ["A"])
    assert query == Query([["he", "him"]], [["good"]], ["X"], ["A"])
    assert query != Query([["him", "he"]], [["good"]], ["X"], ["A"])
    assert query != Query([["he", "him"]], [["good"]], ["Y"], ["A"])
    assert query != query.dict()


def test_arrays_of_words_give_the_same_query_as_lists():
    arrays = Query([np.array(["he", "him"])], [np.array(["good"])])
    assert arrays == Query([["he", "him"]], [["good"]])


def test_a_later_change_of_the_callers_lists_does_not_reach_the_query():
    targets, attributes, names = [["he"]], [["good"]], ["X"]
    query = Query(targets, attributes, names, ["A"])
    targets[0].append("him")
    targets.append(["she"])
    attributes[0][0] = "bad"
    names[0] = "Y"
    assert query == Query([["he"]], [["good"]], ["X"], ["A"])


def test_a_subquery_keeps_words_and_names_together():
    last = query_with(3, 2).get_subqueries((1, 1))[-1]
    assert last == Query([["t2"]], [["a1"]], ["T2"], ["A1"])


def test_a_subquery_may_have_no_attribute_set():
    assert [q.query_name for q in query_with(2, 1).get_subqueries((1, 0))] == ["T0", "T1"]


@pytest.mark.parametrize("template", [(1.0, 1), (1, "1"), (np.int64(1), 1)])
def test_a_template_of_something_else_than_ints_is_refused(template):
    with pytest.raises(TypeError, match="sets must be an int"):
        query_with(2, 2).get_subqueries(template)


@pytest.mark.parametrize("template", [(3, 1), (1, 3), (0, 1), (-1, 1), (1, -1)])
def test_a_template_that_the_query_cannot_fill_is_refused(template):
    with pytest.raises(ValueError, match=r"cannot take .* sets from the 2 of 'T0 and T1 wrt"):
        query_with(2, 2).get_subqueries(template)


words = st.lists(st.lists(st.text("abé", min_size=1), min_size=1), min_size=1, max_size=3)


@given(words, words)
def test_the_digest_does_not_depend_on_names(targets, attributes):
    named = Query(targets, attributes, [f"other {i}" for i in range(len(targets))])
    assert named.digest == Query(targets, attributes).digest


@given(words, words, words, words)
def test_the_digest_tells_different_words_apart(targets, attributes, others, other_attributes):
    same_words = (targets, attributes) == (others, other_attributes)
    same_digest = Query(targets, attributes).digest == Query(others, other_attributes).digest
    assert same_digest == same_words


@pytest.mark.parametrize(
    ("targets", "attributes"),
    [([["ab"]], []), ([["a"], ["b"]], []), ([["a"]], [["b"]]), ([["b", "a"]], []), ([["a,b"]], [])],
)
def test_the_digest_depends_on_which_set_a_word_is_in_and_on_order(targets, attributes):
    assert Query(targets, attributes).digest != Query([["a", "b"]], []).digest


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
