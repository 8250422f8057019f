"""Tables of a study are read as they were written."""

from pathlib import Path

import pandas as pd

from fairflow.files.tables import read_headlines, write_table

WORDS = [[{"word": "rose", "value": 0.5}], [], [{"word": "wasp", "value": -0.25}]]


def test_figures_read_the_rows_of_headline_measures_with_the_values_of_their_words(tmp_path: Path):
    scores = pd.DataFrame({"value": [1.0, 2.0, 3.0], "headline": [True, False, True]})
    path = tmp_path / "scores.parquet"
    write_table(scores.assign(words=WORDS), path)
    read = read_headlines(path)
    assert list(read["value"]) == [1.0, 3.0]
    assert list(read["words"]) == [WORDS[0], WORDS[2]]
