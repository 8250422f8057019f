"""A score file holds every number at full precision, in columns that are the same in every file."""

import math
from dataclasses import asdict, fields, replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from own_process import output_of

from fairflow.files.kept import read_cells
from fairflow.files.parquet import table_of, write_parquet_rows
from fairflow.scores.ranked import PRIMARY
from fairflow.scores.records import SCHEMA, Record, plain_row
from fairflow.statistics.outcome import WordValue
from fairflow.statistics.uncertainty import Uncertainty

DEFINED = Record(
    model="toy",
    metric="weat",
    query="q1",
    subquery="Männer and Frauen wrt “A”",
    subquery_digest="0123456789abcdef",
    targets=["Männer", "Frauen"],
    attributes=["“A”"],
    measure="weat",
    **{PRIMARY: True},
    value=0.1 + 0.2,
    n_words=8,
    n_found=7,
    n_oov=1,
    oov_words=["naïve\n"],
    duplicated_words=["frau"],
    shared_words=[],
    matched_forms=[{"word": "Frau", "form": "frau"}],
    status="ok",
    reason=None,
    splits=[0.25, 0.5],
    words=[WordValue("Männer", "2020-01-01", "association", -1 / 3)],
)
# Every column filled: numbers that need all their digits, words beyond ASCII.
QUANTIFIED = Uncertainty(
    p_value=1 / 3,
    alternative="two-sided",
    p_method="binned",
    p_statistic="difference of mean associations",
    n_permutations=126_410_606_437_752.0,
    p_smallest=1 / 126_410_606_437_752,
    p_error=1e-300,
    p_normal=0.1,
    null_mean=-0.0,
    null_sd=1e-17,
    least=-2.0,
    most=2.0,
    tests=[
        {
            "alternative": "greater",
            "p_value": 1 / 7,
            "p_method": "exact",
            "p_smallest": 1 / 70,
            "p_error": 0.0,
            "p_normal": 0.2,
        }
    ],
    ci_low=0.1 + 0.2,
    ci_high=0.7,
    ci_low_both=-1 / 7,
    ci_high_both=2.0,
    ci_low_factors=-1 / 11,
    ci_high_factors=1 / 13,
    ci_method="bca",
    ci_level=0.95,
    n_resamples=5_000,
    null_band_low=-1.5,
    null_band_high=1.5,
    p_null_band=1.0,
    n_random_sets=1_000,
    frequency_source="order of the model",
    loo_low=0.25,
    loo_high=0.5,
    influential_word="Männer",
    statistics="few_words",
    statistics_note="a set has fewer than 10 words",
    draws=[0.1, 1 / 3, math.nan],
)
UNDEFINED = replace(
    DEFINED,
    value=math.nan,
    **{PRIMARY: False},
    oov_words=[],
    status="lost_vocabulary",
    reason="Men lost 1 of 1 words",
    words=[],
)


def written(*records):
    """The rows of records, as a score file gives them."""
    return table_of([*map(plain_row, records)], SCHEMA).to_pylist()


# Without statistics every column of statistics is there, and null.
NOT_QUANTIFIED = dict.fromkeys(field.name for field in fields(Uncertainty)) | {
    "statistics": "none",
    "tests": [],
    "draws": [],
}


def test_a_record_survives_its_file():
    null = ("value_normalized", "sampled_from", "n_items", "n_clusters")
    expected = asdict(DEFINED) | NOT_QUANTIFIED | dict.fromkeys(null)
    del expected["uncertainty"]
    expected["words"] = [word._asdict() | {"splits": []} for word in DEFINED.words]
    assert written(DEFINED) == [expected]


def test_statistics_are_columns_of_their_own_and_keep_all_their_digits():
    (row,) = written(replace(DEFINED, uncertainty=QUANTIFIED, value_normalized=1 / 9))
    assert row["value_normalized"] == 1 / 9
    for field in fields(Uncertainty):
        expected = getattr(QUANTIFIED, field.name)
        if field.name == "draws":
            expected = [0.1, 1 / 3, None]
        assert row[field.name] == expected
    assert math.copysign(1, row["null_mean"]) == -1


