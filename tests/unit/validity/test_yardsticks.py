"""Correlations of word values with norms, on vectors whose validity is known."""

from math import sqrt

import numpy as np
import pytest

from fairflow import Query
from fairflow.queries.lookup import Lookup
from fairflow.validity.evidence import Concept, Evidence, ModelWords, Norm
from fairflow.validity.yardsticks import placing_metrics, yardsticks

METRICS = {"projection", "ripa", "rnd", "sc_weat"}
POLES = {"first": ["f0", "f1", "f2"], "second": ["s0", "s1", "s2"]}
POLE_WORDS = [word for words in POLES.values() for word in words]


def words_of(model, **sets):
    """The words of some sets in a model, as a run looks them up."""
    query = Query(list(sets.values()), [], list(sets), [])
    return ModelWords(
        model.look_up(query, Lookup(lost_vocabulary_threshold=1, zero_vectors="lost"))
    )


def norm_of(values, name="ratings", words="judged", first="first", second="second"):
    return Norm(name, name.capitalize(), values, words, first, second)


def concept_of(*norms, name="gender"):
    return Concept(name, name.capitalize(), ("women", "men"), norms=norms)


def evidence_of(model, *concepts, frequency=None, asked=None, poles=POLES):
    """The evidence of one model with the word sets of all norms, and the poles."""
    asked = asked or {norm.words: [*norm.values] for c in concepts for norm in c.norms}
    words = words_of(model, **poles, **asked)
    return Evidence(
        {c.name: c for c in concepts}, {"toy": words}, {}, {}, {}, frequency=frequency or {}
    )


def on_a_line(places, dims=50, seed=0):
    """Unit vectors whose first coordinates are given, the rest random: (words, dims)."""
    rest = np.random.default_rng(seed).standard_normal((len(places), dims - 1))
    rest *= np.sqrt(1 - places**2)[:, np.newaxis] / np.linalg.norm(rest, axis=1, keepdims=True)
    return np.column_stack([places, rest])


def poles_along(axis=0, dims=50, first="f", second="s"):
    """Three words of each pole, on both ends of an axis: word -> vector."""
    end = np.eye(dims)[axis]
    return {f"{first}{i}": end for i in range(3)} | {f"{second}{i}": -end for i in range(3)}


def planted(model_of, n=2_000, noise=1.0, seed=0):
    """A model whose words lie as far along the poles as a norm says, plus noise; and that norm."""
    drawn = np.random.default_rng(seed).standard_normal((2, n))
    names = [f"w{i}" for i in range(n)]
    vectors = on_a_line(0.03 * (drawn[0] + noise * drawn[1]), seed=seed)
    model = model_of(**poles_along(), **dict(zip(names, vectors, strict=True)))
    return model, dict(zip(names, drawn[0].tolist(), strict=True))


def test_a_planted_norm_correlates_as_its_noise_implies(model_of):
    model, norm = planted(model_of)
    rows = yardsticks(evidence_of(model, concept_of(norm_of(norm)))).set_index("metric")
    assert set(rows.index) == METRICS
    # Norm and noise of equal variance: r = 1 / sqrt(2), with a standard error of .011.
    assert rows.pearson.tolist() == pytest.approx([1 / sqrt(2)] * 4, abs=0.03)
    # Of normal values: 6 / pi * asin(r / 2).
    assert rows.spearman.tolist() == pytest.approx([6 / np.pi * np.arcsin(0.5**1.5)] * 4, abs=0.03)
    for name in ("pearson", "spearman"):
        assert (rows[f"{name}_low"] < rows[name]).all()
        assert (rows[name] < rows[f"{name}_high"]).all()
    # The interval of a correlation of normal values is about r +- 1.96 (1 - r^2) / sqrt(n).
    width = rows.pearson_high - rows.pearson_low
    assert width.tolist() == pytest.approx([2 * 1.96 * 0.5 / sqrt(2_000)] * 4, rel=0.15)
    assert set(rows.n_words) == {2_000}
    assert set(rows.coverage) == {1}


