"""Debiasing with WEFE's interface: fit, transform, its models, errors with WEFE's types."""

import logging

import numpy as np
import pytest
from gensim.models import KeyedVectors
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from stores import converted

from fairflow.errors import FairflowError
from fairflow.transforms import TRANSFORMS
from fairflow.wefe import (
    DoubleHardDebias,
    HalfSiblingRegression,
    HardDebias,
    MulticlassHardDebias,
    RepulsionAttractionNeutralization,
)
from fairflow.wefe.debias.base_debias import BaseDebias
from fairflow.wefe.word_embedding_model import WordEmbeddingModel

WORDS = ["she", "he", "woman", "man", *(f"w{number}" for number in range(16)), "girl", "boy"]
PAIRS = [["she", "he"], ["woman", "man"], ["girl", "boy"]]
# Of each: how it is made, what fit is given, and the same transform of the library.
HARD = {"definitional_pairs": PAIRS, "equalize_pairs": PAIRS[:1]}
MULTICLASS = {"definitional_sets": PAIRS, "equalize_sets": [["w1", "w2", "w3"]]}
HSR = {"definitional_words": ["she", "he"], "alpha": 2}
DHD = {"definitional_pairs": PAIRS, "bias_representation": ["he", "she"]}
RAN = {"n_neighbours": 5, "theta": 0.2, "weights": [0.5, 0.3, 0.2]}
METHODS = {
    "hard": (HardDebias, {}, HARD),
    "multiclass": (MulticlassHardDebias, {"pca_args": {"n_components": 2}}, MULTICLASS),
    "hsr": (HalfSiblingRegression, {}, HSR),
    "dhd": (DoubleHardDebias, {"n_words": 4, "n_components": 2}, DHD),
    "ran": (RepulsionAttractionNeutralization, RAN, {"definitional_pairs": PAIRS}),
}
LIBRARY = {
    "hard": (
        "hard_debias",
        {"definitional": PAIRS, "equalise": PAIRS[:1], "recipe": "wefe-1.0"},
    ),
    "multiclass": (
        "multiclass_hard_debias",
        {"definitional": PAIRS, "equalise": [["w1", "w2", "w3"]], "components": 2},
    ),
    "hsr": ("half_sibling_regression", {"definitional": ["she", "he"], "alpha": 2}),
    "dhd": (
        "double_hard_debias",
        {"definitional": PAIRS, "ends": ["he", "she"], "words": 4, "components": 2},
    ),
    "ran": (
        "ran",
        {
            "definitional": PAIRS,
            "words": WORDS,
            "neighbours": 5,
            "threshold": 0.2,
            "weights": [0.5, 0.3, 0.2],
        },
    ),
}
EVERY = pytest.mark.parametrize("method", METHODS)


def model(dtype=np.float32, prefix="", words=WORDS):
    wv = KeyedVectors(6, dtype=dtype)
    rows = np.random.default_rng(0).normal(size=(len(words), 6)) * 3
    wv.add_vectors([prefix + word for word in words], rows.astype(dtype))
    return WordEmbeddingModel(wv, "toy", prefix or None)


def fitted(method, base, **more):
    kind, own, given = METHODS[method]
    return kind(**own, **more).fit(base, **given)


def changed(before, after):
    """Words whose directions differ."""
    unit = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (before, after)]
    return {
        word
        for word, row in zip(WORDS, abs(unit[0] - unit[1]).max(axis=1), strict=True)
        if row > 1e-5
    }


@EVERY
def test_the_vectors_are_those_of_the_transform_of_the_library(method):
    name, parameters = LIBRARY[method]
    expected = TRANSFORMS.load(name)(**parameters).fit(model()).transform(model()).wv.vectors
    found = fitted(method, model()).transform(model())
    assert found.wv.vectors == pytest.approx(expected, abs=1e-6)
    assert found.wv.index_to_key == WORDS


@EVERY
def test_a_copy_is_a_model_of_its_own_and_without_copy_the_model_changes(method):
    base, untouched = model(), model().wv.vectors
    made = fitted(method, base).transform(base)
    assert type(made) is WordEmbeddingModel
    assert (base.name, made.name) == ("toy", "toy_debiased")
    assert (base.wv.vectors == untouched).all()
    assert fitted(method, base, criterion_name="gender").transform(base, copy=False) is base
    assert base.name == "toy_gender_debiased"
    assert (base.wv.vectors == made.wv.vectors).all()
    # gensim keeps lengths, which would be outdated.
    lengths = np.linalg.norm(made.wv.vectors, axis=1)
    assert made.wv.get_normed_vectors() == pytest.approx(made.wv.vectors / lengths[:, None])


@pytest.mark.parametrize(
    ("method", "besides"),
    [
        ("hard", {"she", "he"}),
        ("multiclass", {"w1", "w2", "w3"}),
        *((m, set()) for m in ("hsr", "dhd", "ran")),
    ],
)
def test_with_a_target_its_words_alone_change_and_those_to_equalise(method, besides):
    base = model()
    found = fitted(method, base).transform(base, target=["w4", "w5"])
    assert changed(base.wv.vectors, found.wv.vectors) == {"w4", "w5"} | besides


