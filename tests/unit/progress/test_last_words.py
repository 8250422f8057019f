"""What a run found, a row for each study, and what to open."""

from pathlib import Path

import pytest

from fairflow.files.atomic import write_json
from fairflow.progress.run import last_words

DIFFER = "First shows more bias than second over all queries."
COUNTS = {"agree": 28, "differ": 2, "absent": 5}
MEASURED = {"kind": "own metric", "sentence": "My distance on Gender: First 0.5."}


def reproduced(short: str, **facts: int) -> dict:
    return {"kind": "reproduced", "short": short, "facts": COUNTS | facts}


def write(folder: Path, answer: str, *claims: dict) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    page = {"title": f"Study {folder.name}", "answer": answer}
    write_json({"page": page, "claims": [*claims]}, folder / "claims.json")
    (folder / "conclusions.md").touch()


@pytest.fixture
def results(tmp_path):
    """Results of three studies; the first has a figure."""
    write(tmp_path / "studies/a", DIFFER, reproduced("partly"))
    write(tmp_path / "studies/b", "No test.", reproduced("not computed", agree=0, differ=0))
    write(tmp_path / "studies/c", "very long words, " * 20, MEASURED)
    figures = tmp_path / "figures/a"
    figures.mkdir(parents=True)
    for name in ("coverage", "effect_sizes"):
        (figures / f"{name}.png").touch()
    return tmp_path


def test_a_run_ends_in_one_table_with_a_row_for_each_study(results):
    assert last_words(results, "ab", [], 100).split("Open:")[0].splitlines() == [
        "Study    Reproduced    Answer",
        "Study a  28 of 30      First shows more bias than second over all queries.",
        "Study b  not computed  No test.",
    ]


@pytest.mark.parametrize("columns", [80, 100])
def test_a_long_answer_is_wrapped_and_not_cut(results, columns):
    said = last_words(results, "abc", [], columns).split("Open:")[0]
    assert " ".join(said.split()).count("very long words,") == 20
    assert max(map(len, said.splitlines())) <= columns


def test_a_metric_that_no_answer_is_about_is_told(results):
    assert "My distance" in last_words(results, "c", [], 100)


def test_the_files_to_open_are_there(results):
    pages = [("ledger.md", "numbers"), ("report.html", "all")]
    words = last_words(results, "abc", pages, 300)
    opened = [line.split()[0] for line in words.split("Open:\n")[1].splitlines()]
    assert opened == [
        f"{results}/studies/a/conclusions.md", f"{results}/figures/a/coverage.png",
    ]  # fmt: skip
    (results / "ledger.md").touch()
    assert f"{results}/ledger.md" in last_words(results, "abc", [("ledger.md", "numbers")], 300)


def test_studies_that_were_not_made_are_left_out(results):
    assert "Study b" in last_words(results, ["none", "b"], [], 100)
    assert last_words(results, ["none"], [], 100) == ""
