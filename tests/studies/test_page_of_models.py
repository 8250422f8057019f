"""The page on models shows the numbers of the default studies."""

from pathlib import Path

import pandas as pd
import pytest
from building.models import as_rows, columns_of_run, plan_of

from fairflow.planning.jobs import run_description
from fairflow.products.report.standings import QUALITY, models_table
from fairflow.scores.ranked import ranked_rows
from project import ROOT

pytestmark = pytest.mark.workflow

KEY = ["model", "metric", "query"]


def test_the_table_of_the_figure_of_language_models_has_the_scores_of_this_run(results: Path):
    shown = pd.read_csv(ROOT / "workflow/report/static_and_contextual.csv")
    static = shown[(shown["group"] == "Static vectors") & (shown["criterion"] == "WEAT")]
    made = pd.read_parquet(results / "studies/weat_replication/scores.parquet")
    made = ranked_rows(made).set_index(KEY)
    assert len(static) == 20
    for row in static.itertuples():
        same = made.loc[(row.model, row.metric, row.query)]
        for column in ("value", "ci_low", "ci_high", "null_band_low", "null_band_high"):
            assert getattr(row, column) == pytest.approx(same[column], abs=1e-6, nan_ok=True)


def test_the_table_of_the_page_models_has_the_numbers_of_this_run(results: Path):
    shown = pd.read_csv(ROOT / "workflow/report/models.csv")
    shown = shown[(shown["study"] == "debiasing") & (shown["scale"] != QUALITY)]
    run = run_description(plan_of(ROOT))
    made = as_rows(models_table(columns_of_run(results, run, ["debiasing"]), {}))
    key = ["metric", "model"]
    made = made.set_index(key).loc[[*shown.set_index(key).index]]
    numbers = ["value", "low", "high"]
    pd.testing.assert_frame_equal(shown.set_index(key)[numbers], made[numbers], rtol=1e-4)
    assert [*shown["badge"].fillna("")] == [*made["badge"]]
