"""Cosines of Google News vectors in the data of a Bayesian study of word embeddings."""

import json
from pathlib import Path

import numpy as np
import pytest

from fairflow.vectors.directions import cosine

DATA = Path(__file__).parents[1] / "data/google_news_cosines.json"
COSINES = json.loads(DATA.read_text("utf-8"))["cosines"]


@pytest.mark.parametrize("model", COSINES)
def test_cosines_of_packaged_words_are_those_of_the_whole_vectors(model, test_model, slices):
    words, vectors = list(test_model.index_to_key), np.asarray(test_model.vectors)
    if model.endswith("bolukbasi"):
        words, vectors = slices.bolukbasi()
    row_of = {word: row for row, word in enumerate(words)}
    pairs = [key.split() for key in COSINES[model]]
    first, second = (
        vectors[[row_of[word] for word in side]].astype(float) for side in zip(*pairs, strict=True)
    )
    found = np.diag(cosine(first, second))
    # The second file holds vectors of length 1 in single precision.
    assert found == pytest.approx([*COSINES[model].values()], rel=0, abs=6e-7)
    assert len(found) == 30
