"""Which scores of vectors without any association are larger in fewer dimensions."""

import numpy as np
import pytest

from fairflow.metrics import METRICS, metric_class
from fairflow.vectors.query_vectors import PairVectors, VocabularyVectors, WordVectors

FEW, MANY = 25, 300
RUNS = {"hidden_bias": 3, "analogies": 3, "rnsb": 15}
PARAMETERS = {
    "hidden_bias": {"n_classified": 300, "n_train": 100, "n_neighbours": 30, "n_runs": 1},
    "analogies": {"longest": 1.3},
}
# Set sizes of the templates of targets and attributes; "n" stands for one set.
SIZES = {"n": 1, 0: 0, 1: 1, 2: 2, 4: 4}


def unit_rows(random, n, dims):
    rows = random.normal(size=(n, dims))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def noise(name, random, dims):
    """The measures of a metric on words in random directions."""
    made = metric_class(name)()
    n_targets, n_attributes = (SIZES[n] for n in made.metric_template)
    if name == "same":
        n_attributes = 2
    sets = []
    for number in range(n_targets + n_attributes):
        words = tuple(f"{number} {i}" for i in range(60 if name == "rnsb" else 12))
        sets.append(WordVectors(words[0], words, words, unit_rows(random, len(words), dims), words))
    pairs = unit_rows(random, 20, dims).reshape(10, 2, dims)
    given = {"pairs": PairVectors(tuple((f"a{i}", f"b{i}") for i in range(10)), pairs)}
    given["property"] = {word: float(i) for i, word in enumerate(sets[0].words)}
    if "vocabulary" in made.needs:
        rows = unit_rows(random, 400, dims).astype(np.float32)
        words = tuple(f"v{i}" for i in range(400))
        given["vocabulary"] = VocabularyVectors(
            words, rows, rows @ (pairs[0, 0] - pairs[0, 1]), 400
        )
    given = {need: given[need] for need in made.needs} | PARAMETERS.get(name, {})
    return made.compute(sets[:n_targets], sets[n_targets:], **given).measures


def typical_size(name, measure, dims):
    """Mean size of a measure beyond what it is without noise, which is 1 of MAC's distances."""
    random = np.random.default_rng(dims)
    values = [noise(name, random, dims)[measure] for _ in range(RUNS.get(name, 60))]
    return np.abs(np.array(values) - (name == "mac")).mean()


@pytest.mark.parametrize("name", METRICS.names)
def test_a_metric_says_whether_chance_makes_it_larger_in_fewer_dimensions(name):
    made = metric_class(name)
    measure = made.measure_names[0]
    ratio = typical_size(name, measure, FEW) / typical_size(name, measure, MANY)
    assert made.scales_with_dimension(measure, {}) == (ratio > 1.35)


def test_effect_sizes_hang_on_nothing_and_sums_of_cosines_on_dimension():
    for name, measure, hangs in (
        ("weat", "weat", True),
        ("weat", "effect_size", False),
        ("sc_weat", "association", True),
        ("sc_weat", "sc_weat", False),
    ):
        assert metric_class(name).scales_with_dimension(measure, {}) == hangs
        ratio = typical_size(name, measure, FEW) / typical_size(name, measure, MANY)
        # Cosines of noise are as large as 1 over the root of the dimensions.
        assert ratio == pytest.approx((MANY / FEW) ** 0.5 if hangs else 1, rel=0.25)
