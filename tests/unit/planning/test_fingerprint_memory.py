"""Fingerprints that an earlier run took."""

import atexit
import json

import pytest

from fairflow.planning.fingerprint import remembering


@pytest.fixture
def code(tmp_path):
    folder = tmp_path / "code"
    (folder / "room").mkdir(parents=True)
    (folder / "room/one.py").write_text("ONE = 1\n")
    return folder


@pytest.fixture
def run(code, tmp_path, monkeypatch):
    """Ask for a fingerprint as a run does, to its end: the answer, and what had to be parsed."""

    def ask(*modules, memory=tmp_path / "memory/fingerprints.json", keep=True):
        parsed, ends = [], []
        monkeypatch.setattr(atexit, "register", ends.append)
        fingerprint = remembering(lambda *m: parsed.append(m) or f"of {m}", memory, code, keep)
        answers = {fingerprint(*modules) for _ in range(2)}
        for end in ends:
            end()
        return answers, parsed

    return ask


def test_what_one_run_parsed_the_next_does_not(run):
    assert run("a", "b") == ({"of ('a', 'b')"}, [("a", "b")])
    assert run("a", "b") == ({"of ('a', 'b')"}, [])
    assert run("a") == ({"of ('a',)"}, [("a",)])
    assert run("a", "b")[1] == run("a")[1] == []


@pytest.mark.parametrize("edit", ["contents", "new file", "other place"])
def test_any_edit_of_the_code_has_all_parsed_again(run, code, edit):
    run("a")
    if edit == "contents":
        (code / "room/one.py").write_text("ONE = 2\n")
    elif edit == "new file":
        (code / "room/two.py").touch()
    else:
        (code / "room/one.py").rename(code / "room/other.py")
    assert run("a")[1] == [("a",)]
    assert run("a")[1] == []


def test_an_edit_of_a_file_outside_the_code_has_it_parsed_again(run, tmp_path):
    metric = tmp_path / "distance.py"
    metric.write_text("a - b\n")
    run("a", str(metric))
    # An edit that leaves the length as it was.
    metric.write_text("b - a\n")
    assert run("a", str(metric))[1] == [("a", str(metric))]
    assert run("a", str(metric))[1] == []


@pytest.mark.parametrize(
    "contents", ["", "{", "[]", "null", json.dumps({"state": 1}), json.dumps({"fingerprints": {}})]
)
def test_a_memory_that_says_nothing_counts_for_nothing(run, tmp_path, contents):
    memory = tmp_path / "broken.json"
    memory.write_text(contents)
    assert run("a", memory=memory) == ({"of ('a',)"}, [("a",)])
    assert run("a", memory=memory)[1] == []
