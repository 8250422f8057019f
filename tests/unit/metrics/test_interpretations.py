"""The meaning of a value is printed next to its axis, and is true of its sign."""

from pathlib import Path

import numpy as np
import pytest

from fairflow.files.configuration_files import read_yaml
from fairflow.metrics import METRICS
from fairflow.vectors.query_vectors import WordVectors

CONFIG = Path(__file__).parents[3] / "config"
NEAR_FIRST, NEAR_SECOND = [[1.0, 0.1], [1.0, -0.1]], [[0.1, 1.0], [-0.1, 1.0]]


def vectors(name: str, rows: list[list[float]]) -> WordVectors:
    words = tuple(f"{name} {number}" for number in range(len(rows)))
    return WordVectors(name, words, words, np.array(rows))


@pytest.mark.parametrize(
    ("metric", "measure", "parameters"),
    [
        ("weat", "weat", {}),
        ("weat", "effect_size", {}),
        ("rnd", "rnd", {}),
        ("rnd", "rnd", {"distance": "cos"}),
        ("ripa", "ripa", {}),
    ],
)
def test_the_side_that_a_value_above_0_is_said_to_mean_is_the_one_it_means(
    metric: str, measure: str, parameters: dict[str, str]
):
    targets = [vectors("first", NEAR_FIRST), vectors("second", NEAR_SECOND)]
    attributes = [vectors("good", [[1.0, 0.2], [0.9, 0.1]]), vectors("bad", [[0.1, 1], [0.2, 1]])]
    own = METRICS.load(metric)
    wanted = attributes[: own.metric_template[1]]
    value = own().compute(targets, wanted, **parameters).measures[measure]
    said = own.reading(measure, parameters)
    assert said.fair == 0
    assert ("first targets" in said.above) == (value > 0)
    assert ("second targets" in said.above) == (value < 0)


def test_every_variant_says_what_its_values_mean_in_a_line():
    for name, entry in read_yaml(CONFIG / "metrics.yaml").items():
        declared = METRICS.load(entry["metric"])
        said = declared.reading(entry["measure"], entry.get("parameters", {})).text()
        assert 0 < len(said) <= 60, name
