"""Neutralising with an encoder's texts as words gives the numbers of WEFE and Responsibly."""

import numpy as np
import pytest
from one_cell import CELL, write_cell

from fairflow.language_models.slices.answers import EmbeddedTexts
from fairflow.language_models.slices.derived_texts import derive_texts, derived_texts
from fairflow.language_models.slices.slices import embedding_table
from fairflow.transforms.hard_debias import HardDebias
from fairflow.transforms.linear_projection import LinearProjection

from .debiased import NEAR, cases, words_of

DEFINITIONAL = words_of("debiaswe.definitional_pairs")
EQUALISE = words_of("debiaswe.equalize_pairs")
SPECIFIC = words_of("debiaswe.gender_specific_full")


def embedded(words, vectors):
    count = len(words)
    return EmbeddedTexts(
        tuple(words), vectors, "mean", -1, (1,) * count, ("ok",) * count, (None,) * count
    )


@pytest.mark.parametrize("case", cases("Responsibly neutralize"))
@pytest.mark.parametrize(
    "change", [HardDebias(DEFINITIONAL, [], []), LinearProjection(DEFINITIONAL)]
)
def test_neutral_words_are_those_of_responsibly(case, change, slices, tmp_path):
    words, vectors = slices.named(case["model"])
    rows = dict(zip(words, np.asarray(vectors, dtype=np.float32), strict=True))
    learnt = [word for word in change.training_texts() if word in rows]
    texts = embedding_table(*CELL, embedded(learnt, np.stack([rows[w] for w in learnt])))
    path = write_cell(texts, tmp_path / "texts.parquet")
    derivation = derive_texts(change, tmp_path / "derivation.npz", [path])
    specific = set(HardDebias(DEFINITIONAL, EQUALISE, SPECIFIC, "responsibly").specific)
    neutral = {w: row for w, row in case["expected"]["rows"].items() if w not in specific}
    assert len(neutral) > 3
    asked = embedded(neutral, np.stack([rows[word] for word in neutral]))
    derived = derived_texts(asked, [derivation]).rows.astype(np.float64)
    # A projection leaves lengths alone, which neutralising makes 1.
    derived /= np.linalg.norm(derived, axis=1, keepdims=True)
    for row, expected in zip(derived, neutral.values(), strict=True):
        assert row[: len(expected)] == pytest.approx(expected, rel=0, abs=NEAR)
