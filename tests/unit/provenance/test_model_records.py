"""A row of models.csv gives the files of a language model and the quantisation of its weights."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from fairflow.files.configuration_files import read_yaml
from fairflow.language_models.checkpoints.model_files import write_manifest
from fairflow.planning.configuration import read_configuration
from fairflow.planning.planner import make_plan
from fairflow.provenance.records import MODEL_COLUMNS, listed, model_entries, model_rows

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("quantisation", ["Q4_1, 4 bits", None])
def test_a_row_has_the_quantisation_and_the_sum_of_the_list_of_files(quantisation, tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model/config.json").write_text("{}")
    facts = {"quantisation": quantisation} if quantisation else {}
    write_manifest(tmp_path / "model", {"kind": "causal"}, tmp_path / "manifest.json", **facts)
    manifests = {"small": listed(str(tmp_path / "manifest.json"))}
    small, static = model_rows([{"name": "small"}, {"name": "static"}], {}, manifests)
    content = (tmp_path / "manifest.json").read_bytes()
    assert small["quantisation"] == quantisation
    assert small["manifest_sha256"] == hashlib.sha256(content).hexdigest()
    assert (static["quantisation"], static["manifest_sha256"]) == (None, None)
    assert tuple(small) == MODEL_COLUMNS


def test_a_row_of_given_answers_has_their_files_and_sums(monkeypatch):
    monkeypatch.chdir(ROOT)
    main = read_yaml(ROOT / "config/config.yaml") | {"studies": ["bai_2025"]}
    plan = make_plan(read_configuration(main, ROOT / "config", ROOT / "workflow/schemas"))
    row = next(one for one in model_entries(plan) if one["name"] == "gpt-4o-bai-2025")
    assert row["sources"] == "config/answers/bai_2025_gpt4o.csv.gz"
    content = (ROOT / row["sources"]).read_bytes()
    assert row["source_sha256"] == hashlib.sha256(content).hexdigest()
