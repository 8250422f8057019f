"""What WEFE's guide to mitigation prints comes out of its cells, with the published lists.

The notebook `debiasing` has short lists; these are the ones of the guide.
"""

import pytest

from fairflow.wefe import MulticlassHardDebias, Query
from fairflow.wefe.datasets import fetch_debias_multiclass, fetch_debiaswe, load_weat
from fairflow.wefe.debias.hard_debias import HardDebias
from fairflow.wefe.metrics import WEAT

from .models import BASE

LOWER = [{}, {"lowercase": True}]


@pytest.fixture(scope="module")
def model(models):
    return models.named(BASE)


def weat(targets, attributes, model):
    sets = load_weat()
    query = Query([sets[name] for name in targets], [sets[name] for name in attributes])
    return WEAT().run_query(query, model, normalize=True, preprocessors=LOWER)["weat"]


@pytest.mark.parametrize(
    ("targets", "attributes", "before", "after", "of_target"),
    [
        (("male_terms", "female_terms"), ("career", "family"), 0.463, 0.047, 0.047),
        (("male_names", "female_names"), ("pleasant_5", "unpleasant_5a"), 0.074, 0.055, 0.080),
    ],
)
def test_the_example_on_gender(targets, attributes, before, after, of_target, model):
    lists = fetch_debiaswe()
    debias = HardDebias(verbose=False, criterion_name="gender").fit(
        model,
        definitional_pairs=lists["definitional_pairs"],
        equalize_pairs=lists["equalize_pairs"],
    )
    words = load_weat()["career"] + load_weat()["family"]
    models = (
        model,
        debias.transform(model, ignore=lists["gender_specific"], copy=True),
        debias.transform(model, target=words, copy=True),
    )
    found = [round(abs(weat(targets, attributes, some)), 3) for some in models]
    assert found == [before, after, of_target]
    assert debias.pca_.explained_variance_ratio_[0] == pytest.approx(0.605292, abs=1e-6)


def test_the_example_on_ethnicity(model):
    sets = fetch_debias_multiclass()
    debias = MulticlassHardDebias(verbose=False, criterion_name="ethnicity").fit(
        model=model,
        definitional_sets=sets["ethnicity_definitional_sets"],
        equalize_sets=list(sets["ethnicity_analogy_templates"].values()),
    )
    groups = [sorted(set(sets[f"{name}_terms"])) for name in ("white", "black")]
    query = Query(groups, [sets[f"{name}_biased_words"] for name in ("white", "black")])
    found = [
        WEAT().run_query(query, some, normalize=True, preprocessors=LOWER)["weat"]
        for some in (model, debias.transform(model, copy=True))
    ]
    assert [round(abs(value), 3) for value in found] == [0.121, 0.131]
    assert debias.bias_subspace_.shape == (8, 300)
