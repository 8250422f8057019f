"""Scores of draws: the draw that is the model itself has the values of its cell, to the bit."""

import math
from functools import partial

import numpy as np
import pytest

from fairflow.corpora.drawn_scores import count_queries, drawn_rows
from fairflow.corpora.embeddings import CHANGES, Training
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.scores.records import ranked
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import score_cell
from fairflow.scores.word_variant import WordVariant
from fairflow.vectors.word_embedding_model import WordEmbeddingModel

SEED, WINDOW, LEAST = 11, 4, 3
POLES = [[f"word{n}" for n in of] for of in (range(11, 27, 2), range(10, 28, 2))]
QUERIES = {
    "pair": Query([["word1", "Word4"], ["word2", "word5"]], POLES),
    "single": Query([["word7", "word9"]], POLES),
}
LOOKUP = Lookup([{}, {"lowercase": True}], lost_vocabulary_threshold=0.9)
ASKED = {name: (query, LOOKUP) for name, query in QUERIES.items()}
VARIANTS = {
    "weat": WordVariant("weat", "weat", "weat"),
    "weat_es": WordVariant("weat_es", "weat", "effect_size", {"convention": "wefe"}),
    "rnsb": WordVariant("rnsb", "rnsb", "rnsb", {"n_iterations": 2}),
    "sc_weat": WordVariant("sc_weat", "sc_weat", "sc_weat"),
}
COMPUTED = {"weat": "weat", "weat_es": "weat", "rnsb": "rnsb", "sc_weat": "sc_weat"}
TRAINED = {
    "pmi": {"contexts": 20},
    "ppmi_svd": {"dims": 6},
    "sgns": {"dims": 5, "epochs": 1},
}


@pytest.fixture(scope="module")
def sample(sample_of, random_documents):
    return sample_of(random_documents * 2)


@pytest.fixture(scope="module")
def counts(sample):
    how = {"window": WINDOW, "contexts": 20, "minimum_count": LEAST}
    return count_queries(sample, "toy-all", ASKED, 2, SEED, **how)


def training(embedding, least=LEAST, **parameters):
    parameters = TRAINED[embedding] | parameters
    return Training(f"toy-all-{embedding}", embedding, parameters, WINDOW, least, SEED)


def rows_of(draws, vectors_of, name="m", variants=VARIANTS, queries=ASKED):
    return [*drawn_rows(draws, vectors_of, queries, variants, COMPUTED, SEED, name)]


def cells_of(model, name):
    """(metric, query) -> value of the ranked measure, as its cell has it."""
    found = {}
    for query, asked in QUERIES.items():
        for metric, variant in VARIANTS.items():
            if variant.query_problem(asked.template, ()):
                continue
            # As the plan has it: variants of one computation share a cell.
            cell, vectors = Cell(name, COMPUTED[metric], query), model.look_up(asked, LOOKUP)
            (found[metric, query],) = (
                one.value for one in ranked(score_cell(vectors, variant, cell, SEED))
            )
    return found


@pytest.mark.parametrize("embedding", TRAINED)
def test_the_first_of_the_seeds_is_the_model_itself_to_the_bit(sample, counts, embedding):
    name, own = f"toy-all-{embedding}", training(embedding)
    words, vectors = own.vectors(sample)
    model = WordEmbeddingModel(dict(zip(words, vectors, strict=True)))
    drawn = partial(own.reweighted, counts) if embedding == "pmi" else partial(own.vectors, sample)
    rows = rows_of([("seeds", 0)], drawn, name)
    expected = cells_of(model, name)
    assert {(row["metric"], row["query"]): row["value"] for row in rows} == expected
    assert len(expected) == 5
    assert not any(map(math.isnan, expected.values()))


@pytest.mark.parametrize("kind", ["documents", "shuffled"])
def test_reweighted_counts_score_as_vectors_of_the_sample(sample, kind, monkeypatch):
    monkeypatch.setitem(CHANGES, "pmi", 1.0)
    # With every word as a context the order of contexts alone may differ.
    how = {"window": WINDOW, "contexts": 99, "minimum_count": 1}
    counted = count_queries(sample, "toy-all", ASKED, 2, SEED, **how)
    own, draws = training("pmi", 1, contexts=99), [(kind, 0), (kind, 1)]
    both = partial(own.reweighted, counted), partial(own.vectors, sample)
    found, expected = (rows_of(draws, vectors_of) for vectors_of in both)
    values = [[row.pop("value") for row in rows] for rows in (found, expected)]
    assert values[0] == pytest.approx(values[1], rel=1e-5)
    assert found == expected
    assert len({*values[0]}) == len(values[0])


def test_a_word_too_rare_for_the_model_or_without_a_token_in_a_draw_is_missing(counts):
    least = sorted(counts.numbers.values())[2] + 1
    words, vectors = training("pmi", least).reweighted(counts, "seeds", 0)
    assert {*words} == {w for w, n in counts.numbers.items() if n >= least}
    assert len(words) == len(vectors) == len(counts.numbers) - 3


def test_a_draw_that_loses_the_words_of_a_set_has_no_value_but_a_reason(sample):
    words, vectors = training("pmi").vectors(sample)
    kept = [row for row, word in enumerate(words) if word not in ("word2", "word5")]
    lost = [words[row] for row in kept], vectors[kept]
    weat = {"weat": VARIANTS["weat"]}
    (row,) = rows_of([("documents", 3)], lambda *_: lost, variants=weat)
    assert math.isnan(row["value"])
    assert "Target set 1" in row["reason"]
    assert (row["kind"], row["draw"], row["query"]) == ("documents", 3, "pair")


def test_words_are_looked_up_among_those_of_the_sample_in_every_form(sample_of):
    sample = sample_of([["Home", "home", "office"], ["home", "office", "tea"]])
    query = Query([["Home"], ["absent", "office"]], [["tea"]], ["A", "B"], ["C"])
    asked = {"q": (query, Lookup([{}, {"lowercase": True}]))}
    counts = count_queries(sample, "c-all", asked, 0, 1, window=2, contexts=0)
    first, second = counts.sets["q"]["targets"]
    assert (first["form_of"], second["form_of"]) == (["Home"], [None, "office"])
    # A model that leaves out the rare "Home" has its other form.
    assert counts.numbers == {"Home": 1, "home": 2, "office": 2, "tea": 1}
    assert np.array_equal(counts.weights("seeds", 0, 1), [1, 1])
