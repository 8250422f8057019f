"""RAN's exact solution is never worse than what WEFE's descent reaches, or what WEFE returns."""

import numpy as np
import pytest

from fairflow.transforms.ran import RAN, indirect_bias, objective

from .debiased import cases, words_of

PAIRS = words_of("debiaswe.definitional_pairs")


@pytest.mark.parametrize("case", cases("RepulsionAttractionNeutralization"))
def test_the_objective_is_never_above_wefes(case, slices):
    words, vectors = slices.named(case["model"])
    target = case["transform"]["target"]
    transform = RAN(PAIRS, target, recipe="wefe-1.0")
    derivation = transform.fit((words, vectors))
    at = {word: row for row, word in enumerate(words)}
    unit = vectors / np.linalg.norm(vectors.astype(float), axis=1, keepdims=True)
    (direction,) = np.array(derivation.facts["directions"])
    for word in target:
        own = unit[at[word]]
        similar = unit @ own
        similar[at[word]] = -np.inf
        near = unit[np.argsort(-similar, kind="stable")[:100]]
        repelled = near[indirect_bias(near, own, direction) > 0.05]
        assert len(repelled) == case["repelled"][word]
        shared = (repelled, direction, own, transform.weights)
        ours = objective(derivation.rows[word], *shared)
        assert objective(own, *shared) == pytest.approx(case["objective_before"][word], abs=1e-6)
        assert ours <= case["objective_after"][word] + 1e-7
        assert ours <= objective(np.array(case["wefe_rows"][word]), *shared) + 1e-7
        # The least value that there is: minus the distance to the box, which bounds J from below.
        assert ours < objective(own, *shared)
