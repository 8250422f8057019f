"""The workflow runs from another folder, and as a module of another workflow."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from project import ROOT, TOY, Project, ended, write_vectors

pytestmark = pytest.mark.workflow

# A rule of somebody else's that reads one of our score files. Its wildcard {model} has the name of
# one of ours and another value.
OTHER = f"""
module fairflow:
    snakefile:
        "{ROOT}/Snakefile"
    config:
        {{"configuration": "bias", "studies": ["toy"], "seed": 1}}


use rule * from fairflow as fairflow_*


rule all:
    default_target: True
    input:
        "mine/toy.csv",


rule read_scores:
    input:
        scores="results/scores/first/weat/{{queries}}.parquet",
    output:
        table="{{model}}/{{queries}}.csv",
    run:
        import pandas

        scores = pandas.read_parquet(input.scores)
        scores[["measure", "value"]].to_csv(output.table, index=False)
"""

# As snakedeploy writes it, with the place of the workflow.
DEPLOYED = """
configfile: "config/config.yaml"


module fairflow:
    snakefile:
        "{place}"
    config:
        config


use rule * from fairflow
"""

# One of each metric, of a model that another is derived from.
CELLS = [f"results/scores/first/{metric}/toy.parquet" for metric in ("weat", "rnd", "rnsb")]


class Elsewhere(Project):
    """A folder that holds no workflow: a configuration and vectors."""

    def command(self, *arguments: str) -> list[str]:
        own = ["--snakefile", str(ROOT / "Snakefile"), "--directory", str(self.folder)]
        profile = ["--workflow-profile", str(ROOT / "workflow/profiles/local"), "--cores", "2"]
        return [sys.executable, "-m", "snakemake", *own, *profile, *arguments]


class Other(Project):
    """A workflow of somebody else's that uses this one."""

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "snakemake", "--cores", "2", *arguments]


def folder_with_vectors(folder: Path, configuration: str) -> Path:
    folder.mkdir()
    shutil.copytree(TOY / "config", folder / configuration)
    write_vectors(folder / "data/first.txt", seed=1, header=False)
    write_vectors(folder / "data/second.txt", seed=2, header=True)
    return folder


def results(project: Project) -> dict[str, bytes]:
    """Results without logs, times, and the two records of the files in the run's folder."""
    files = project.contents("results")
    of_the_folder = ("logs/", "benchmarks/", "provenance/ro-crate", "provenance/checksums")
    return {
        path: content
        for path, content in files.items()
        if not path.removeprefix("results/").startswith(of_the_folder)
    }


def test_another_workflow_uses_this_one_as_a_module(tmp_path: Path):
    other = Other(folder_with_vectors(tmp_path / "other", configuration="bias"))
    (other.folder / "Snakefile").write_text(OTHER)
    # The other workflow's settings do not apply: the module's config is enough.
    (other.folder / "bias/config.yaml").unlink()
    assert other.planned() == {
        "fairflow_convert_model": 1,
        "fairflow_record_model": 1,
        "fairflow_write_words": 1,
        "fairflow_look_up_words": 1,
        "fairflow_score_queries": 1,
        "read_scores": 1,
    }
    other.run()
    table = pd.read_csv(other.folder / "mine/toy.csv")
    scores = pd.read_parquet(other.folder / "results/scores/first/weat/toy.parquet")
    assert table["value"].tolist() == scores["value"].tolist()
    assert other.planned() == {}
    assert other.planned("fairflow_products")["fairflow_plot_toy"] == 1
    assert not (ROOT / "results/scores/first").exists()


def deployed(folder: Path, place: str) -> Other:
    other = Other(folder_with_vectors(folder, configuration="config"))
    (folder / "workflow").mkdir()
    (folder / "workflow/Snakefile").write_text(DEPLOYED.format(place=place))
    return other


def test_a_deployed_workflow_of_a_local_copy_gives_the_same_bytes(
    finished: Project, fresh: Project, tmp_path: Path
):
    other = deployed(tmp_path / "deployed", f"{ROOT}/workflow/Snakefile")
    assert other.planned() == fresh.planned()
    other.run(*CELLS)
    mine, theirs = results(other), results(finished)
    assert [mine[cell] for cell in CELLS] == [theirs[cell] for cell in CELLS]


def test_a_deployed_workflow_of_another_place_is_told_to_clone(fresh: Project, tmp_path: Path):
    for command in ("init -q", "add workflow", "-c user.name=x -c user.email=x commit -qm x"):
        subprocess.run(["git", *command.split()], cwd=fresh.folder, check=True)
    place = f"git+file://{fresh.folder}/workflow/Snakefile@HEAD"
    output = deployed(tmp_path / "deployed", place).run("--dry-run", check=False)
    assert output.returncode != 0
    assert 'clone fairflow, and in your Snakefile write snakefile: "CLONE/workf' in output.stdout


def test_a_run_in_another_folder_gives_the_same_bytes(finished: Project, tmp_path: Path):
    elsewhere = Elsewhere(folder_with_vectors(tmp_path / "elsewhere", configuration="config"))
    elsewhere.run()
    ours, theirs = results(elsewhere), results(finished)
    assert len(ours) > 50
    assert ours.keys() == theirs.keys()
    assert [path for path in ours if ours[path] != theirs[path]] == []
    assert elsewhere.planned() == {}
    crate = (elsewhere.folder / "results/provenance/ro-crate-metadata.json").read_text()
    nodes = {node["@id"]: node for node in json.loads(crate)["@graph"]}
    files = [name for name, node in nodes.items() if "File" in node["@type"]]
    assert not [name for name in files if not (elsewhere.folder / name).is_file()]
    assert nodes["./"]["mainEntity"] == {"@id": "#workflow"}
    assert str(ROOT) not in crate
    verified = ended([ROOT / "workflow/verify.sh", *elsewhere.command()], elsewhere.folder)
    assert verified.returncode == 0, verified.stdout + verified.stderr


def test_what_only_the_folder_of_the_workflow_can_do_is_refused_elsewhere(tmp_path: Path):
    elsewhere = Elsewhere(folder_with_vectors(tmp_path / "elsewhere", configuration="config"))
    output = elsewhere.run("--dry-run", "pack_archive", check=False)
    assert output.returncode != 0
    assert f"an archive contains the workflow: run this command in {ROOT}" in output.stdout
