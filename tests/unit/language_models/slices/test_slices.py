"""Slices: what torch writes, numpy reads."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fairflow.language_models.slices.answers import Completion, EmbeddedTexts, ScoredText
from fairflow.language_models.slices.slices import (
    read_completions,
    read_embeddings,
    read_tokens,
    write_completions,
    write_embeddings,
    write_tokens,
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


def test_token_slices_read_as_they_were_written(tmp_path):
    write_tokens(TEXTS, tmp_path / "a.tok")
    assert [plain(text) for text in read_tokens(tmp_path / "a.tok")] == [plain(t) for t in TEXTS]


def test_completion_slices_read_as_they_were_written(tmp_path):
    write_completions(COMPLETIONS, tmp_path / "a.gen")
    found = read_completions(tmp_path / "a.gen")
    assert found[0] == COMPLETIONS[0]
    assert repr(found[1]) == repr(COMPLETIONS[1])


def test_embedding_slices_read_as_they_were_written(tmp_path):
    write_embeddings(EMBEDDED, tmp_path / "a.emb")
    found = read_embeddings(tmp_path / "a.emb")
    np.testing.assert_array_equal(found.rows, EMBEDDED.rows)
    assert found.rows.dtype == np.float32
    for name in ("texts", "pooling", "layer", "n_tokens", "statuses", "reasons"):
        assert getattr(found, name) == getattr(EMBEDDED, name)
    assert list(found) == ["He", "she"]


@pytest.mark.parametrize(
    ("write", "content"),
    [
        (write_tokens, TEXTS),
        (write_completions, COMPLETIONS),
        (write_embeddings, EMBEDDED),
        (write_tokens, []),
        (write_completions, []),
    ],
)
def test_equal_content_gives_equal_bytes(write, content, tmp_path):
    for name in ("one", "two"):
        write(content, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_metrics_and_slices_load_neither_torch_nor_pandas(tmp_path):
    write_tokens(TEXTS, tmp_path / "a.tok")
    write_embeddings(EMBEDDED, tmp_path / "a.emb")
    folder = SCRIPTS / "fairflow/language_models/metrics"
    modules = [f"fairflow.language_models.metrics.{p.stem}" for p in folder.glob("[a-z]*.py")]
    code = (
        f"import sys; sys.path.insert(0, {str(SCRIPTS)!r})\n"
        f"import {', '.join(modules)}\n"
        "from fairflow.language_models.slices.slices import *\n"
        f"texts = read_tokens({str(tmp_path / 'a.tok')!r})\n"
        f"write_tokens(texts, {str(tmp_path / 'b.tok')!r})\n"
        f"write_embeddings(read_embeddings({str(tmp_path / 'a.emb')!r}), "
        f"{str(tmp_path / 'b.emb')!r})\n"
        "heavy = ('torch', 'transformers', 'pandas', 'scipy', 'sklearn', 'gensim')\n"
        "assert not [name for name in heavy if name in sys.modules]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
