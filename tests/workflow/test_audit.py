"""A user's model is audited without an edit, together with models of the catalogue."""

import json
import re
import shutil
from pathlib import Path

import pandas as pd
import pytest
from building.models import entry as entry_of
from pandas.testing import assert_frame_equal

from fairflow.scores.ranked import ranked_rows
from project import Project, command, write_vectors

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


def with_a_preset(project: Project) -> Project:
    """That project with a preset, and a file that no entry names."""
    (project.folder / "config/presets.yaml").write_text(PRESETS)
    write_vectors(project.folder / "my vectors.txt", seed=3, header=False)
    return project


@pytest.fixture
def project(fresh: Project) -> Project:
    """The toy project, nothing run yet."""
    return with_a_preset(fresh)


def audited(project: Project, *settings: str, path: str = "my vectors.txt") -> list[str]:
    output = project.run(*SETTINGS, f"audit={path}", *settings, "--", "audit").stdout
    (place,) = re.findall("^Report: (.*/)report.html", output, re.MULTILINE)
    summary = (project.folder / place / "summary.txt").read_text()
    assert summary in output
    return summary.splitlines()


MADE = ("results/audit", "results/studies", "results/figures")


def report_of(project: Project, lines: list[str]) -> Path:
    """The report that the page of an audit names."""
    (place,) = (line.split()[1] for line in lines if line.startswith("Report: "))
    return project.folder / place


def test_an_audit_ends_with_a_page_is_made_once_and_finished_if_it_was_killed(project: Project):
    lines = audited(project)
    assert max(map(len, lines[:-3])) <= 80
    report = report_of(project, lines)
    memo = report.with_name("memo.md").read_text()
    assert memo.startswith("# Bias audit of my vectors.txt\n")
    assert "## Limits" in memo
    # Whoever gets them learns nothing of this machine; settings.json is for make repair alone.
    folders = (report.parent, *project.folder.glob(f"results/*/{report.parent.name}"))
    files = {file for one in folders for file in one.rglob("*") if file.is_file()}
    told = [f.name for f in files if str(project.folder).encode() in f.read_bytes()]
    assert told == ["settings.json"]
    named = re.findall("<code>([^<]*(?:/|[.]csv|[.]svg))</code>", report.read_text())
    assert "../../figures/" in named
    assert [path for path in named if not (report.parent / path).exists()] == []
    before = {folder: project.contents(folder) for folder in MADE}
    # Named from elsewhere it is the same file: only the lines are printed again.
    again = (*SETTINGS, f"audit={project.folder}/my vectors.txt", "--", "audit")
    assert project.planned(*again) == {"audit": 1}
    assert audited(project) == lines
    assert {folder: project.contents(folder) for folder in MADE} == before
    report.unlink()
    shutil.rmtree(project.folder / "results/audit/models/audit/slices" / report.parent.name)
    assert audited(project) == lines
    assert {folder: project.contents(folder) for folder in MADE} == before
    # Another preset takes the converted models as they are; a changed file is converted again.
    other = project.planned(
        *SETTINGS, "audit=my vectors.txt", "audit_preset=weather", "--", "audit"
    )
    assert "convert_model" not in other
    assert other["score_queries"] == 9
    write_vectors(project.folder / "my vectors.txt", seed=4, header=False)
    changed = project.planned(*SETTINGS, "audit=my vectors.txt", "--", "audit")
    assert (changed["convert_model"], changed["score_queries"]) == (1, 3)


TABLES = (
    *("scores", "ranking", "pairwise", "coverage", "controls", "rank_probabilities"),
    "correlations",
)


def test_its_tables_are_those_of_a_study_and_a_run_is_not_touched(finished: Project):
    project = with_a_preset(finished)
    audited(project)
    verified = project.verify()
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert project.planned() == {}
    (place,) = (project.folder / "results/audit").glob("my-vectors-*")
    name = place.name
    entry = f"{name}:\n  sources: [{{file: my vectors.txt}}]\n  format: glove-text\n"
    models = project.folder / "config/models.yaml"
    models.write_text(models.read_text() + entry + "  language: en\n")
    study = project.folder / "config/studies/toy.yaml"
    text = study.read_text().replace("first-normalised]", f"{name}]")
    head = text.index("published:")
    study.write_text(text[:head] + "figures: [rank_probabilities]\n")
    project.edit("config/studies/toy.yaml", f"[first, second, {name}]", f"[{name}, first, second]")
    project.run(*(f"results/studies/toy/{table}.csv" for table in TABLES))
    of_audit, of_rules = (project.folder / "results/studies" / study for study in (name, "toy"))
    for table in TABLES:
        ours, theirs = (pd.read_csv(f / f"{table}.csv") for f in (of_audit, of_rules))
        hidden = [column for column in ("query_label",) if column in ours]
        assert_frame_equal(ours.drop(columns=hidden), theirs.drop(columns=hidden), obj=table)


