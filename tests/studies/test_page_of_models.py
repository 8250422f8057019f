"""The page on models shows the numbers of the default studies."""

from pathlib import Path

import pandas as pd
import pytest
from building.models import debiased_table, qualities

from fairflow.scores.ranked import ranked_rows
from project import ROOT

pytestmark = pytest.mark.workflow

KEY = ["model", "metric", "query"]
SUBSET, GLOVE = "word2vec-google-news-300-weat", "glove-6B-50d"


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


def test_the_tables_of_the_page_models_have_the_numbers_of_this_run(results: Path):
    shown = pd.read_csv(ROOT / "workflow/report/models_debiased.csv")
    shown = shown[shown["study"] == "debiasing"]
    labels = dict(zip(shown["model"], shown["label"], strict=True))
    made = debiased_table(results / "studies/debiasing", labels)
    pd.testing.assert_frame_equal(shown, made, rtol=1e-4)
    ranked = pd.read_csv(ROOT / "workflow/report/models.csv").set_index(["criterion", "model"])
    quality = qualities(results / "studies/case_study").set_index("model")
    scores = pd.read_parquet(results / "studies/weat_replication/scores.parquet")
    scores = ranked_rows(scores[scores["metric"] == "weat_es_caliskan"])
    tests = scores[scores["query"].isin([f"weat_{n}" for n in range(3, 11)])]
    for model in (SUBSET, GLOVE):
        row = ranked.loc["WEAT", model]
        mean = tests.loc[tests["model"] == model, "value"].abs().mean()
        assert row["score"] == pytest.approx(mean, rel=1e-4)
        assert [*row[quality.columns]] == pytest.approx([*quality.loc[model]], rel=1e-4)
