"""From texts to scores by subcorpus: jobs, faults, interruptions, and the same bytes."""

import csv
import random

import pandas as pd
import pytest

from fairflow.corpora.trends import parted
from project import Project, command, make_project, toy_words

pytestmark = pytest.mark.workflow

TABLE = "results/studies/texts/corpus_scores.csv"
CORPUS = """\
toy:
  sources: [{file: data/texts.csv}]
  date: year
  cluster: author
  preparation: {minimum_count: 2, window: 4}
  divisions:
    decades: {date: [1900, 1910, 1920, 1930]}
    sides: {field: side, values: [left, right]}
  embeddings:
    pmi: {contexts: 20}
    sgns: {dims: 4, epochs: 2, draws: {documents: 3, seeds: 2, shuffled: 1}}
  draws: {documents: 20, shuffled: 3}
"""
STUDY = """\
title: Texts
corpus: toy
metrics: [weat]
criteria: {Weather: [temperature]}
aggregation: abs_avg
controls: []
figures: [subcorpora]
"""
N_PARTS = 5


def write_texts(project: Project, name: str = "texts", n_documents: int = 60) -> None:
    """Documents of random toy words, from 1900 to 1929."""
    generator, words = random.Random(5), toy_words()
    with open(project.folder / f"data/{name}.csv", "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["text", "year", "side", "author"])
        for n in range(n_documents):
            text = " ".join(generator.choices(words, k=200))
            rows.writerow([text, 1900 + n % 30, ("left", "right")[n % 2], n // 3])


@pytest.fixture
def project(tmp_path) -> Project:
    """The toy project with a study of texts alone, nothing run yet."""
    made = make_project(tmp_path / "project")
    write_texts(made)
    (made.folder / "config/corpora.yaml").write_text(CORPUS)
    (made.folder / "config/studies/texts.yaml").write_text(STUDY)
    made.edit("config/config.yaml", "studies: [toy]", "studies: [texts]")
    return made


def test_texts_become_models_and_tables_with_intervals_and_nothing_is_done_twice(project: Project):
    planned = project.planned()
    assert planned["read_corpus"] == 1
    assert planned["train_vectors"] == planned["convert_model"] == 2 * N_PARTS
    assert planned["count_cooccurrences"] == N_PARTS
    # Documents and shuffled texts of pmi; of sgns the seeds, too.
    assert planned["score_draws"] == (2 + 3) * N_PARTS
    project.run()
    assert project.planned() == {}
    scores, trends, words = parted(pd.read_csv(project.folder / TABLE))
    counted = scores[scores["metric"] == "log_odds_ratio"]
    assert len(counted) == N_PARTS
    assert counted["value"].notna().all()
    # Words dealt at random: most intervals hold 0.
    assert (counted["low"] * counted["high"] < 0).sum() >= N_PARTS - 1
    trained = scores[scores["metric"] == "weat"]
    # sgns has but one shuffled text.
    assert (trained["excess_p"].notna() == (trained["embedding"] == "pmi")).all()
    assert len(trained) == 2 * N_PARTS
    ordinary = pd.read_csv(project.folder / "results/studies/texts/scores.csv")
    ordinary = ordinary[ordinary["measure"] == "weat"]["value"].sort_values().to_numpy()
    assert trained["value"].sort_values().to_numpy() == pytest.approx(ordinary, abs=0)
    assert set(trends["kind"]) == {"slope", "difference"}
    assert words["count"].sum() > 0
    said = (project.folder / "results/studies/texts/conclusions.md").read_text()
    assert "associations exceed those of shuffled texts" in said


def test_one_core_and_two_make_the_same_bytes(project: Project):
    project.run("--cores", "1", TABLE)
    before = (project.folder / TABLE).read_bytes()
    again = ("--forcerun", "train_vectors", "score_draws", "count_cooccurrences")
    project.run("--cores", "2", *again, "--", TABLE)
    assert (project.folder / TABLE).read_bytes() == before


def test_a_changed_text_is_read_anew_and_its_scores_are_those_of_a_fresh_run(project: Project):
    project.run(TABLE)
    write_texts(project, n_documents=90)
    assert project.planned(TABLE)["train_vectors"] == 2 * N_PARTS
    project.run(TABLE)
    assert project.planned(TABLE) == {}
    *_, words = parted(pd.read_csv(project.folder / TABLE))
    assert words.drop_duplicates("subcorpus")["documents"].sum() == 2 * 90


def test_the_study_that_fairflow_corpus_writes_runs_as_it_is(project: Project):
    write_texts(project, "letters")
    metrics = project.folder / "config/metrics.yaml"
    metrics.write_text(f"{metrics.read_text()}weat_es: {{metric: weat, measure: effect_size}}\n")
    said = command(project, "corpus", "data/letters.csv", "--query", "temperature")
    assert said.returncode == 0, said.stderr
    assert "60 documents, from 1900 to 1929" in said.stdout
    assert said.stdout.rstrip().endswith("make run STUDY=letters")
    table = TABLE.replace("/texts/", "/letters/")
    project.run("--config", "studies=[letters]", "--", table)
    scores, *_ = parted(pd.read_csv(project.folder / table))
    assert {"letters"} == {path.name for path in (project.folder / "results/corpora").iterdir()}
    assert set(scores["metric"]) == {"log_odds_ratio", "weat_es"}
    assert scores["value"].notna().all()


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (
            "studies/texts",
            "corpus: toy",
            "corpus: toi",
            "unknown corpus 'toi'. Did you mean 'toy'?",
        ),
        (
            "studies/texts",
            "corpus: toy",
            "corpus: toy\ndivisions: [decade]",
            "unknown division 'decade'. Did you mean 'decades'?",
        ),
        ("corpora", "data/texts.csv", "data/text.csv", "there is no file data/text.csv"),
        ("corpora", "date: year", "dates: year", "unknown key 'dates'"),
    ],
)
def test_a_wrong_entry_is_refused_with_what_to_write(project: Project, file, old, new, said):
    project.edit(f"config/{file}.yaml", old, new)
    result = project.run("--dry-run", check=False)
    assert result.returncode
    assert said in result.stdout
