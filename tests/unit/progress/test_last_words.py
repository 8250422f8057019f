"""What a run found, one study whole and several in a row each, and what to open."""

from pathlib import Path

import pytest

from fairflow.files.atomic import write_json
from fairflow.progress.found import configured_figures, last_words
from fairflow.studies.claims.claim import Claim, plain
from fairflow.studies.claims.extension import TableRow
from fairflow.studies.claims.page import Page

DIFFER = "First shows more bias than second over all queries."
COUNTS = {"agree": 28, "differ": 2, "absent": 5}
MEASURED = Claim("own metric", "scores", sentence="My distance on Gender: First 0.5.")
LOST = "Not measured: 4 of 6 scores; missing: tom and tabby."
MISSING = Claim("not measured", "scores", short="4 of 6 scores not measured", sentence=LOST)
LANGUAGE = Claim("not measured", "other language", short="not asked")
FIGURES = {"a": ("effect_sizes", "coverage"), "b": (), "c": ()}
LEDGER = ("ledger.md", "numbers")


def reproduced(short: str, **facts: int) -> Claim:
    facts = COUNTS | facts
    return Claim("reproduced", "most", short=short, n=facts["agree"] + facts["differ"], facts=facts)


def write(folder: Path, answer: str, *claims: Claim, **parts) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    page = Page(f"Study {folder.name}", answer, **parts)
    write_json(plain({"page": page, "claims": claims}), folder / "claims.json")
    (folder / "conclusions.md").touch()


@pytest.fixture
def results(tmp_path):
    """Results of three studies; the first has figures."""
    rows = (TableRow(("Men with Career", "not significant")),)
    table = {"head": ("Association", "Verdict"), "rows": rows, "notes": (LOST,)}
    write(tmp_path / "studies/a", DIFFER, reproduced("partly"), **table)
    write(tmp_path / "studies/b", "No test.", reproduced("not computed", agree=0, differ=0))
    write(tmp_path / "studies/c", "very long words, " * 20, MEASURED, MISSING, LANGUAGE)
    figures = tmp_path / "figures/a"
    figures.mkdir(parents=True)
    for name in ("coverage", "effect_sizes"):
        (figures / f"{name}.png").touch()
    return tmp_path


def found(results, names, pages=(), columns=100) -> tuple[str, list[str]]:
    """What is said, and the files to open."""
    figures = {name: FIGURES.get(name, ()) for name in names}
    said, _, files = last_words(results, figures, pages, columns).partition("Open:\n")
    return said, [line.split()[0] for line in files.splitlines()]


def test_a_run_of_several_ends_in_one_table_with_a_row_for_each_study(results):
    assert found(results, "ab")[0].splitlines() == [
        "Study    Reproduced    Answer",
        "Study a  28 of 30      First shows more bias than second over all queries.",
        "Study b  not computed  No test.",
    ]


def test_a_run_of_one_study_ends_in_its_whole_page(results):
    said = [line for line in found(results, "a")[0].splitlines() if line]
    assert said == [
        "Study a",
        DIFFER,
        "Association      Verdict",
        "Men with Career  not significant",
        LOST,
    ]


@pytest.mark.parametrize("columns", [80, 100])
def test_a_long_answer_is_wrapped_and_not_cut(results, columns):
    said, _ = found(results, "abc", columns=columns)
    assert " ".join(said.split()).count("very long words,") == 20
    assert max(map(len, said.splitlines())) <= columns


def test_a_row_tells_a_metric_that_no_answer_is_about_and_what_was_not_measured(results):
    said = " ".join(found(results, "bc", columns=300)[0].split())
    assert said.endswith("My distance on Gender: First 0.5. 4 of 6 scores not measured.")


def test_the_files_to_open_are_there_the_first_figure_as_configured(results):
    pages = [LEDGER, ("report.html", "all")]
    own = [f"{results}/studies/a/conclusions.md", f"{results}/figures/a/effect_sizes.png"]
    assert found(results, "abc", pages, 300)[1] == own
    (results / "ledger.md").touch()
    assert found(results, "abc", pages, 300)[1] == [f"{results}/ledger.md", *own]


def test_a_run_without_published_numbers_names_no_ledger(results):
    (results / "ledger.md").touch()
    assert found(results, "c", [LEDGER], 300)[1] == [f"{results}/studies/c/conclusions.md"]


def test_figures_have_the_order_of_the_file_of_the_study(tmp_path):
    (tmp_path / "a.yaml").write_text("figures: [forest_plot, coverage]")
    assert configured_figures(tmp_path, "a") == ["forest_plot", "coverage"]
    assert configured_figures(tmp_path, "b") == ()


def test_studies_that_were_not_made_are_left_out(results):
    assert "Study b" in found(results, ["none", "b"])[0]
    assert found(results, ["none"]) == ("", [])
