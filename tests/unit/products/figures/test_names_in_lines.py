"""Labels in lines: they end between names, not within one."""

from __future__ import annotations

import pandas as pd

from fairflow.products.figures._drawing import paired_sets, wrapped_name, wrapped_query
from fairflow.products.figures._study_frames import StudyFrames


def test_a_name_breaks_before_its_parentheses_and_not_at_its_hyphens():
    assert wrapped_name("word2vec (WEAT subset), hard-debiased", 18).split("\n") == [
        "word2vec",
        "(WEAT subset),",
        "hard-debiased",
    ]


def test_a_word_longer_than_a_line_breaks_at_its_hyphens():
    assert wrapped_name("word2vec-gender-hard-debiased", 22).split("\n") == [
        "word2vec-gender-hard-",
        "debiased",
    ]


def test_a_query_breaks_where_its_targets_end_and_between_its_sets():
    first, second = "European-American names (5)", "African-American names (5)"
    names = f"{first} and {second} wrt Pleasant and Unpleasant"
    assert wrapped_query(names, 46, ((first, second), ("Pleasant", "Unpleasant"))).split("\n") == [
        "European-American names (5)",
        "and African-American names (5)",
        "wrt Pleasant and Unpleasant",
    ]
    assert wrapped_query("Cats wrt Good", 46) == "Cats wrt Good"
    three = (("Black cats", "Arts and crafts", "White cats"), ())
    assert wrapped_query("Black cats, Arts and crafts & White cats", 17, three).split("\n") == [
        "Black cats,",
        "Arts and crafts",
        "& White cats",
    ]


def test_a_query_of_the_same_label_as_another_has_its_name_behind_it():
    scores = pd.DataFrame({"query": ["q1", "q2", "q3"], "query_label": ["A", "A", "B"]})
    labels = [StudyFrames(scores=scores).query_label(query) for query in scores["query"]]
    assert labels == ["A [q1]", "A [q2]", "B"]


def test_what_tells_two_queries_apart_is_on_a_line_of_its_own_where_it_does_not_fit():
    label = "Educated terms and Other terms wrt High status and Lower status words [weathub_fr_14]"
    pairs = [
        "Educated terms \N{EN DASH} High status,",
        "Other terms \N{EN DASH} Lower status words",
    ]
    sets = ("Educated terms", "Other terms"), ("High status", "Lower status words")
    assert paired_sets(label, 40, sets).split("\n") == [*pairs, "[weathub_fr_14]"]
    assert paired_sets(label, 60, sets).split("\n") == [pairs[0], f"{pairs[1]} [weathub_fr_14]"]