def test_its_entry_of_the_page_models_has_its_scores(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    presets, metrics = (project.folder / f"config/{name}.yaml" for name in ("presets", "metrics"))
    metrics.write_text(f"{metrics.read_text()}weat_es: {{metric: weat, measure: effect_size}}\n")
    presets.write_text(PRESETS.replace("[weat, rnd, rnsb]", "[weat_es]"))
    audited(project, "audit_name=mine")
    monkeypatch.chdir(project.folder)
    ranking = pd.read_csv("results/studies/mine/ranking.csv").set_index(["criterion", "model"])
    columns = entry_of(project.folder, "my vectors.txt", "mine").columns
    shown = {one.criterion: one.cells["mine"].value for one in columns if "mine" in one.cells}
    assert {"Overall", "Weather", "Sound"} <= {*shown}
    for criterion in ("Overall", "Weather", "Sound"):
        assert shown[criterion] == pytest.approx(ranking.loc[(criterion, "mine"), "score"])


def test_requests_that_cannot_be_met_say_what_to_do(project: Project):
    for settings, says in (
        (["audit"], "make audit MODEL=PATH"),
        (["--config", "audit=nothing.txt", "--", "audit"], "no such file"),
        (["--config", "audit=my vectors.txt", "audit_preset=x", "--", "audit"], "presets.yaml"),
    ):
        result = project.run(*settings, check=False)
        assert result.returncode != 0
        assert says in result.stdout


def test_the_command_audits_without_make_and_is_a_gate(project: Project):
    asked = ["audit", "my vectors.txt", "--name", "ours", "--against", "first", "--cores", "1"]
    rule = ["--fail-if", "weat on Weather > 0", "--fail-if", "tests < 1"]
    ran = command(project, *asked, "--json", *rule)
    assert ran.returncode == 1, ran.stderr
    assert "fairflow: failed: weat on Weather > 0: it is " in ran.stderr
    assert "failed: tests" not in ran.stderr
    data = json.loads(ran.stdout)
    assert (data["model"]["name"], data["model"]["label"]) == ("ours", "ours")
    assert len(data["model"]["facts"]["sha256"]) == 64
    assert (project.folder / data["files"]["memo"]).is_file()
    assert [one["name"] for one in data["against"]] == ["first"]
    scores = pd.read_parquet(project.folder / "results/studies/ours/scores.parquet")
    own = ranked_rows(scores[scores["model"] == "ours"])
    queries = [row for row in data["values"] if "p_value" in row]
    assert {row["where"] for row in queries} >= {"temperature", "noise"}
    assert sorted(row["signed"] for row in queries) == pytest.approx(sorted(own["value"]))
    assert (project.folder / data["files"]["report"]).is_file()
    # What is there is not computed again, and a rule that nothing was measured for is no pass.
    again = command(project, *asked, "--fail-if", "ripa on Weather > 0")
    assert again.returncode == 2
    assert "the audit has no 'ripa on weather'" in again.stderr
    assert command(project, *asked, "--fail-if", "weat on noise > 99").returncode == 0


def test_vectors_of_another_language_are_not_scored(project: Project):
    lines = [
        f"{word} {number} 1 0" for number, word in enumerate(("chat", "chien", "soleil", "cat"))
    ]
    (project.folder / "français.txt").write_text("\n".join(lines))
    result = project.run(*SETTINGS, "audit=français.txt", "--", "audit", check=False)
    assert result.returncode != 0
    ending = result.stdout.partition("only 1 of the 24 words of the queries are in")[2]
    assert ending.startswith(" the model, too few for 2 of 2 queries.\n")
    said = ending.splitlines()[1:3]
    assert said[0].startswith("Are these vectors of another language than the queries? LISTS=TAG")
    assert said[1] == "For a language without lists add some, as the page 'Your language' does."
    made = [*(project.folder / "results/audit").glob("fran*/*")]
    assert [path.name for path in made] in ([], ["settings.json"])
    assert not [*(project.folder / "results/audit/models/audit").rglob("fran*/*")]
    # How good vectors are is measured without the words of the queries.
    made = {path.name for path in (project.folder / "results/studies").glob("fran*/*")}
    assert made <= {"quality.csv"}
