"""Models of the hub are pinned, announced with their size, and used only if download allows it."""

import re
from pathlib import Path

import pytest
from shipped import SCHEMAS

from fairflow.language_models.planned.models import PlannedLanguageModel
from fairflow.planning.configuration import shape_problems

ENTRY = {"kind": "masked", "hub": "some/model", "revision": "a" * 40}


@pytest.fixture(scope="module")
def of_hub(configuration):
    models = configuration.further["language_models"]
    return {name: entry for name, entry in models.items() if "hub" in entry}


def test_the_catalogue_pins_twenty_models_of_the_hub(of_hub):
    assert len(of_hub) == 20
    revisions = [entry["revision"] for entry in of_hub.values()]
    assert all(re.fullmatch("[0-9a-f]{40}", revision) for revision in revisions)
    assert len({*revisions}) == len({entry["hub"] for entry in of_hub.values()}) == 20


def test_each_says_what_a_reader_of_results_has_to_know(of_hub):
    told = {"label", "kind", "casing", "language", "licence", "citation"}
    assert {name for name, entry in of_hub.items() if not told <= entry.keys()} == set()
    kinds = [entry["kind"] for entry in of_hub.values()]
    assert (kinds.count("masked"), kinds.count("causal")) == (8, 12)


def test_a_size_belongs_to_what_is_downloaded():
    assert not shape_problems(
        {"one": ENTRY | {"bytes": 7}}, "language_models", Path("l.yaml"), SCHEMAS
    )
    (problem,) = shape_problems(
        {"one": {"kind": "masked", "folder": "one", "bytes": 7}},
        "language_models",
        Path("l.yaml"),
        SCHEMAS,
    )
    assert "expected hub or sources, to which bytes belong" in problem


def test_the_size_is_no_part_of_what_the_model_is():
    sized = PlannedLanguageModel("one", ENTRY | {"bytes": 7})
    assert sized.definition == PlannedLanguageModel("one", ENTRY).definition
