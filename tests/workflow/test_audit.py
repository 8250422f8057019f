"""A model of the user's is audited without an edit, beside models of the catalogue."""

import shutil

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from project import Project, write_vectors

pytestmark = pytest.mark.workflow

PRESET = """\
{name}:
  citation: toy
  metrics: [weat, rnd, rnsb]
  criteria: {criteria}
  lookup: as_written
  aggregation: abs_avg
  conventions: {{lists: toy}}
"""
PRESETS = PRESET.format(name="audit", criteria="{Weather: [temperature], Sound: [noise]}")
PRESETS += PRESET.format(name="weather", criteria="{Weather: [temperature]}")
SETTINGS = ("--config", "audit_references=[first,second]")


@pytest.fixture
def project(fresh: Project) -> Project:
    """The toy project with a preset, and a file that no entry names."""
    (fresh.folder / "config/presets.yaml").write_text(PRESETS)
    write_vectors(fresh.folder / "my vectors.txt", seed=3, header=False)
    return fresh


def audited(project: Project, *settings: str, path: str = "my vectors.txt") -> list[str]:
    output = project.run(*SETTINGS, f"audit={path}", *settings, "--", "audit").stdout
    return [line for line in output.splitlines() if line[:9].strip() in HEADS]


HEADS = ("Model", "Asked", "Found", "Sure", "Control", "Stands", "Missing", "Look at")


def test_an_audit_ends_with_eight_lines_and_is_made_once(project: Project):
    lines = audited(project)
    assert [line[:9].strip() for line in lines] == [*HEADS]
    report = project.folder / lines[-1][9:]
    assert report.is_file()
    before = project.contents("results/audit")
    # Named from elsewhere it is the same file: only the lines are printed again.
    again = (*SETTINGS, f"audit={project.folder}/my vectors.txt", "--", "audit")
    assert project.planned(*again) == {"audit": 1}
    assert audited(project) == lines
    assert project.contents("results/audit") == before
    # Another preset takes the converted models as they are; a changed file is converted again.
    other = project.planned(
        *SETTINGS, "audit=my vectors.txt", "audit_preset=weather", "--", "audit"
    )
    assert "convert_model" not in other
    assert other["score_audited_model"] == 3
    write_vectors(project.folder / "my vectors.txt", seed=4, header=False)
    changed = project.planned(*SETTINGS, "audit=my vectors.txt", "--", "audit")
    assert (changed["convert_model"], changed["score_audited_model"]) == (1, 1)


def test_its_tables_are_those_of_a_study_and_a_run_is_not_touched(project: Project):
    audited(project)
    (place,) = (project.folder / "results/audit").glob("my-vectors-*")
    name = place.name
    entry = f"{name}:\n  sources: [{{file: my vectors.txt}}]\n  format: glove-text\n"
    models = project.folder / "config/models.yaml"
    models.write_text(models.read_text() + entry + "  language: en\n")
    study = project.folder / "config/studies/toy.yaml"
    text = study.read_text().replace("first-normalised]", f"{name}]")
    head = text.index("published:")
    study.write_text(text[:head] + "figures: [ranking_bars]\n")
    project.edit("config/studies/toy.yaml", f"[first, second, {name}]", f"[{name}, first, second]")
    project.run()
    same = ("scores", "aggregates", "ranking", "pairwise", "coverage", "controls", "scale")
    of_rules = project.folder / "results/studies/toy"
    for table in (*same, "rank_probabilities", "friedman", "mean_ranks", "correlations"):
        ours, theirs = (pd.read_csv(f / f"{table}.csv") for f in (place, of_rules))
        hidden = [column for column in ("query_label",) if column in ours]
        assert_frame_equal(ours.drop(columns=hidden), theirs.drop(columns=hidden), obj=table)
    assert project.verify().returncode == 0, project.verify().stdout
    assert project.planned() == {}


def test_an_audit_that_was_killed_is_finished_by_the_next(project: Project):
    lines = audited(project)
    (place,) = (project.folder / "results/audit").glob("my-vectors-*")
    (place / "report.html").unlink()
    shutil.rmtree(project.folder / "results/audit/models/audit" / place.name / "slices")
    assert audited(project) == lines


def test_requests_that_cannot_be_met_say_what_to_do(project: Project):
    for settings, says in (
        (["audit"], "make audit MODEL=PATH"),
        (["--config", "audit=nothing.txt", "--", "audit"], "nothing lies there"),
        (["--config", "audit=my vectors.txt", "audit_preset=x", "--", "audit"], "presets.yaml"),
    ):
        result = project.run(*settings, check=False)
        assert result.returncode != 0
        assert says in result.stdout
