"""The report is one page that needs no network, written again when something on it changes."""

from html import escape
from pathlib import Path

import pytest

from fairflow.studies.claims.study_claims import read_stated
from project import ENVIRONMENT, Project

pytestmark = pytest.mark.workflow


@pytest.fixture
def offline(finished: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """The finished toy project, where every request would fail."""
    for variable in ("http_proxy", "https_proxy"):
        monkeypatch.setitem(ENVIRONMENT, variable, "http://127.0.0.1:9")
    return finished


def test_the_report_holds_tables_figures_and_what_was_found(offline: Project):
    offline.run("report")
    page = (offline.folder / "results/report.html").read_text()
    for shown in ("Rankings", "Rank probabilities", "Published numbers"):
        assert shown in page
    found = read_stated(offline.folder / "results/studies/toy/claims.json").page
    for text in (found.answer, found.reproduced, *found.notes):
        assert escape(text, quote=False) in page
    assert "http-equiv" in page
    assert 'src="http' not in page
    assert str(offline.folder) not in page


def test_it_is_written_again_when_a_table_or_a_template_changes_and_else_not(offline: Project):
    offline.run("report")
    first = (offline.folder / "results/report.html").read_bytes()
    assert offline.planned("report") == {}
    offline.edit("scripts/fairflow/products/report/templates/page.html", "<body>", "<body >")
    made = {"write_report": 1, "record_checksums": 1, "report": 1}
    assert offline.planned("report") == made
    offline.edit("scripts/fairflow/products/report/templates/page.html", "<body >", "<body>")
    offline.run("--forcerun", "write_report", "report")
    assert (offline.folder / "results/report.html").read_bytes() == first


@pytest.fixture
def snakemakes_report(offline: Project) -> Path:
    """What make snakemake-report writes."""
    offline.run("--report", "results/snakemake-report.html")
    return offline.folder / "results/snakemake-report.html"


def test_snakemakes_own_report_can_be_made_too(snakemakes_report: Path):
    page = snakemakes_report.read_text()
    for shown in ("ranking.csv", "rank_probabilities.png", "Each published number and ours"):
        assert shown in page
    assert 'src="http' not in page
