"""Labels in lines: they end between names, not within one."""

import pandas as pd

from fairflow.products.figures._drawing import wrapped_name, wrapped_query
from fairflow.products.figures._study_frames import StudyFrames


def test_a_name_breaks_before_its_parentheses_and_not_at_its_hyphens():
    assert wrapped_name("word2vec (WEAT subset), hard-debiased", 18).split("\n") == [
        "word2vec",
        "(WEAT subset),",
        "hard-debiased",
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
