"""Every public name of WEFE 1.0.1 and of the manual of 0.2.2 is where they have it, in that order.

What follows are facts about the interfaces of that package.
"""

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from sklearn.linear_model import LogisticRegression

NOTHING = inspect.Parameter.empty
LOOKUP = {
    "lost_vocabulary_threshold": 0.2,
    "preprocessors": [{}],
    "strategy": "first",
    "normalize": False,
    "warn_not_found_words": False,
}
QUERY = {"self": NOTHING, "query": NOTHING, "model": NOTHING}
PCA = {"pca_args": {"n_components": 10}}
MANNERS = {"verbose": False, "criterion_name": None}
FIT = {"self": NOTHING, "model": NOTHING}
CHOICE = {"target": None, "ignore": None, "copy": True}
# Two methods of WEFE have a list for no words to ignore.
LISTED = {"target": None, "ignore": [], "copy": True}

# Module -> callable -> parameters in order, with defaults.
SIGNATURES = {
    "query": {
        "Query": {
            "target_sets": NOTHING,
            "attribute_sets": NOTHING,
            "target_sets_names": None,
            "attribute_sets_names": None,
        },
        "Query.__eq__": {"self": NOTHING, "other": NOTHING},
        "Query.__repr__": {"self": NOTHING},
        "Query.dict": {"self": NOTHING},
        "Query.get_subqueries": {"self": NOTHING, "new_template": NOTHING},
    },
    "word_embedding_model": {
        "WordEmbeddingModel": {"wv": NOTHING, "name": None, "vocab_prefix": None},
        "WordEmbeddingModel.__eq__": {"self": NOTHING, "other": NOTHING},
        "WordEmbeddingModel.__getitem__": {"self": NOTHING, "key": NOTHING},
        "WordEmbeddingModel.__contains__": {"self": NOTHING, "key": NOTHING},
        "WordEmbeddingModel.__repr__": {"self": NOTHING},
        "WordEmbeddingModel.get": {"self": NOTHING, "word": NOTHING, "default": None},
        "WordEmbeddingModel.normalize": {"self": NOTHING},
        "WordEmbeddingModel.update": {"self": NOTHING, "word": NOTHING, "embedding": NOTHING},
        "WordEmbeddingModel.batch_update": {
            "self": NOTHING,
            "words": NOTHING,
            "embeddings": NOTHING,
        },
    },
    "metrics.WEAT": {
        "WEAT.run_query": {
            **QUERY,
            "return_effect_size": False,
            "calculate_p_value": False,
            "p_value_test_type": "right-sided",
            "p_value_method": "approximate",
            "p_value_iterations": 10000,
            "p_value_verbose": False,
            **LOOKUP,
        }
    },
    "metrics.RND": {"RND.run_query": {**QUERY, "distance": "norm", **LOOKUP}},
    "metrics.RNSB": {
        "RNSB.run_query": {
            **QUERY,
            "estimator": LogisticRegression,
            "estimator_params": {"solver": "liblinear", "max_iter": 10000},
            "n_iterations": 1,
            "random_state": None,
            "holdout": True,
            "print_model_evaluation": False,
            **LOOKUP,
        }
    },
    "metrics.MAC": {"MAC.run_query": {**QUERY, **LOOKUP}},
    "metrics.ECT": {"ECT.run_query": {**QUERY, **LOOKUP}},
    "metrics.RIPA": {"RIPA.run_query": {**QUERY, **LOOKUP}},
    "metrics.base_metric": {"BaseMetric.run_query": {**QUERY, **LOOKUP}},
    "metrics.example_metric": {"ExampleMetric.run_query": {**QUERY, **LOOKUP}},
    "preprocessing": {
        "preprocess_word": {"word": NOTHING, "options": {}, "vocab_prefix": None},
        "get_embeddings_from_set": {
            "model": NOTHING,
            "word_set": NOTHING,
            "preprocessors": [{}],
            "strategy": "first",
            "normalize": False,
            "verbose": False,
        },
        "get_embeddings_from_tuples": {
            "model": NOTHING,
            "sets": NOTHING,
            "sets_name": None,
            "preprocessors": [{}],
            "strategy": "first",
            "normalize": False,
            "discard_incomplete_sets": True,
            "warn_lost_sets": True,
            "verbose": False,
        },
        "get_embeddings_from_query": {
            "model": NOTHING,
            "query": NOTHING,
            **LOOKUP,
            "verbose": False,
        },
    },
    "datasets.datasets": {
        "fetch_eds": {
            "occupations_year": 2015,
            "top_n_race_occupations": 10,
            "n_retries": 3,
        },
        "fetch_debiaswe": {"n_retries": 3},
        "load_bingliu": {},
        "fetch_debias_multiclass": {"n_retries": 3},
        "fetch_gn_glove": {"n_retries": 3},
        "load_weat": {},
    },
    "debias.base_debias": {
        "BaseDebias.fit": FIT,
        "BaseDebias.transform": {**FIT, **CHOICE},
        "BaseDebias.fit_transform": {**FIT, **CHOICE},
    },
    "debias.hard_debias": {
        "HardDebias": {**PCA, **MANNERS},
        "HardDebias.fit": {**FIT, "definitional_pairs": NOTHING, "equalize_pairs": None},
        "HardDebias.transform": {**FIT, **CHOICE},
        "HardDebias.fit_transform": {**FIT, **CHOICE},
    },
    "debias.multiclass_hard_debias": {
        "MulticlassHardDebias": {**PCA, **MANNERS},
        "MulticlassHardDebias.fit": {
            **FIT,
            "definitional_sets": NOTHING,
            "equalize_sets": NOTHING,
        },
        "MulticlassHardDebias.transform": {**FIT, **CHOICE},
    },
    "debias.half_sibling_regression": {
        "HalfSiblingRegression": MANNERS,
        "HalfSiblingRegression.fit": {**FIT, "definitional_words": NOTHING, "alpha": 60},
        "HalfSiblingRegression.transform": {**FIT, **CHOICE},
    },
    "debias.double_hard_debias": {
        "DoubleHardDebias": {
            **PCA,
            **MANNERS,
            "incremental_pca": True,
            "n_words": 1000,
            "n_components": 4,
        },
        "DoubleHardDebias.fit": {
            **FIT,
            "definitional_pairs": NOTHING,
            "bias_representation": NOTHING,
        },
        "DoubleHardDebias.transform": {**FIT, **LISTED},
        "DoubleHardDebias.get_target_words": {
            **FIT,
            "target": NOTHING,
            "ignore": NOTHING,
            "n_words": NOTHING,
            "bias_representation": NOTHING,
        },
    },
    "debias.repulsion_attraction_neutralization": {
        "RepulsionAttractionNeutralization": {
            **PCA,
            **MANNERS,
            "epochs": 300,
            "theta": 0.05,
            "n_neighbours": 100,
            "learning_rate": 0.01,
            "weights": [0.33, 0.33, 0.33],
        },
        "RepulsionAttractionNeutralization.fit": {**FIT, "definitional_pairs": NOTHING},
        "RepulsionAttractionNeutralization.transform": {**FIT, **LISTED},
    },
    "utils": {
        "check_is_fitted": {"estimator": NOTHING, "attributes": NOTHING},
        "generate_subqueries_from_queries_list": {"metric": NOTHING, "queries": NOTHING},
        "run_queries": {
            "metric": NOTHING,
            "queries": NOTHING,
            "models": NOTHING,
            "queries_set_name": "Unnamed queries set",
            "lost_vocabulary_threshold": 0.2,
            "metric_params": {},
            "generate_subqueries": False,
            "aggregate_results": False,
            "aggregation_function": "abs_avg",
            "return_only_aggregation": False,
            "warn_not_found_words": False,
        },
        "plot_queries_results": {"results": NOTHING, "by": "query"},
        "create_ranking": {"results_dataframes": NOTHING, "method": "first", "ascending": True},
        "plot_ranking": {"ranking": NOTHING, "use_metric_as_facet": False},
        "calculate_ranking_correlations": {"rankings": NOTHING, "method": "spearman"},
        "plot_ranking_correlations": {"correlation_matrix": NOTHING, "title": ""},
        "load_test_model": {},
        "print_doc_table": {"df": NOTHING},
        "save_doc_image": {"fig": NOTHING, "name": NOTHING},
        "flair_to_gensim": {"flair_embedding": NOTHING},
    },
}