@pytest.mark.parametrize("method", ["hard", "multiclass", "hsr", "ran"])
def test_words_to_ignore_keep_their_directions(method):
    base = model()
    found = fitted(method, base).transform(base, ignore=["w4", "w5"])
    assert not {"w4", "w5"} & changed(base.wv.vectors, found.wv.vectors)
    assert "w6" in changed(base.wv.vectors, found.wv.vectors)


def test_ignore_counts_without_a_target_alone_but_for_ran():
    base, both = model(), {"target": ["w4", "w5"], "ignore": ["w5"]}
    for method, words in {"hsr": {"w4", "w5"}, "ran": {"w4"}}.items():
        found = fitted(method, base).transform(base, **both)
        assert changed(base.wv.vectors, found.wv.vectors) == words


@EVERY
@pytest.mark.parametrize("words", [["w4", "w5"], ["/en/w4", "/en/w5"]], ids=["bare", "with prefix"])
def test_words_are_meant_with_the_prefix_of_the_vocabulary(method, words):
    base = model(prefix="/en/")
    for choice in ("target", "ignore"):
        expected = fitted(method, model()).transform(model(), **{choice: ["w4", "w5"]})
        found = fitted(method, base).transform(base, **{choice: words})
        assert found.wv.vectors == pytest.approx(expected.wv.vectors, abs=1e-6)
        assert found.vocab_prefix == "/en/"


@EVERY
def test_vectors_of_double_precision_and_of_a_store_are_taken(method, tmp_path):
    expected = fitted(method, model()).transform(model()).wv.vectors
    double = model(np.float64)
    found = fitted(method, double).transform(double)
    assert found.wv.vectors.dtype == np.float64
    assert found.wv.vectors == pytest.approx(expected, abs=1e-5)
    model().wv.save_word2vec_format(str(tmp_path / "source.bin"), binary=True)
    with converted(tmp_path / "source.bin", "word2vec-binary", tmp_path) as store:
        stored = WordEmbeddingModel(store, "toy")
        made = fitted(method, stored).transform(stored)
        assert made.vectors(WORDS) == pytest.approx(expected, abs=1e-6)
        with pytest.raises(TypeError, match="only vectors of gensim are overwritten"):
            fitted(method, stored).transform(stored, copy=False)


@EVERY
def test_an_object_can_be_shown_and_cloned(method):
    kind, own, _ = METHODS[method]
    debias = kind(**own, criterion_name="gender", verbose=True)
    assert "criterion_name='gender'" in repr(debias)
    assert clone(debias).get_params() == debias.get_params()
    assert debias.set_params(criterion_name="sex").criterion_name_ == "sex"
    assert debias.name
    assert debias.short_name


@EVERY
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"model": "toy"}, "model must be a WordEmbeddingModel"),
        ({"target": "w4"}, "target must be None or a list of strings, got 'w4'"),
        ({"target": ["w4", 4]}, "target must be None or a list of strings"),
        ({"ignore": [4]}, "ignore must be None or a list of strings"),
        ({"copy": 1}, "copy must be a bool, got 1"),
    ],
)
def test_an_argument_of_another_type_is_a_type_error(method, arguments, message):
    with pytest.raises(TypeError, match=message):
        fitted(method, model()).transform(**({"model": model()} | arguments))


@EVERY
def test_vectors_of_gensim_are_a_model(method):
    kind, own, given = METHODS[method]
    found = kind(**own).fit(model().wv, **given).transform(model().wv)
    expected = fitted(method, model()).transform(model())
    np.testing.assert_array_equal(found.wv.vectors, expected.wv.vectors)


@EVERY
def test_fit_needs_a_model_and_transform_a_fit(method):
    kind, own, given = METHODS[method]
    with pytest.raises(TypeError, match="model must be a WordEmbeddingModel"):
        kind(**own).fit("toy", **given)
    with pytest.raises(TypeError, match="unexpected keyword argument 'verbose'"):
        kind(**own).fit(model(), **given, verbose=True)
    with pytest.raises(NotFittedError, match="not fitted yet"):
        kind(**own).transform(model())
    with pytest.raises(TypeError, match="verbose must be a bool"):
        kind(verbose="yes")
    with pytest.raises(ValueError, match="criterion_name must be a string"):
        kind(criterion_name=1)


@pytest.mark.parametrize("method", ["hard", "dhd", "ran"])
@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([], "needs definitional sets, got none"),
        ([["she", "he"], ["woman"]], r"set at position 1, \['woman'\], has 1 words, and"),
        ([["she", "lost"]], "none of 1 sets is left"),
    ],
)
def test_pairs_that_are_none_are_value_errors(method, pairs, message):
    kind, own, given = METHODS[method]
    with pytest.raises(ValueError, match=message):
        kind(**own).fit(model(), **given | {"definitional_pairs": pairs})


