"""Why a number is what it is: the record of a cell in plain words."""

import re
from pathlib import Path

import pytest
import yaml

from fairflow import load_query, load_test_model
from fairflow.command.known_entries import formula
from fairflow.command.parser import main
from fairflow.files.kept import keep_up_to_date
from fairflow.metrics.base_metric import BaseMetric
from fairflow.queries.lookup import Lookup
from fairflow.scores.records import SCHEMA, plain_row
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import score_cell
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.uncertainty import Statistics

ROOT = Path(__file__).parents[3]
CELL = ("word2vec-google-news-300-weat", "weat_es_caliskan", "weat_6")


pytestmark = pytest.mark.usefixtures("in_the_clone")


def explained(capsys, *asked):
    assert main(["explain", *asked]) == 0
    return capsys.readouterr().out


def test_a_cell_is_explained_by_its_file_formula_citation_code_and_readers(capsys):
    text = explained(capsys, *CELL)
    assert text.startswith("weat_es_caliskan of weat_6 on word2vec-google-news-300-weat\n")
    # The variants of WEAT share the score file of the first.
    assert "results/scores/word2vec-google-news-300-weat/weat/weat_replication.parquet" in text
    assert "results/slices/word2vec-google-news-300-weat/weat_replication.parquet" in text
    assert "effect_size = " in text
    assert "Caliskan, A." in text
    assert "fairflow.metrics.weat" in text
    assert "study weat_replication, tables: scores, ranking" in text
    assert "results/figures/weat_replication/forest_plot.png" in text


def test_the_value_its_p_value_and_interval_are_given_where_the_cell_is_scored(project, capsys):
    assert "  not computed yet: make run" in explained(capsys, *CELL)
    cell, variant = Cell(CELL[0], "weat", CELL[2]), WordVariant("weat", "weat", "weat")
    words = load_test_model().look_up(load_query("weat_6"), Lookup())
    path = project / "results/scores" / CELL[0] / "weat/weat_replication.parquet"
    records = score_cell(words, variant, cell, 1, Statistics(resamples=200, joint_draws=0))
    cells = {CELL[2]: [*map(plain_row, records)]}
    keep_up_to_date(path, SCHEMA, dict.fromkeys(cells, "1"), lambda _: cells.items())
    text = explained(capsys, *CELL)
    assert re.search(r"effect_size [\d.]+, p [\d.e-]+ \([a-z-]+\), 95% interval", text)


def test_a_metric_without_a_docstring_has_no_formula_of_the_class_that_it_is_made_from():
    class Distance(BaseMetric):
        pass

    assert formula(Distance) == ""


def test_a_study_that_config_yaml_does_not_list_is_named(project, capsys):
    entry = {"title": "Mine", "models": ["glove-6B-50d"], "metrics": ["mac"], "aggregation": "avg"}
    entry |= {"criteria": {"Work": ["weat_6"]}}
    (project / "config/studies/mine.yaml").write_text(yaml.safe_dump(entry))
    asked = ("glove-6B-50d", "mac", "weat_6")
    assert 'none: "no study in config/config.yaml asks for them"' in explained(capsys, *asked)
    text = explained(capsys, *asked, "--study", "mine")
    assert "study mine, tables: scores, " in text
    assert "no study" not in text


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ((CELL[0], "weat_es_caliskn", CELL[2]), "unknown metric 'weat_es_caliskn'"),
        (("results/nothing.csv",), "expected MODEL METRIC QUERY, found results/nothing.csv"),
    ],
)
def test_what_is_no_cell_is_refused_in_a_sentence(capsys, asked, sentence):
    assert main(["explain", *asked]) == 2
    assert sentence in capsys.readouterr().err
