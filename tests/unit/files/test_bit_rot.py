"""A bit that changes in a result is an error when the result is read, never another value."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from damage import assert_told, damaged, outcomes
from one_cell import read_slice, write_slice

from fairflow.errors import FairflowError
from fairflow.files.parquet import write_parquet_rows
from fairflow.files.tables import read_scores, read_table, write_table
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.queries.query_file import read_words, write_words
from fairflow.scores.ranked import PRIMARY
from fairflow.scores.records import SCHEMA, Record, plain_row
from fairflow.statistics.outcome import WordValue
from fairflow.vectors.query_vectors import look_up_query
from fairflow.vectors.random_words import RandomRows

WORDS = {"targets": {"Frauen": ["Mädchen", "she"]}, "attributes": {"Kunst": ["poetry", "art"]}}


def write_score(path: Path) -> None:
    counts = {"n_words": 8, "n_found": 8, "n_oov": 0}
    names = dict.fromkeys(("model", "metric", "query", "subquery", "measure"), "toy")
    lists = {name: [] for name in ("oov_words", "duplicated_words", "shared_words")}
    record = Record(
        **names | counts | lists,
        subquery_digest="0123456789abcdef",
        **{PRIMARY: True},
        value=0.1 + 0.2,
        matched_forms=[{"word": "Frau", "form": "frau"}],
        status="ok",
        reason=None,
        words=[WordValue("Frauen", f"Wort {i}", "association", 1 / (i + 3)) for i in range(8)],
    )
    records = [record, replace(record, **{PRIMARY: False}, words=[])]
    write_parquet_rows([*map(plain_row, records)], SCHEMA, path)


def write_study_table(path: Path) -> None:
    draw = np.random.default_rng(1).normal
    frame = pd.DataFrame({"model": ["a", "b"] * 20, "value": draw(size=40), "rank": range(40)})
    write_table(frame, path)


@pytest.mark.parametrize(
    ("write", "read", "what", "times"),
    [
        (write_score, lambda path: read_scores([path]), "score file", 150),
        (write_study_table, read_table, "table", 80),
    ],
    ids=["cell", "study table"],
)
def test_no_flipped_bit_of_a_parquet_file_gives_other_contents(write, read, what, times, tmp_path):
    assert_told(write, read, what, times, tmp_path / "some.parquet")


def slice_contents(path: Path) -> tuple[Any, ...]:
    found = read_slice(path)
    random_rows = found.random
    return (
        *(found.targets, found.attributes, found.forms, found.lookup, found.vectors.tobytes()),
        random_rows and (random_rows.account, random_rows.vectors.tobytes()),
    )


@pytest.fixture
def a_slice(tmp_path: Path) -> Path:
    draw = np.random.default_rng(3).normal
    query = Query([["a", "b"], ["c", "d"]], [["e"], ["f"]])
    found = look_up_query(
        query, lambda word: True, lambda words: draw(size=(len(words), 3)), Lookup()
    )
    rows = RandomRows(("x", "y"), draw(size=(2, 3)).astype(np.float32), ("a", "c"), 1, None)
    return write_slice(replace(found, random=rows), tmp_path / "some.parquet")


def test_no_flipped_bit_of_a_slice_gives_other_contents(a_slice: Path):
    contents = slice_contents(a_slice)
    for outcome in outcomes(slice_contents, a_slice, 400):
        assert outcome == contents or outcome.startswith(damaged(a_slice, "file of cells"))


def test_no_changed_letter_of_words_passes(tmp_path: Path):
    path = tmp_path / "words.json"
    write_words({"q": WORDS}, path)
    for outcome in outcomes(read_words, path, 400):
        assert outcome == {"q": WORDS} or outcome.startswith(damaged(path, "file of words"))


def test_a_truncated_or_empty_parquet_file_is_damaged(tmp_path: Path):
    path = tmp_path / "some.parquet"
    write_score(path)
    data = path.read_bytes()
    for length in (0, 3, 7, 8, 40, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:length])
        with pytest.raises(FairflowError, match="this score file is damaged"):
            read_scores([path])
