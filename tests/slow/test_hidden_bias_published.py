"""Gonen & Goldberg's numbers, on the 26,423-word model and what hard debiasing makes of it.

The printed ones are .999 and .925 of clusters, .741 and .686 of neighbours, .747 and .606 of those
of professions, 98.25 % and 88.88 % of the classifier; their list of professions is another one.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fairflow.files.configuration_files import read_yaml
from fairflow.files.downloads import fetch_pinned
from fairflow.planning.named_sets import planned_residual_bias
from fairflow.statistics.item_bootstrap import observed
from fairflow.studies.before_after import residual_bias
from fairflow.studies.residual_bias import Settings, model_findings
from fairflow.transforms.hard_debias import HardDebias
from fairflow.vectors.convert import convert
from fairflow.vectors.derivation import derive, open_store
from fairflow.vectors.word_embedding_model import word_rows

CONFIG = Path(__file__).parents[2] / "config"
SETS = {
    f"{file}:{name}": entry
    for file in ("debiaswe", "gn_glove")
    for name, entry in read_yaml(CONFIG / f"word_sets/{file}.yaml")["sets"].items()
}
LISTS = [
    SETS["debiaswe:definitional_pairs"]["tuples"],
    SETS["debiaswe:equalize_pairs"]["tuples"],
    SETS["debiaswe:gender_specific_full"]["words"],
]


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Model -> its findings, before and after."""
    folder = tmp_path_factory.mktemp("bolukbasi")
    entry = read_yaml(CONFIG / "models.yaml")["word2vec-google-news-300-bolukbasi"]
    fetch_pinned(entry, folder / "vectors.bin")
    files = {name: folder / name for name in ("vectors", "index", "card")}
    convert(folder / "vectors.bin", entry["format"], **files)
    derive(HardDebias(*LISTS), folder / "derivation", **files)
    settings = Settings(**planned_residual_bias({}, SETS, {}).settings)
    with (
        open_store(**files) as store,
        open_store(**files, derivations=[folder / "derivation"]) as d,
    ):
        rows = word_rows(store)
        return {
            "before": model_findings("before", rows, rows, settings, {}),
            "after": model_findings("after", word_rows(d), rows, settings, {}),
        }


@pytest.fixture(scope="module")
def named(found):
    return {model: {f.test: f for f in each.findings} for model, each in found.items()}


def test_the_limited_vocabulary(named):
    assert named["before"]["clusters"].total == 26_106
    assert named["after"]["clusters"].covered == 26_106


@pytest.mark.parametrize(
    ("model", "low", "high"), [("before", 0.999, 0.999), ("after", 0.911, 0.925)]
)
def test_clusters(model, low, high, named):
    runs = named[model]["clusters"].runs
    assert len(runs) == 5
    assert low <= min(runs) <= max(runs) <= high


@pytest.mark.parametrize(
    ("test", "model", "ours"),
    [
        ("neighbours", "before", 0.7406),
        ("neighbours", "after", 0.6856),
        ("neighbours_of_professions", "before", 0.7547),
        ("neighbours_of_professions", "after", 0.6126),
    ],
)
def test_neighbours(test, model, ours, named):
    answers = named[model][test].answers
    assert observed("pearson", answers.expected, answers.given) == pytest.approx(ours, abs=2e-4)


@pytest.mark.parametrize(("model", "ours"), [("before", 0.983), ("after", 0.8945)])
def test_classifier(model, ours, named):
    assert np.mean(named[model]["classifier"].runs) == pytest.approx(ours, abs=0.01)


def test_the_table_sets_the_difference_beside_both(found):
    table = residual_bias(list(found.values()), "before", {}, 0.95, 2020)
    after = table[table["model"] == "after"].set_index("test")
    neighbours = after.loc["neighbours of all words"]
    assert neighbours["difference"] == pytest.approx(-0.0550, abs=2e-4)
    assert (
        neighbours["difference_low"] < neighbours["difference"] < neighbours["difference_high"] < 0
    )
    assert after.loc["direct bias of professions, direction before", "value"] < 1e-6
