"""The table of WEFE's defects is complete, and tests show each entry; some of them are here."""

import ast
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

from fairflow import RNSB, WEAT, Query, WordEmbeddingModel
from fairflow.errors import DownloadError
from fairflow.vectors import example_vectors
from fairflow.wefe.datasets import datasets
from fairflow.wefe.utils import (
    calculate_ranking_correlations,
    load_test_model,
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


@pytest.mark.parametrize(
    "function",
    [lambda _: [1.0, 2.0], lambda _: 1.0, lambda _: pd.Series([1.0, 2.0], ["whole", "x"])],
)
def test_an_aggregation_that_does_not_fit_the_models_is_refused(function):
    with pytest.raises(ValueError, match="aggregation_function"):
        run_queries(WEAT, [QUERY], [model()], aggregate_results=True, aggregation_function=function)


def test_where_the_manual_contradicts_itself_its_text_holds():
    assert len(datasets.fetch_eds()["occupations_black"]) == 10
    ranking = pd.DataFrame({"WEAT": [1.0, 2, 3, 9], "RND": [2.0, 3, 4, 5]})
    # Equal orders, unequal steps: Spearman's is 1 and Pearson's is not.
    assert calculate_ranking_correlations(ranking).loc["WEAT", "RND"] == pytest.approx(1)
    pearson = calculate_ranking_correlations(ranking, method="pearson")
    assert pearson.loc["WEAT", "RND"] < 0.95
    assert "p_value" in WEAT().run_query(QUERY, model())


def association(word):
    """Of a word with the attribute sets, by gensim's similarities."""
    wv = model().wv
    first, second = (np.mean([wv.similarity(word, a) for a in s]) for s in QUERY.attribute_sets)
    return first - second


def test_weat_takes_target_sets_of_unequal_size():
    def weat(*first):
        return WEAT().run_query(Query([list(first), ["w3"]], QUERY.attribute_sets), model())["weat"]

    expected = association("w0") + association("w1") - association("w3")
    # gensim computes similarities in single precision.
    assert weat("w0", "w1") == pytest.approx(expected, abs=1e-6)


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
