"""`fairflow merge` reads finished runs and archives, refuses others, and writes all or none."""

import contextlib
import io
import json
import math
import tarfile
from pathlib import Path

import pandas as pd
import pytest
from tables_of_scores import scores

from fairflow.command.parser import main
from fairflow.files.configuration_files import version
from fairflow.files.tables import write_table
from fairflow.provenance.archive import pack
from fairflow.provenance.checksums import CHECKSUMS, checksum_lines

FILES = {"merged.csv", "leaderboard.html", "merged.json"}
WEAT = {"metric": "weat", "measure": "effect_size", "label": "WEAT effect size"}
FIRST = {("a", "weat_6"): 0.5, ("a", "weat_7"): 0.5}
SECOND = {("b", "weat_6"): 1.5, ("b", "weat_7"): math.nan}


def run_folder(folder: Path, values=FIRST, version="0.2.0", study="mine", **recorded) -> Path:
    """The folder of a run with the files that are read, and code that must not be run."""
    tables = folder / "results/studies" / study
    tables.mkdir(parents=True)
    write_table(scores(values).assign(splits=None), tables / "scores.parquet")
    (folder / "pyproject.toml").write_text(f'[project]\nversion = "{version}"\n')
    records = folder / "results/provenance/models"
    records.mkdir(parents=True)
    for model, _ in values:
        (records / f"{model}.json").write_text(json.dumps({"vectors_sha256": f"of {model}"}))
    record = {"seed": 2020, "studies": {study: {"title": "My study", "aggregation": "abs_avg"}}}
    record |= {"models": {model: {"label": model.upper()} for model, _ in values}}
    record |= {"metrics": {"weat_es": WEAT}} | recorded
    (records.parent / "configuration.json").write_text(json.dumps(record))
    return recorded_again(folder)


def recorded_again(folder: Path) -> Path:
    """The folder with the checksums of its results, as a run leaves it."""
    (folder / CHECKSUMS).unlink(missing_ok=True)
    made = [path.relative_to(folder).as_posix() for path in folder.glob("results/**/*.*")]
    with contextlib.chdir(folder):
        Path(CHECKSUMS).write_text(checksum_lines(made))
    return folder


