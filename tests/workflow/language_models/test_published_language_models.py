"""Published numbers of a hub model are in the ledger, and compared once it is fetched."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from language_project import MODELS, SWITCH, with_language_models, write

from fairflow.language_models.cells.item_score_files import read_item_scores
from hub_server import hub_of
from project import ENVIRONMENT, Project, make_project

pytestmark = [pytest.mark.torch, pytest.mark.workflow]

REVISION = "a" * 40
ENTRY = {"kind": "masked", "hub": "some/model", "revision": REVISION, "bytes": 2_000_000}
STUDY = {
    "title": "Printed numbers",
    "models": ["far"],
    "on_missing_model": "published",
    "metrics": ["crows_pairs", "crows_pairs_by_bias"],
    "criteria": {"Pairs": ["people_pairs"]},
    "aggregation": "avg",
    "statistics": "none",
    "published": {"scores": "printed"},
}
COLUMNS = "paper,place,model,metric,scope,item,measure,value,decimals,tolerance,draws,erratum"
ONLY = "language_studies=[printed]"
SCORES = "results/scores/small-masked/crows_pairs/demonstration.parquet"
ITEMS = "results/item_scores/small-masked/crows_pairs/demonstration.parquet"
PUBLISHED = "results/studies/printed/published.csv"


def with_printed_numbers(project: Project, rows: list[str]) -> Project:
    """The toy project with a hub model that has published numbers."""
    with_language_models(project)
    config = project.folder / "config"
    write(config / "language_models.yaml", MODELS | {"far": ENTRY})
    write(config / "studies/printed.yaml", STUDY)
    lines = [f"{COLUMNS},reproducible,cause,note", *(f"{row},,,,no,unverified," for row in rows)]
    (config / "published/printed.csv").write_text("\n".join(lines) + "\n")
    return project


def row(metric: str, scope: str, value: float) -> str:
    return f"Doe 2020,Table 1,far,{metric},{scope},,metric_score,{value:.2f},2"


def read(project: Project, path: str) -> list[dict[str, str]]:
    with open(project.folder / path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project that has scored pairs by a very small model, not from a hub."""
    project = with_language_models(make_project(tmp_path_factory.mktemp("trained") / "project"))
    project.run(SCORES, *SWITCH)
    return project


@pytest.fixture
def hub(trained: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A hub on this machine that holds that model."""
    folder = trained.folder / "results/language_models/small-masked/model"
    with hub_of(folder, "some/model", REVISION, monkeypatch, tmp_path / "cache"):
        yield


def test_the_ledger_of_every_run_tells_what_they_need(tmp_path: Path):
    project = with_printed_numbers(make_project(tmp_path / "p"), [row("crows_pairs", "pairs", 61)])
    assert "fetch_language_model" not in project.planned()
    project.run("results/ledger.md")
    (told,) = (one for one in read(project, "results/ledger.csv") if one["file"] == "printed")
    assert (told["study"], told["verdict"], told["published"]) == (
        "printed",
        "not computed",
        "61.0",
    )
    assert told["reason"] == (
        "far is not downloaded: a file of 2 MB from the hub that download in config.yaml does not "
        "allow: make run-lm STUDY=printed DOWNLOAD=all"
    )
    page = (project.folder / "results/ledger.md").read_text()
    assert "computes the 1 numbers of printed." in page


def test_without_a_network_the_model_and_the_address_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    project = with_printed_numbers(make_project(tmp_path / "p"), [row("crows_pairs", "pairs", 61)])
    monkeypatch.setitem(ENVIRONMENT, "HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setitem(ENVIRONMENT, "HF_HUB_OFFLINE", "0")
    output = project.run(PUBLISHED, *SWITCH, ONLY, "download=all", check=False).stdout
    log = (project.folder / "results/logs/fetch_language_model/far.log").read_text()
    told = f"some/model at {REVISION} could not be fetched from http://127.0.0.1:9"
    assert told in log
    assert "in an entry folder instead of hub and revision" in log
    assert "far" in output
    assert not (project.folder / "results/language_models/far").exists()


def test_printed_numbers_are_compared_with_those_of_the_model_that_the_hub_gives(
    trained: Project, hub: None, tmp_path: Path
):
    values = read_item_scores([trained.folder / ITEMS])
    pairs = pd.DataFrame(values["small-masked", "crows_pairs", "people_pairs"])
    preferred = 100 * (pairs["score_more"].round(3) > pairs["score_less"].round(3))
    jobs = preferred[pairs["category"] == "job"]
    assert len(jobs) < len(preferred)
    rows = [
        row("crows_pairs", "people_pairs", preferred.mean()),
        row("crows_pairs_by_bias", "people_pairs: job", jobs.mean()),
        row("crows_pairs_by_bias", "people_pairs: job", jobs.mean() + 1),
        row("crows_pairs", "people_pairs", 50).replace(",far,", ",elsewhere,"),
    ]
    project = with_printed_numbers(make_project(tmp_path / "p"), rows)
    project.run("language_models", *SWITCH, ONLY, "download=all")
    compared = read(project, PUBLISHED)
    assert [one["verdict"] for one in compared] == ["match", "match", "differs", "not computed"]
    assert float(compared[2]["difference"]) == pytest.approx(-1, abs=0.01)
    assert compared[3]["reason"] == "only published: elsewhere is not a model of this study"
