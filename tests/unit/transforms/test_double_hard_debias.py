"""Double hard debias takes out the component without which clusters tell the sides least."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairflow.errors import FairflowError
from fairflow.transforms.double_hard_debias import DoubleHardDebias

PAIRS = [["he", "she"], ["man", "woman"]]


def vocabulary(seed=0, dims=6, count=120):
    """Words with a gender along the first axis and, of the same sides, a trace along the second.

    The second axis varies most, so that it is the first principal component.
    """
    generator = np.random.default_rng(seed)
    vectors = generator.standard_normal((count, dims))
    side = np.where(np.arange(count) % 2 == 0, 1, -1)
    vectors[:, 0] = 3 * side + 0.3 * generator.standard_normal(count)
    vectors[:, 1] = 8 * side + 0.3 * generator.standard_normal(count)
    vectors += 2
    words = [f"w{number}" for number in range(count)]
    for word, row in zip(("he", "she", "man", "woman"), range(4), strict=True):
        words[row] = word
        vectors[row, 1:] = 2 + 0.1 * generator.standard_normal(dims - 1)
    return words, vectors


def fitted(model, **rest):
    return DoubleHardDebias(PAIRS, ["he", "she"], **{"words": 20, "components": 3} | rest).fit(
        model
    )


def test_the_component_is_chosen_that_gives_the_sides_away():
    facts = fitted(vocabulary(), specific=["he", "she", "man", "woman"]).facts
    assert facts["component"] == 0
    assert facts["accuracy_without_component"] == 1
    assert facts["accuracies"][0] < 0.75
    assert facts["accuracies"][1:] == [1, 1]
    assert np.abs(facts["component_removed"]).argmax() == 1
    assert facts["words_clustered"] == 40


def test_every_word_loses_the_component_the_mean_and_the_direction():
    words, vectors = vocabulary()
    derivation = fitted((words, vectors))
    (direction,) = np.array(derivation.facts["directions"])
    component = np.array(derivation.facts["component_removed"])
    expected = vectors - np.outer(vectors @ component, component) - vectors.mean(axis=0)
    expected -= np.outer(expected @ direction, direction)
    assert derivation.apply(words, vectors) == pytest.approx(expected, abs=1e-5)
    assert derivation.facts["words_changed"] == len(words)


def test_components_are_those_of_all_centred_vectors():
    words, vectors = vocabulary()
    found = np.array(fitted((words, vectors)).facts["component_removed"])
    _, _, axes = np.linalg.svd(vectors - vectors.mean(axis=0), full_matrices=False)
    assert abs(found @ axes[0]) == pytest.approx(1)


def test_the_direction_is_that_of_the_pairs_without_the_component():
    words, vectors = vocabulary()
    derivation = fitted((words, vectors))
    component = np.array(derivation.facts["component_removed"])
    (direction,) = np.array(derivation.facts["directions"])
    assert direction @ component == pytest.approx(0, abs=1e-9)
    assert (vectors[0] - vectors[1]) @ direction > 0


def test_words_are_clustered_by_how_they_lean_to_the_ends_but_no_specific_ones():
    words, vectors = vocabulary()
    some = fitted((words, vectors), specific=words[4:100])
    assert some.facts["words_clustered"] == 24
    assert some.facts["words_missing"] == {}
    assert fitted((words, vectors), specific=["lad"]).facts["words_missing"] == {
        "specific": ["lad"]
    }


def test_what_the_model_lacks_is_told():
    words, vectors = vocabulary()
    with pytest.raises(FairflowError, match="ends: the model lacks lord, lady: name words it has"):
        DoubleHardDebias(PAIRS, ["lord", "lady"]).fit((words, vectors))
    with pytest.raises(FairflowError, match="vectors of 6 numbers have no 20 components; ask for"):
        DoubleHardDebias(PAIRS, ["he", "she"]).fit((words, vectors))
    with pytest.raises(FairflowError, match="only 3 words have a side: too few for two clusters"):
        fitted((words, vectors), specific=words[3:])
    vectors[7, 2] = np.inf
    with pytest.raises(FairflowError, match="vectors that are not finite, and so no components"):
        fitted((words, vectors))


@settings(max_examples=5)
@given(st.integers(0, 100))
def test_rotated_vectors_give_the_rotated_result(seed):
    words, vectors = vocabulary(seed)
    turn = np.linalg.qr(np.random.default_rng(seed).standard_normal((6, 6)))[0]
    plain = fitted((words, vectors)).apply(words, vectors)
    turned = fitted((words, vectors @ turn)).apply(words, vectors @ turn)
    assert np.allclose(plain @ turn, turned, atol=1e-4)


def test_the_same_seed_gives_the_same_vectors():
    first, again = (fitted(vocabulary()) for _ in range(2))
    assert first.remove.tobytes() == again.remove.tobytes()
