"""The table of WEFE's defects is complete, and tests show each entry; some of them are here."""

import ast
import logging
import os
import pickle
import re
import socket
from functools import cache

import numpy as np
import pandas as pd
import pytest
from gensim.models import KeyedVectors
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from fairflow import MAC, RND, RNSB, WEAT, BaseMetric, Query, WordEmbeddingModel
from fairflow.errors import DownloadError
from fairflow.statistics.outcome import Outcome
from fairflow.vectors import example_vectors
from fairflow.wefe.datasets import datasets
from fairflow.wefe.utils import (
    QueriesError,
    calculate_ranking_correlations,
    create_ranking,
    load_test_model,
    plot_ranking,
    plot_ranking_correlations,
    run_queries,
)

from .document_defects import FOLDER, GROUPS, PAGE, page, read_defects

ROOT = FOLDER.parents[1]
DEFECTS = read_defects()
QUERY = Query(
    [["w0", "w1", "w2"], ["w3", "w4", "w5"]],
    [["w6", "w7", "w8"], ["w9", "w10", "w11"]],
    ["Men", "Women"],
    ["Career", "Family"],
)


def model(name="toy", words=14, seed=0):
    """Random vectors of the words w0, w1, ..."""
    vectors = KeyedVectors(4)
    rows = np.random.default_rng(seed).standard_normal((words, 4)).astype(np.float32)
    vectors.add_vectors([f"w{i}" for i in range(words)], rows)
    return WordEmbeddingModel(vectors, name)


@cache
def functions(file):
    """Names of the functions that a test file defines."""
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_the_page_is_up_to_date():
    expected = page(DEFECTS)
    assert PAGE.read_text("utf-8") == expected, "run python tests/oracle/document_defects.py"


def test_all_59_defects_are_there_and_on_the_page_once():
    numbers = list(range(1, 60))
    assert list(DEFECTS) == [f"D{number}" for number in numbers]
    assert sorted(n for _, group in GROUPS.values() for n in group) == numbers


@pytest.mark.parametrize("number", DEFECTS)
def test_an_entry_is_filled_in_and_names_tests_that_exist(number):
    defect = DEFECTS[number]
    assert defect.keys() - {"switch"} == {"title", "wefe", "ours", "tests"}
    assert all(defect.values())
    for test in defect["tests"]:
        file, _, name = test.partition("::")
        assert name in functions(file), test


def test_deviations_name_known_defects():
    text = (FOLDER / "deviations.yaml").read_text("utf-8")
    named = set(re.findall(r"\bD\d+\b", text))
    assert named
    assert named <= DEFECTS.keys()


def test_different_queries_of_one_name_are_refused():
    swapped = Query(QUERY.target_sets[::-1], QUERY.attribute_sets)
    unnamed = Query(QUERY.target_sets, QUERY.attribute_sets)
    with pytest.raises(ValueError, match="different queries share the names"):
        run_queries(WEAT, [unnamed, swapped], [model()])


def test_different_models_of_one_name_are_refused():
    with pytest.raises(ValueError, match=r"different models share the names \['toy'\]"):
        run_queries(WEAT, [QUERY], [model(seed=0), model(seed=1)])


def test_subqueries_of_one_name_and_other_words_are_all_kept():
    other = Query([["w0"], ["w3"]], [["w12"]], ["Men", "Women"], ["Career"])
    first = Query([["w0"], ["w3"]], [["w6"]], ["Men", "Women"], ["Career"])
    table = run_queries(RND, [first, other], [model()], generate_subqueries=True)
    name = "Men and Women wrt Career"
    assert list(table) == [name, f"{name} (2)"]
    assert table[name].item() == RND().run_query(first, model())["result"]
    assert table[f"{name} (2)"].item() == RND().run_query(other, model())["result"]


@pytest.mark.parametrize(("metric", "own"), [(MAC, {}), (RNSB, {"holdout": False})])
def test_a_metric_of_any_number_of_sets_keeps_those_of_a_query(metric, own):
    table = run_queries(metric, [QUERY], [model()], generate_subqueries=True, metric_params=own)
    expected = metric().run_query(QUERY, model(), **own)["result"]
    assert table.to_dict("list") == {QUERY.query_name: [expected]}


def lossy_table(function="abs_avg"):
    """Two queries; a word of the second is missing in the smaller model."""
    second = Query([["w0", "w13"], ["w3"]], QUERY.attribute_sets, ["Men", "Others"])
    models = [model("whole"), model("part", words=13)]
    return run_queries(
        WEAT, [QUERY, second], models, aggregate_results=True, aggregation_function=function
    )


def test_a_ranking_over_different_queries_warns_and_names_them():
    with pytest.warns(UserWarning, match="'part' lacks 'Men and Others wrt"):
        create_ranking([lossy_table()])