def test_the_value_is_the_correlation_of_cosines_and_norm(model_of):
    model, norm = planted(model_of, n=50)
    rows = yardsticks(evidence_of(model, concept_of(norm_of(norm)))).set_index("metric")
    cosines = [model[word] @ model["f0"] / np.linalg.norm(model[word]) for word in norm]
    expected = np.corrcoef(cosines, [*norm.values()])[0, 1]
    found = rows.pearson[["sc_weat", "projection", "ripa"]].tolist()
    assert found == pytest.approx([expected] * 3, abs=1e-6)
    # A distance is no linear function of a cosine.
    assert rows.pearson["rnd"] == pytest.approx(expected, abs=1e-3)


def test_noise_is_valid_for_nothing(model_of):
    values, covered = [], []
    for seed in range(40):
        generator = np.random.default_rng([seed, 30])
        names = [f"w{i}" for i in range(80)]
        every = [*POLE_WORDS, *names]
        model = model_of(**dict(zip(every, generator.standard_normal((86, 20)), strict=True)))
        norms = [
            norm_of(dict(zip(names, generator.standard_normal(80).tolist(), strict=True)), f"n{i}")
            for i in range(5)
        ]
        rows = yardsticks(evidence_of(model, concept_of(*norms)))
        rows = rows[rows.metric == "sc_weat"]
        values += rows.pearson.tolist()
        covered += ((rows.pearson_low < 0) & (rows.pearson_high > 0)).tolist()
    assert np.mean(values) == pytest.approx(0, abs=0.03)
    assert np.std(values) == pytest.approx(1 / sqrt(79), rel=0.15)
    assert 0.9 <= np.mean(covered) <= 0.99


def test_partial_correlation_is_that_of_residuals_on_frequency(model_of):
    model, norm = planted(model_of, n=60)
    generator = np.random.default_rng(2)
    # Frequency follows the norm; that of some words is unknown. Texts are in lower case.
    frequency = {word: -4 + score + generator.normal() for word, score in norm.items()}
    known = dict(list(frequency.items())[:45])
    concept = concept_of(norm_of(norm))
    row = (
        yardsticks(evidence_of(model, concept, frequency=known)).set_index("metric").loc["sc_weat"]
    )
    design = np.column_stack([np.ones(45), [*known.values()]])
    both = np.array([[norm[word], model[word] @ model["f0"]] for word in known])
    residuals = both - design @ np.linalg.lstsq(design, both, rcond=None)[0]
    assert row.partial == pytest.approx(np.corrcoef(residuals.T)[0, 1], abs=1e-4)
    assert row.partial_low < row.partial < row.partial_high
    assert (row.n_partial, row.n_words) == (45, 60)


def test_what_cannot_be_had_says_why(model_of):
    model, norm = planted(model_of, n=20)
    few = dict([*norm.items()][:9]) | {"lost": 1.0}
    norms = [
        norm_of(norm, "unread", words="unread"),
        norm_of(few, "few", words="few"),
        norm_of(norm, "poleless", second="nobody"),
        norm_of(dict.fromkeys(norm, 1.0), "flat"),
        norm_of(norm, "whole"),
    ]
    asked = {"few": [*few], "judged": [*norm], "nobody": ["gone"]}
    rows = yardsticks(evidence_of(model, concept_of(*norms), asked=asked))
    assert len(rows) == 5 * 4
    assert rows[
        ["pearson", "spearman", "partial", "pearson_low", "partial_high"]
    ].isna().sum().tolist() == [16, 16, 20, 16, 20]
    reasons = dict(zip(rows.norm, rows.reason, strict=True))
    assert reasons == {
        "unread": "its words were not looked up in this model",
        "few": "only 9 of 10 words are in the model, at least 10 are needed",
        "poleless": "no word of the pole nobody is in the model",
        "flat": "the norm has the same value for all words",
        "whole": "the frequency of only 0 words is known",
    }
    assert rows.set_index("norm").coverage["few"].iloc[0] == 0.9


def test_every_metric_that_places_words_between_poles_is_a_method():
    # WEFAT gives the values of SC-WEAT.
    assert set(placing_metrics()) == METRICS
