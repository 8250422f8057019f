"""All tests on a model and the one before: their values, and the reasons of missing ones."""

import math
from dataclasses import replace

import numpy as np
import pytest

from fairflow import Query
from fairflow.errors import FairflowError
from fairflow.metrics.direct_bias import DirectBias
from fairflow.metrics.explained_variance import ExplainedVariance
from fairflow.metrics.hidden_bias import HiddenBias
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import QueryInputs, Vocabulary
from fairflow.studies.before_after import residual_bias
from fairflow.studies.benchmarks import Benchmark
from fairflow.studies.residual_bias import (
    CLASSIFIER,
    CLUSTERS,
    DIRECT,
    EXPLAINED,
    HIDDEN,
    NEIGHBOURS,
    TESTS,
    Settings,
    model_findings,
)
from fairflow.studies.residual_bias import PROFESSIONS as OF_PROFESSIONS
from fairflow.vectors.vocabulary import read_vocabulary
from fairflow.vectors.word_embedding_model import WordEmbeddingModel, word_rows

PAIRS = [["woman", "man"], ["girl", "boy"], ["she", "he"]]
PROFESSIONS = [f"job{letter}" for letter in "abcdefghijkl"]
SETTINGS = Settings(
    pairs=PAIRS,
    ends=["he", "she"],
    professions=PROFESSIONS,
    specific=["she", "he", "woman", "man", "girl", "boy"],
    n_clustered=40,
    n_classified=60,
    n_train=20,
    n_neighbours=10,
    n_nearest=3,
    n_runs=2,
    n_init=2,
)
BENCHMARKS = {
    "pairs": Benchmark("similarity", tuple(("she", word) for word in PROFESSIONS), (1.0,) * 12),
    "few": Benchmark("similarity", (("she", "he"), ("she", "queen")), (1.0, 2.0)),
    "questions": Benchmark("analogies", (("man", "woman", "boy", "girl"),) * 10),
}


def two_sides(words=60, dims=8, seed=1, side=1.0):
    """Words that lean to one of two sides along the first axis, by `side`; pairs and professions.

    Word -> vector; words of a side lie together along the second axis too, which no projection on
    the pairs' direction finds.
    """
    generator = np.random.default_rng(seed)
    model = {}
    for woman, man in PAIRS:
        common = generator.normal(size=dims) * 0.1
        common[0] = 0
        model[woman], model[man] = common - np.eye(dims)[0], common + np.eye(dims)[0]
    names = [f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(words)]
    for number, word in enumerate([*names, *PROFESSIONS]):
        sign = 1 if number % 2 else -1
        model[word] = generator.normal(size=dims) * 0.3 + sign * side * np.eye(dims)[1]
        model[word][0] = sign * (0.5 + generator.random() / 4) * side
    return model


def without_first_axis(model):
    """The words as they lie when the direction of the pairs is taken out of all but the pairs."""
    own = {word for pair in PAIRS for word in pair}
    changed = {word: vector * (np.arange(len(vector)) > 0) for word, vector in model.items()}
    return {word: model[word] if word in own else changed[word] for word in model}


def found(model, before=None, settings=SETTINGS):
    """Test -> finding, of a similarity that of "pairs"."""
    rows = word_rows(model)
    base = rows if before is None else word_rows(before)
    findings = model_findings("name", rows, base, settings, BENCHMARKS).findings
    named = {f.test: f for f in findings if f.subject in ("", "pairs", "questions")}
    return named | {f.subject: f for f in findings if f.subject == "few"}


@pytest.fixture(scope="module")
def before():
    return two_sides()


@pytest.fixture(scope="module")
def after(before):
    return without_first_axis(before)


def test_every_test_is_made(before):
    assert {*found(before)} == {*TESTS, "few"}
    assert not any(f.is_undefined for name, f in found(before).items() if name != "few")


def test_two_sides_are_seen_before_and_after_the_direction_is_taken_out(before, after):
    for model in (before, after):
        findings = found(model, before)
        assert min(findings["clusters"].runs) == 1
        assert min(findings["classifier"].runs) > 0.95
        answers = findings["neighbours"].answers
        assert np.corrcoef(answers.expected, answers.given)[0, 1] > 0.9


def test_the_direction_is_what_is_gone(before, after):
    for model, least, most in ((before, 0.3, 1), (after, 0, 1e-6)):
        for name in ("direct_bias", "direct_bias_before"):
            mean = found(model, before)[name].answers.given.mean()
            assert least <= mean <= most
    assert found(after, before)["indirect_bias"].answers.given.max() < 1e-6


