"""A section for a model card: the claims on the model, every score, what is missing."""

import re

import pytest

from fairflow.sharing.exports import model_card
from fairflow.studies.claims.study_claims import stated


@pytest.fixture
def cards(planted):
    return model_card(planted)


def test_its_sentences_are_the_claims_on_the_scores_of_the_model(planted, cards):
    said = stated("", planted.results.of("large")).claims
    (told,) = (one.sentence for one in said if one.kind == "items")
    assert "66.7, not told apart from the fair 50" in told
    for markup, plain in (("\n", " "), ("|", "\\|"), ("<", "&lt;"), ("](", "]\\(")):
        told = told.replace(markup, plain)
    assert f"- {told}\n" in cards["large.md"]
    assert "Noise" not in cards["large.md"]
    assert "Größe" not in cards["small.md"]


def test_labels_are_text_in_tables_of_whole_rows(cards):
    text = cards["large.md"]
    assert "<b>" not in text
    assert "<i>" not in text
    assert "](" not in text
    rows = [line for line in text.split("\n### Scores")[1].splitlines() if line.startswith("|")]
    assert len(rows) == 4
    assert "| 48 in 16 clusters |" in rows[2]
    assert "| 31 |" in rows[3]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {9}


def test_a_score_without_a_value_is_named_with_its_reason(cards):
    why = "Careers lost 3 of 8 words (wage, boss, office)"
    assert f"- WEAT effect size on A and B wrt C and D: {why}.\n" in cards["small.md"]
    assert "nan" not in cards["small.md"]


def test_a_fact_that_is_not_known_has_no_row(cards):
    assert "| Licence | MIT |" in cards["large.md"]
    assert "Licence" not in cards["small.md"]
    assert "Citation" not in cards["large.md"]
