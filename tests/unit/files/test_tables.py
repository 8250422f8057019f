"""Tables of a study are read as they were written."""

from pathlib import Path

import pandas as pd

from fairflow.files.tables import read_headlines, read_table, write_table, write_tables

WORDS = [[{"word": "rose", "value": 0.5}], [], [{"word": "wasp", "value": -0.25}]]


def test_figures_read_the_rows_of_headline_measures_with_the_values_of_their_words(tmp_path: Path):
    scores = pd.DataFrame({"value": [1.0, 2.0, 3.0], "is_primary": [True, False, True]})
    path = tmp_path / "scores.parquet"
    write_table(scores.assign(words=WORDS), path)
    read = read_headlines(path)
    assert list(read["value"]) == [1.0, 3.0]
    assert list(read["words"]) == [WORDS[0], WORDS[2]]


def test_each_file_holds_the_table_of_its_name_or_of_its_stem(tmp_path: Path):
    whole, flat = pd.DataFrame({"value": [1.0, 2.0]}), pd.DataFrame({"value": [1.0]})
    paths = [tmp_path / name for name in ("scores.parquet", "scores.csv", "ranking.csv")]
    write_tables({"scores.parquet": whole, "scores.csv": flat, "ranking": whole}, paths)
    assert [len(read_table(path)) for path in paths] == [2, 1, 2]
