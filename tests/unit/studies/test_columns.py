"""The tables of a study have the columns of their entries, when they are written and read."""

import re
from pathlib import Path

import pandas as pd
import pytest
from tables_of_scores import as_table, score

from fairflow.errors import FairflowError
from fairflow.files.tables import write_table
from fairflow.scores.ranked import PRIMARY
from fairflow.studies.columns import read_headlines, read_table, write_tables
from fairflow.studies.tables import STUDY_TABLES, columns_of

SCORES = as_table("scores.parquet", [score("abc"[n], "q", float(n)) for n in range(3)])


def test_figures_read_the_rows_of_headline_measures_with_the_values_of_their_words(tmp_path: Path):
    path = tmp_path / "scores.parquet"
    write_table(SCORES.assign(**{PRIMARY: [True, False, True]}), path)
    read = read_headlines(path)
    assert list(read["value"]) == [0.0, 2.0]
    assert list(read["words"]) == list(SCORES["words"][::2])


def test_each_file_holds_the_table_of_its_name_or_of_its_stem(tmp_path: Path):
    ranks = pd.DataFrame([dict.fromkeys(columns_of("ranking"), 1)])
    paths = [tmp_path / name for name in ("scores.parquet", "scores.csv", "ranking.csv")]
    frames = {"scores.parquet": SCORES, "scores.csv": SCORES[["value"]][:2], "ranking": ranks}
    write_tables(frames, paths)
    assert [len(read_table(path)) for path in paths] == [3, 2, 1]


def test_no_table_is_written_with_other_columns_than_its_entry_lists(tmp_path: Path):
    ranks = pd.DataFrame(columns=columns_of("ranking"))
    for wrong in (ranks.drop(columns="rank"), ranks.assign(place=1)):
        with pytest.raises(ValueError, match=r"ranking\.csv.*(\['rank'\]|\['place'\])"):
            write_tables({"ranking": wrong}, [tmp_path / "ranking.csv"])
    assert not [*tmp_path.iterdir()]


def test_a_table_of_another_version_is_refused_with_what_to_do(tmp_path: Path):
    path = tmp_path / "rank_probabilities.csv"
    write_table(pd.DataFrame(columns=["criterion", "metric", "model", "chance", "place"]), path)
    said = "no column probability, only .*chance.*: run the study again with this one"
    with pytest.raises(FairflowError, match=f"{re.escape(str(path))}: {said}"):
        read_table(path)


def test_a_table_tells_readers_its_columns_and_what_they_mean():
    (items,) = (one for one in STUDY_TABLES if one.name == "rank_probabilities")
    assert items.about == "criterion, metric, model, place (1 = fairest), probability"
    assert not [name for one in STUDY_TABLES for name in one.own_columns if set(name) & set(" ()")]
