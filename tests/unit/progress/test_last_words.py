"""What a run found, a few lines a study, and what to open."""

from pathlib import Path

import pytest

from fairflow.files.atomic import write_json
from fairflow.progress.run import COLUMNS, last_words

DIFFER = "First shows more bias than second over all queries."
PUBLISHED = "28 of 28 published numbers reproduced."


def write(folder: Path, answer: str, reproduced: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    page = {"title": f"Study {folder.name}", "answer": answer, "reproduced": reproduced}
    write_json({"page": page, "claims": []}, folder / "claims.json")
    (folder / "conclusions.md").touch()


@pytest.fixture
def results(tmp_path):
    """Results of three studies; the first has a figure."""
    write(tmp_path / "studies/a", DIFFER, PUBLISHED)
    write(tmp_path / "studies/b", PUBLISHED, PUBLISHED)
    write(tmp_path / "studies/c", "very long words, " * 20)
    figures = tmp_path / "figures/a"
    figures.mkdir(parents=True)
    for name in ("coverage", "effect_sizes"):
        (figures / f"{name}.png").touch()
    return tmp_path


def test_of_each_study_the_answer_and_what_is_reproduced_are_told_once(results):
    said = last_words(results, "ab", []).split("Open:")[0].splitlines()
    assert said == [
        "Found:",
        "  Study a:",
        f"    {DIFFER}",
        f"    {PUBLISHED}",
        "  Study b:",
        f"    {PUBLISHED}",
    ]


def test_a_long_answer_is_wrapped_and_not_cut(results):
    said = last_words(results, "c", []).split("Open:")[0]
    assert " ".join(said.split()).count("very long words,") == 20
    assert max(map(len, said.splitlines())) <= COLUMNS


def test_the_files_to_open_are_there(results):
    words = last_words(results, "abc", [("ledger.md", "numbers"), ("report.html", "all")])
    opened = [line.split()[0] for line in words.split("Open:\n")[1].splitlines()]
    assert opened == [
        f"{results}/studies/a/conclusions.md", f"{results}/figures/a/coverage.png",
    ]  # fmt: skip
    (results / "ledger.md").touch()
    assert f"{results}/ledger.md" in last_words(results, "abc", [("ledger.md", "numbers")])


def test_studies_that_were_not_made_are_left_out(results):
    assert "Study b" in last_words(results, ["none", "b"], [])
    assert last_words(results, ["none"], []) == ""