# (callable, parameter) -> why its default is another one; D is the number of a defect of WEFE.
OTHER_DEFAULTS = {
    ("create_ranking", "method"): "D12: equal scores share a rank",
    ("create_ranking", "ascending"): "D12: each metric has its direction",
    ("DoubleHardDebias.transform", "ignore"): "None is no words to ignore, as everywhere",
    ("RepulsionAttractionNeutralization.transform", "ignore"): "None is no words, as everywhere",
    ("MulticlassHardDebias.fit", "equalize_sets"): "documented: without them the definitional ones",
}

# Where a name may be imported from.
PLACES = {
    "": """__version__ Query WordEmbeddingModel BaseMetric WEAT RND RNSB MAC ECT RIPA load_weat
        load_bingliu fetch_eds fetch_debiaswe fetch_debias_multiclass preprocess_word
        get_embeddings_from_query get_embeddings_from_set get_embeddings_from_tuples
        HardDebias MulticlassHardDebias HalfSiblingRegression DoubleHardDebias
        RepulsionAttractionNeutralization
        datasets debias metrics preprocessing query utils word_embedding_model""",
    "word_embedding_model": "EmbeddingDict EmbeddingSets WordEmbeddingModel",
    "preprocessing": "EmbeddingDict EmbeddingSets",
    "metrics": "BaseMetric WEAT RND RNSB MAC ECT RIPA base_metric example_metric",
    "datasets": """fetch_debias_multiclass fetch_debiaswe fetch_eds fetch_gn_glove load_bingliu
        load_weat""",
}


