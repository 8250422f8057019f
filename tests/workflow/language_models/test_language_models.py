"""Studies of language models through the workflow, of very small models."""

import json
import shutil
import subprocess
import tarfile
from pathlib import Path

import pandas as pd
import pytest
from language_project import (
    MODELS,
    SWITCH,
    TARGET,
    TORCH_RULES,
    headline,
    with_language_models,
    write,
)
from pandas.testing import assert_frame_equal

from hub_server import hub_of
from project import ENVIRONMENT, Project, make_project

pytestmark = [pytest.mark.torch, pytest.mark.workflow]

ARCHIVE = "results/archive/fairflow-archive.tar.xz"


@pytest.fixture
def unrun(tmp_path: Path) -> Project:
    return with_language_models(make_project(tmp_path / "unrun"))


@pytest.fixture(scope="module")
def run_once(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = with_language_models(make_project(tmp_path_factory.mktemp("language") / "project"))
    project.run(*TARGET)
    return project


def test_every_possible_cell_is_planned_once(unrun: Project):
    planned = unrun.planned(*TARGET)
    assert planned["fetch_language_model"] == 2
    assert planned["embed_texts"] == planned["look_up_embeddings"] == 2
    assert planned["score_queries"] == 3
    # All queries of items are in one file.
    assert planned["score_tokens"] == planned["complete_prompts"] == 2
    assert planned["import_answers"] == 1
    assert planned["score_items"] == 7 + 4 + 2


def test_a_second_run_has_nothing_to_do(done: Project):
    assert done.planned(*TARGET) == {}


def test_a_causal_model_sees_words_in_carriers_and_each_is_told(done: Project):
    facts = pd.read_csv(done.folder / "results/studies/language/language_models.csv", index_col=0)
    templates = pd.read_csv(done.folder / "results/studies/language/items.csv").query(
        "about == 'context template'"
    )
    assert set(templates["model"]) == {"small-causal"}
    assert set(templates["query"]) == {"noise"}
    assert " | ".join(templates["item"]) == facts.loc["small-causal", "context_templates"]
    assert "puts nothing in front of a text" in facts.loc["small-causal", "bare_words"]
    assert pd.isna(facts.loc["small-masked", "context_templates"])
    assert templates["value"].notna().all()


def test_a_sample_is_told_reruns_larger_queries_alone_and_all_items_give_the_scores_of_before(
    done: Project, run_once: Project
):
    done.edit("config/studies/language.yaml", "aggregation:", "items: 13\naggregation:")
    # The query of blanks has but 12.
    assert done.planned(*TARGET)["write_items"] == 3
    done.run(*TARGET)
    scores = headline(done)
    pairs = scores.xs("people_pairs", level="query")
    assert (pairs["n_words"] == 13).all()
    assert (pairs["sampled_from"] == 24).all()
    items = json.loads((done.folder / "results/items/people_pairs.json").read_text())
    assert len(items["items"]) == 13
    assert len(items["left_out"]) == 11
    assert scores.xs("people_blanks", level="query")["sampled_from"].isna().all()
    # Completions that were given of prompts that are not asked about are left aside.
    assert scores.loc[("given", "honest", "people_prompts"), "n_found"] == 13
    assert done.verify().returncode == 0
    done.run(*TARGET, "items=all")
    assert done.contents("results/scores") == run_once.contents("results/scores")
    assert done.verify().returncode == 0


def test_editing_a_metric_runs_numpy_rules_only(done: Project):
    path = "scripts/fairflow/language_models/metrics/cbs.py"
    done.edit(path, '"largest": float(ratios.max())', '"largest": float(ratios.max() + 0.0)')
    planned = done.planned(*TARGET)
    assert planned["score_items"] == 1
    assert not TORCH_RULES & planned.keys()


def test_whatever_changed_of_language_models_is_repaired(done: Project):
    one_of_each = (
        "results/items/people_pairs.json",
        "results/tokens/small-masked/demonstration.parquet",
        "results/embeddings/small-causal/toy.parquet",
        "results/completions/given/demonstration.parquet",
        "results/item_scores/small-masked/crows_pairs/demonstration.parquet",
        "results/language_models/small-masked/facts.json",
        "results/language_models/small-causal/model/model.safetensors",
        "results/report-lm.html",
    )
    before = done.contents("results/studies") | done.contents("results/provenance")
    before |= {path: (done.folder / path).read_bytes() for path in one_of_each}
    for path in one_of_each:
        data = before[path]
        # A model's file is a link to that of the given folder.
        (done.folder / path).unlink()
        (done.folder / path).write_bytes(data[: len(data) // 2] + b"?" + data[len(data) // 2 + 1 :])
    said = done.verify().stderr
    for path in one_of_each:
        assert f"{path}: changed" in said
    repaired = done.repair()
    assert repaired.returncode == 0, repaired.stderr
    assert {path: (done.folder / path).read_bytes() for path in before} == before
    assert done.verify().returncode == 0


def test_an_archive_with_language_models_is_complete_without_them(done: Project, tmp_path: Path):
    done.run("pack_archive", *SWITCH)
    assert "results are as results/provenance records them" in done.verify().stdout
    records = done.folder / "results/provenance"
    models = pd.read_csv(records / "models.csv", index_col="name")
    assert models.loc["small-masked", "sources"] == "a local folder"
    assert "Kurita" in (done.folder / "results/citations.bib").read_text()
    with tarfile.open(done.folder / ARCHIVE) as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = Project(tmp_path / "fairflow-archive")
    assert not (unpacked.folder / "results/language_models/small-masked/model").exists()
    crate = json.loads((unpacked.folder / "ro-crate-metadata.json").read_text())["@graph"]
    parts = [one["@id"] for one in crate if one["@id"].startswith("results/")]
    assert "results/tokens/" in parts
    assert all((unpacked.folder / part).exists() for part in parts)
    # The switch is part of the configuration that the archive holds.
    assert unpacked.planned() == {}
    shutil.rmtree(unpacked.folder / "results/studies")
    assert unpacked.by_script("rebuild.sh").returncode == 0
    assert "results are as results/provenance records them" in unpacked.verify().stdout


def test_a_model_of_a_hub_is_fetched_and_scored_as_from_its_folder(
    done: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = done.folder / "results/language_models/small-masked/model"
    entry = {"kind": "masked", "pooling": "mean", "hub": "some/model", "revision": "a" * 40}
    other = with_language_models(make_project(tmp_path / "hub"))
    write(other.folder / "config/language_models.yaml", MODELS | {"small-masked": entry})
    scores = "results/scores/small-masked/lpbs/demonstration.parquet"
    with hub_of(folder, "some/model", "a" * 40, monkeypatch, tmp_path / "cache"):
        other.run("results/language_models/small-masked/manifest.json", *SWITCH)
    # Everything after the download runs without the hub.
    other.run(scores, *SWITCH)
    # Not the same bytes: where a model is from decides the digests of its cells.
    fetched, given = (pd.read_parquet(one.folder / scores) for one in (other, done))
    assert_frame_equal(fetched, given)


def test_planning_loads_no_torch(unrun: Project):
    program = "import runpy, sys; sys.argv = ['snakemake', *sys.argv[1:]]\n"
    program += "try: runpy.run_module('snakemake', run_name='__main__')\n"
    program += "finally: print('torch' in sys.modules, 'transformers' in sys.modules)"
    command = unrun.command("--dry-run", *TARGET)
    found = subprocess.run(
        [command[0], "-c", program, *command[3:]],
        cwd=unrun.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip().endswith("False False")


def test_without_torch_it_is_said_how_to_get_it(
    unrun: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    text = "raise ModuleNotFoundError(\"No module named 'torch'\", name='torch')\n"
    (tmp_path / "torch.py").write_text(text)
    monkeypatch.setitem(ENVIRONMENT, "PYTHONPATH", str(tmp_path))
    facts = "results/language_models/small-masked/facts.json"
    output = unrun.run(facts, *SWITCH, check=False).stdout
    assert "No module named 'torch'\nmake .venv/workflow installs" in output
    assert "make .venv/language-models also torch" in output
    assert not (unrun.folder / facts).exists()
