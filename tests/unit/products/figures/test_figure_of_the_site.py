"""The site's figure of language models is drawn from the table in the same folder."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from fairflow.files.tables import read_table
from fairflow.metrics import METRICS
from fairflow.products.figures import draw
from fairflow.products.figures._save_figure import save_figure
from fairflow.products.figures._study_frames import StudyFrames
from fairflow.products.figures.static_and_contextual import CONTEXTUAL

FOLDER = Path(__file__).parents[4] / "workflow/report"
NAME = "static_and_contextual"


def frames(table: pd.DataFrame) -> StudyFrames:
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
    save_figure(draw(NAME, frames(table)), [made])
    assert made.read_bytes() == (FOLDER / f"{NAME}.svg").read_bytes()