def cases():
    return [
        pytest.param(module, name, parameters, id=f"{module}.{name}")
        for module, callables in SIGNATURES.items()
        for name, parameters in callables.items()
    ]


def looked_up(module, name):
    value = import_module(f"fairflow.wefe.{module}")
    if inspect.isclass(value):
        pytest.fail(f"{module} is no module")
    for part in name.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize(("module", "name", "parameters"), cases())
def test_a_callable_has_the_parameters_of_wefe_in_their_order(module, name, parameters):
    given = inspect.signature(looked_up(module, name)).parameters
    if not name.rpartition(".")[2].startswith("__"):
        assert [*given][: len(parameters)] == [*parameters]
    # What comes after them need not be given.
    for further in [*given.values()][len(parameters) :]:
        optional = further.kind in (further.VAR_POSITIONAL, further.VAR_KEYWORD)
        assert optional or further.default is not NOTHING


@pytest.mark.parametrize(("module", "name", "parameters"), cases())
def test_a_parameter_has_the_default_of_wefe(module, name, parameters):
    given = [*inspect.signature(looked_up(module, name)).parameters.values()]
    for (argument, default), own in zip(parameters.items(), given, strict=False):
        if (name, argument) in OTHER_DEFAULTS:
            assert own.default != default
        else:
            assert own.default == default, argument


@pytest.mark.parametrize(
    ("module", "name"),
    [(module, name) for module, names in PLACES.items() for name in names.split()],
)
def test_a_name_can_be_imported_from_where_wefe_has_it(module, name):
    space = {}
    exec(f"from fairflow.wefe{'.' * bool(module)}{module} import {name}", space)
    assert name in space


def test_every_public_name_can_be_imported_at_once():
    names = {}
    exec("from fairflow.wefe import *", names)
    assert {"Query", "WEAT", "WordEmbeddingModel", "load_weat", "preprocess_word"} <= names.keys()


@pytest.mark.parametrize(
    "first",
    [
        "from fairflow.wefe.metrics.WEAT import WEAT",
        "from fairflow.wefe.metrics import WEAT",
        "import fairflow.wefe.metrics.WEAT",
        "from fairflow.wefe import WEAT",
        "import fairflow.wefe; fairflow.wefe.metrics.WEAT",
    ],
)
def test_a_metric_is_a_class_however_it_is_imported_first(first):
    then = (
        "from fairflow.wefe.metrics import WEAT as one; "
        "from fairflow.wefe.metrics.WEAT import WEAT as other; "
        "import fairflow.wefe; assert one is other is fairflow.wefe.WEAT; "
        "assert isinstance(one, type), one"
    )
    assert fresh(f"{first}; {then}") == ""


def test_what_is_not_used_is_not_loaded():
    heavy = "{'numpy', 'pandas', 'gensim', 'sklearn', 'scipy', 'matplotlib'}"
    assert fresh(f"import fairflow.wefe, sys; print({heavy} & set(sys.modules))") == "set()\n"
    statement = "from fairflow.wefe.metrics import WEAT; import sys"
    assert fresh(f"{statement}; print('sklearn' in sys.modules)") == "False\n"


@pytest.mark.parametrize("module", ["fairflow.wefe", "fairflow.wefe.metrics"])
def test_a_name_that_wefe_does_not_have_is_an_attribute_error(module):
    with pytest.raises(AttributeError, match="has no attribute 'bogus'"):
        import_module(module).bogus  # noqa: B018
    assert "WEAT" in dir(import_module(module))


def fresh(program):
    """What a program prints in a separate interpreter."""
    scripts = Path(__file__).parents[3] / "scripts"
    program = f"import sys; sys.path.insert(0, {str(scripts)!r}); {program}"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return result.stdout + result.stderr
