"""A score file holds every number at full precision, in columns that are the same in every file."""

import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow.metrics.base_metric import WordValue
from fairflow.records import SCHEMA, Record, write_records

SCRIPTS = Path(__file__).parents[2] / "scripts"

DEFINED = Record(
    model="toy",
    metric="weat",
    query="q1",
    subquery="Männer and Frauen wrt “A”",
    subquery_digest="0123456789abcdef",
    measure="weat",
    headline=True,
    value=0.1 + 0.2,
    n_words=8,
    n_found=7,
    n_lost=1,
    lost_words=["naïve\n"],
    duplicated_words=["frau"],
    shared_words=[],
    respelt_words=[{"word": "Frau", "form": "frau"}],
    status="ok",
    reason=None,
    words=[WordValue("Männer", "2020-01-01", "association", -1 / 3)],
)
UNDEFINED = replace(
    DEFINED,
    value=math.nan,
    headline=False,
    lost_words=[],
    status="lost_vocabulary",
    reason="Men lost 1 of 1 words",
    words=[],
)


def rows(path):
    return pyarrow.parquet.read_table(path).to_pylist()


def test_a_record_survives_its_file(tmp_path):
    write_records([DEFINED], tmp_path / "score.parquet")
    assert rows(tmp_path / "score.parquet") == [
        {
            "model": "toy",
            "metric": "weat",
            "query": "q1",
            "subquery": "Männer and Frauen wrt “A”",
            "subquery_digest": "0123456789abcdef",
            "measure": "weat",
            "headline": True,
            "value": 0.30000000000000004,
            "n_words": 8,
            "n_found": 7,
            "n_lost": 1,
            "lost_words": ["naïve\n"],
            "duplicated_words": ["frau"],
            "shared_words": [],
            "respelt_words": [{"word": "Frau", "form": "frau"}],
            "status": "ok",
            "reason": None,
            "words": [
                {"set": "Männer", "word": "2020-01-01", "measure": "association", "value": -1 / 3}
            ],
        }
    ]


def test_records_keep_their_order(tmp_path):
    records = [replace(DEFINED, query=f"q{i}") for i in (3, 1, 2)]
    write_records(records, tmp_path / "score.parquet")
    assert [row["query"] for row in rows(tmp_path / "score.parquet")] == ["q3", "q1", "q2"]


def test_an_undefined_value_is_null_with_its_reason(tmp_path):
    write_records([UNDEFINED], tmp_path / "score.parquet")
    (row,) = rows(tmp_path / "score.parquet")
    assert (row["value"], row["status"]) == (None, "lost_vocabulary")
    assert row["reason"] == "Men lost 1 of 1 words"


@pytest.mark.parametrize("records", [[DEFINED], [UNDEFINED], [UNDEFINED, DEFINED]])
def test_columns_and_types_do_not_depend_on_the_content(tmp_path, records):
    write_records(records, tmp_path / "score.parquet")
    assert pyarrow.parquet.read_schema(tmp_path / "score.parquet").equals(SCHEMA)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5))
def test_values_keep_all_their_bits(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("score") / "score.parquet"
    write_records(
        [replace(DEFINED, value=x, words=[WordValue("S", "w", "m", x)]) for x in values], path
    )
    read = rows(path)
    assert [row["value"].hex() for row in read] == [x.hex() for x in values]
    assert [row["words"][0]["value"].hex() for row in read] == [x.hex() for x in values]


def test_equal_records_give_equal_bytes(tmp_path):
    for name in ("first", "second"):
        write_records([DEFINED, UNDEFINED], tmp_path / name)
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_a_failure_leaves_no_file(tmp_path):
    with pytest.raises(TypeError):
        write_records([replace(DEFINED, n_words={1, 2})], tmp_path / "score.parquet")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def two_files(tmp_path):
    """Files of which one has values alone and the other none: types must come from the schema."""
    write_records([DEFINED], tmp_path / "a.parquet")
    write_records([UNDEFINED], tmp_path / "b.parquet")
    return tmp_path


def test_pandas_reads_two_files_as_one_table(two_files):
    import pandas as pd

    table = pd.read_parquet(two_files).sort_values("status")
    assert list(table.columns) == SCHEMA.names
    assert list(table["status"]) == ["lost_vocabulary", "ok"]
    assert math.isnan(table["value"].iloc[0])
    assert table["value"].iloc[1] == 0.1 + 0.2


def test_polars_reads_two_files_as_one_table(two_files):
    polars = pytest.importorskip("polars")
    table = polars.read_parquet(two_files / "*.parquet").sort("status")
    assert table.columns == SCHEMA.names
    assert table["value"].to_list() == [None, 0.1 + 0.2]
    assert table["lost_words"].to_list() == [[], ["naïve\n"]]


def test_duckdb_reads_two_files_as_one_table(two_files):
    duckdb = pytest.importorskip("duckdb")
    query = "SELECT status, value, reason, words[1].value FROM read_parquet($files) ORDER BY status"
    table = duckdb.execute(query, {"files": str(two_files / "*.parquet")}).fetchall()
    assert table == [
        ("lost_vocabulary", None, "Men lost 1 of 1 words", None),
        ("ok", 0.1 + 0.2, None, -1 / 3),
    ]


SCORE_A_CELL = """
import sys
import numpy as np
from fairflow.lookup import Lookup
from fairflow.query import Query
from fairflow.records import write_records
from fairflow.scoring import Variant, score_cell
from fairflow.vectors.query_vectors import look_up_query

sets = [[f"{name}{i}" for i in range(4)] for name in "abcd"]
draw = np.random.default_rng(0).normal
vectors = look_up_query(
    Query(sets[:2], sets[2:]), lambda word: True, lambda words: draw(size=(len(words), 3)), Lookup()
)
variant = Variant("metric", sys.argv[1], sys.argv[1], subqueries=True)
write_records(score_cell(vectors, variant, "model", "query", seed=1), sys.argv[2])
heavy = {"pandas", "scipy", "sklearn", "gensim", "matplotlib", "yaml", "jsonschema"}
print(sorted(heavy & sys.modules.keys()), end="")
"""


@pytest.mark.parametrize("metric", ["weat", "rnd", "rnsb", "mac", "ect", "ripa"])
def test_scoring_a_cell_loads_no_heavy_library(metric, tmp_path):
    # There is a process for each of many cells, and its start is most of its time.
    result = subprocess.run(
        [sys.executable, "-c", SCORE_A_CELL, metric, str(tmp_path / "score.parquet")],
        env={**os.environ, "PYTHONPATH": str(SCRIPTS)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == "[]"
    assert rows(tmp_path / "score.parquet")[0]["status"] == "ok"
