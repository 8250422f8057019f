"""Entries for the Hub: https://huggingface.co/docs/hub/eval-results names their keys."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml

from fairflow.provenance.exports.platform_records import eval_results


def entries(study):
    ((path, text),) = eval_results(study).items()
    assert path == "large/.eval_results/fairflow_planted.yaml"
    return yaml.safe_load(text)


def test_an_entry_has_the_keys_of_the_form_and_the_published_score(planted):
    stereoset, weat = entries(planted)
    assert [*stereoset] == ["dataset", "value", "date", "notes"]
    assert stereoset["dataset"] == {"id": "fairflow/planted", "task_id": "stereoset.blanks"}
    assert stereoset["value"] == pytest.approx(66.7)
    assert weat["value"] == -0.5
    assert stereoset["date"] == "2026-11-26"


def test_the_notes_hold_the_interval_the_test_the_items_and_the_fair_value(planted):
    notes = entries(planted)[0]["notes"]
    assert notes.startswith(
        "95% interval 48.4 to 82.3, p = 0.076 (adjusted 0.31), "
        "over 48 of 2,106 items in 16 clusters; "
    )
    assert "50 is fair" in notes


def test_another_data_set_can_be_named(planted):
    first = entries(replace(planted, dataset="org/benchmark"))[0]
    assert first["dataset"]["id"] == "org/benchmark"
