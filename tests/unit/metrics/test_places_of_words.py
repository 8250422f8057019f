"""Where metrics place single words between two poles."""

import numpy as np
import pytest

from fairflow.errors import DegenerateError
from fairflow.metrics import METRICS
from fairflow.metrics.sc_weat import SCWEAT
from fairflow.metrics.wefat import WEFAT
from fairflow.vectors.directions import unit
from fairflow.vectors.query_vectors import PairVectors, WordVectors

PLACING = [name for name in METRICS.names if METRICS.load(name).word_measure]


def word_set(name, vectors):
    words = tuple(f"{name}{i}" for i in range(len(vectors)))
    return WordVectors(name, words, words, vectors, words)


@pytest.fixture(scope="module")
def poles():
    """Two sets of four words around opposite ends of an axis."""
    drawn = np.random.default_rng(1).normal(0, 0.2, (2, 4, 6))
    drawn[0, :, 0] += 1
    drawn[1, :, 0] -= 1
    return [word_set(name, unit(rows)) for name, rows in zip("xy", drawn, strict=True)]


@pytest.fixture(scope="module")
def pairs(poles):
    first, second = poles
    both = tuple(zip(first.words, second.words, strict=True))
    return PairVectors(both, np.stack([first.vectors, second.vectors], axis=1))


@pytest.mark.parametrize("name", PLACING)
def test_words_of_the_first_pole_have_the_larger_values(name, poles, pairs):
    words = word_set("w", np.concatenate([poles[1].vectors, poles[0].vectors]))
    values = METRICS.load(name)().place(words, poles, pairs)
    assert values[:4].max() < 0 < values[4:].min()


@pytest.mark.parametrize("name", PLACING)
def test_exchanged_poles_change_the_sign(name, poles, pairs):
    words = word_set("w", np.random.default_rng(2).standard_normal((9, 6)))
    metric = METRICS.load(name)()
    turned = PairVectors(tuple((y, x) for x, y in pairs.words), pairs.vectors[:, ::-1])
    one, other = metric.place(words, poles, pairs), metric.place(words, poles[::-1], turned)
    assert one == pytest.approx(-other)


def test_the_sign_of_a_direction_is_that_of_most_pairs(poles, pairs):
    projection = METRICS.load("projection")()
    words = word_set("w", np.random.default_rng(3).standard_normal((9, 6)))
    # The first pair is the other way round.
    vectors = pairs.vectors.copy()
    vectors[0] = vectors[0, ::-1]
    turned = projection.place(words, poles, PairVectors(pairs.words, vectors))
    assert turned == pytest.approx(projection.place(words, poles, pairs))


def test_without_a_pair_there_is_no_direction(poles):
    with pytest.raises(DegenerateError, match="no declared pair"):
        METRICS.load("projection")().place(poles[0], poles, PairVectors((), np.empty((0, 2, 6))))


@pytest.mark.parametrize(
    ("association", "measure"), [("effect_size", "sc_weat"), ("cosine", "association")]
)
def test_wefat_is_no_method_of_its_own(association, measure, poles):
    """Its values of words are those of SC-WEAT."""
    words = word_set("w", np.random.default_rng(4).standard_normal((9, 6)))
    some = dict(zip(words.words, range(9), strict=True))
    wefat = WEFAT().compute([words], poles, property=some, association=association)
    sc_weat = SCWEAT().compute([words], poles)
    values = [
        [row.value for row in outcome.words if row.measure == name]
        for outcome, name in ((wefat, "association"), (sc_weat, measure))
    ]
    assert values[0] == pytest.approx(values[1])
