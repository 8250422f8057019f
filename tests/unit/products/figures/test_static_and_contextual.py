"""Word vectors and language models side by side: each group in its column, on one axis."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

from fairflow.products.figures import alt_text, draw, source_data
from fairflow.products.figures._drawing import notes_of, wrapped_query
from fairflow.products.figures._study_frames import StudyFrames
from fairflow.products.figures.static_and_contextual import LABEL_WIDTH, crossed, number

NAME = "static_and_contextual"
MODELS = ("table", "store", "encoder", "causal")
LABELS = {"weat_es": "WEAT effect size", "table": "Table of words"}
QUERIES = {"weat_1": "Flowers and Insects wrt Pleasant and Unpleasant", "mine_2": "A wrt B and C"}
SETS = {"weat_1": (["Flowers", "Insects"], ["Pleasant", "Unpleasant"])}
SETS["mine_2"] = (["A"], ["B", "C"])
PARTS = {q: {"targets": t, "attributes": a} for q, (t, a) in SETS.items()}


def frames() -> StudyFrames:
    rows = [
        {"model": model, "metric": metric, "query": query, "query_label": label, "value": value}
        for metric in ("weat_es", "mac")
        for model, first in zip(MODELS, (1.5, 0.5, -0.25, 1.0), strict=True)
        for (query, label), value in zip(QUERIES.items(), (first, 0.1), strict=True)
    ]
    table = pd.DataFrame(rows).assign(criterion="Tests", subquery="one", n_words=32, n_oov=0)
    ends = {"ci_low": -0.3, "ci_high": 0.3, "ci_low_both": -0.4, "ci_high_both": 0.4}
    table = table.assign(**{name: table["value"] + shift for name, shift in ends.items()})
    table = table.assign(null_band_low=-0.6, null_band_high=0.7, ci_level=0.95, status="ok")
    table = table.assign(statistics="ok", statistics_note=None, reason=None)
    chosen = table["model"] == "table"
    table.loc[chosen, ["null_band_low", "null_band_high"]] = np.nan
    table.loc[chosen, "statistics_note"] = "no null band: its words were chosen"
    lost = (table["model"] == "store") & (table["query"] == "mine_2")
    table.loc[lost, ["value", *ends, "null_band_low", "null_band_high"]] = np.nan
    table.loc[lost, ["status", "n_oov"]] = ["lost_vocabulary", 11]
    shown = ["The {word} | A {word}", ""]
    language = pd.DataFrame({"model": ["encoder", "causal"], "context_templates": shown})
    return StudyFrames(scores=table, labels=LABELS, language_models=language, query_parts=PARTS)


def texts() -> str:
    figure = draw(NAME, frames())
    shown = [text.get_text() for text in figure.findobj(Text) if text.get_visible()]
    shown += notes_of(figure)
    return " ".join(" ".join(shown).split())


def values(axes) -> set[float]:
    points = (line.get_xdata() for line in axes.get_lines() if line.get_marker() in "os^v")
    return {round(float(x), 9) for xs in points for x in xs if x == x}


def test_word_vectors_stand_left_and_language_models_right_of_the_first_metric_alone():
    left, right = draw(NAME, frames()).axes
    assert left.get_title("left") == "Static vectors"
    assert right.get_title("left") == "Contextual models"
    assert values(left) == {1.5, 0.5, 0.1}
    assert values(right) == {-0.25, 1.0, 0.1}
    assert left.get_xlim() == right.get_xlim()


def test_queries_that_the_first_metric_does_not_measure_have_no_row():
    scores = frames().scores
    another = scores[scores["metric"] == "mac"].assign(query="mine_3", query_label="D wrt E")
    figure = draw(NAME, replace(frames(), scores=pd.concat([scores, another])))
    assert len(figure.axes[0].get_yticks()) == len(QUERIES)


def test_a_model_looks_the_same_in_its_column_as_in_the_legend():
    figure = draw(NAME, frames())
    drawn = {
        (line.get_marker(), line.get_color())
        for axes in figure.axes
        for line in axes.get_lines()
        if len(line.get_xdata()) and line.get_marker() in "os^v" and line.get_linestyle() == "None"
    }
    legend = figure.legends[0].get_lines()[: len(MODELS)]
    assert drawn == {(line.get_marker(), line.get_color()) for line in legend}
    assert len(drawn) == len(MODELS)


def test_what_is_missing_is_in_its_lane_or_in_the_caption():
    shown = texts()
    assert "lost 11/32 words" in shown
    missing = "no band of random target sets of Table of words (2 of 7 marks)"
    assert f"WEAT effect size: {missing}." in shown


def test_the_texts_that_words_were_shown_in_stand_below():
    assert 'encoder: the mean of a word\'s vectors in "The {word}" and "A {word}".' in texts()


def test_a_long_test_has_its_attributes_on_a_line_of_their_own():
    sides = ("a" * 30, "b" * 24), ("good", "bad")
    sets = "/".join(sides[0])
    assert (
        wrapped_query(f"{sets} x good/bad (WEAT 3)", LABEL_WIDTH, sides)
        == f"{sets}\nx good/bad (WEAT 3)"
    )


@pytest.mark.parametrize(
    ("sides", "name"),
    [
        ((("Arts and crafts", "B"), ("C", "D")), "Arts and crafts/B x C/D"),
        ((("A",), ("Arts and crafts", "Trade", "C")), "A x Arts and crafts, Trade and C"),
        (((), ()), "Any label"),
    ],
)
def test_a_test_is_called_by_its_sets(sides, name):
    assert crossed("Any label", sides) == name


@pytest.mark.parametrize(
    ("query", "called"),
    [("weat_1", "WEAT 1"), ("weat_9_short_term", "WEAT 9 short term"), ("gender_1", "gender 1")],
)
def test_and_by_its_name(query, called):
    assert number(query, "WEAT") == called


def test_it_is_told_in_words_model_by_model():
    told = alt_text(NAME, frames())
    assert "Static vectors: Table of words and store." in told
    assert "Contextual models: encoder and causal." in told
    assert (
        "Table of words: from 0.10 (A x B/C (mine 2)) to 1.50 (Flowers/Insects x "
        "Pleasant/Unpleasant (WEAT 1)); 1 of 2 intervals over target words exclude zero; no bands."
    ) in told
    assert "store: from 0.50" in told
    assert "0 of 1 values lie outside their band; 1 score undefined." in told
    assert "causal: from 0.10" in told
    assert "1 of 2 values lie outside their band." in told


def test_the_table_behind_it_has_the_group_of_every_mark():
    rows = source_data(NAME, frames())
    assert dict(rows[["model", "group"]].itertuples(index=False)) == {
        "table": "Static vectors",
        "store": "Static vectors",
        "encoder": "Contextual models",
        "causal": "Contextual models",
    }
    assert set(rows["metric"]) == {"weat_es"}


def test_a_study_without_both_says_so():
    alone = replace(frames(), language_models=pd.DataFrame())
    figure = draw(NAME, alone)
    assert "No word vectors next to language models" in figure.texts[0].get_text().replace(
        "\n", " "
    )
