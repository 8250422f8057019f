"""Gonen & Goldberg's numbers, on the 26,423-word model and what hard debiasing makes of it.

The printed ones are .999 and .925 of clusters, .741 and .686 of neighbours, .747 and .606 of those
of professions, 98.25 % and 88.88 % of the classifier; their list of professions is another one.
"""

from pathlib import Path

import pytest

from fairflow.files.configuration_files import read_yaml
from fairflow.files.downloads import fetch_pinned
from fairflow.metrics.hidden_bias import HiddenBias
from fairflow.queries.query import Vocabulary
from fairflow.transforms.hard_debias import HardDebias
from fairflow.vectors.convert import convert
from fairflow.vectors.derivation import derive, open_store
from fairflow.vectors.query_vectors import WordVectors
from fairflow.vectors.vocabulary import read_vocabulary
from fairflow.vectors.word_rows import word_rows

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
SPECIFIC = ("debiaswe:gender_specific_full", "gn_glove:male_terms", "gn_glove:female_terms")
PROFESSIONS = tuple(SETS["debiaswe:professions"]["words"])


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Model -> its outcome, before and after."""
    folder = tmp_path_factory.mktemp("bolukbasi")
    entry = read_yaml(CONFIG / "models.yaml")["word2vec-google-news-300-bolukbasi"]
    fetch_pinned(entry, folder / "vectors.bin")
    files = {name: folder / name for name in ("vectors", "index", "card")}
    convert(folder / "vectors.bin", entry["format"], **files)
    derive(HardDebias(*LISTS), folder / "derivation", **files)
    specific = tuple(word for name in SPECIFIC for word in SETS[name]["words"])
    asked = Vocabulary(50_000, limited=True, without=specific)
    with (
        open_store(**files) as store,
        open_store(**files, derivations=[folder / "derivation"]) as derived,
    ):
        before = word_rows(store)
        outcomes = {}
        for name, rows in (("before", before), ("after", word_rows(derived))):
            words = tuple(word for word in PROFESSIONS if word in rows)
            targets = [WordVectors("professions", words, words, rows.vectors(words))]
            vocabulary = read_vocabulary(rows, before, asked, ["he", "she"])
            outcomes[name] = HiddenBias().compute(targets, [], None, vocabulary)
        return outcomes


def test_the_limited_vocabulary(found):
    assert found["before"].details["n_words_before"] == 26_106
    assert found["after"].details["n_words"] == 26_106


@pytest.mark.parametrize(
    ("model", "low", "high"), [("before", 0.999, 0.999), ("after", 0.911, 0.925)]
)
def test_clusters(model, low, high, found):
    runs = found[model].splits["cluster_accuracy"]
    assert len(runs) == 5
    assert low <= min(runs) <= max(runs) <= high


@pytest.mark.parametrize(
    ("measure", "model", "ours"),
    [
        ("neighbour_correlation", "before", 0.7406),
        ("neighbour_correlation", "after", 0.6856),
        ("target_correlation", "before", 0.7547),
        ("target_correlation", "after", 0.6126),
    ],
)
def test_neighbours(measure, model, ours, found):
    assert found[model].measures[measure] == pytest.approx(ours, abs=2e-4)


@pytest.mark.parametrize(("model", "ours"), [("before", 0.983), ("after", 0.8945)])
def test_classifier(model, ours, found):
    assert found[model].measures["classifier_accuracy"] == pytest.approx(ours, abs=0.01)
