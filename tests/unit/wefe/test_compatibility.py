"""Code written for WEFE 0.2.2 runs, gives what it meant, and is told the present names."""

import inspect
import warnings

import numpy as np
import pytest
from gensim.models import KeyedVectors

from fairflow.wefe import MAC, RND, RNSB, WEAT, Query, WordEmbeddingModel
from fairflow.wefe.former_names import current_names, joined_preprocessors

QUERY = Query([["a"], ["b"]], [["c", "d"]])


@pytest.fixture(scope="module")
def model(model_of):
    vectors = model_of(a=[1, 0], b=[0, 2], c=[3, 4], d=[1, 3], e=[2, 1])
    return WordEmbeddingModel(vectors.wv, "toy")


@pytest.fixture
def keyed_vectors():
    """One word in gensim vectors."""
    wv = KeyedVectors(2)
    wv.add_vectors(["he"], np.float32([[1, 2]]))
    return wv


@pytest.mark.parametrize(
    ("callable_name", "former", "present"),
    [
        ("run_query", {"word_embedding": 1}, {"model": 1}),
        ("run_query", {"preprocessor_args": {"lowercase": True}},
         {"preprocessors": [{"lowercase": True}]}),
        ("run_query", {"secondary_preprocessor_args": {"lowercase": True}},
         {"preprocessors": [{}, {"lowercase": True}]}),
        ("RND", {"distance_type": "cos"}, {"distance": "cos"}),
        ("RNSB", {"num_iterations": 3}, {"n_iterations": 3}),
        ("WordEmbeddingModel", {"model": 1, "model_name": "toy"}, {"wv": 1, "name": "toy"}),
    ],
)  # fmt: skip
def test_former_names_become_present_ones(callable_name, former, present):
    with pytest.warns(DeprecationWarning, match=rf"^{callable_name}: {next(iter(former))} is now"):
        assert current_names(callable_name, former) == present


def test_the_warning_names_both_and_the_place_of_the_call():
    def caller():
        return current_names("RNSB", {"num_iterations": 3}, stacklevel=1)

    message = "^RNSB: num_iterations is now n_iterations$"
    with pytest.warns(DeprecationWarning, match=message) as caught:
        caller()
    (warning,) = caught
    assert warning.filename == __file__
    assert warning.lineno == inspect.getsourcelines(caller)[1] + 1


def test_two_arguments_that_became_one_make_one_warning():
    former = {"secondary_preprocessor_args": {"lowercase": True}, "preprocessor_args": {}}
    message = "secondary_preprocessor_args and preprocessor_args are now preprocessors"
    with pytest.warns(DeprecationWarning, match=message) as caught:
        assert current_names("run_query", former) == {"preprocessors": [{}, {"lowercase": True}]}
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        (None, None, [{}]),
        ({"lowercase": True}, None, [{"lowercase": True}]),
        (None, {}, [{}, {}]),
    ],
)
def test_preprocessors_that_were_not_given_transform_nothing(first, second, joined):
    assert joined_preprocessors(first, second) == joined


def test_present_names_and_those_of_other_callables_pass_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name, arguments in (("run_query", {"model": 1, "bogus": 2}), ("MAC", {"model": 1})):
            assert current_names(name, arguments) == arguments


def test_a_former_name_beside_the_present_one_is_refused():
    with pytest.raises(TypeError, match="run_query got 'model' and its former name 'word_emb"):
        current_names("run_query", {"word_embedding": 1, "model": 2})


