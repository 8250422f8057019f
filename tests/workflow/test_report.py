"""The report is one page that needs no network."""

import pytest

from project import ENVIRONMENT, Project

pytestmark = pytest.mark.workflow


def test_the_report_is_built_offline_and_holds_tables_figures_and_captions(
    finished: Project, monkeypatch: pytest.MonkeyPatch
):
    for variable in ("http_proxy", "https_proxy"):
        monkeypatch.setitem(ENVIRONMENT, variable, "http://127.0.0.1:9")
    finished.run("--report", "results/report.html")
    page = (finished.folder / "results/report.html").read_text()
    for shown in ("ranking.csv", "ranking_bars.svg", "Each published number beside ours"):
        assert shown in page
    assert 'src="http' not in page
