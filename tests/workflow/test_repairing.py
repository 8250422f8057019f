"""make verify names whatever is not as recorded, and make repair brings back the recorded bytes."""

import os
import random
import shutil
from pathlib import Path

import pytest

from fairflow.files.configuration_files import read_yaml
from fairflow.planning.catalogue import download_name
from project import Project, write_benchmark
from test_audit import PRESETS

pytestmark = pytest.mark.workflow

# One of each kind of result, and the rule that makes it.
KINDS = {
    "results/words/toy.json": "write_words",
    "results/slices/first/toy.parquet": "look_up_words",
    "results/scores/second/rnd/toy.parquet": "score_queries",
    "results/vector_norms/second.csv": "record_model",
    "results/studies/toy/scores.parquet": "tabulate_toy",
    "results/studies/toy/ranking.csv": "tabulate_toy",
    "results/studies/toy/claims.json": "tabulate_toy",
    "results/studies/toy/conclusions.md": "tabulate_toy",
    "results/figures/toy/rank_probabilities.png": "plot_toy",
    "results/ledger.csv": "write_ledger",
    "results/ledger_counts.csv": "verify_published",
    "results/citations.bib": "record_run",
    "results/provenance/configuration.json": "record_run",
    "results/provenance/models/second.json": "record_model",
    "results/provenance/ro-crate-metadata.json": "describe_run",
    "results/provenance/checksums.sha256": "record_checksums",
}
MODEL = ("vectors", "index.sqlite", "card.json")


def flip_a_bit(path: Path) -> None:
    """Change a bit of a file whose date stays."""
    date = path.stat().st_mtime_ns
    data = bytearray(path.read_bytes())
    position = random.Random(path.name).randrange(len(data))
    data[position] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(date, date))


