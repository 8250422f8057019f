"""A finished run says what its models are, by its last record, its audits and its configuration."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from tables_of_scores import scores

from fairflow.files.tables import write_table
from fairflow.provenance.checksums import CHECKSUMS, checksum_lines
from fairflow.sharing.finished_run import as_variant, read_run
from fairflow.sharing.merged import Run

RECORDED = {
    "glove": {"label": "GloVe", "checksum": "sha256:12"},
    "unit": {"derive": {"from": "glove", "transform": "normalised"}},
    "debiased": {"derive": {"from": "glove", "transform": "hard_debias"}},
}
CONFIGURED = {
    "glove": {"label": "an older label"},
    "part": {"label": "Part", "vectors_of": "glove"},
    "own": {"derive": {"from": "glove", "transform": "transforms/own.py"}},
}
# The folder from which a network is read is no part of what it is.
NETWORKS = {name: {"source": name, "files": {"weights": "ab"}} for name in ("here", "there")}


def write(path: Path, contents: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = yaml.safe_dump(contents) if path.suffix == ".yaml" else json.dumps(contents)
    path.write_text(text)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    folder = tmp_path / "results"
    (folder / "studies/mine").mkdir(parents=True)
    table = scores({("glove", "q0"): 0.5})
    write_table(table.assign(splits=None), folder / "studies/mine/scores.parquet")
    write(folder / "studies/mine/claims.json", {"page": {"title": "Audit of mine"}})
    write(folder / "provenance/configuration.json", {"seed": 7, "models": RECORDED})
    write(tmp_path / "config/config.yaml", {"seed": 8})
    write(tmp_path / "config/models.yaml", CONFIGURED)
    write(tmp_path / "config/language_metrics.yaml", {"pairs": {"metric": "crows_pairs"}})
    for recipe in ("one", "two"):
        record = {"vectors_sha256": "12", "derivation": {"parameters": {"recipe": recipe}}}
        write(folder / f"provenance/models/{recipe}.json", record)
    for name, manifest in NETWORKS.items():
        write(folder / f"language_models/{name}/manifest.json", manifest)
    model = {"name": "mine", "label": "My vectors", "facts": {"sha256": "34", "Size": "large"}}
    write(folder / "audit/mine/summary.json", {"model": model})
    write(folder / "audit/mine/same_vectors.json", {"vectors": {"mine": "glove"}})
    made = [path.relative_to(tmp_path).as_posix() for path in folder.rglob("*.*")]
    monkeypatch.chdir(tmp_path)
    Path(CHECKSUMS).write_text(checksum_lines(made))
    return read_run(tmp_path, "run")


def test_the_last_record_counts_before_the_configuration_and_an_audit_knows_its_model(run: Run):
    assert run.seed == 7
    assert run.labels == {"glove": "GloVe", "part": "Part", "mine": "My vectors"}
    assert run.studies["mine"] == {"title": "Audit of mine"}


def test_which_models_share_vectors_and_which_are_derived(run: Run):
    assert run.vectors == {"part": "glove", "unit": "glove", "mine": "glove"}
    assert run.bases == dict.fromkeys(["unit", "debiased", "own"], "glove")


def test_models_are_identified_by_their_files_and_the_parameters_of_their_derivation(run: Run):
    assert run.models["glove"] == {"checksum": "sha256:12"}
    assert run.models["mine"] == {"sha256": "34"}
    assert run.models["here"] == run.models["there"] != {}
    one, two = run.models["one"], run.models["two"]
    assert one["vectors_sha256"] == two["vectors_sha256"]
    assert one["parameters_sha256"] != two["parameters_sha256"]


def test_an_entry_is_a_metric_if_its_code_is_part_of_fairflow(tmp_path: Path):
    found = as_variant("mine", {"metric": "weat", "measure": "weat", "note": "of mine"})
    assert (found.name, found.direction["signed"]) == ("mine", True)
    trap = tmp_path / "trap.py"
    trap.write_text("raise SystemExit('run')")
    for metric in (str(trap), "os", "fairflow.metrics.weat", "none_such", None):
        assert as_variant("mine", {"metric": metric, "measure": "weat"}) is None
    assert as_variant("mine", {"metric": "weat", "measure": "of another version"}) is None
