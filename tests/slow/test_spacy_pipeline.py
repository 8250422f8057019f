"""The French pipeline of the catalogue, 46 MB from the package index: its words and vectors."""

from pathlib import Path

import numpy as np
import pytest
from stores import converted

from fairflow.files.configuration_files import read_yaml
from fairflow.files.downloads import fetch
from fairflow.planning.models import Model
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.studies.score_table import coverage
from fairflow.vectors.directions import unit
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_frequency import OWN_ORDER, word_frequency
from fairflow.wefe import WEAT

NAME = "fr-core-news-md"
CATALOGUE = Path(__file__).parents[2] / "config/models.yaml"
FLOWERS_AND_INSECTS = Query(
    [
        ["rose", "tulipe", "lilas", "violette", "jasmin", "orchidée", "pivoine", "muguet"],
        ["fourmi", "puce", "araignée", "moustique", "mouche", "cafard", "guêpe", "termite"],
    ],
    [
        ["caresse", "liberté", "santé", "amour", "paix", "joie", "ami", "paradis"],
        ["abus", "accident", "saleté", "meurtre", "maladie", "mort", "poison", "désastre"],
    ],
    ["Fleurs", "Insectes"],
    ["Agréable", "Désagréable"],
)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("spacy")
    entry = read_yaml(CATALOGUE)[NAME]
    wheel = folder / "wheel"
    fetch(entry["sources"], wheel, entry["checksum"], entry["bytes"])
    described = Model(NAME, entry).conversion
    options = {key: described[key] for key in ("packing", "promised")}
    with converted(wheel, described["format"], folder, **options) as store:
        yield WordEmbeddingModel(store, NAME)


def test_every_key_has_its_word_and_all_but_322_share_their_vector(model):
    facts = model.wv.facts
    assert (facts["words"], facts["keys_without_string"]) == (500_000, 0)
    assert (facts["distinct_rows"], facts["words_sharing_rows"]) == (20_000, 499_678)


def test_words_come_in_the_order_of_their_frequency(model):
    words = list(model.wv.words())
    assert words[:5] == [",", "de", "</s>", ".", "la"]
    assert word_frequency(words, order="frequency", language="fr").source == OWN_ORDER


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("reine", ["princesse", "duchesse", "impératrice", "roi"]),
        # Those that spaCy numbers instead of hashing them.
        ("aux", ["des", "les"]),
        ("agent", ["agents", "inspecteur"]),
        ("X", ["Z", "V"]),
    ],
)
def test_neighbours_of_a_word_are_of_its_kind(model, word, near):
    common = list(model.wv.words())[:20_000]
    vectors = unit(model.wv.vectors(common).astype(np.float64))
    (own,) = unit(model.wv.vectors([word]).astype(np.float64))
    nearest = {common[row] for row in np.argsort(-(vectors @ own))[:12]}
    assert {*near} <= nearest


def test_french_flowers_are_more_pleasant_than_insects_though_some_are_one_word(model):
    result = WEAT().run_query(FLOWERS_AND_INSECTS, model, calculate_p_value=True)
    assert result["effect_size"] > 1.2
    assert result["p_value"] < 0.01
    slices = [(NAME, "fleurs", model.look_up(FLOWERS_AND_INSECTS, Lookup()))]
    named = coverage(slices).set_index("word_set")["same_vector_words"]
    assert named["Fleurs"] == "rose = lilas, tulipe = orchidée = pivoine"
    assert named["Insectes"] == "araignée = guêpe"