@pytest.mark.parametrize("function", ["sum", "abs_sum", "avg", "abs_avg"])
def test_a_sum_over_no_defined_query_is_undefined(function):
    lost = Query([["w20"], ["w3"]], QUERY.attribute_sets)
    table = run_queries(
        WEAT, [lost], [model()], aggregate_results=True, aggregation_function=function
    )
    assert table.iloc[:, -1].isna().all()


def test_a_ranking_follows_the_direction_of_the_metric_unless_told():
    scores = [0.99, 0.80]
    table = pd.DataFrame({"MAC: Gender average score": scores}, index=["fair", "biased"])
    assert create_ranking([table]).iloc[:, 0].to_dict() == {"fair": 1, "biased": 2}
    told = create_ranking([table], ascending=True).iloc[:, 0].to_dict()
    assert told == {"fair": 2, "biased": 1}


def test_equal_scores_share_a_rank_unless_told():
    table = pd.DataFrame({"WEAT: Gender average score": [0.5, 0.5, 0.1]}, index=["a", "b", "c"])
    assert create_ranking([table]).iloc[:, 0].to_list() == [2.5, 2.5, 1]
    assert create_ranking([table], method="first").iloc[:, 0].to_list() == [2, 3, 1]


@pytest.mark.parametrize(
    ("estimator", "error", "message"),
    [(LogisticRegression(), TypeError, "LogisticRegression"), (SVC, AttributeError, "SVC")],
)
def test_a_classifier_that_cannot_be_used_is_an_error(estimator, error, message):
    with pytest.raises(error, match=message):
        RNSB().run_query(QUERY, model(), estimator=estimator)


def test_a_seed_leaves_the_arguments_and_later_calls_as_they_are():
    given = {"solver": "liblinear"}
    own = {"estimator": LogisticRegression, "estimator_params": given}
    RNSB().run_query(QUERY, model(), random_state=42, **own)
    assert given == {"solver": "liblinear"}
    # Unseeded calls draw their own splits: a seed that stuck would make all of them equal.
    drawn = {"n_iterations": 3, "random_state": None}
    free = {RNSB().run_query(QUERY, model(), **drawn)["rnsb"] for _ in range(9)}
    assert len(free) > 1


def test_a_query_of_nearly_equal_lists_names_the_words_that_they_share():
    sets = datasets.fetch_eds()
    names = [sets["names_white"], sets["names_black"]]
    vectors = KeyedVectors(2)
    words = sorted({*names[0], *names[1], "good", "bad"})
    vectors.add_vectors(words, np.random.default_rng(0).standard_normal((len(words), 2)))
    result = WEAT().run_query(Query(names, [["good"], ["bad"]]), WordEmbeddingModel(vectors))
    shared = set(names[0]) & set(names[1])
    assert len(shared) == 19
    assert [set(account["shared"]) for account in result["audit"][:2]] == [shared, shared]


def test_parameters_of_a_metric_may_hold_the_threshold_and_the_warnings(caplog):
    query = Query([["w0", "lost"], ["w3"]], QUERY.attribute_sets)
    parameters = {"lost_vocabulary_threshold": 0.5, "warn_not_found_words": True}
    with caplog.at_level(logging.WARNING):
        table = run_queries(WEAT, [query], [model()], metric_params=parameters)
    assert table.notna().all(axis=None)
    assert "not found: lost" in caplog.text


class FailsOnce(BaseMetric):
    """A metric that cannot compute a query whose first set has one word."""

    metric_template = (2, 2)
    metric_name = metric_short_name = "Fails"

    def compute(self, targets, attributes):
        if len(targets[0].words) == 1:
            raise RuntimeError("out of order")
        return Outcome(0.5, {"result": 0.5})


def test_a_failure_does_not_discard_the_finished_results():
    single = Query([["w0"], ["w1"]], QUERY.attribute_sets)
    with pytest.raises(QueriesError, match="RuntimeError: out of order") as error:
        run_queries(FailsOnce, [single, QUERY], [model()])
    assert error.value.results[QUERY.query_name].to_dict() == {"toy": 0.5}
    assert error.value.results[single.query_name].isna().all()


def test_every_public_name_can_be_imported_at_once():
    names = {}
    exec("from fairflow import *", names)
    metrics = {"WEAT", "RND", "RNSB", "MAC", "ECT", "RIPA"}
    assert metrics | {"BaseMetric", "Query", "WordEmbeddingModel"} <= names.keys()


