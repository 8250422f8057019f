"""Slices: what torch writes, numpy reads."""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from answer_cells import read_texts, write_completions, write_tokens
from one_cell import CELL, write_cell
from own_process import output_of

from fairflow.files.kept import cells_in
from fairflow.files.parquet import parquet_schema
from fairflow.language_models.slices.answers import Completion, EmbeddedTexts, ScoredText
from fairflow.language_models.slices.slices import (
    COMPLETION_SCHEMA,
    TOKEN_SCHEMA,
    completion_rows,
    embedding_table,
    keep_answers,
    read_embeddings,
    read_kept_answers,
)

SCRIPTS = Path(__file__).parents[4] / "scripts"
TEXTS = [
    ScoredText(
        "a/more",
        "masked",
        "Ünïcode “is” here",
        3,
        positions=(1, 3),
        words=(0, 2),
        token_ids=(7, 9),
        tokens=("u", "##x"),
        logp=np.array([-1 / 3, -1e-17]),
        shared=(True, False),
        attention=np.array([0.25, 0.125]),
    ),
    ScoredText("b", "masked", "", 0, status="empty", reason="no tokens"),
    ScoredText("b", "unmasked", "x", 1, "ok", None, (0,), (None,), (1,), ("x",), np.array([-2.0])),
]
EMBEDDED = EmbeddedTexts(
    ("He", "ноль", "she"),
    np.array([[1, 2], [math.nan, math.nan], [3, 4]], dtype=np.float32),
    "cls",
    -1,
    (1, 1, 1),
    ("ok", "unknown", "ok"),
    (None, "not in the vocabulary", None),
)
COMPLETIONS = [
    Completion("p", 0, " kind\n", 2, -0.1, True, '{"method": "sample"}', 2**32 - 1),
    Completion("q", 0, None, status="too_long", reason="40 tokens"),
]


def plain(value):
    return {name: v.tolist() if isinstance(v, np.ndarray) else v for name, v in vars(value).items()}


def test_tokens_read_as_they_were_written(tmp_path):
    found = read_texts(write_tokens(TEXTS, tmp_path / "a.parquet"))
    assert [plain(text) for text in found] == [plain(text) for text in TEXTS]
    assert parquet_schema(tmp_path / "a.parquet", "file").equals(TOKEN_SCHEMA)


def test_completions_read_as_they_were_written(tmp_path):
    found = read_texts(write_completions(COMPLETIONS, tmp_path / "a.parquet"))
    assert found[0] == COMPLETIONS[0]
    assert repr(found[1]) == repr(COMPLETIONS[1])


def test_embeddings_read_as_they_were_written(tmp_path):
    path = write_cell(embedding_table(*CELL, EMBEDDED), tmp_path / "a.parquet")
    found = read_embeddings([path])[CELL]
    np.testing.assert_array_equal(found.rows, EMBEDDED.rows)
    assert found.rows.dtype == np.float32
    for name in ("texts", "pooling", "layer", "n_tokens", "statuses", "reasons"):
        assert getattr(found, name) == getattr(EMBEDDED, name)
    assert list(found) == ["He", "she"]


@dataclass(frozen=True)
class Item:
    name: str


ITEMS = {"a": [Item(f"a{n}") for n in range(7)], "b": [Item("b0")]}


@pytest.fixture
def ask(tmp_path):
    """A function that brings a file up to date, and returns what it asked and the file's bytes."""

    def asked(items, identity="code", path=tmp_path / "results/completions/m.parquet", size=3):
        blocks = []

        def answer(query, some):
            blocks.append([one.name for one in some])
            return completion_rows(Completion(one.name, 0, query) for one in some)

        number = keep_answers(
            path, "m", items, answer, COMPLETION_SCHEMA, lambda query: identity + query, size
        )
        assert number == len(blocks)
        return blocks, path

    return asked


def test_items_are_asked_in_blocks_that_do_not_reach_from_query_to_query(ask):
    blocks, path = ask(ITEMS)
    assert blocks == [["a0", "a1", "a2"], ["a3", "a4", "a5"], ["a6"], ["b0"]]
    found = read_kept_answers([path])
    assert [*found] == [("m", "a"), ("m", "b")]
    assert [one.prompt_id for one in found["m", "a"].read()] == [one.name for one in ITEMS["a"]]
    assert found["m", "b"].account() == {}


def test_only_the_blocks_of_changed_items_are_asked_again(ask, tmp_path):
    _, path = ask(ITEMS)
    before = read_kept_answers([path])
    more = ITEMS | {"a": [*ITEMS["a"], Item("a7")]}
    assert ask(more)[0] == [["a6", "a7"]]
    assert path.read_bytes() == ask(more, path=tmp_path / "new.parquet")[1].read_bytes()
    after = read_kept_answers([path])
    assert before["m", "a"].digest != after["m", "a"].digest
    assert before["m", "b"].digest == after["m", "b"].digest
    # Less is asked later, and comes back unasked.
    assert ask({"b": more["b"]})[0] == ask(more)[0] == []


@pytest.mark.parametrize("changed", [{"identity": "other"}, {"size": 4}], ids=["identity", "size"])
def test_what_decides_all_answers_lets_all_be_asked_again(ask, changed):
    _, path = ask(ITEMS)
    before = cells_in(path).digests
    assert sum(map(len, ask(ITEMS, **changed)[0])) == 8
    assert not {*before.items()} & {*cells_in(path).digests.items()}


def test_metrics_and_answers_load_neither_torch_nor_pandas(tmp_path):
    write_tokens(TEXTS, tmp_path / "a.parquet")
    write_cell(embedding_table(*CELL, EMBEDDED), tmp_path / "b.parquet")
    folder = SCRIPTS / "fairflow/language_models/metrics"
    modules = [f"fairflow.language_models.metrics.{p.stem}" for p in folder.glob("[a-z]*.py")]
    code = (
        f"import sys, {', '.join(modules)}\n"
        "from answer_cells import *\nfrom one_cell import *\n"
        "from fairflow.language_models.slices.slices import *\n"
        "write_tokens(read_texts('a.parquet'), 'c.parquet')\n"
        "embedded = read_embeddings(['b.parquet'])[CELL]\n"
        "write_cell(embedding_table(*CELL, embedded), 'd.parquet')\n"
        "heavy = ('torch', 'transformers', 'pandas', 'scipy', 'sklearn', 'gensim')\n"
        "assert not [name for name in heavy if name in sys.modules]\n"
    )
    output_of(code, cwd=tmp_path)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "c.parquet").read_bytes()
    assert (tmp_path / "b.parquet").read_bytes() == (tmp_path / "d.parquet").read_bytes()
