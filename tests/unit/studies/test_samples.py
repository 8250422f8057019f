"""Where a sample of items was used, the numbers say so."""

import pandas as pd

from fairflow.products.paper.study_tables import sample_sentences
from fairflow.studies.claims.items import sample_texts

SCORES = pd.DataFrame(
    [
        ("gpt", "likelihood", "pairs", "pairs", 40, 37, 112.0),
        ("bert", "likelihood", "pairs", "pairs", 40, 37, 112.0),
        ("gpt", "stereoset", "blanks", "blanks: job", 10, 10, 12.0),
        ("gpt", "stereoset", "blanks", "blanks: trait", 5, 5, float("nan")),
        ("gpt", "honest", "prompts", "prompts", 12, 12, float("nan")),
    ],
    columns=["model", "metric", "query", "subquery", "n_words", "n_found", "sampled_from"],
)
SCORES["n_items"] = SCORES["n_found"]
# Of each scored item its category.
SCORES["words"] = [
    [{"set": "job"}] * 37,
    [{"set": "job"}] * 37,
    [{"set": "job"}] * 10,
    [{"set": "trait"}] * 5,
    [],
]


def test_each_row_tells_its_own_sample():
    assert sample_texts(SCORES) == ["37 of 112 items"] * 2 + ["10 of 12 items", None, None]
    assert sample_texts(SCORES.drop(columns="sampled_from")) == [None] * 5


def test_one_sentence_tells_all_samples_and_categories_are_added_up():
    (sentence,) = sample_sentences(SCORES, {"pairs": "Pairs", "blanks": "Blanks"})
    assert (
        "37 of 112 items of Pairs, 3 more have no score; 15 of 17 items of Blanks, 5 to 10 of each "
        "of 2 categories."
    ) in sentence


def test_a_study_of_all_items_says_nothing():
    assert list(sample_sentences(SCORES.assign(sampled_from=float("nan")), {})) == []
