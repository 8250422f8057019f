"""Multiclass hard debias gives WEFE's numbers where they are more than rounding noise."""

import pytest

from fairflow.errors import FairflowError
from fairflow.transforms.multiclass_hard_debias import MulticlassHardDebias

from .debiased import assert_agrees, cases, words_of


def debiased(case, slices, components):
    words, vectors = slices.named(case["model"])
    sets = {name: words_of(listed) for name, listed in case["fit"].items()}
    derivation = MulticlassHardDebias(
        sets["definitional_sets"], sets["equalize_sets"], components=components
    ).fit((words, vectors))
    chosen = {key: words_of(listed) for key, listed in case["transform"].items()}
    return words, derivation.transform((words, vectors), **chosen), derivation.facts


@pytest.mark.parametrize("case", cases("MulticlassHardDebias"))
def test_wefes_recipe(case, slices):
    components = case["constructor"].get("pca_args", {"n_components": 10})["n_components"]
    if "expected_error" in case:
        with pytest.raises(FairflowError, match="no entry has all words"):
            debiased(case, slices, components)
    elif components == 10:
        # More than the rank (D26): WEFE's last components are rounding noise.
        with pytest.raises(FairflowError, match=r"differ in 8 directions, not 10; set components"):
            debiased(case, slices, components)
        assert len(debiased(case, slices, None)[2]["directions"]) == 8
    else:
        words, vectors, facts = debiased(case, slices, components)
        assert_agrees(case, words, vectors)
        explained = case["explained_variance"]
        assert facts["explained_variance"][: len(explained)] == pytest.approx(explained, rel=1e-5)
