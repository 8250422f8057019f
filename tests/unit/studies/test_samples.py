"""Where a sample of items was used, the numbers say so."""

import pandas as pd

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


def test_each_row_tells_its_own_sample():
    assert sample_texts(SCORES) == ["37 of 112 items"] * 2 + ["10 of 12 items", None, None]
    assert sample_texts(SCORES.drop(columns="sampled_from")) == [None] * 5
