"""From texts to what is said of words in contexts, once."""

import random

import pandas as pd
import pytest
from language_project import SWITCH, with_language_models, write

from project import Project, make_project, toy_words

pytestmark = [pytest.mark.torch, pytest.mark.workflow]

TARGET = ("language_models", *SWITCH)
FILE = "results/contextual_associations/language/small-masked.parquet"
STUDY = {
    "title": "Contexts",
    "models": ["small-masked"],
    "contexts": {"corpus": "letters", "most": 12},
    "metrics": ["weat"],
    "criteria": {"Words": ["noise", "temperature"]},
    "aggregation": "abs_avg",
    "controls": [],
}


@pytest.fixture
def project(tmp_path) -> Project:
    """The toy project with a study of words in contexts."""
    made, draw = with_language_models(make_project(tmp_path / "project")), random.Random(1)
    sentences = (" ".join(draw.choices(toy_words(), k=5)) for _ in range(999))
    texts = made.folder / "data/letters"
    texts.mkdir()
    (texts / "a.txt").write_text(". ".join(one.capitalize() for one in sentences))
    write(made.folder / "config/corpora.yaml", {"letters": {"sources": [{"file": "data/letters"}]}})
    write(made.folder / "config/studies/language.yaml", STUDY)
    return made


def test_words_are_read_in_contexts_and_nothing_is_done_twice(project: Project):
    planned = project.planned(*TARGET)
    assert (planned["find_contexts"], planned["embed_contexts"]) == (1, 1)
    project.run(*TARGET)
    assert project.planned(*TARGET) == {}
    table = pd.read_csv(project.folder / "results/studies/language/ceat.csv")
    assert [*table["query"]] == ["noise", "temperature"]
    assert (table["contexts"] == 12).all()
    assert ((table["low"] < table["effect"]) & (table["effect"] < table["high"])).all()
    said = (project.folder / "results/studies/language/conclusions.md").read_text()
    assert "associations in contexts are significant, words and contexts random" in said
    # A query that is left out and asked again is the cell that it was.
    before = (project.folder / FILE).read_bytes()
    one = STUDY | {"criteria": {"Words": ["temperature"]}}
    write(project.folder / "config/studies/language.yaml", one)
    project.run(FILE, *SWITCH)
    write(project.folder / "config/studies/language.yaml", STUDY)
    project.run(FILE, *SWITCH)
    assert (project.folder / FILE).read_bytes() == before
