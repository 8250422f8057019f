"""BEC-Pro, against plain loops over the same log-probabilities."""

from dataclasses import replace

import numpy as np
import pytest

from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.slot_item import SlotItem
from fairflow.language_models.metrics import item_metric_class

from .answers import measured, scored

JOBS = {"nurse": "female", "maid": "female", "mason": "male", "pilot": "male", "cook": "balanced"}


def persons():
    """Slots of both genders, and some of one alone, in three groups of professions."""
    both = [
        SlotItem(
            f"{t}.{job}.{he}", f"t{t}", f"{{target}} is a {{fill}} {t}.", (("she",), (he,)), job,
            ("female", "male"), group, job,
        )
        for t in range(2)
        for job, group in JOBS.items()
        for he in ("he", "man")
    ]  # fmt: skip
    one = [
        SlotItem(
            f"one.{n}", "t0", "{target} is a {fill}.", ((name,),), "mason", (name,), "male", "mason"
        )
        for n, name in enumerate(("female", "male", "male"))
    ]
    return ItemSet("slot", (*both, *one))


def test_bec_pro_is_the_difference_of_associations_between_groups_of_professions():
    items = persons()
    texts = scored(items, "bec_pro", "masked")
    total = {(text.text_id, text.variant): sum(text.logp) for text in texts}
    of_sentences = {}
    for item in items.items:
        for number, gender in enumerate(item.group_names):
            key = f"{item.item_id}/{number}/0"
            association = total[key, "posterior"] - total[key, "prior_fill_pieces"]
            of_sentences.setdefault((item.category, gender), []).append(association)
    assert len(of_sentences["male", "male"]) == 10
    mean = {key: np.mean(values) for key, values in of_sentences.items()}
    women, men, balanced = (
        mean[group, "female"] - mean[group, "male"] for group in ("female", "male", "balanced")
    )
    found = measured("bec_pro", items, texts, "masked")
    expected = {
        "difference": women - men,
        "female_professions": women,
        "male_professions": men,
        "balanced_professions": balanced,
    }
    assert found.measures == pytest.approx(expected)
    assert found.signs.mean() == pytest.approx(found.measures["difference"])


def test_exchanging_the_genders_of_persons_turns_the_sign_of_bec_pro():
    items = persons()
    texts = scored(items, "bec_pro", "masked")
    turned = {"female": "male", "male": "female"}
    other = tuple(
        replace(item, names=tuple(turned[name] for name in item.names)) for item in items.items
    )
    one = measured("bec_pro", items, texts, "masked").measures
    two = measured("bec_pro", ItemSet("slot", other), texts, "masked").measures
    assert two == pytest.approx({name: -value for name, value in one.items()})


def test_professions_are_exchanged_and_crossed_with_templates_and_persons():
    items = ItemSet("slot", persons().items[:20])
    statistic = measured("bec_pro", items, scored(items, "bec_pro", "masked"), "masked").statistic
    assert sorted(statistic.units) == sorted(JOBS)
    assert [factor.stratum.words for factor in statistic.factors] == [
        ("template t0", "template t1"),
        ("targets she / he", "targets she / man"),
    ]


def test_one_group_of_professions_has_no_difference():
    women = ItemSet("slot", tuple(i for i in persons().items if i.category == "female"))
    found = measured("bec_pro", women, scored(women, "bec_pro", "masked"), "masked").measures
    assert np.isnan(found["difference"])
    assert np.isfinite(found["female_professions"])


def test_without_a_scored_item_no_measure_has_a_value():
    items = persons()
    texts = [
        replace(text, status="too_long", reason="40 tokens, the model takes 32")
        for text in scored(items, "bec_pro", "masked")
    ]
    found = measured("bec_pro", items, texts, "masked")
    assert not found.scores.ok.any()
    assert np.isnan(list(found.measures.values())).all()


def test_bec_pro_tells_groups_that_are_no_genders():
    first, *others = persons().items
    strange = ItemSet("slot", (replace(first, names=("women", "men")),))
    problem = item_metric_class("bec_pro")().query_problem(strange)
    assert problem == "BEC-Pro compares the groups female and male, the query has 'women'"
    unknown = ItemSet("slot", (replace(first, category="x"), *others))
    found = measured("bec_pro", unknown, scored(unknown, "bec_pro", "masked"), "masked")
    assert found.scores.reasons[0].startswith("the category must be one of female, male, balanced")
