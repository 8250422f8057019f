"""An archive has equal bytes for equal contents, and settings that hold on any machine."""

import os
import tarfile
from pathlib import Path

import pytest
import yaml

from fairflow.errors import FairflowError
from fairflow.provenance.archive import archived_settings, own_files, pack, workflow_files


def test_order_dates_and_permissions_do_not_change_its_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    for name in ("b.csv", "a.csv"):
        Path(name).write_text(name)
    pack("project", ["b.csv", "a.csv"], {"c.csv": b"c"}, "first.tar.xz")
    os.utime("a.csv", (1, 1))
    Path("b.csv").chmod(0o600)
    pack("project", ["a.csv", "b.csv", "a.csv"], {"c.csv": b"c"}, "second.tar.xz")
    assert Path("first.tar.xz").read_bytes() == Path("second.tar.xz").read_bytes()
    with tarfile.open("first.tar.xz") as archive:
        entries = archive.getmembers()
    assert [entry.name for entry in entries] == [f"project/{x}.csv" for x in "abc"]
    assert {(entry.uid, entry.gid, entry.uname) for entry in entries} == {(0, 0, "")}


def test_settings_of_the_machine_are_left_out_and_catalogues_come_along(tmp_path: Path):
    (tmp_path / "mine.yaml").write_text("mine: {}\n")
    main = {
        "studies": ["toy"],
        "seed": 1,
        "models_dir": "/somewhere",
        "mirrors": ["/elsewhere"],
        "model_catalogues": [str(tmp_path / "mine.yaml")],
    }
    files = archived_settings(main)
    settings = yaml.safe_load(files["config/config.yaml"])
    catalogue = "config/model_catalogues/1-mine.yaml"
    assert settings == {
        "studies": ["toy"],
        "seed": 1,
        "model_catalogues": [catalogue],
        "archive": True,
    }
    assert files[catalogue] == b"mine: {}\n"


def test_a_metric_outside_the_project_cannot_be_packed():
    assert own_files(["./mine/a.py", "b.py"]) == ["b.py", "mine/a.py"]
    with pytest.raises(FairflowError, match="lies outside the project"):
        own_files(["/home/a.py"])
    with pytest.raises(FairflowError, match="lies outside the project"):
        own_files(["../a.py"])


def test_what_tools_leave_behind_is_not_packed(tmp_path: Path):
    for name in ("Snakefile", "scripts/a.py", "scripts/a.py~", "scripts/__pycache__/a.pyc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "scripts/.hidden").write_text("")
    assert workflow_files(tmp_path) == ["Snakefile", "scripts/a.py"]
