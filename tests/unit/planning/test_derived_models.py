"""Models that are derived from each other: chains work, circles are refused in a sentence."""

import pytest

from fairflow.planning.catalogue import ancestry
from fairflow.planning.model_checks import derivation_problems
from fairflow.planning.models import CONVERTED, is_converted, models_of

SOURCE = {"sources": [{"url": "https://host/a.txt"}], "format": "glove-text", "language": "en"}


def derived(base, transform="normalised", **keys):
    return {"derive": {"from": base, "transform": transform}} | keys


CHAIN = {
    "third": derived("second", label="Third"),
    "second": derived("first", vocab_prefix="/c/"),
    "first": SOURCE | {"order": "frequency", "vectors_of": "whole"},
}


def problems(**models):
    return list(derivation_problems(models))


def test_a_chain_is_followed_to_the_model_with_a_source():
    assert ancestry("third", CHAIN) == ["third", "second", "first"]
    assert problems(**CHAIN) == []
    models = models_of(CHAIN)
    assert list(models) == list(CHAIN)
    assert models["third"].origin is models["first"]
    assert models["third"].lineage == ("first", "second", "third")
    assert (models["third"].transform.base, models["first"].transform) == ("second", None)


def test_a_derived_model_is_read_from_its_origin_and_the_derivations_up_to_it():
    models = models_of(CHAIN)
    own = [models[name].own_files("m") for name in ("first", "third")]
    assert own == [
        ("m/first/vectors", "m/first/index.sqlite", "m/first/card.json"),
        ("m/third/derivation.npz",),
    ]
    origin = dict(zip(("vectors", "index", "card"), own[0], strict=True))
    assert models["first"].store_files("m") == origin | {"derivations": []}
    assert models["third"].store_files("m") == origin | {
        "derivations": ["m/second/derivation.npz", "m/third/derivation.npz"]
    }


def test_what_is_known_of_the_words_comes_from_the_origin_and_the_prefix_from_the_nearest():
    model = models_of(CHAIN)["third"]
    assert model.frequency == {
        "order": "frequency", "language": "en", "curated": None, "prefix": "/c/"
    }  # fmt: skip
    assert models_of(CHAIN)["first"].prefix is None


def test_a_transform_that_keeps_directions_makes_the_same_vectors():
    models = models_of(CHAIN)
    assert [models[name].same_vectors for name in CHAIN] == ["second", "first", "whole"]


@pytest.mark.parametrize(
    ("there", "missing", "whole"),
    [("first", "", True), ("first", "vectors", False), ("second", "", False), ("third", "", False)],
)
def test_a_source_is_needed_unless_it_is_converted(tmp_path, there, missing, whole):
    (tmp_path / there).mkdir()
    for name in {*CONVERTED.values()} - {missing}:
        (tmp_path / there / name).touch()
    assert is_converted(models_of(CHAIN)["third"], tmp_path) == whole


def test_a_circle_is_told_once_with_the_way_round_and_what_to_do():
    ((key, sentence),) = problems(
        a=derived("b"), b=derived("c"), c=derived("a"), outside=derived("a"), d=SOURCE
    )
    assert key == "a.derive.from"
    assert sentence == (
        "a from b from c from a: a circle, in which nothing has vectors; let one of these models "
        "come from a model that has sources"
    )
