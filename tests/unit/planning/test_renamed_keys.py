"""A key or value that version 0.2 renamed is refused, and the message has the new name."""

from pathlib import Path

import pytest

from fairflow.errors import former_names, nearest
from fairflow.metrics import METRICS
from fairflow.planning.configuration import shape_problems, unknown_names
from fairflow.products.figures import FIGURES

RENAMED, REMOVED = former_names().values()
SCHEMAS = Path(__file__).parents[3] / "workflow" / "schemas"
STUDY = {
    "title": "T",
    "models": ["m"],
    "metrics": ["weat"],
    "criteria": {"C": ["q"]},
    "aggregation": "avg",
    "compare": {"before": "m", "after": ["n"]},
}
METRIC = {"metric": "weat", "label": "WEAT", "measure": "weat"}
SIZES = ("clustered", "classified", "trained", "neighbours", "runs", "starts")
# Old name -> schema, contents with the name in them, where it is.
OLD = {
    "fetch": ("config", {"studies": ["s"], "seed": 1, "fetch": "all"}, ""),
    "packages": ("config", {"studies": ["s"], "seed": 1, "download": "packages"}, "download: "),
    "side": ("metrics", {"weat": METRIC | {"side": "two-sided"}}, "weat: "),
    "right": ("metrics", {"weat": METRIC | {"alternative": "right"}}, "weat.alternative: "),
    "left": ("metrics", {"weat": METRIC | {"alternative": "left"}}, "weat.alternative: "),
}


@pytest.mark.parametrize("old", OLD)
def test_the_message_says_file_key_and_new_name(old):
    schema, contents, key = OLD[old]
    (sentence,) = shape_problems(contents, schema, Path("config/mine.yaml"), SCHEMAS)
    assert sentence.startswith(f"config/mine.yaml: {key}")
    assert sentence.endswith(f"Since version 0.2 its name is {RENAMED[old]!r}.")
    assert f"{old!r}" in sentence


@pytest.mark.parametrize("old", SIZES)
def test_a_parameter_of_a_metric_has_its_new_name_too(old):
    with pytest.raises(TypeError, match=f"Since version 0.2 its name is '{RENAMED[old]}'"):
        METRICS.load("hidden_bias").check_parameters({old: 20})


@pytest.mark.parametrize("old", REMOVED)
def test_a_name_that_was_removed_is_refused_with_what_replaces_it(old):
    assert nearest(old, ["other"]) == f"Version 0.2 has removed it. {REMOVED[old]}"


def test_a_figure_that_was_removed_is_refused_in_a_study():
    ((_, sentence),) = unknown_names("figures", ["critical_difference"], FIGURES.names)
    assert "rank_probabilities" in sentence


@pytest.mark.parametrize("old", ["residual_bias", "remains"])
def test_a_key_that_was_removed_is_refused_in_a_study(old):
    contents = STUDY | {old: {}}
    (sentence,) = shape_problems(contents, "studies", Path("config/mine.yaml"), SCHEMAS)
    assert f"{old!r}" in sentence
    assert "hidden_bias" in sentence
