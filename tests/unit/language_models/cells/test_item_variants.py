"""Variants of metrics of items tell what those of words tell."""

from fairflow.files.configuration_files import read_yaml, shipped_configuration
from fairflow.language_models.cells.item_cell import ItemVariant

FAIR = dict.fromkeys(["cps", "log_likelihood"])


def test_a_variant_tells_its_direction():
    bias = ItemVariant("b", "stereoset", "preference")
    assert bias.direction == {"signed": True, "larger_is_fairer": False, "measures_bias": True}
    assert not bias.grows_with_length


def test_every_shipped_variant_names_its_fair_value_and_says_what_values_mean_in_a_line():
    keys = ("metric", "measure", "parameters")
    for name, entry in read_yaml(shipped_configuration() / "language_metrics.yaml").items():
        variant = ItemVariant(name, **{key: entry[key] for key in keys if key in entry})
        assert variant.reading.fair == FAIR.get(name, 0), name
        assert 0 < len(variant.reading.text()) <= 60, name
