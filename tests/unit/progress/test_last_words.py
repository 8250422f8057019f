"""What a run found, in three sentences, and what to open."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairflow.progress.last_words import (
    LONG,
    QUESTIONS,
    TRUST,
    last_words,
    read_conclusions,
    telling,
)
from fairflow.studies.findings.finding import Finding, write_conclusions
from fairflow.studies.findings.statements import STATEMENTS

DIFFER = "First is probably less biased than second by WEAT on Gender (0.93)."
HIDDEN = "The old bias of words is still visible in their neighbours in debiased."
CHANCE = "51 of 117 scores with a null band by WEAT lie beyond those of random words."
PUBLISHED = "Of 112 published numbers 80 are not computed in this run, 28 match and 4 differ."
TRUSTED = "These numbers can be trusted only in part: reliability poor (.41)."


ABOUT = {
    TRUSTED: TRUST,
    TRUSTED.upper(): TRUST,
    DIFFER: "headline",
    HIDDEN: "associations_reduced",
    CHANCE: "random_words",
    PUBLISHED: "published_numbers",
}


def write(folder: Path, *sentences: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    found = [Finding(text, about=ABOUT.get(text, "other")) for text in sentences]
    paths = (folder / f"conclusions.{suffix}" for suffix in ("md", "json"))
    write_conclusions(f"Study {folder.name}", found, *paths)


@pytest.fixture
def results(tmp_path):
    """Results of three studies; the first has a figure."""
    for study, sentences in {
        "a": ["Something else.", PUBLISHED, DIFFER],
        "b": [PUBLISHED, CHANCE],
        "c": ["A first statement.", HIDDEN],
    }.items():
        write(tmp_path / "studies" / study, *sentences)
    figures = tmp_path / "figures/a"
    figures.mkdir(parents=True)
    for name in ("coverage", "effect_sizes"):
        (figures / f"{name}.png").touch()
    return tmp_path


def test_each_question_is_answered_by_a_study_of_which_nothing_is_told_yet(results):
    assert telling(read_conclusions(results, "abc")) == [
        ("Study a", DIFFER), ("Study c", HIDDEN), ("Study b", CHANCE),
    ]  # fmt: skip


def test_where_questions_have_no_answer_what_studies_state_first_is_told(results):
    assert telling(read_conclusions(results, "ca")) == [
        ("Study a", DIFFER), ("Study c", HIDDEN), ("Study a", PUBLISHED),
    ]  # fmt: skip
    assert telling(read_conclusions(results, "c")) == [
        ("Study c", HIDDEN), ("Study c", "A first statement."),
    ]  # fmt: skip


def test_how_far_to_trust_numbers_is_said_of_the_first_study_that_says_something(results):
    for study, sentences in {"d": [TRUSTED], "a": [DIFFER, TRUSTED.upper()]}.items():
        write(results / "studies" / study, *sentences)
    assert telling(read_conclusions(results, "dabc")) == [
        ("Study a", DIFFER), ("Study c", HIDDEN), ("Study b", CHANCE), ("Study a", TRUSTED.upper()),
    ]  # fmt: skip


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
    assert [c.study for c in read_conclusions(results, ["none", "b"])] == ["b"]
    assert last_words(results, ["none"], []) == ""


def test_a_long_statement_ends_with_a_clause(results):
    long = f"{DIFFER[:-1]}; {'and so on, ' * 50}"
    write(results / "studies/a", long)
    sentence = last_words(results, "a", []).splitlines()[2].strip()
    assert len(sentence) <= LONG + 4
    assert sentence.endswith("and so on ...")


def test_the_questions_are_names_of_statements():
    assert {*QUESTIONS, TRUST} < {statement.__name__ for statement in STATEMENTS}
