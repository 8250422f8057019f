"""Where words lie that once leaned to two sides: clusters, neighbours, a classifier."""

import numpy as np
import pytest
from sklearn.svm import SVC

from fairflow.vectors.vocabulary import (
    _kernel,
    classifier_accuracies,
    cluster_accuracies,
    leanings,
    most_leaning,
    neighbours_on_first_side,
)


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def sides():
    """Two clouds of 40 directions each, four apart from one another."""
    noise = np.random.default_rng(1).normal(size=(2, 40, 6))
    return [unit(noise[side] + 4 * np.eye(6)[side]) for side in (0, 1)]


def test_a_word_leans_by_the_difference_of_its_cosines_with_the_ends():
    ends = np.array([[1.0, 0.0], [0.6, 0.8]])
    assert leanings(np.eye(2), ends) == pytest.approx([0.4, -0.8])


def test_the_most_leaning_words_are_the_ends_of_the_order_the_outermost_first():
    first, second = most_leaning(np.array([0.1, -0.5, 0.9, 0.3, -0.2]), 2)
    assert (first.tolist(), second.tolist()) == ([2, 3], [1, 4])


def test_two_clouds_are_two_clusters_whatever_the_seed(sides):
    assert cluster_accuracies(*sides, n_runs=3, n_init=2, seed=7).tolist() == [1, 1, 1]


def test_one_cloud_has_no_sides():
    cloud = unit(np.random.default_rng(2).normal(size=(400, 6)))
    accuracies = cluster_accuracies(cloud[:200], cloud[200:], n_runs=4, n_init=2, seed=7)
    assert ((accuracies >= 0.5) & (accuracies < 0.65)).all()


def test_a_classifier_tells_two_clouds_apart_and_not_one(sides):
    assert classifier_accuracies(*sides, n_train=40, n_runs=3, seed=7).min() > 0.95
    cloud = unit(np.random.default_rng(2).normal(size=(400, 6)))
    accuracies = classifier_accuracies(cloud[:200], cloud[200:], n_train=100, n_runs=4, seed=7)
    assert 0.4 < accuracies.mean() < 0.6


def test_its_kernel_is_that_of_a_machine_with_gamma_auto(sides):
    both, side = np.concatenate(sides), np.arange(80) >= 40
    theirs = SVC(gamma="auto").fit(both, side).decision_function(both)
    ours = SVC(kernel="precomputed").fit(_kernel(both, both), side)
    assert ours.decision_function(_kernel(both, both)) == pytest.approx(theirs, abs=1e-3)


def test_equal_seeds_give_equal_runs_and_runs_differ(sides):
    mixed = [unit(rows + np.random.default_rng(3).normal(size=rows.shape) * 0.8) for rows in sides]
    once, again = (classifier_accuracies(*mixed, n_train=20, n_runs=5, seed=4) for _ in range(2))
    assert once.tolist() == again.tolist()
    assert len(set(once)) > 1


def test_neighbours_are_counted_by_their_side_without_the_word_itself():
    angles = np.radians([0, 10, 20, 90, 100])
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    first_side = np.array([True, True, False, False, True])
    counts = neighbours_on_first_side(directions, first_side, 2)
    # Of 0: 10 and 20 degrees; of 90: 100 and 20; of 100: 90 and 20.
    assert counts.tolist() == [1, 1, 2, 1, 0]


def test_blocks_of_neighbours_count_as_all_at_once(monkeypatch):
    directions = unit(np.random.default_rng(5).normal(size=(60, 8)))
    side = directions[:, 0] > 0
    whole = neighbours_on_first_side(directions, side, 7)
    monkeypatch.setattr("fairflow.vectors.vocabulary._CELLS", 150)
    assert neighbours_on_first_side(directions, side, 7).tolist() == whole.tolist()


def test_neighbours_are_those_of_a_full_sort_and_ties_those_of_one_selection() -> None:
    random = np.random.default_rng(4)
    directions = random.integers(-1, 2, (900, 4)).astype(np.float32)
    side = random.random(900) < 0.5
    near = directions @ directions.T
    np.fill_diagonal(near, -np.inf)
    nearest = np.argpartition(-near, 11, axis=1)[:, :12]

    counts = neighbours_on_first_side(directions, side, 12)

    assert counts.tolist() == side[nearest].sum(axis=1).tolist()
    assert (np.sort(near)[:, -12] == np.sort(near)[:, -13]).any()  # There are such ties.
