"""Word vectors and language models side by side: each group in its column, on one axis."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from drawn import everything

from fairflow.files.tables import read_table
from fairflow.language_models.figures.static_and_contextual import CONTEXTUAL, crossed
from fairflow.metrics import METRICS
from fairflow.products.figures import draw
from fairflow.products.figures._save_figure import save_figure
from fairflow.products.figures._study_frames import StudyFrames

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


def test_what_is_missing_is_in_its_lane_or_in_the_caption():
    shown = everything(draw(NAME, frames()))
    assert "lost 11/32 words" in shown
    missing = "no band of random target sets of Table of words (2 of 7 marks)"
    assert f"WEAT effect size: {missing}." in shown


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


FOLDER = Path(__file__).parents[4] / "workflow/report"


def frames_of(table: pd.DataFrame) -> StudyFrames:
    labels = {
        name: label
        for kind in ("model", "metric")
        for name, label in table[[kind, f"label_{kind}"]].itertuples(index=False)
    }
    contextual = table[table["group"] == CONTEXTUAL]
    language = contextual[["model", "context_templates"]].drop_duplicates()
    facts = METRICS.load("weat").reading("effect_size", {}).facts
    named = {
        query: [side.split(" and ") for side in label.split(" wrt ")]
        for query, label in table[["query", "query_label"]].itertuples(index=False)
    }
    return StudyFrames(
        scores=table,
        labels=labels,
        readings=dict.fromkeys(table["metric"], facts),
        query_parts={query: {"targets": t, "attributes": a} for query, (t, a) in named.items()},
        language_models=language,
    )


def test_the_figure_is_drawn_from_the_table_beside_it(tmp_path: Path):
    table = read_table(FOLDER / f"{NAME}.csv")
    made = tmp_path / "made.svg"
    save_figure(draw(NAME, frames_of(table)), [made])
    assert made.read_bytes() == (FOLDER / f"{NAME}.svg").read_bytes()
