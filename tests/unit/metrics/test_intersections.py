"""The share of words in each quadrant of two contrasts, by plain code."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow import Query
from fairflow.errors import DegenerateError
from fairflow.metrics.intersections import AXES, QUADRANTS, Intersections, IntersectionsStatistic
from fairflow.vectors.query_vectors import WordVectors

SIGNS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
TARGETS = ["w0", "w1", "w2", "w3"]
ATTRIBUTES = [["w4", "w5"], ["w6"], ["w7", "w8"], ["w9"]]


def words(name, rows):
    forms = tuple(f"{name}{number}" for number in range(len(rows)))
    return WordVectors(name, forms, forms, np.array(rows, dtype=float), forms)


def sets_of(random, sizes=(9, 3, 4, 2, 5), dims=6):
    return [words("tabcd"[n], random.normal(size=(size, dims))) for n, size in enumerate(sizes)]


def association(word, first, second):
    def cosine(other):
        return word @ other / np.linalg.norm(word) / np.linalg.norm(other)

    return np.mean([*map(cosine, first)]) - np.mean([*map(cosine, second)])


def shares(rows, attributes):
    """By counting."""
    a, b, c, d = attributes
    both = [(association(w, a, b), association(w, c, d)) for w in rows]
    return [sum(x * p > 0 and y * q > 0 for x, y in both) / len(rows) for p, q in SIGNS]


@given(st.integers(0, 10_000))
def test_a_share_counts_the_words_with_both_signs(random_model, seed):
    model = random_model(seed)
    result = Intersections().run_query(Query([TARGETS], ATTRIBUTES), model)
    vectors = [[model[word].astype(float) for word in of] for of in (TARGETS, *ATTRIBUTES)]
    assert [result[name] for name in QUADRANTS] == shares(vectors[0], vectors[1:])
    assert result["result"] == result["first_first"]


def test_planted_quadrants_are_found_and_each_word_has_its_place():
    axes = [words("abcd"[n], [row]) for n, row in enumerate([[1, 0], [-1, 0], [0, 1], [0, -1]])]
    targets = words("t", [[1, 2], [2, 1], [3, -1], [-1, -5]])
    outcome = Intersections().compute([targets], axes)
    assert [*outcome.measures.values()] == [0.5, 0.25, 0, 0.25]
    values = {(one.word, one.measure): one.value for one in outcome.words}
    assert [values[f"t{n}", "quadrant"] for n in range(4)] == [0, 0, 1, 3]
    at = [values["t2", axis] for axis in AXES]
    assert at == pytest.approx([2 * 3 / 10**0.5, -2 / 10**0.5])


def test_a_word_on_a_line_is_in_no_quadrant_whatever_rounding_says():
    shared = words("s", np.random.default_rng(1).normal(size=(7, 2)))
    turned = words("u", shared.vectors[::-1])
    axes = [words("a", [[1, 0]]), words("b", [[0, 1]]), words("c", [[1, 1]]), words("d", [[-1, 0]])]
    targets = words("t", [[1, 1], [2, 1]])
    found = Intersections().compute([targets], axes).measures
    assert sum(found.values()) == found["first_first"] == 0.5
    with pytest.raises(DegenerateError, match=r"nearer to s than to u.*hold the same words"):
        Intersections().compute([targets], [shared, turned, *axes[2:]])


@pytest.mark.parametrize("seed", range(5))
def test_a_word_of_weight_2_counts_as_if_its_set_held_it_twice(seed):
    random = np.random.default_rng(seed)
    targets, *attributes = sets_of(random)
    statistic = IntersectionsStatistic.of([targets], attributes)
    weights = [random.integers(1, 4, (1, len(one.words))) for one in (targets, *attributes)]
    vectors = [one.vectors for one in (targets, *attributes)]
    repeated = [np.repeat(v, w[0], axis=0) for v, w in zip(vectors, weights, strict=True)]
    found = statistic.measures(weights[:1], weights[1:])
    assert [found[name][0] for name in QUADRANTS] == pytest.approx(
        shares(repeated[0], repeated[1:])
    )


def test_without_its_only_name_a_set_gives_no_share():
    targets, *attributes = sets_of(np.random.default_rng(0), sizes=(9, 3, 4, 1, 5))
    statistic = IntersectionsStatistic.of([targets], attributes)
    assert np.isnan(statistic.without_attribute(2)["first_first"]).all()
    assert not np.isnan(statistic.without_attribute(0)["first_first"]).any()


def test_intervals_lie_between_the_limits_of_a_share(random_model):
    query = Query([TARGETS], ATTRIBUTES)
    result = Intersections().run_query(
        query, random_model(1), calculate_intervals=True, interval_resamples=200
    )
    ends = [end for of in result["intervals"].values() for both in of.values() for end in both]
    assert len(ends) == 16
    assert all(0 <= end <= 1 for end in ends if not np.isnan(end))