def test_the_side_is_that_of_the_model_before(before):
    swapped = {word: -vector for word, vector in before.items()}
    ours, theirs = (found(before, base)["neighbours"].answers for base in (before, swapped))
    assert ours.expected == pytest.approx(theirs.expected, abs=1e-6)
    mirrored = before | {"she": before["he"], "he": before["she"]}
    theirs = found(before, mirrored)["neighbours"].answers
    assert ours.expected == pytest.approx(-theirs.expected, abs=1e-6)


def test_professions_are_counted_among_all_of_the_list(before):
    fewer = {word: vector for word, vector in before.items() if word != "joba"}
    finding = found(fewer, before)["neighbours_of_professions"]
    assert (finding.n, finding.covered, finding.total) == (11, 11, 12)
    assert found(before)["clusters"].total == 72


def test_what_explains_the_pairs_stands_beside_shuffled_pairs(before):
    finding = found(before)["explained_variance"]
    assert finding.value == pytest.approx(1, abs=1e-6)
    assert finding.chance < 1
    assert "of shuffled pairs 95 % reach no more than" in finding.note


def test_a_benchmark_of_which_hardly_an_item_is_there_has_no_value(before):
    few = found(before)["few"]
    assert few.is_undefined
    assert (few.covered, few.total) == (1, 2)
    assert few.note == "only 1 of its items have all words in the model"
    assert found(before)["analogies"].note == "answers are chosen from 78 words"


def test_a_model_without_an_end_says_so_for_each_of_the_four_tests(before):
    lacking = {word: vector for word, vector in before.items() if word != "she"}
    findings = found(lacking)
    assert {findings[name].note for name in HIDDEN} == {
        "the model before lacks she, between which words lean"
    }
    assert all(findings[name].is_undefined for name in HIDDEN)
    assert not findings["direct_bias"].is_undefined


def test_a_model_without_pairs_has_no_direction(before):
    lacking = {word: before[word] for word in before if word not in ("she", "girl", "woman")}
    findings = found(lacking, before)
    for name in ("direct_bias", "indirect_bias", "explained_variance"):
        assert findings[name].note == "the model has no pair whole"
        assert math.isnan(findings[name].value)
    assert not findings["direct_bias_before"].is_undefined


def test_vectors_of_another_length_have_no_direction_of_before(before):
    longer = {word: np.append(vector, 0.1) for word, vector in before.items()}
    finding = found(longer, before)["direct_bias_before"]
    assert finding.note == "vectors of 9 numbers have no direction of 8"


def test_fewer_words_than_asked_for_are_told(before):
    finding = found(before, settings=replace(SETTINGS, n_classified=1000, n_train=200))[
        "classifier"
    ]
    assert finding.n == 72
    assert finding.note == "of 72 instead of 1000 words, as there are no more"


def test_neighbours_need_more_words_than_are_counted(before):
    finding = found(before, settings=replace(SETTINGS, n_neighbours=100))["neighbours"]
    assert finding.note == "only 72 words, which have no 100 neighbours each"


def test_models_without_a_common_word_are_refused(before):
    with pytest.raises(FairflowError, match="in both models"):
        found({f"x{word}": vector for word, vector in before.items()}, before)


def test_the_metric_and_the_table_have_one_number_for_one_quantity(before, after):
    names = {"hidden": HiddenBias, "direct": DirectBias, "explained": ExplainedVariance}
    vocabulary = Vocabulary(50_000, limited=True, without=tuple(SETTINGS.specific))
    declared = {
        "hidden": QueryInputs(pairs=(("he", "she"),), vocabulary=vocabulary),
        "direct": QueryInputs(pairs=tuple(map(tuple, PAIRS))),
    }
    declared["explained"] = declared["direct"]
    findings = [
        model_findings(name, word_rows(model), word_rows(before), SETTINGS, {})
        for name, model in (("before", before), ("after", after))
    ]
    table = residual_bias(findings, "before", {}, 0.95, 2020)
    sizes = {name: getattr(SETTINGS, name) for name in Settings.SIZES}
    for name, model in (("before", before), ("after", after)):
        of = table[table["model"] == name].set_index("test")["value"]
        measures = {}
        for key, metric in names.items():
            query = Query([PROFESSIONS], [], ["Professions"], declared=declared[key])
            looked_up = WordEmbeddingModel(word_rows(model)).look_up(query, Lookup())
            leant = read_vocabulary(word_rows(model), word_rows(before), vocabulary, ["he", "she"])
            looked_up = replace(looked_up, vocabulary=leant)
            measures |= metric().evaluate(looked_up, **(sizes if key == "hidden" else {})).measures
        for test, measure in {
            CLUSTERS: "cluster_accuracy",
            CLASSIFIER: "classifier_accuracy",
            NEIGHBOURS: "neighbour_correlation",
            OF_PROFESSIONS: "target_correlation",
            DIRECT: "direct_bias",
            EXPLAINED: "explained_variance",
        }.items():
            assert of[TESTS[test].label] == measures[measure], measure