@pytest.mark.parametrize(
    "function",
    [
        lambda table: table.mean(axis=1).rename("mine"),
        lambda table: table.mean(axis=1)[::-1],
        lambda table: table.mean(axis=1).to_numpy(),
    ],
    ids=["named series", "series in another order", "array"],
)
def test_an_aggregation_of_the_user_is_aligned_on_the_models(function):
    table = lossy_table(function)
    expected = table.iloc[:, :2].mean(axis=1)
    assert list(table.index) == ["whole", "part"]
    assert table.columns[-1] == "WEAT: Unnamed queries set custom aggregation score"
    np.testing.assert_array_equal(table.iloc[:, -1], expected)


@pytest.mark.parametrize(
    "function", [lambda _: [1.0], lambda _: 1.0, lambda _: pd.Series([1.0, 2.0], ["whole", "x"])]
)
def test_an_aggregation_that_does_not_fit_the_models_is_refused(function):
    with pytest.raises(ValueError, match="aggregation_function"):
        lossy_table(function)


def test_weat_and_its_effect_size_have_aggregates_of_different_names():
    statistic, size = (
        run_queries(WEAT, [QUERY], [model()], "Gender", metric_params=own, aggregate_results=True)
        for own in ({}, {"return_effect_size": True})
    )
    assert statistic.columns[-1] == "WEAT: Gender average of abs values score"
    assert size.columns[-1] == "WEAT ES: Gender average of abs values score"


def test_a_plot_of_correlations_has_a_scale_with_negative_ones():
    pytest.importorskip("plotly")
    ranking = pd.DataFrame({"WEAT": [1, 2, 3], "RND": [3, 2, 1]}, index=["a", "b", "c"])
    (heat_map,) = plot_ranking_correlations(calculate_ranking_correlations(ranking)).data
    assert (heat_map.zmin, heat_map.zmax) == (-1, 1)
    assert np.min(heat_map.z) == pytest.approx(-1)


def test_a_plot_of_ranks_puts_a_model_without_rank_last():
    pytest.importorskip("plotly")
    ranking = pd.DataFrame({"WEAT": [np.nan, 1, 2], "RND": [1, 3, 2]}, index=["a", "b", "c"])
    figure = plot_ranking(ranking)
    assert [note.text for note in figure.layout.annotations] == ["n/a"]
    # The first category is at the bottom.
    assert figure.data[0].y[0] == "a"


def test_where_the_manual_contradicts_itself_its_text_holds():
    assert len(datasets.fetch_eds()["occupations_black"]) == 10
    ranking = pd.DataFrame({"WEAT": [1.0, 2, 3, 9], "RND": [2.0, 3, 4, 5]})
    # Equal orders, unequal steps: Spearman's is 1 and Pearson's is not.
    assert calculate_ranking_correlations(ranking).loc["WEAT", "RND"] == pytest.approx(1)
    pearson = calculate_ranking_correlations(ranking, method="pearson")
    assert pearson.loc["WEAT", "RND"] < 0.95
    assert "p_value" in WEAT().run_query(QUERY, model())


def test_weat_takes_target_sets_of_unequal_size():
    def weat(*first):
        return WEAT().run_query(Query([list(first), ["w3"]], QUERY.attribute_sets), model())["weat"]

    expected = association("w0") + association("w1") - association("w3")
    # gensim computes similarities in single precision.
    assert weat("w0", "w1") == pytest.approx(expected, abs=1e-6)


def association(word):
    """Mean similarity of a word to the first attribute set minus that to the second."""
    near, far = (
        np.mean([model().wv.similarity(word, other) for other in words])
        for words in QUERY.attribute_sets
    )
    return near - far


class Trap:
    """What makes a folder when it is unpickled."""

    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (str(self.folder),)


def test_a_pickle_with_another_checksum_is_not_opened(tmp_path, monkeypatch):
    file, sprung = tmp_path / "model.kv", tmp_path / "sprung"
    file.write_bytes(pickle.dumps(Trap(sprung)))
    entry = {"sources": [{"file": str(file)}], "checksum": f"sha256:{'0' * 64}"}
    monkeypatch.setattr(example_vectors, "entry", lambda: entry)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    # Away from results/models, which is searched first.
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DownloadError, match="sha256"):
        load_test_model()
    assert not sprung.exists()


@pytest.mark.parametrize(
    "function",
    [
        datasets.load_weat,
        datasets.fetch_debiaswe,
        datasets.fetch_debias_multiclass,
        datasets.fetch_gn_glove,
        datasets.fetch_eds,
    ],
)
def test_word_sets_need_no_network(function, monkeypatch):
    def refused(*_, **__):
        raise OSError("no network")

    monkeypatch.delenv("FAIRFLOW_CENSUS_FOLDER", raising=False)
    monkeypatch.setattr(socket, "socket", refused)
    monkeypatch.setattr(socket, "create_connection", refused)
    assert function()["male_terms"]