def test_a_query_runs_with_the_arguments_of_wefe_0_2(model):
    query = Query([["A"], ["b"]], [["c", "Q"]])
    expected = RND().run_query(
        query,
        model,
        lost_vocabulary_threshold=0.5,
        preprocessors=[{}, {"lowercase": True}],
        distance="cos",
    )
    with pytest.warns(DeprecationWarning, match="is now") as caught:
        found = RND().run_query(
            query=query,
            word_embedding=model,
            lost_vocabulary_threshold=0.5,
            preprocessor_args={"strip_accents": False, "lowercase": False, "preprocessor": None},
            secondary_preprocessor_args={"lowercase": True},
            distance_type="cos",
            average_distances=True,
        )
    assert found == expected
    assert list(found["distance_by_word"]) == ["c"]
    assert {warning.filename for warning in caught} == {__file__}
    assert [str(warning.message) for warning in caught] == [
        "run_query: word_embedding is now model",
        "run_query: preprocessor_args and secondary_preprocessor_args are now preprocessors",
        "RND: distance_type is now distance. 'cos' subtracts signed cosines; WEFE 0.2.2 took "
        "their absolute values.",
    ]


def test_the_number_of_splits_has_its_former_name(random_model):
    query = Query([["w0"], ["w1"]], [["w2", "w3", "w4", "w5"], ["w6", "w7", "w8", "w9"]])
    arguments = {"random_state": 1, "holdout": True}
    expected = RNSB().run_query(query, random_model(1), n_iterations=3, **arguments)
    with pytest.warns(DeprecationWarning, match="num_iterations is now n_iterations"):
        found = RNSB().run_query(query, random_model(1), num_iterations=3, **arguments)
    assert found["rnsb"] == expected["rnsb"]


def test_a_model_given_by_position_and_by_its_former_name_is_refused(model):
    with (
        pytest.warns(DeprecationWarning, match="word_embedding is now model"),
        pytest.raises(TypeError, match="multiple values for argument 'model'"),
    ):
        MAC().run_query(QUERY, model, word_embedding=model)


def test_a_former_parameter_of_another_metric_is_refused(model):
    query = Query([["a"], ["b"]], [["c"], ["d"]])
    with pytest.raises(TypeError, match="WEAT has no parameter 'distance_type'"):
        WEAT().run_query(query, model, distance_type="cos")


def test_the_signature_of_run_query_stays_readable():
    assert list(inspect.signature(WEAT.run_query).parameters)[:3] == ["self", "query", "model"]


def test_a_model_is_made_with_the_names_of_wefe_0_2(keyed_vectors):
    with pytest.warns(DeprecationWarning, match="is now") as caught:
        model = WordEmbeddingModel(model=keyed_vectors, model_name="toy", vocab_prefix="")
    assert model == WordEmbeddingModel(keyed_vectors, "toy", "")
    assert [str(warning.message) for warning in caught] == [
        "WordEmbeddingModel: model is now wv",
        "WordEmbeddingModel: model_name is now name",
    ]
    assert {warning.filename for warning in caught} == {__file__}


def test_the_attributes_of_wefe_0_2_are_read_with_a_warning(keyed_vectors):
    model = WordEmbeddingModel(keyed_vectors, "toy")
    with pytest.warns(DeprecationWarning, match=r"WordEmbeddingModel\.model is deprecated; use wv"):
        assert model.model is keyed_vectors
    with pytest.warns(DeprecationWarning, match="use name") as caught:
        assert model.model_name == "toy"
    assert caught[0].filename == __file__


def test_the_methods_of_wefe_0_2_give_the_vectors_of_sets_and_queries(model):
    with pytest.warns(DeprecationWarning, match=r"use fairflow\.wefe\.preprocessing\.get_\w+_set"):
        lost, found = model.get_embeddings_from_word_set(["A", "zz"], {}, {"lowercase": True})
    assert lost == ["zz"]
    assert found["a"].tolist() == [1, 0]
    query = Query([["A"]], [["c", "zz"]], ["T"], ["S"])
    with pytest.warns(DeprecationWarning, match=r"use fairflow\.wefe\.pre\w+\.get_\w+_query"):
        targets, attributes = model.get_embeddings_from_query(
            query, 0.5, preprocessor_args={"lowercase": True}
        )
    assert {name: list(found) for name, found in targets.items()} == {"T": ["a"]}
    assert {name: list(found) for name, found in attributes.items()} == {"S": ["c"]}
