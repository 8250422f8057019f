"""What a run found, in three sentences, and what to open."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairflow.progress.last_words import LONG, QUESTIONS, last_words, read_conclusions, telling

LIBRARY = Path(__file__).parents[3] / "scripts/fairflow/studies"
DIFFER = "Over queries these models differ in association: first below second by WEAT on Gender."
HIDDEN = "The old bias of words can still be told from where they lie in debiased."
CHANCE = "51 of 117 scores with a null band by WEAT lie beyond those of random words."
PUBLISHED = "Of 112 published numbers 80 are not computed in this run, 28 match and 4 differ."


@pytest.fixture
def results(tmp_path):
    """Results of three studies, of which the first has a figure."""
    for study, statements in {
        "a": ["Something else.", PUBLISHED, DIFFER],
        "b": [PUBLISHED, CHANCE],
        "c": ["A first statement.", HIDDEN],
    }.items():
        folder = tmp_path / "studies" / study
        folder.mkdir(parents=True)
        lines = "\n".join(f"- {statement}" for statement in statements)
        (folder / "conclusions.md").write_text(f"## Study {study}\n\n{lines}\n")
    figures = tmp_path / "figures/a"
    figures.mkdir(parents=True)
    for name in ("coverage", "ranking_bars"):
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


def test_the_files_to_open_are_there(results):
    words = last_words(results, "abc", [("ledger.md", "numbers"), ("report.html", "all")])
    opened = [line.split()[0] for line in words.split("Open:\n")[1].splitlines()[:-1]]
    assert opened == [
        f"{results}/studies/a/conclusions.md", f"{results}/figures/a/ranking_bars.png",
    ]  # fmt: skip
    (results / "ledger.md").touch()
    assert f"{results}/ledger.md" in last_words(results, "abc", [("ledger.md", "numbers")])


def test_studies_without_figures_are_named_in_a_line(results):
    *_, last = last_words(results, "abc", []).splitlines()
    assert last == "Without figures, as their files name none: b, c."
    assert "Without figures" not in last_words(results, "a", [])


def test_the_overview_of_a_study_is_the_figure_to_look_at_first(results):
    for name in ("forest_plot", "overview"):
        (results / f"figures/a/{name}.png").touch()
    assert f"{results}/figures/a/overview.png" in last_words(results, "a", [])


def test_studies_that_were_not_made_are_left_out(results):
    assert [c.study for c in read_conclusions(results, ["none", "b"])] == ["b"]
    assert last_words(results, ["none"], []) == ""


def test_a_long_statement_ends_with_a_clause(results):
    path = results / "studies/a/conclusions.md"
    path.write_text(f"## Study a\n\n- {DIFFER[:-1]}; {'and so on, ' * 50}\n")
    sentence = last_words(results, "a", []).splitlines()[2].strip()
    assert len(sentence) <= LONG + 4
    assert sentence.endswith("and so on ...")


def test_statements_of_studies_begin_as_the_questions_say():
    text = "".join(path.read_text(encoding="utf-8") for path in LIBRARY.rglob("*.py"))
    for question in QUESTIONS:
        words = max(re.split(r"\\d\+|\?", question), key=len).strip()
        assert words in text, f"no statement of a study holds {words!r}"