def cut(path: Path) -> None:
    """Leave half of a file, under its old date."""
    date = path.stat().st_mtime_ns
    os.truncate(path, path.stat().st_size // 2)
    os.utime(path, ns=(date, date))


DAMAGES = {"removed": Path.unlink, "truncated": cut, "flipped": flip_a_bit}


def results(project: Project) -> dict[str, bytes]:
    """Everything that a run makes, but for logs and times."""
    of_the_moment = ("results/logs/", "results/benchmarks/")
    every = project.contents("results")
    return {path: data for path, data in every.items() if not path.startswith(of_the_moment)}


def test_a_missing_result_of_each_kind_is_made_again_by_any_run(finished: Project, tmp_path: Path):
    # Snakemake alone makes again what another file is yet to be made of.
    for path, rule in KINDS.items():
        if "checksums" not in path:
            aside = (finished.folder / path).rename(tmp_path / "aside")
            assert rule in finished.planned(), path
            aside.rename(finished.folder / path)
    assert finished.planned() == {}


@pytest.mark.parametrize("damage", DAMAGES)
def test_one_command_brings_back_the_recorded_bytes_of_every_kind(finished: Project, damage: str):
    before = results(finished)
    # The record itself is lost last, as the others are known by it.
    damaged = [path for path in KINDS if "checksums" not in path]
    for path in damaged:
        DAMAGES[damage](finished.folder / path)
    for name in MODEL:
        DAMAGES[damage](finished.folder / "results/models/first" / name)
    said = finished.verify()
    assert said.returncode == 1
    for path in damaged:
        assert f"{path}: " in said.stderr
    assert said.stderr.count("make repair makes it again") == len(damaged)
    repaired = finished.repair()
    assert repaired.returncode == 0, repaired.stdout + repaired.stderr
    again = finished.verify()
    assert again.returncode == 0, again.stderr
    if damage == "removed":
        # A model that is not here is no fault.
        before = {path: b for path, b in before.items() if "models/first/" not in path}
    after = results(finished)
    assert {path: after[path] for path in before} == before


@pytest.fixture(scope="module")
def whole(finished_once: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The toy project with its report, its paper and an audit; not to be changed."""
    project = Project(tmp_path_factory.mktemp("whole") / "project")
    shutil.copytree(finished_once.folder, project.folder)
    (project.folder / "config/presets.yaml").write_text(PRESETS)
    with open(project.folder / "config/config.yaml", "a") as file:
        file.write("audit_references: [first]\n")
    write_benchmark(project, more="  quality: true\n")
    project.run("all", "report", "paper")
    project.run("--config", "audit=data/second.txt", "--", "audit")
    return project


def test_a_report_a_paper_and_an_audit_are_verified_and_repaired(whole: Project, tmp_path: Path):
    project = Project(tmp_path / "project")
    shutil.copytree(whole.folder, project.folder)
    assert project.verify().returncode == 0, project.verify().stderr
    before = results(project)
    parts = ("results/report.html", "results/paper/", "results/audit/")
    parts += ("results/studies/second-", "results/figures/second-")
    damaged = [
        path
        for path in before
        if path.startswith(parts) and not path.endswith(("settings.json", "checksums.sha256"))
        and not Path(path).name.startswith(".")
    ]  # fmt: skip
    whole_parts = {"report.html", "paper", "audit", "studies", "figures"}
    assert {path.split("/")[1] for path in damaged} == whole_parts
    for path in damaged:
        flip_a_bit(project.folder / path)
    said = project.verify()
    assert said.returncode == 1
    assert [path for path in damaged if f"{path}: changed" not in said.stderr] == []
    repaired = project.repair()
    assert repaired.returncode == 0, repaired.stdout + repaired.stderr
    assert project.verify().returncode == 0, project.verify().stderr
    after = results(project)
    assert [path for path in before if after[path] != before[path]] == []


def test_vectors_of_the_users_that_changed_under_an_old_date_are_noticed_and_followed(
    finished: Project,
):
    path = finished.folder / "data/second.txt"
    date, text = path.stat().st_mtime_ns, path.read_text()
    path.write_text(text.replace("lynx", "lynk"))
    os.utime(path, ns=(date, date))
    assert finished.planned() == {}
    said = finished.verify()
    assert "data/second.txt: changed since second was converted" in said.stderr
    repaired = finished.repair()
    assert repaired.returncode == 0, repaired.stderr
    record = "results/provenance/models/second.json"
    assert f"{record}: differs from the earlier record" in repaired.stderr
    assert "results/provenance/models/first.json" not in repaired.stderr
    assert b"lynk" in (finished.folder / "results/models/second/vectors").read_bytes()
    assert finished.verify().returncode == 0


def test_a_download_that_changed_is_fetched_again(fresh: Project):
    fresh.edit(
        "config/models.yaml", "[{file: data/first.txt}]", "[{url: 'http://127.0.0.1:9/first.txt'}]"
    )
    name = download_name(read_yaml(fresh.folder / "config/models.yaml")["first"])
    (fresh.folder / "mirror").mkdir()
    shutil.move(fresh.folder / "data/first.txt", fresh.folder / "mirror" / name)
    with open(fresh.folder / "config/config.yaml", "a") as file:
        file.write("mirrors: [mirror]\n")
    fresh.edit("config/studies/toy.yaml", "[weat, rnd, rnsb]", "[weat]")
    fresh.run()
    before = results(fresh)
    (download,) = (
        path for path in (fresh.folder / "results/downloads").rglob("*first.txt") if path.is_file()
    )
    flip_a_bit(download)
    said = fresh.verify()
    assert f"{download.relative_to(fresh.folder)}: changed" in said.stderr
    assert "make repair downloads it again" in said.stderr
    assert fresh.repair().returncode == 0
    assert results(fresh) == before


@pytest.mark.parametrize(
    ("path", "old", "new", "rule"),
    [
        ("config/word_sets/toy.yaml", "frost, hail", "frost, lynx", "write_words"),
        (
            "scripts/fairflow/metrics/rnd.py",
            "values = near_first - near_second",
            "values = 1.0 * near_first - near_second",
            "score_queries",
        ),
    ],
)
def test_words_and_code_that_changed_after_the_run_are_noticed(
    finished: Project, path: str, old: str, new: str, rule: str
):
    finished.edit(path, old, new)
    said = finished.verify()
    assert said.returncode == 1
    assert "configuration or code have changed since the run; make run does" in said.stderr
    assert f" {rule}" in said.stderr
    finished.edit(path, new, old)
    assert finished.verify().returncode == 0
