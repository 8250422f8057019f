"""Maps that are linear: projections on pairs and means, LEACE and INLP, and what each promises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.covariance import ledoit_wolf

from fairflow.errors import FairflowError
from fairflow.transforms.inlp import INLP
from fairflow.transforms.leace import LEACE
from fairflow.transforms.linear_projection import LinearProjection
from fairflow.transforms.mean_projection import MeanProjection

MODEL = {"she": [2, 4, 0], "her": [4, 4, 0], "he": [-2, 4, 0], "him": [0, 4, 0], "far": [5, 0, 7]}
GROUPS = [["she", "her"], ["he", "him"]]
ERASURES = [MeanProjection, LEACE, INLP]


def drawn(seed, sizes=(20, 15), dims=8, apart=1.0):
    """Groups of random vectors around different means, and their lists."""
    generator = np.random.default_rng(seed)
    words, lists = [], []
    vectors = generator.standard_normal((sum(sizes) + 30, dims)) @ generator.standard_normal(
        (dims, dims)
    )
    start = 0
    for number, size in enumerate(sizes):
        lists.append([f"g{number}w{place}" for place in range(size)])
        words += lists[-1]
        vectors[start : start + size] += apart * generator.standard_normal(dims)
        start += size
    words += [f"w{number}" for number in range(30)]
    return words, vectors, lists


def classified(vectors, labels):
    """Accuracy of a logistic regression, nearly without penalty, on what it was trained on."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=1e6, max_iter=10_000).fit(vectors, labels).score(vectors, labels)


def labels_of(lists):
    return np.repeat(np.arange(len(lists)), [len(words) for words in lists])


def test_a_linear_projection_takes_the_direction_of_pairs_out_of_every_word():
    derived = LinearProjection([["she", "he"]]).fit(MODEL).transform(MODEL)
    expected = [[0, 4, 0], [0, 4, 0], [0, 4, 0], [0, 4, 0], [0, 0, 7]]
    assert np.stack(list(derived.values())) == pytest.approx(np.array(expected))


def test_a_linear_projection_takes_out_as_many_components_as_asked_for():
    pairs = [["she", "he"], ["her", "far"]]
    assert LinearProjection(pairs, 2).fit(MODEL).remove.shape == (2, 3)
    with pytest.raises(FairflowError, match="differ in 2 directions, not 3"):
        LinearProjection(pairs, 3).fit(MODEL)
    single = LinearProjection(pairs, direction="single").fit(MODEL)
    assert single.facts["directions"] == [pytest.approx([1, 0, 0])]


def test_a_mean_projection_takes_the_difference_of_means_out():
    derivation = MeanProjection([*GROUPS]).fit(MODEL)
    assert np.abs(derivation.remove) == pytest.approx(np.array([[1, 0, 0]]))
    assert derivation.transform(MODEL)["far"] == pytest.approx([0, 0, 7])
    assert derivation.facts["group_sizes"] == [2, 2]


def test_leace_leaves_of_the_axis_of_the_means_what_the_other_axis_tells_of_it():
    # Means differ along the first axis; what is left of it is its regression on the second.
    spread = [(1, 1), (-1, -1), (1, 2), (-1, -2)]
    lists = [[f"a{number}" for number in range(4)], [f"b{number}" for number in range(4)]]
    vectors = np.array([[3 * sign + x, y] for sign in (1, -1) for x, y in spread], dtype=float)
    words = [*lists[0], *lists[1]]
    derivation = LEACE(lists).fit((words, vectors))
    covariance, share = ledoit_wolf(vectors, assume_centered=True)
    slope = covariance[0, 1] / covariance[1, 1]
    expected = np.column_stack([slope * vectors[:, 1], vectors[:, 1]])
    assert derivation.apply(words, vectors) == pytest.approx(expected, abs=1e-6)
    assert derivation.facts["shrinkage_of_covariance"] == pytest.approx(share)
    assert 0 < share < 0.5


@pytest.mark.parametrize("sizes", [(20, 15), (12, 10, 8), (4, 3)])
def test_after_leace_a_linear_classifier_is_right_as_often_as_the_largest_group_is(sizes):
    words, vectors, lists = drawn(3, sizes)
    labels, count = labels_of(lists), sum(sizes)
    derived = LEACE(lists).fit((words, vectors)).apply(words, vectors)[:count]
    majority = max(sizes) / count
    assert classified(vectors[:count], labels) > majority
    centred = derived - derived.mean(axis=0)
    assert classified(centred, labels) == pytest.approx(majority, abs=1 / count + 1e-9)


@pytest.mark.parametrize("sizes", [(20, 15), (12, 10, 8)])
def test_inlp_goes_on_until_its_classifier_is_right_as_often_as_the_largest_group_is(sizes):
    words, vectors, lists = drawn(4, sizes, apart=0.5)
    transform = INLP(lists)
    derivation = transform.fit((words, vectors))
    facts, majority = derivation.facts, max(sizes) / sum(sizes)
    assert facts["majority_reached"]
    assert facts["majority"] == majority
    assert facts["accuracies"][0] > majority >= facts["accuracies"][-1]
    derived = derivation.apply(words, vectors)[: sum(sizes)]
    _, accuracy = transform._classifier(derived, labels_of(lists))
    assert accuracy <= majority


