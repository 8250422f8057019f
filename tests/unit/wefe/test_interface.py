"""Every public name of WEFE 1.0.1 and of the manual of 0.2.2 is where they have it, in that order.

What follows are facts about the interfaces of that package.
"""

import inspect
import json
import re
import shlex
import subprocess
from importlib import import_module
from pathlib import Path

import pytest
from own_process import output_of
from sklearn.linear_model import LogisticRegression

NOTHING = inspect.Parameter.empty
OF_SETS = "preprocessors=[{}], strategy='first', normalize=False"
OF_QUERY = f"lost_vocabulary_threshold=0.2, {OF_SETS}, warn_not_found_words=False"
PCA = "pca_args={'n_components': 10}, verbose=False, criterion_name=None"
CHOICE = "self, model, target=None, ignore=None, copy=True"
# Two methods of WEFE have a list for no words to ignore.
LISTED = "self, model, target=None, ignore=[], copy=True"

# Module -> its callables with their parameters in order, with defaults.
SIGNATURES = {
    "query": """
        Query(target_sets, attribute_sets, target_sets_names=None, attribute_sets_names=None)
        Query.__eq__(self, other)
        Query.__repr__(self)
        Query.dict(self)
        Query.get_subqueries(self, new_template)
    """,
    "word_embedding_model": """
        WordEmbeddingModel(wv, name=None, vocab_prefix=None)
        WordEmbeddingModel.__eq__(self, other)
        WordEmbeddingModel.__getitem__(self, key)
        WordEmbeddingModel.__contains__(self, key)
        WordEmbeddingModel.__repr__(self)
        WordEmbeddingModel.get(self, word, default=None)
        WordEmbeddingModel.normalize(self)
        WordEmbeddingModel.update(self, word, embedding)
        WordEmbeddingModel.batch_update(self, words, embeddings)
    """,
    "metrics.WEAT": f"""
        WEAT.run_query(self, query, model, return_effect_size=False, calculate_p_value=False, \
            p_value_test_type='right-sided', p_value_method='approximate', \
            p_value_iterations=10000, p_value_verbose=False, {OF_QUERY})
    """,
    "metrics.RND": f"RND.run_query(self, query, model, distance='norm', {OF_QUERY})",
    "metrics.RNSB": f"""
        RNSB.run_query(self, query, model, estimator=LogisticRegression, \
            estimator_params={{'solver': 'liblinear', 'max_iter': 10000}}, n_iterations=1, \
            random_state=None, holdout=True, print_model_evaluation=False, {OF_QUERY})
    """,
    "metrics.MAC": f"MAC.run_query(self, query, model, {OF_QUERY})",
    "metrics.ECT": f"ECT.run_query(self, query, model, {OF_QUERY})",
    "metrics.RIPA": f"RIPA.run_query(self, query, model, {OF_QUERY})",
    "metrics.base_metric": f"BaseMetric.run_query(self, query, model, {OF_QUERY})",
    "metrics.example_metric": f"ExampleMetric.run_query(self, query, model, {OF_QUERY})",
    "preprocessing": f"""
        preprocess_word(word, options={{}}, vocab_prefix=None)
        get_embeddings_from_set(model, word_set, {OF_SETS}, verbose=False)
        get_embeddings_from_tuples(model, sets, sets_name=None, {OF_SETS}, \
            discard_incomplete_sets=True, warn_lost_sets=True, verbose=False)
        get_embeddings_from_query(model, query, {OF_QUERY}, verbose=False)
    """,
    "datasets.datasets": """
        fetch_eds(occupations_year=2015, top_n_race_occupations=10, n_retries=3)
        fetch_debiaswe(n_retries=3)
        load_bingliu()
        fetch_debias_multiclass(n_retries=3)
        fetch_gn_glove(n_retries=3)
        load_weat()
    """,
    "debias.base_debias": f"""
        BaseDebias.fit(self, model)
        BaseDebias.transform({CHOICE})
        BaseDebias.fit_transform({CHOICE})
    """,
    "debias.hard_debias": f"""
        HardDebias({PCA})
        HardDebias.fit(self, model, definitional_pairs, equalize_pairs=None)
        HardDebias.transform({CHOICE})
        HardDebias.fit_transform({CHOICE})
    """,
    "debias.multiclass_hard_debias": f"""
        MulticlassHardDebias({PCA})
        MulticlassHardDebias.fit(self, model, definitional_sets, equalize_sets)
        MulticlassHardDebias.transform({CHOICE})
    """,
    "debias.half_sibling_regression": f"""
        HalfSiblingRegression(verbose=False, criterion_name=None)
        HalfSiblingRegression.fit(self, model, definitional_words, alpha=60)
        HalfSiblingRegression.transform({CHOICE})
    """,
    "debias.double_hard_debias": f"""
        DoubleHardDebias({PCA}, incremental_pca=True, n_words=1000, n_components=4)
        DoubleHardDebias.fit(self, model, definitional_pairs, bias_representation)
        DoubleHardDebias.transform({LISTED})
        DoubleHardDebias.get_target_words(self, model, target, ignore, n_words, bias_representation)
    """,
    "debias.repulsion_attraction_neutralization": f"""
        RepulsionAttractionNeutralization({PCA}, epochs=300, theta=0.05, n_neighbours=100, \
            learning_rate=0.01, weights=[0.33, 0.33, 0.33])
        RepulsionAttractionNeutralization.fit(self, model, definitional_pairs)
        RepulsionAttractionNeutralization.transform({LISTED})
    """,
    "utils": """
        check_is_fitted(estimator, attributes)
        generate_subqueries_from_queries_list(metric, queries)
        run_queries(metric, queries, models, queries_set_name='Unnamed queries set', \
            lost_vocabulary_threshold=0.2, metric_params={}, generate_subqueries=False, \
            aggregate_results=False, aggregation_function='abs_avg', \
            return_only_aggregation=False, warn_not_found_words=False)
        plot_queries_results(results, by='query')
        create_ranking(results_dataframes, method='first', ascending=True)
        plot_ranking(ranking, use_metric_as_facet=False)
        calculate_ranking_correlations(rankings, method='spearman')
        plot_ranking_correlations(correlation_matrix, title='')
        load_test_model()
        print_doc_table(df)
        save_doc_image(fig, name)
        flair_to_gensim(flair_embedding)
    """,
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
    for module, lines in SIGNATURES.items():
        for line in lines.strip().splitlines():
            name, _, parameters = line.strip().removesuffix(")").partition("(")
            made = eval(f"lambda {parameters}: None", {"LogisticRegression": LogisticRegression})
            defaults = {p.name: p.default for p in inspect.signature(made).parameters.values()}
            yield pytest.param(module, name, defaults, id=f"{module}.{name}")


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
    assert output_of(f"{first}; {then}") == ""


def test_what_is_not_used_is_not_loaded():
    heavy = "{'numpy', 'pandas', 'gensim', 'sklearn', 'scipy', 'matplotlib'}"
    assert output_of(f"import fairflow.wefe, sys; print({heavy} & set(sys.modules))") == "set()\n"
    statement = "from fairflow.wefe.metrics import WEAT; import sys"
    assert output_of(f"{statement}; print('sklearn' in sys.modules)") == "False\n"


@pytest.mark.parametrize("module", ["fairflow.wefe", "fairflow.wefe.metrics"])
def test_a_name_that_wefe_does_not_have_is_an_attribute_error(module):
    with pytest.raises(AttributeError, match="has no attribute 'bogus'"):
        import_module(module).bogus  # noqa: B018
    assert "WEAT" in dir(import_module(module))


PAGE = (Path(__file__).parents[3] / "workflow/site/pages/wefe.md").read_text(encoding="utf-8")
SED = re.search(r"^sed .* notebook\.ipynb$", PAGE, re.MULTILINE)[0]
IMPORTS = re.findall(r"^\| `(from wefe.*)` \| `(from fairflow.*)` \|$", PAGE, re.MULTILINE)


def after_sed(text: str, folder: Path) -> str:
    """What the page's command makes of the code of a notebook; nothing else changes."""
    notebook, kernel = folder / "notebook.ipynb", {"kernelspec": {"name": "wefe"}}
    cells = [{"cell_type": "code", "source": text.splitlines(keepends=True)}]
    notebook.write_text(json.dumps({"cells": cells, "metadata": kernel}, indent=1), "utf-8")
    subprocess.run(shlex.split(SED), cwd=folder, check=True)
    changed = json.loads(notebook.read_text(encoding="utf-8"))
    assert changed["metadata"] == kernel
    return "".join(changed["cells"][0]["source"])


@pytest.mark.parametrize(("theirs", "ours"), IMPORTS)
def test_a_line_becomes_ours_by_the_sed_line_and_runs(theirs: str, ours: str, tmp_path: Path):
    assert after_sed(f"{theirs}\n", tmp_path) == f"{ours}\n"
    exec(ours, {})


def test_the_sed_line_replaces_the_package_where_it_is_imported_and_no_other_name(tmp_path: Path):
    text = "import wefe\nimport wefe as w\nq = wefe.Query(wefe.sets)\nmy_wefe = wefes = my.wefe"
    ours = "import fairflow.wefe as wefe\nimport fairflow.wefe as w\n"
    rest = text.partition("as w\n")[2]
    assert after_sed(text, tmp_path) == f"{ours}{rest}"