def packed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The archive of a run, by the function behind 'make archive'."""
    monkeypatch.chdir(folder)
    files = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    archive = folder.with_suffix(".tar.xz")
    pack("fairflow-archive", files, {}, archive)
    monkeypatch.undo()
    return archive


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    first = run_folder(tmp_path / "first")
    return first, run_folder(tmp_path / "second", SECOND, "0.1.0")


def merge(*paths: Path, to: Path, status: int = 0, only: tuple[str, ...] = ()) -> Path:
    named = ["--only", *only] if only else []
    assert main(["merge", *map(str, paths), "--to", str(to), *named]) == status
    return to


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_two_runs_become_a_table_a_page_and_a_record(pair, tmp_path, capsys):
    made = merge(*pair, to=tmp_path / "merged")
    assert {*contents(made)} == FILES
    table = pd.read_csv(made / "merged.csv").set_index(["model", "query"])
    assert table["value"].to_dict() == pytest.approx(FIRST | SECOND, nan_ok=True)
    assert table.loc[("b", "weat_7"), ["reason", "runs"]].tolist() == [
        "a word is missing",
        "second",
    ]
    record = json.loads((made / "merged.json").read_text())
    runs = {run["name"]: run for run in record["runs"]}
    assert [runs[name]["version"] for name in ("first", "second")] == ["0.2.0", "0.1.0"]
    assert runs["first"]["models"] == {"a": {"vectors_sha256": "of a"}}
    assert set(runs["second"]["scores_sha256"]) == {"mine"}
    page = (made / "leaderboard.html").read_text()
    for part in ("Leaderboard of 2 runs", "My study", "WEAT effect size", ">A</th>", "0.1.0"):
        assert part in page
    printed = capsys.readouterr().out
    assert f"second was written by fairflow 0.1.0, read by {version()}" in printed
    assert "Merged 4 scores, 2 models and 2 runs" in printed


def test_no_text_of_others_is_a_formula_of_a_spreadsheet_or_an_order_to_a_terminal(
    tmp_path, capsys
):
    folder = run_folder(tmp_path / "first")
    path = folder / "results/studies/mine/scores.parquet"
    write_table(scores(FIRST).assign(splits=None, reason="=1+1\x1b[31m", metric="a\x1b[2J"), path)
    recorded_again(folder)
    made = merge(folder, to=tmp_path / "merged")
    assert {*pd.read_csv(made / "merged.csv")["reason"]} == {"'=1+1\\x1b[31m"}
    assert "\x1b" not in capsys.readouterr().out


def test_the_order_of_the_runs_changes_no_byte(pair, tmp_path):
    one, other = (
        merge(*runs, to=tmp_path / f"to{len(runs[0].name)}") for runs in (pair, pair[::-1])
    )
    assert contents(one) == contents(other)


def test_an_archive_is_read_as_the_folder_of_the_run(pair, tmp_path, monkeypatch):
    whole = pd.read_csv(merge(*pair, to=tmp_path / "whole") / "merged.csv").drop(columns="runs")
    archive = packed(pair[0], monkeypatch)
    of_archive = pd.read_csv(merge(archive, pair[1], to=tmp_path / "x") / "merged.csv")
    assert whole.equals(of_archive.drop(columns="runs"))


def member(name: str, kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = kind, "/etc/passwd"
    return entry


@pytest.mark.parametrize(
    "entry",
    [
        member("fairflow-archive/results/studies/../../../../outside.txt"),
        member("/results/studies/mine/outside.txt"),
        member("fairflow-archive/results/studies/mine/scores.csv", tarfile.SYMTYPE),
        member("fairflow-archive/results/studies/mine/scores.csv", tarfile.LNKTYPE),
    ],
)
def test_an_archive_with_a_path_outside_or_a_link_is_refused(tmp_path, capsys, entry):
    with tarfile.open(tmp_path / "bad.tar.xz", "w:xz") as archive:
        archive.addfile(entry, io.BytesIO())
    merge(tmp_path / "bad.tar.xz", to=tmp_path / "merged", status=2)
    assert "bad.tar.xz is no" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["bad.tar.xz"]


TABLE = "results/studies/mine/scores.parquet"


def other_table(folder: Path, **columns) -> Path:
    write_table(pd.read_parquet(folder / TABLE).assign(**columns), folder / TABLE)
    return folder


def truncated(folder: Path) -> Path:
    (folder.parent / "a.tar.xz").write_bytes(b"\xfd7zXZ\x00 and nothing else")
    return folder.parent / "a.tar.xz"


def with_text(folder: Path, text: str, path="results/provenance/configuration.json") -> Path:
    (folder / path).parent.mkdir(exist_ok=True)
    (folder / path).write_text(text)
    return recorded_again(folder)


def unrecorded(folder: Path) -> Path:
    (folder / CHECKSUMS).unlink()
    return folder


def tables_alone(folder: Path) -> Path:
    pd.read_parquet(folder / TABLE).to_csv(folder / "results/scores.csv")
    return folder / "results"


def further_table(folder: Path) -> Path:
    (folder / TABLE).parent.with_name("later").mkdir()
    (folder / TABLE.replace("mine", "later")).write_bytes((folder / TABLE).read_bytes())
    return folder


GIVE = "Give the folder of a project, where 'make run' and 'make verify' end without fault, or an"
DEEP = "[" * 50_000
NO_RUN = {
    "nothing": (lambda folder: folder / "nowhere", f"no such file; make run writes it. {GIVE}"),
    "tables alone": (tables_alone, GIVE),
    "no record": (unrecorded, "is no finished run: results/provenance/checksums.sha256: there is"),
    "another p": (
        lambda folder: other_table(folder, p_value=0.5),
        f"is no finished run: {TABLE}: changed since the run recorded it. {GIVE}",
    ),
    "a table that was not recorded": (further_table, "later/scores.parquet: not of the recorded"),
    "a list as a record": (lambda folder: with_text(folder, "[1]"), "its records cannot be read"),
    "nested records": (lambda folder: with_text(folder, DEEP), "its records cannot be read"),
    "no archive": (truncated, "is not a whole tar archive"),
}


@pytest.mark.parametrize(("change", "message"), NO_RUN.values(), ids=NO_RUN)
def test_what_is_no_finished_run_is_refused_and_nothing_is_written(
    pair, tmp_path, capsys, change, message
):
    merge(pair[1], change(pair[0]), to=tmp_path / "merged", status=2)
    assert message in capsys.readouterr().err
    assert not (tmp_path / "merged").exists()


def test_an_archive_whose_table_was_exchanged_is_refused(pair, tmp_path, monkeypatch, capsys):
    archive = packed(other_table(pair[0], status="degenerate"), monkeypatch)
    merge(archive, to=tmp_path / "merged", status=2)
    assert f"{TABLE}: changed since the run recorded it" in capsys.readouterr().err


def test_a_metric_with_code_of_the_run_is_not_run_and_ranks_nobody(pair, tmp_path, capsys):
    folder = tmp_path / "third"
    trap = tmp_path / "trap.py"
    trap.write_text("raise SystemExit('run')")
    run_folder(folder, metrics={"weat_es": {"metric": str(trap), "measure": "x"}})
    recorded_again(other_table(folder, metric="my_distance"))
    made = merge(folder, pair[1], to=tmp_path / "merged")
    assert "my_distance is no metric of fairflow: it ranks no model" in capsys.readouterr().out
    assert set(pd.read_csv(made / "merged.csv")["metric"]) == {"weat_es", "my_distance"}


def test_a_conflict_leaves_what_was_there(pair, tmp_path, capsys):
    made = merge(*pair, to=tmp_path / "merged")
    before = contents(made)
    other = run_folder(tmp_path / "other", {("a", "weat_6"): 0.6, ("a", "weat_7"): 0.5})
    merge(*pair, other, to=made, status=2)
    assert "the cell weat_es, a, weat_6" in capsys.readouterr().err
    assert contents(made) == before
    merge(*pair, other, to=made, only=("weat_7",))
    assert set(pd.read_csv(made / "merged.csv")["query"]) == {"weat_7"}


def test_a_folder_with_other_files_is_not_written_into(pair, tmp_path, capsys):
    merge(*pair, to=pair[0] / "results", status=2)
    assert "name a new or empty folder after --to" in capsys.readouterr().err
