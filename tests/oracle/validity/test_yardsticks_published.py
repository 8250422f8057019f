"""Human yardsticks and base pairs of the configuration, on the packaged vectors.

Survey values and the ratings' were first computed with plain code of a few lines; the agreement of
base pairs is that of the authors' notebook on the words that the packaged vectors have.
"""

from pathlib import Path

import numpy as np
import pytest
import yaml

from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.queries.query_file import read_property
from fairflow.validity.base_pairs import pair_agreement
from fairflow.validity.evidence import BasePairs, Concept, Evidence, ModelWords, Norm
from fairflow.validity.yardsticks import yardsticks
from fairflow.vectors.word_embedding_model import WordEmbeddingModel

CONFIG = Path(__file__).parents[3] / "config"


def words_of(reference):
    stem, name = reference.split(":")
    entry = yaml.safe_load((CONFIG / f"word_sets/{stem}.yaml").read_text("utf-8"))["sets"][name]
    if "property" in entry:
        return list(values_of(entry["property"]))
    return entry["words"]


def values_of(name):
    return read_property(CONFIG / f"properties/{name}.csv").values


@pytest.fixture(scope="module")
def concepts():
    made = {}
    listed = yaml.safe_load((CONFIG / "validity.yaml").read_text("utf-8"))["concepts"]
    for name, entry in listed.items():
        norms = [
            Norm(key, key, values_of(norm["property"]), norm["words"], *norm["poles"])
            for key, norm in entry.get("norms", {}).items()
        ]
        pairs = [
            BasePairs(key, key, *one["pairs"], one["words"], tuple(one.get("known", ())))
            for key, one in entry.get("base_pairs", {}).items()
        ]
        made[name] = Concept(name, name, tuple(entry["poles"]), {}, tuple(norms), tuple(pairs))
    return made


@pytest.fixture(scope="module")
def evidence(concepts, slices):
    references = {
        reference
        for concept in concepts.values()
        for each in (*concept.norms, *concept.base_pairs)
        for reference in (each.words, each.first, each.second, *getattr(each, "known", ()))
    }
    names = sorted(references)
    query = Query([words_of(name) for name in names], [], names, [])
    # GloVe has names in lower case.
    forms = {"word2vec": ({},), "glove": ({}, {"lowercase": True})}
    found = {}
    for model, (words, vectors) in {
        "word2vec": slices.bolukbasi(),
        "glove": slices.glove(),
    }.items():
        asked = {word for words in query.target_sets for word in words}
        asked |= {word.lower() for word in asked}
        rows = [row for row, word in enumerate(words) if word in asked]
        held = {words[row]: np.asarray(vectors[row]) for row in rows}
        found[model] = ModelWords(
            WordEmbeddingModel(held).look_up(query, Lookup(forms[model], "first", 1, "lost"))
        )
    return Evidence(concepts, found, {}, {}, {})


@pytest.mark.parametrize(
    ("model", "norm", "metric", "correlation", "words"),
    [
        ("word2vec", "glasgow", "sc_weat", 0.508, 4_000),
        ("glove", "glasgow", "sc_weat", 0.418, 4_668),
        ("word2vec", "occupations", "sc_weat", 0.701, 42),
        ("glove", "occupations", "sc_weat", 0.603, 44),
        ("glove", "names", "sc_weat", 0.704, 50),
        ("word2vec", "survey_gender", "ripa", 0.843, 51),
        ("word2vec", "survey_class", "ripa", 0.603, 51),
        ("word2vec", "survey_race", "ripa", 0.487, 51),
    ],
)
def test_correlations_with_norms(model, norm, metric, correlation, words, correlations):
    row = correlations.loc[model, norm, metric]
    assert row.pearson == pytest.approx(correlation, abs=5e-4)
    assert row.n_words == words


@pytest.fixture(scope="module")
def correlations(evidence):
    return yardsticks(evidence).set_index(["model", "norm", "metric"])


def test_pairs_of_a_survey_that_the_model_has_whole(evidence, concepts):
    words = evidence.words["word2vec"]
    norms = {norm.name: norm for concept in concepts.values() for norm in concept.norms}
    found = {
        name: (len(words.pairs(norm.first, norm.second)[0]), len(words.asked(norm.first)))
        for name, norm in norms.items()
        if name.startswith("survey")
    }
    assert found == {"survey_gender": (10, 10), "survey_class": (23, 42), "survey_race": (2, 7)}


def test_nine_of_ten_base_pairs_on_professions(evidence):
    rows = pair_agreement(evidence).set_index(["model", "base_pairs", "value", "pair"])
    for value in ("difference of cosines", "RIPA"):
        row = rows.loc[("word2vec", "zhang", value, "")]
        assert (row.n_pairs, row.n_words) == (9, 320)
        assert row.kappa == pytest.approx(0.494, abs=5e-4)
        # The whole vectors, with mary/john, give 25.9375 % and .45.
        assert row.share_unanimous == pytest.approx(0.3469, abs=5e-5)