def test_an_undefined_value_is_null_with_its_reason():
    (row,) = written(UNDEFINED)
    assert (row["value"], row["status"]) == (None, "lost_vocabulary")
    assert row["reason"] == "Men lost 1 of 1 words"


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=5))
def test_values_keep_all_their_bits(values):
    records = [replace(DEFINED, value=x, words=[WordValue("S", "w", "m", x)]) for x in values]
    read = written(*records)
    assert [row["value"].hex() for row in read] == [x.hex() for x in values]
    assert [row["words"][0]["value"].hex() for row in read] == [x.hex() for x in values]


def test_pandas_reads_rows_of_values_and_rows_of_nulls_as_one_table(tmp_path):
    # Types must come from the schema.
    for name, record in (("a", DEFINED), ("b", UNDEFINED)):
        write_parquet_rows([plain_row(record)], SCHEMA, tmp_path / f"{name}.parquet")
    table = pd.read_parquet(tmp_path).sort_values("status")
    assert list(table.columns) == SCHEMA.names
    assert list(table["status"]) == ["lost_vocabulary", "ok"]
    assert math.isnan(table["value"].iloc[0])
    assert table["value"].iloc[1] == 0.1 + 0.2


SCORE_CELLS = """
import sys
from dataclasses import asdict
import numpy as np
from fairflow.files.cell_arrays import SCHEMA
from fairflow.files.kept import keep_up_to_date
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.scores.score_files import keep_word_scores
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.uncertainty import Statistics
from fairflow.vectors.query_vectors import look_up_query, slice_table

metric, folder, tested, n, *runs = sys.argv[1:]
sets = [[f"{name}{i}" for i in range(int(n))] for name in "abcd"]
draw = np.random.default_rng(0).normal
vectors = look_up_query(
    Query(sets[:2], sets[2:]), lambda word: True, lambda words: draw(size=(len(words), 3)), Lookup()
)
slices = f"{folder}/slices.parquet"
keep_up_to_date(
    slices, SCHEMA, {"p": "1", "q": "1"}, lambda n: [(q, slice_table("m", q, vectors)) for q in n]
)
few = Statistics(exact_up_to=10, permutations=300, resamples=300, joint_draws=100)
how = {"variant": WordVariant("v", metric, metric, subqueries=True).definition, "seed": 1}
how |= {"statistics": asdict(few)}
for run in runs:
    asked = {"queries": run.split("+"), "tested": run.split("+") if tested == "tested" else []}
    keep_word_scores(f"{folder}/{run}.parquet", [slices], "m", "v", how | asked, "code")
heavy = {"pandas", "scipy", "sklearn", "gensim", "matplotlib", "yaml", "jsonschema"}
# A slice holds what a metric needs of a whole model.
heavy |= {"fairflow.vectors.store", "fairflow.vectors.vocabulary", "fairflow.vectors.derivation"}
print(sorted(heavy & sys.modules.keys()), end="")
"""
METRICS = ["weat", "rnd", "rnsb", "mac", "ect", "ripa"]


def score_in_a_process(metric, folder, tested, *runs, words=4):
    return output_of(SCORE_CELLS, metric, folder, tested, words, *runs)


@pytest.mark.parametrize("tested", ["tested", "untested"])
@pytest.mark.parametrize("metric", METRICS)
def test_scoring_loads_no_heavy_library(metric, tested, tmp_path):
    # The start of a process is most of its time.
    assert score_in_a_process(metric, tmp_path, tested, "q") == "[]"
    ((_, cell),) = read_cells(tmp_path / "q.parquet")
    (row, *_) = cell.to_pylist()
    assert row["status"] == "ok"
    assert (row["ci_low"] is None) == (tested == "untested")


@pytest.mark.parametrize("metric", METRICS)
def test_a_cell_is_the_same_in_another_process_in_another_order_and_alone(metric, tmp_path):
    found = []
    for folder, runs in (("first", ["p+q"]), ("again", ["q+p", "q"])):
        (tmp_path / folder).mkdir()
        score_in_a_process(metric, tmp_path / folder, "tested", *runs)
        found += [dict(read_cells(tmp_path / folder / f"{run}.parquet")) for run in runs]
    first, other, alone = found
    assert first["q"].equals(other["q"])
    assert first["q"].equals(alone["q"])
    assert first["p"].equals(other["p"])
    assert not first["p"].equals(first["q"])
