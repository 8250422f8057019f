"""Names of WEFE 0.2, which its manual has: each works, and one warning gives the present name."""

import re
from pathlib import Path

import numpy as np
import pytest

# Some are named in texts alone.
from fairflow.wefe import RND, RNSB, WEAT, BaseMetric, Query, load_weat, preprocessing, utils  # noqa: F401
from fairflow.wefe import WordEmbeddingModel as Model
from fairflow.wefe import word_embedding_model as models  # noqa: F401
from fairflow.wefe.former_names import former_names

PAGE = (Path(__file__).parents[3] / "workflow/site/pages/wefe.md").read_text("utf-8")
NAMES = [row for kind, names in former_names().items() if kind != "notes" for row in names.items()]
WORDS = ["he", "she", "man", "woman", "art", "math", "poem", "proof"]
VECTORS = dict(zip(WORDS, np.random.default_rng(1).normal(size=(8, 3)), strict=True))
MODEL = Model(VECTORS, "small")
QUERY = Query([["he", "man"], ["she", "woman"]], [["math", "proof"], ["art", "poem"]])
UPPER = Query([["he", "man"], ["she", "Woman"]], [["math", "proof"], ["art", "poem"]])
PAIR = Query([["he", "man"], ["she", "woman"]], [["math", "art", "poem"]])
LOWER = {"lowercase": True}


def run(metric, query, **arguments):
    arguments = {"random_state": 1, "holdout": False} | arguments if metric is RNSB else arguments
    return metric().run_query(query, **arguments)


def table(argument="models", model=MODEL, **others):
    others |= {argument: [model], "lost_vocabulary_threshold": 0.5}
    return utils.run_queries(WEAT, [UPPER], **others).iat[0, 0]


# Former name -> the same by it and by the present one.
CASES = {
    "word_embedding": "run(RND, PAIR, word_embedding=MODEL) == run(RND, PAIR, model=MODEL)",
    "preprocessor_args": "run(WEAT, UPPER, model=MODEL, preprocessor_args=LOWER)"
    " == run(WEAT, UPPER, model=MODEL, preprocessors=[LOWER])",
    "secondary_preprocessor_args": "table(metric_params={'secondary_preprocessor_args': LOWER})"
    " == run(WEAT, UPPER, model=MODEL, preprocessors=[{}, LOWER])['result']",
    "distance_type": "run(RND, PAIR, model=MODEL, distance_type='cos')"
    " == run(RND, PAIR, model=MODEL, distance='cos')",
    "num_iterations": "run(RNSB, QUERY, model=MODEL, num_iterations=2)"
    " == run(RNSB, QUERY, model=MODEL, n_iterations=2)",
    "word_embeddings_models": "table('word_embeddings_models') == table()",
    "(vectors, name)": "table(model=(VECTORS, 'small')) == table()",
    "model": "Model(model=MODEL.wv).wv == MODEL.wv",
    "model_name": "MODEL.model_name == MODEL.name",
    "get_embeddings_from_word_set": "MODEL.get_embeddings_from_word_set(['x']) == (['x'], {})",
    "PreprocessorArgs": "models.PreprocessorArgs == preprocessing.Preprocessor",
    "unpleasant_5": "load_weat()['unpleasant_5'] == load_weat()['unpleasant_5a']",
    "distances_by_word": "run(RND, PAIR, model=MODEL)['distances_by_word']['art'] < 9",
}


@pytest.mark.parametrize("name", CASES)
def test_a_former_name_gives_the_same_with_one_warning_at_the_users_line(name):
    with pytest.warns(DeprecationWarning, match=re.escape(f"is now {dict(NAMES)[name]}")) as seen:
        assert eval(compile(CASES[name], __file__, "eval"))
    warned = [(str(one.message).partition(" of WEFE 0.2")[0], one.filename) for one in seen]
    assert warned == [(name, __file__)]


def test_one_argument_under_two_names_is_refused():
    refused = pytest.raises(TypeError, match="give model")
    with pytest.warns(DeprecationWarning, match="is now model"), refused:
        run(WEAT, QUERY, model=MODEL, word_embedding=MODEL)


class OwnMetric(BaseMetric):
    """A metric as chapter 4 of the manual has it."""

    metric_template, metric_name, metric_short_name = (2, 2), "Own", "OWN"

    def run_query(self, query, word_embedding, preprocessor_args=LOWER, secondary=None, **other):
        super().run_query(query, word_embedding, 0.2, preprocessor_args, secondary, False)
        targets, _ = word_embedding.get_embeddings_from_query(
            query=query, preprocessor_args=preprocessor_args, secondary_preprocessor_args=secondary
        )
        return {"query_name": query.query_name, "result": sum(map(len, targets.values()))}


def test_a_metric_of_the_manual_runs_on_many_queries_with_its_own_parameters():
    with pytest.warns(DeprecationWarning, match="get_embeddings_from_query"):
        found = utils.run_queries(OwnMetric, [UPPER], [MODEL], metric_params={"secondary": LOWER})
    assert found.to_numpy().tolist() == [[4]]


def test_the_page_lists_every_former_name():
    section = PAGE.partition("{ #wefe-0-2 }")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(.+)` \| `(.+)` \|", section, re.MULTILINE) == NAMES


def test_a_mistyped_argument_is_told_the_nearest_and_all_of_run_query():
    with pytest.raises(TypeError, match=r"'strategy'\? .*convention, .*query, .*strategy"):
        run(WEAT, QUERY, model=MODEL, stratgy="all")
