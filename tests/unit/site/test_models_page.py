"""The page Models: its tables hold what the committed scores say, and it names ties."""

from pathlib import Path

import pandas as pd
import pytest
from building.models import (
    RANKED,
    TABLES,
    french_table,
    ranked_table,
)
from tables_of_scores import score

ROOT = Path(__file__).parents[3]
CONTROLS = ["weat_1", "weat_2"]
LABELS = {"a": "A", "b": "B", "c": "C"}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """The tables of a study of three models; b and c are not distinguished."""
    key = {"criterion": "Overall", "metric": "weat"}
    models = [{**key, "model": model, "place": place} for place, model in enumerate("abc", 1)]
    ranks = pd.DataFrame(models).assign(source="computed", score=0.5, n_common=4, note="")
    ranks.assign(expected_rank=1.5, rank_low=1, rank_high=2).to_csv(tmp_path / "ranking.csv")
    pairs = [("a", "b", 0.01), ("b", "c", 0.2), ("c", "b", 0.2)]
    rows = [{**key, "model": m, "other": o, "p_bh": p} for m, o, p in pairs]
    pd.DataFrame(rows).to_csv(tmp_path / "pairwise.csv")
    quality = [("a", None, 0.7), ("a", "b", 0.7), ("b", None, 0.6)]
    rows = [{"model": m, "other": o, "value": v, "subject": "MEN"} for m, o, v in quality]
    pd.DataFrame(rows).assign(value_range_low=0.5, value_range_high=0.8).to_csv(
        tmp_path / "quality.csv"
    )
    return tmp_path


def test_models_whose_order_is_not_settled_are_named(study: Path):
    table = ranked_table(study, LABELS).set_index("model")
    assert [*table["ties"].fillna("")] == ["", "C", "B"]
    assert [*table["quality"].fillna(-1)] == [0.7, 0.6, -1]


def test_the_committed_scores_are_means_of_the_scores_of_the_figure():
    scores = pd.read_csv(ROOT / TABLES / "static_and_contextual.csv")
    scores = scores[~scores["query"].isin(CONTROLS)].assign(size=lambda t: t["value"].abs())
    means = scores.groupby(["criterion", "model"])["size"].mean()
    means_of_all = scores.groupby("model")["size"].mean()
    table = pd.read_csv(ROOT / TABLES / RANKED)
    assert table["model"].nunique() == 4
    for row in table.itertuples():
        overall = row.criterion == "Overall"
        mean = means_of_all[row.model] if overall else means[row.criterion, row.model]
        assert row.score == pytest.approx(mean, rel=1e-5)


def test_a_test_has_its_score_in_each_language_and_the_vectors_of_its_words(tmp_path: Path):
    row = {"ci_low_both": 0.1, "ci_high_both": 1.4, "n_words": 4, "n_found": 4}
    named = [("French", "fr_weat1", "f", 1.5), ("English", "en_weat1", "e", 0.5)]
    scores = [
        score(m, q, value, criterion=c, query_label=f"A [{q}]", **row) for c, q, m, value in named
    ]
    # A model of control queries alone has no criterion.
    scores += [scores[0] | {"criterion": None, "query": "weat_2"}]
    pd.DataFrame(scores).to_csv(tmp_path / "scores.csv")
    sets = [("f", "fr_weat1 weat_2", 2), ("f", "fr_weat1", 1), ("e", "en_weat1", 4)]
    covered = pd.DataFrame(sets, columns=["model", "queries", "distinct"])
    covered.to_csv(tmp_path / "coverage.csv")
    table = french_table(tmp_path)
    assert table["label"].tolist() == ["A", "A"]
    assert table.set_index("criterion")["distinct"].to_dict() == {"French": 3, "English": 4}