def test_the_first_direction_of_inlp_is_that_of_scikit_learns_regression():
    from sklearn.linear_model import LogisticRegression

    words, vectors, lists = drawn(5)
    derivation = INLP(lists, iterations=1, penalty=2).fit((words, vectors))
    model = LogisticRegression(C=2, tol=1e-10, max_iter=10_000)
    (weights,) = model.fit(vectors[:35], labels_of(lists)).coef_
    assert abs(derivation.remove[0] @ weights) / np.linalg.norm(weights) == pytest.approx(1)
    assert derivation.facts["accuracies"][0] == model.score(vectors[:35], labels_of(lists))


@pytest.mark.parametrize("erasure", ERASURES)
def test_words_that_are_missing_are_recorded_and_a_group_without_words_is_refused(erasure):
    derivation = erasure([["she", "her", "lady"], ["he", "him"]]).fit(MODEL)
    assert derivation.facts["words_missing"] == {"groups": ["lady"]}
    assert derivation.facts["words_changed"] == 5
    with pytest.raises(FairflowError, match="groups, list 2: the model has no vectors of"):
        erasure([["she"], ["lord", "sir"]]).fit(MODEL)


@pytest.mark.parametrize("erasure", ERASURES)
def test_twice_is_once(erasure):
    words, vectors, lists = drawn(6)
    derivation = erasure(lists).fit((words, vectors))
    once = derivation.apply(words, vectors)
    assert np.allclose(derivation.apply(words, once), once, atol=1e-5)


@given(st.integers(0, 10_000), st.sampled_from([MeanProjection, LEACE]))
def test_rotated_vectors_give_the_rotated_result_and_groups_have_one_mean(seed, erasure):
    words, vectors, lists = drawn(seed)
    turn = np.linalg.qr(np.random.default_rng(seed).standard_normal((8, 8)))[0]
    derived = erasure(lists).fit((words, vectors)).apply(words, vectors)
    turned = erasure(lists[::-1]).fit((words, vectors @ turn)).apply(words, vectors @ turn)
    assert np.allclose(derived @ turn, turned, atol=1e-4)
    assert np.allclose(derived[:20].mean(axis=0), derived[20:35].mean(axis=0), atol=1e-5)


@given(st.integers(0, 10_000))
def test_leace_moves_the_words_of_the_lists_less_than_a_mean_projection_where_many_are(seed):
    words, vectors, lists = drawn(seed, (400, 300), dims=4)
    count = 700
    near, far = (
        np.square(erasure(lists).fit((words, vectors)).apply(words, vectors) - vectors)[:count]
        for erasure in (LEACE, MeanProjection)
    )
    assert near.sum() <= far.sum() * 1.05


@given(st.integers(0, 10_000), st.sampled_from([(60, 50), (40, 30, 20)]))
def test_leace_is_the_least_change_that_leaves_no_covariance_with_the_groups(seed, sizes):
    words, vectors, lists = drawn(seed, sizes, dims=6)
    count = sum(sizes)
    own = vectors[:count]
    groups = np.eye(len(sizes))[labels_of(lists)]
    centred = own - own.mean(axis=0)
    covariance, _ = ledoit_wolf(centred, assume_centered=True)
    cross = centred.T @ (groups - groups.mean(axis=0)) / count
    derivation = LEACE(lists).fit((words, vectors))
    derived = derivation.exact(words[:count], own)
    left = (derived - derived.mean(axis=0)).T @ (groups - groups.mean(axis=0)) / count
    assert np.abs(left).max() < 1e-6 * np.abs(cross).max()
    # Of min tr((A - I) S (A - I)') with A C = 0 the multipliers solve (C' S^-1 C) L = -C'.
    inverse = np.linalg.inv(covariance)
    least = np.eye(6) - cross @ np.linalg.pinv(cross.T @ inverse @ cross) @ cross.T @ inverse
    assert derivation.matrix == pytest.approx(least, abs=1e-6)

    def cost(matrix):
        return np.trace((matrix - np.eye(6)) @ covariance @ (matrix - np.eye(6)).T)

    basis = np.linalg.svd(cross)[0][:, len(sizes) - 1 :]
    any_other = np.random.default_rng(seed).standard_normal((6, basis.shape[1])) @ basis.T
    assert np.allclose(any_other @ cross, 0, atol=1e-9)
    assert cost(derivation.matrix) < cost(derivation.matrix + 0.1 * any_other)


def test_after_inlp_a_new_classifier_is_at_chance_on_what_it_is_trained_on():
    from sklearn.linear_model import LogisticRegression

    words, vectors, lists = drawn(7, (60, 60), dims=10)
    derived = INLP(lists).fit((words, vectors)).apply(words, vectors)[:120]
    labels = labels_of(lists)
    before = (
        LogisticRegression(max_iter=10_000).fit(vectors[:120], labels).score(vectors[:120], labels)
    )
    after = LogisticRegression(max_iter=10_000).fit(derived, labels).score(derived, labels)
    assert before > 0.7
    assert after <= 0.5 + 1 / 120
