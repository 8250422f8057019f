"""`fairflow audit` runs the workflow as `make audit` does, and names what is missing."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fairflow.command import audit
from fairflow.command.parser import main

COUNTS = {"significant": 3, "tests": 9, "not measured": 0, "quality": 0.6}
DATA = {"control": "passes", "counts": COUNTS, "values": []}


@pytest.fixture
def ran(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict]:
    """What was run in a folder where the audit of vectors.txt, named ours, wrote its summary."""
    calls = []

    def run(command, **how):
        calls.append({"command": command, **how})
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(audit.subprocess, "run", run)
    monkeypatch.setattr(audit, "snakemake", lambda _: "snakemake")
    monkeypatch.setattr(audit, "check_plan", lambda _: None)
    summary = tmp_path / "results/audit/ours/summary.json"
    summary.parent.mkdir(parents=True)
    summary.write_text(json.dumps(DATA))
    return calls


ASKED = ["audit", "vectors.txt", "--name", "ours"]


def test_it_gives_the_workflow_what_make_gives_it(ran: list[dict], monkeypatch):
    monkeypatch.setenv("audit_format", "npy")
    asked = ["--against", "glove-6B-50d", "all-minilm-l6-v2", "--pooling", "cls", "--cores", "2"]
    assert main([*ASKED, *asked]) == 0
    (call,) = ran
    command, environment = call["command"], call["env"]
    assert command[:2] == [sys.executable, "-P"]
    assert command[command.index("--config") + 1 :] == [
        *("audit_name=@audit_name", "audit_pooling=@audit_pooling", "audit=@audit"),
        *("audit_references=[@audit_references]", "--", "audit"),
    ]
    assert command[command.index("--cores") + 1] == "2"
    assert environment["audit"] == str(Path("vectors.txt").absolute())
    assert environment["audit_references"] == "glove-6B-50d,all-minilm-l6-v2"
    assert environment["audit_pooling"] == "cls"


def test_json_is_all_that_stdout_gets(ran: list[dict], capsys: pytest.CaptureFixture[str]):
    assert main([*ASKED, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == DATA
    assert ran[0]["stdout"] is sys.stderr


@pytest.mark.parametrize(
    ("rules", "status"),
    [(["significant > 3"], 0), (["significant > 2"], 1), (["tests > 99", "quality < 0.7"], 1)],
)
def test_the_exit_status_is_that_of_the_rules(ran: list[dict], capsys, rules, status):
    asked = [word for rule in rules for word in ("--fail-if", rule)]
    assert main([*ASKED, *asked]) == status
    assert ("failed: " in capsys.readouterr().err) == bool(status)


def test_a_rule_that_is_none_stops_it_before_it_runs(ran: list[dict]):
    assert main([*ASKED, "--fail-if", "bias"]) == 2
    assert ran == []


def test_a_rule_on_what_was_not_measured_is_an_error_and_json_is_printed(ran: list[dict], capsys):
    rules = ["--fail-if", "weat on Gender > 1", "--fail-if", "tests > 1"]
    assert main([*ASKED, "--json", *rules]) == 2
    printed = capsys.readouterr()
    assert "the audit has no 'weat on gender'" in printed.err
    assert "failed: tests > 1" in printed.err
    assert json.loads(printed.out) == DATA


def test_a_file_that_does_not_exist_is_an_error_of_one_line(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["audit", "nothing.txt"]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"fairflow: {tmp_path}/nothing.txt: no such file")
    assert error.count("\n") == 1


def test_an_audit_that_fails_is_an_error_without_a_verdict(ran: list[dict], monkeypatch):
    monkeypatch.setattr(
        audit.subprocess, "run", lambda command, **_: subprocess.CompletedProcess(command, 1)
    )
    assert main([*ASKED, "--fail-if", "significant > 2"]) == 2


def test_outside_a_clone_it_says_what_is_needed(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(audit, "shipped_configuration", lambda: tmp_path / "config")
    assert main(ASKED) == 2
    error = capsys.readouterr().err
    assert "which the installed package does not contain. Clone the repository" in error
    assert "fairflow score" in error


def test_without_snakemake_it_says_how_to_install_it(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(audit, "find_spec", lambda _: None)
    with pytest.raises(audit.FairflowError, match="pip install 'snakemake>=9'"):
        audit.snakemake(tmp_path)
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/snakemake").touch()
    assert audit.snakemake(tmp_path) == str(tmp_path / ".venv/bin/snakemake")