@pytest.mark.parametrize("method", ["hard", "multiclass", "dhd", "ran"])
def test_words_that_do_not_differ_have_no_direction(method):
    base = model()
    base.wv.vectors[1] = base.wv.vectors[0]
    kind, own, given = METHODS[method]
    pairs = {name: PAIRS[:1] for name in given if name.startswith("definitional")}
    with pytest.raises(FairflowError, match="the words of its 1 entries do not differ"):
        kind(**own).fit(base, **given | pairs)
    with pytest.raises(NotFittedError):
        kind(**own).transform(base)


def test_hard_debias_tells_direction_and_pairs():
    debias = HardDebias().fit(model(), [*PAIRS, ["she", "lost"]], [["SHE", "He"]])
    assert (debias.bias_direction_ == debias.pca_.components_[0]).all()
    assert np.linalg.norm(debias.bias_direction_) == pytest.approx(1)
    (direction,) = debias.derivation_.facts["directions"]
    assert abs(debias.bias_direction_ @ direction) == pytest.approx(1)
    assert debias.pca_.explained_variance_ratio_.sum() == pytest.approx(1)
    assert [list(pair) for pair in debias.definitional_pairs_embeddings_] == PAIRS
    assert debias.equalize_pairs_ == [["SHE", "He"]]
    assert debias.equalize_pairs_candidates_ == [("she", "he"), ("She", "He"), ("SHE", "HE")]
    assert [list(pair) for pair in debias.equalize_pairs_embeddings_] == [["she", "he"]]
    assert debias.derivation_.facts["words_missing"] == {"definitional": ["lost"]}


def test_without_pairs_to_equalise_the_definitional_ones_are():
    default = HardDebias().fit(model(), PAIRS).transform(model())
    told = HardDebias().fit(model(), PAIRS, PAIRS).transform(model())
    assert (default.wv.vectors == told.wv.vectors).all()
    several = MulticlassHardDebias().fit(model(), PAIRS).transform(model())
    assert several.wv.vectors == pytest.approx(
        MulticlassHardDebias().fit(model(), PAIRS, PAIRS).transform(model()).wv.vectors
    )


def test_an_incomplete_set_of_classes_is_dropped_and_its_words_are_not_neutralised():
    base = model()
    sets = [*PAIRS, ["w7", "lost"]]
    debias = MulticlassHardDebias({"n_components": 1}).fit(
        base, sets, [["w1", "lost"], ["w2", "w3"]]
    )
    found = debias.transform(base)
    assert len(debias.definitional_sets_embeddings_) == 3
    assert [list(words) for words in debias.equalize_sets_embeddings_] == [["w2", "w3"]]
    assert not {"w7", "she", "boy"} & changed(base.wv.vectors, found.wv.vectors)


def test_the_clustered_words_are_those_that_lean_most_to_either_end():
    base = WordEmbeddingModel(KeyedVectors(2))
    base.wv.add_vectors(
        ["he", "she", "a", "b", "c", "d"],
        np.float32([[1, 0], [0, 1], [3, 1], [1, 3], [2, 1], [1, 2]]),
    )
    words = DoubleHardDebias().get_target_words(base, None, ["he", "she"], 2, ["he", "she"])
    assert words == ["b", "d", "c", "a"]


def test_a_method_of_ones_own_overrides_fit_and_transform():
    class Nothing(BaseDebias):
        name = short_name = "Nothing"

        def fit(self, model, word):
            self.word_ = word
            return self

        def transform(self, model, target=None, ignore=None, copy=True):
            self._check_transform_args(model, target, ignore, copy)
            return model

    base = model()
    assert Nothing().fit_transform(base, word="she") is base
    with pytest.raises(NotImplementedError, match="BaseDebias does not define fit"):
        BaseDebias().fit(base)
    with pytest.raises(NotImplementedError, match="BaseDebias does not define transform"):
        BaseDebias().transform(None)


@EVERY
def test_a_second_transform_with_one_object_gives_the_same_model(method):
    debias = fitted(method, model())
    first = debias.transform(model(), target=["w4", "w5"]).wv.vectors
    debias.transform(model())
    assert (debias.transform(model(), target=["w4", "w5"]).wv.vectors == first).all()


def test_what_has_no_effect_is_logged(caplog):
    with caplog.at_level(logging.WARNING):
        RepulsionAttractionNeutralization(epochs=10).fit(model(), PAIRS)
    assert "epochs and learning_rate have no effect" in caplog.text


def test_only_a_verbose_object_prints(capsys):
    fitted("hard", model()).transform(model())
    assert capsys.readouterr() == ("", "")
    fitted("hard", model(), verbose=True).transform(model())
    printed = capsys.readouterr().out
    for sentence in ("Obtaining definitional sets.", "PCA variance explained: [", "Done!"):
        assert sentence in printed
