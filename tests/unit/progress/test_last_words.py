"""What a run found, a few lines a study, and what to open."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairflow.files.atomic import write_json
from fairflow.progress.last_words import COLUMNS, last_words, read_found

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
    opened = [line.split()[0] for line in words.split("Open:\n")[1].splitlines()[:-1]]
    assert opened == [
        f"{results}/studies/a/conclusions.md", f"{results}/figures/a/effect_sizes.png",
    ]  # fmt: skip
    (results / "ledger.md").touch()
    assert f"{results}/ledger.md" in last_words(results, "abc", [("ledger.md", "numbers")])


def test_a_page_that_does_not_hold_the_studies_is_not_one_to_open(results):
    def named(*studies: str) -> bool:
        return "report.html" in last_words(results, studies, [("report.html", "all")])

    assert not named("a")
    (results / "report.html").write_text('<section id="a" class="study"><section id="b">')
    assert named("a")
    assert named("a", "b")
    assert not named("c")
    assert not named("a", "c")


def test_studies_without_figures_are_named_in_a_line(results):
    *_, last = last_words(results, "abc", []).splitlines()
    assert last == "These studies list no figures: b, c."
    assert "Without figures" not in last_words(results, "a", [])


def test_the_overview_of_a_study_is_the_figure_to_look_at_first(results):
    for name in ("forest_plot", "overview"):
        (results / f"figures/a/{name}.png").touch()
    assert f"{results}/figures/a/overview.png" in last_words(results, "a", [])


def test_studies_that_were_not_made_are_left_out(results):
    assert [one.study for one in read_found(results, ["none", "b"])] == ["b"]
    assert last_words(results, ["none"], []) == ""
