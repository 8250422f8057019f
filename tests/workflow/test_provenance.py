"""What a run records of itself, and the archive from which all of it can be made again."""

import csv
import getpass
import json
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
import yaml

from fairflow.files.checksums import sha256
from project import ROOT, Project

pytestmark = pytest.mark.workflow

ARCHIVE = "results/archive/fairflow-archive.tar.xz"
CRATE = "ro-crate-metadata.json"
REBUILT = ("results/studies", "results/figures", "results/scores")


@pytest.fixture(scope="module")
def packed(finished_once: Project, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A finished toy project with its archive; not to be changed."""
    project = Project(tmp_path_factory.mktemp("packed") / "project")
    shutil.copytree(finished_once.folder, project.folder)
    project.run("pack_archive")
    return project


@pytest.fixture
def unpacked(packed: Project, tmp_path: Path) -> Project:
    """That archive in an empty folder."""
    with tarfile.open(packed.folder / ARCHIVE) as archive:
        archive.extractall(tmp_path, filter="data")
    return Project(tmp_path / "fairflow-archive")


class Offline(Project):
    """A project that is run without any network."""

    def command(self, *arguments: str) -> list[str]:
        # A new name space has no interface except a loopback that is down.
        alone = ["unshare", "--map-root-user", "--net"]
        possible = shutil.which("unshare") and not subprocess.run([*alone, "true"]).returncode
        return [*(alone if possible else ()), *super().command(*arguments)]


def rows(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_records_say_what_the_run_used(finished_once: Project):
    folder = finished_once.folder / "results/provenance"
    environment = json.loads((folder / "environment.json").read_text())
    assert set(environment["packages"]) >= {"numpy", "snakemake", "pyarrow"}
    configuration = json.loads((folder / "configuration.json").read_text())
    assert configuration["seed"] == 1
    assert configuration["statistics"]["level"] == 0.95
    assert configuration["studies"]["toy"]["minimum_coverage"] == 0.5
    assert configuration["metrics"]["rnsb"]["parameters"] == {"n_iterations": 3}
    models = {row["name"]: row for row in rows(folder / "models.csv")}
    assert models["first-normalised"]["vectors_of"] == "first"
    first, twin = models["first"], models["first-normalised"]
    assert first["source_sha256"] == twin["source_sha256"]
    made = finished_once.folder / "results/models"
    assert first["vectors_sha256"] == sha256(made / "first/vectors")
    # A derived model is read from the files of its origin.
    assert twin["vectors_sha256"] == first["vectors_sha256"]
    assert twin["derivation_sha256"] == sha256(made / "first-normalised/derivation.npz")
    assert first["derivation_sha256"] == ""
    sets = {row["set"]: row for row in rows(folder / "word_sets.csv")}
    assert sets["toy:cats"]["words"] == "4"
    assert sets["toy:cats"]["queries"] == "temperature noise"
    bibliography = (finished_once.folder / "results/citations.bib").read_text()
    assert "@article{caliskan2017semantics," in bibliography
    assert "made up for the tests" in bibliography


def test_records_do_not_tell_machine_user_day_or_folder(finished_once: Project):
    released = yaml.safe_load((ROOT / "CITATION.cff").read_text())["date-released"].isoformat()
    texts = finished_once.contents("results/provenance")
    texts["citations"] = (finished_once.folder / "results/citations.bib").read_bytes()
    for name, data in texts.items():
        text = data.decode().replace(released, "")
        assert not re.search(r'(^|[\s",])/\w', text), name
        assert not re.search(r"\b20\d\d-\d\d-\d\d\b", text), name
        # Short names, such as vm, stand inside checksums and words.
        for word in (platform.node(), getpass.getuser()):
            assert len(word) < 6 or word not in text, name


def test_the_crate_is_read_and_every_part_of_it_exists(unpacked: Project):
    rocrate = pytest.importorskip("rocrate.rocrate")
    crate = rocrate.ROCrate(unpacked.folder)
    assert crate.mainEntity.id == "Snakefile"
    assert crate.mainEntity["programmingLanguage"].id == "#snakemake"
    assert all((unpacked.folder / part.id).exists() for part in crate.data_entities)
    (action,) = crate.get_by_type("CreateAction")
    made = {part.id for part in action["result"]}
    assert {"results/scores/", "results/studies/toy/ranking.csv"} <= made
    ids = [node["@id"] for node in json.loads((unpacked.folder / CRATE).read_text())["@graph"]]
    assert len(ids) == len(set(ids))


def issues(folder: Path) -> str:
    script = Path(__file__).parent / "validate_crate.py"
    command = [sys.executable, str(script), str(folder), "workflow-run-crate-0.5", "REQUIRED"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_the_crate_keeps_to_its_profile(unpacked: Project):
    pytest.importorskip("rocrate_validator")
    assert issues(unpacked.folder) == ""
    text = (unpacked.folder / CRATE).read_text()
    (unpacked.folder / CRATE).write_text(text.replace('"ComputationalWorkflow"', '"Thing"'))
    assert "REQUIRED workflow-ro-crate-1.0" in issues(unpacked.folder)


def test_an_unpacked_archive_is_complete(unpacked: Project):
    assert unpacked.planned() == {}
    result = unpacked.verify()
    assert result.returncode == 0, result.stderr


def test_a_file_of_an_archive_that_changed_is_to_be_taken_from_it_again(unpacked: Project):
    unpacked.edit("config/word_sets/toy.yaml", "frost, hail", "frost, lynx")
    (unpacked.folder / "results/slices/first/toy.parquet").write_bytes(b"")
    said = unpacked.verify().stderr
    again = "; take it from the archive again\n"
    assert f"config/word_sets/toy.yaml: changed since the archive was packed{again}" in said
    assert re.search(rf"results/slices/first/toy.parquet: changed.*{again}", said)
    assert "2 faults" in said
    # A repair would record the damaged slice.
    assert "Nothing was repaired" in unpacked.repair().stderr
    assert unpacked.verify().stderr == said


def test_tables_and_figures_are_rebuilt_without_models_or_network(
    unpacked: Project, packed: Project
):
    for folder in REBUILT:
        shutil.rmtree(unpacked.folder / folder)
    offline = Offline(unpacked.folder)
    rebuilt = offline.by_script("rebuild.sh")
    assert rebuilt.returncode == 0, rebuilt.stderr
    assert not (unpacked.folder / "results/models").exists()
    assert not (unpacked.folder / "results/downloads").exists()
    for folder in REBUILT:
        assert unpacked.contents(folder) == packed.contents(folder)
    assert unpacked.verify().returncode == 0
    offline.run()
    offline.run("pack_archive")
    again = (unpacked.folder / ARCHIVE).read_bytes()
    assert again == (packed.folder / ARCHIVE).read_bytes()


def test_scores_are_not_removed_where_they_could_not_be_computed_again(finished: Project):
    scores = finished.contents("results/scores")
    (finished.folder / "results/slices/first/toy.parquet").unlink()
    refused = finished.by_script("rebuild.sh")
    assert refused.returncode == 1
    assert "results/slices/first/toy.parquet" in refused.stderr
    assert finished.contents("results/scores") == scores


def test_two_projects_use_one_read_only_store_of_models_at_once(fresh: Project, tmp_path: Path):
    store = tmp_path / "store"
    with open(fresh.folder / "config/config.yaml", "a") as file:
        file.write(f"models_dir: {store}\n")
    files = ("first/card.json", "second/card.json", "first-normalised/derivation.npz")
    fresh.run(*(f"{store}/{file}" for file in files))
    other = Project(tmp_path / "other")
    # It has not even the files that the models were made of.
    ignored = shutil.ignore_patterns("results", ".snakemake", "data")
    shutil.copytree(fresh.folder, other.folder, ignore=ignored)
    assert "convert_model" not in other.planned("scores")
    before = {path: path.stat().st_mtime_ns for path in store.rglob("*")}
    for path in (*before, store):
        path.chmod(0o555 if path.is_dir() else 0o444)
    processes = [project.start("scores", "--cores", "1") for project in (fresh, other)]
    assert [process.wait() for process in processes] == [0, 0]
    assert {path: path.stat().st_mtime_ns for path in store.rglob("*")} == before
    assert fresh.contents("results/scores") == other.contents("results/scores")
    for path in (store, *before):
        path.chmod(0o755)
