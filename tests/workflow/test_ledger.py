"""A run fails when a number declared reproducible is lost; models that are missing fail nothing."""

import csv

import pytest

from project import Project

pytestmark = pytest.mark.workflow

NUMBERS = "config/published/toy.csv"
STUDY = "config/studies/toy.yaml"
ROW = "made up,Table 1,First,weat,temperature,,weat,0.5,1,,,,no,unverified,"


def ledger(project: Project) -> list[dict[str, str]]:
    with open(project.folder / "results/ledger.csv", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_lost_number_fails_the_run_after_everything_is_written(finished: Project):
    finished.edit(NUMBERS, ROW, ROW.replace("0.5,1,,,,no,unverified", "9.5,1,,,,yes,"))
    result = finished.run(check=False)
    assert result.returncode != 0
    assert "1 published numbers are declared reproducible and differ:" in result.stdout
    assert "made up, Table 1, first, weat, temperature : weat published 9.5" in result.stdout
    assert "not expected" in (finished.folder / "results/ledger.md").read_text()
    last = {"verify_published": 1, "describe_run": 1, "record_checksums": 1}
    assert finished.planned() == last
    finished.edit(NUMBERS, "9.5,1,,,,yes,", "9.5,1,,,,no,list")
    finished.run()
    assert finished.planned() == {}


def make_second_a_download(project: Project, policy: str) -> None:
    """The second model becomes a download that this run may not make."""
    url = "[{url: 'http://127.0.0.1:9/second.txt'}]"
    project.edit("config/models.yaml", "[{file: data/second.txt}]", url)
    project.edit(STUDY, "title: Toy", f"title: Toy\non_missing_model: {policy}")
    project.edit(STUDY, "{First: first}", "{First: first, Third: second}")


def test_a_model_that_may_not_be_fetched_fails_no_other(fresh: Project):
    make_second_a_download(fresh, "published")
    fresh.run()
    assert not (fresh.folder / "results/scores/second").exists()
    score, rank = (row for row in ledger(fresh) if row["published_model"] == "Third")
    assert (score["verdict"], rank["verdict"]) == ("not computed", "match")
    assert score["reason"].startswith("only published: ")
    assert "download in config.yaml does not allow" in score["reason"]


def test_with_skip_its_numbers_are_left_out(fresh: Project):
    make_second_a_download(fresh, "skip")
    fresh.run()
    assert {row["published_model"] for row in ledger(fresh)} == {"First"}
