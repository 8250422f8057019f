"""A derived encoder: the vectors that a network gave of texts, changed without the network."""

import math
from dataclasses import replace

import numpy as np
import pytest
from one_cell import CELL, write_cell

from fairflow.errors import FairflowError, VectorFormatError
from fairflow.language_models.slices.answers import EmbeddedTexts
from fairflow.language_models.slices.derived_texts import derive_texts, derived_texts
from fairflow.language_models.slices.slices import embedding_table
from fairflow.metrics.weat import associations, effect_size
from fairflow.transforms.inlp import INLP
from fairflow.transforms.leace import LEACE
from fairflow.transforms.linear_projection import LinearProjection
from fairflow.transforms.sentence_debias import SentenceDebias
from fairflow.vectors.derivation import Derivation, read_derivation
from fairflow.vectors.random_words import RandomRows

PAIRS = [["she", "he"], ["her", "his"], ["woman", "man"]]
GROUPS = [["she", "her", "woman"], ["he", "his", "man"]]
CHANGES = [
    LinearProjection(PAIRS, components=2),
    SentenceDebias(PAIRS, components=2, templates=["It was {word}."]),
    INLP(GROUPS),
    LEACE(GROUPS),
]


def embedded(texts, dims=6, seed=0):
    """Random vectors."""
    rows = np.random.default_rng(seed).standard_normal((len(texts), dims)).astype(np.float32)
    shared = {"pooling": "mean", "layer": -1, "n_tokens": (1,) * len(texts)}
    fine = {"statuses": ("ok",) * len(texts), "reasons": (None,) * len(texts)}
    return EmbeddedTexts(tuple(texts), rows, **shared, **fine)


@pytest.fixture
def written(tmp_path):
    """A function that writes the embeddings of what a change learns from."""

    def write(change, seed=0):
        path = tmp_path / f"{type(change).__name__}.parquet"
        texts = embedded(change.training_texts(), seed=seed)
        return write_cell(embedding_table(*CELL, texts), path), texts

    return write


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: type(change).__name__)
def test_texts_change_as_words_of_a_table_do(change, written, tmp_path):
    path, texts = written(change)
    derive_texts(change, tmp_path / "derivation.npz", [path])
    read = read_derivation(tmp_path / "derivation.npz")
    others = embedded(["A sentence.", "word"], seed=1)
    expected = change.fit((list(texts.texts), texts.rows)).apply(others.texts, others.rows)
    assert derived_texts(others, [read]).rows == pytest.approx(expected, abs=1e-6)
    facts = read.facts
    assert facts["trained_on_texts"] == len(change.training_texts())
    assert not {"words", "words_changed", "words_listed"} & {*facts}


def test_an_association_with_the_only_direction_of_a_pair_is_zero_afterwards():
    pair = embedded(["she", "he"], seed=3)
    axis = (pair.rows[0] - pair.rows[1]).astype(np.float64)
    derivation = Derivation(remove=(axis / np.linalg.norm(axis))[np.newaxis])
    # Attributes that differ along that direction alone are one and the same without it.
    she, he = derived_texts(pair, [derivation]).rows.astype(np.float64)
    targets = derived_texts(embedded(["a", "b", "c", "d"], seed=4), [derivation]).rows
    sides = [targets[:2].astype(np.float64), targets[2:].astype(np.float64)]
    for side in sides:
        assert associations(side, she[None], he[None]) == pytest.approx(np.zeros(2), abs=1e-6)
    before = embedded(["a", "b", "c", "d"], seed=4).rows.astype(np.float64)
    first, second = (
        associations(b, *pair.rows[:, None].astype(float)) for b in np.split(before, 2)
    )
    assert abs(effect_size(first, second, ddof=1)) > 0.1


def test_random_words_change_too_and_texts_without_vector_have_none():
    texts = replace(
        embedded(["a", "b"]),
        statuses=("ok", "too_long"),
        reasons=(None, "600 tokens"),
        random=RandomRows(("x",), np.ones((1, 6), dtype=np.float32), ("a",), 1),
        context_templates=("The {word}",),
        effects={"The {word}": 1.0},
    )
    texts.rows[1] = math.nan
    derived = derived_texts(texts, [Derivation(remove=np.eye(6)[:1])])
    assert derived.rows[0].tolist() == [0, *texts.rows[0, 1:].tolist()]
    assert np.isnan(derived.rows[1]).all()
    assert derived.random.vectors.tolist() == [[0, 1, 1, 1, 1, 1]]
    assert derived.random.words == ("x",)
    assert (derived.context_templates, derived.effects) == ((), {})
    assert derived_texts(texts, []) is texts


def test_a_model_derived_from_a_derived_one_learns_from_the_vectors_of_that(written, tmp_path):
    change = LinearProjection(PAIRS)
    path, texts = written(change)
    first = derive_texts(change, tmp_path / "first.npz", [path])
    second = derive_texts(change, tmp_path / "second.npz", [path], [tmp_path / "first.npz"])
    assert np.abs(first.remove @ second.remove.T).max() < 1e-6
    both = derived_texts(texts, [first, second])
    assert np.abs(both.rows @ np.concatenate([first.remove, second.remove]).T).max() < 1e-6


def test_what_has_no_vector_is_told_with_the_entry_and_nothing_is_written(written, tmp_path):
    path, texts = written(CHANGES[1])
    lost = replace(texts, statuses=("too_long",) * 6, reasons=("600 tokens",) * 6)
    path = write_cell(embedding_table(*CELL, lost), tmp_path / "lost.parquet")
    with pytest.raises(FairflowError, match=r"^models\.yaml: mine: sentences: no entry has"):
        derive_texts(CHANGES[1], tmp_path / "d.npz", [path], entry="models.yaml: mine")
    assert not (tmp_path / "d.npz").exists()
    with pytest.raises(VectorFormatError, match="needs vectors of 3 numbers"):
        derived_texts(embedded(["a"]), [Derivation(remove=np.eye(3)[:1])])
