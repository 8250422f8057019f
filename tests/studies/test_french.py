"""The study of French vectors, and an audit of a file of them, from download to sentences."""

import re
from pathlib import Path

import pandas as pd
import pytest
from building.models import FRENCH, TABLES, french_table
from stores import files_in

from fairflow.files.configuration_files import read_yaml
from fairflow.scores.ranked import ranked_rows
from fairflow.vectors.store import VectorStore
from project import ROOT, Project, copy_workflow

pytestmark = pytest.mark.workflow

MODEL = "fr-core-news-md"
# By plain code: cosines of the words as they are written, sample sd over all targets.
EFFECT_SIZES = {
    **{"weat1": 1.538, "weat2": 1.414, "weat6": 1.781, "weat7": 0.379, "weat8": -0.390},
    **{"weat9": 1.309, "weat11": -1.086, "weat14": 0.998, "weat15": 0.956},
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = tmp_path_factory.mktemp("french") / "project"
    copy_workflow(folder, ROOT / "config")
    project = Project(folder)
    only = ("--config", "studies=[french]")
    project.run(*only)
    assert project.planned(*only) == {}
    return project


@pytest.fixture(scope="module")
def study(project: Project) -> Path:
    return project.folder / "results/studies/french"


def test_the_effect_sizes_are_those_of_plain_code(study: Path):
    scores = ranked_rows(pd.read_csv(study / "scores.csv")).query("model == @MODEL")
    made = scores.set_index(scores["query"].str.rpartition("_")[2])
    for test, value in EFFECT_SIZES.items():
        assert made.loc[test, "value"] == pytest.approx(value, abs=5e-4), test
    # Two of ten words of a set are there.
    assert pd.isna(made.loc["weat12", "value"])
    assert made.loc["weat12", "status"] == "lost_vocabulary"


def test_its_sentences_say_what_scores_of_two_languages_need(study: Path):
    text = (study / "conclusions.md").read_text()
    assert "lists of several languages are not parallel" in text
    assert "Nouns in French (fr) have a grammatical gender: 4 queries about men and women" in text
    assert "24 words, 11 vectors" in text
    assert "queries in another language" in text


def test_the_page_models_has_the_scores_of_this_run(study: Path):
    shown = pd.read_csv(ROOT / TABLES / FRENCH)
    pd.testing.assert_frame_equal(shown, french_table(study), rtol=1e-4)


def test_an_audit_of_a_file_finds_its_language_and_measures_its_tests(project: Project):
    sets = read_yaml(ROOT / "config/word_sets/weathub_fr.yaml")["sets"].values()
    with VectorStore(*files_in(project.folder / "results/models" / MODEL)) as vectors:
        first, *_ = next(vectors.rows_in_blocks())
        asked = (word for one in sets for word in one["words"] if word in vectors)
        words = list(dict.fromkeys([*first, *asked]))
        rows = zip(words, vectors.vectors(words), strict=True)
        lines = [f"{word} {' '.join(map(str, row))}" for word, row in rows]
    (project.folder / "mine.txt").write_text("\n".join(lines))
    output = project.run("--config", "audit=mine.txt", "--", "audit").stdout
    said = " ".join(output.split())
    assert "word lists in French (fr)" in said
    assert "4 queries about men and women may measure grammar" in said
    (place,) = re.findall("^Report: (.*/)report.html", output, re.MULTILINE)
    memo = (project.folder / place / "memo.md").read_text()
    assert "The language is French (fr)" in memo
    assert "The word lists are in French (fr)" in memo
    assert "word2vec" not in memo
