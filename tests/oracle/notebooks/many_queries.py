# %% [markdown]
# # Many queries
# Three queries on three models in one call. The models are the first 25, 50 and 100 dimensions of
# one, as the manual takes three sizes of one family.

# %%
from gensim.models import KeyedVectors
from wefe.datasets.datasets import load_weat
from wefe.metrics import RND, WEAT
from wefe.query import Query
from wefe.utils import generate_subqueries_from_queries_list, load_test_model, run_queries
from wefe.word_embedding_model import WordEmbeddingModel

vectors = load_test_model().wv


def first_dimensions(number):
    shorter = KeyedVectors(number)
    shorter.add_vectors(vectors.index_to_key, vectors.vectors[:, :number])
    return WordEmbeddingModel(shorter, f"word2vec dim={number}")


models = [first_dimensions(number) for number in (25, 50, 100)]

# %%
sets = load_weat()
targets, names = [sets["male_terms"], sets["female_terms"]], ["Male terms", "Female terms"]
gender_queries = [
    Query(targets, [sets["career"], sets["family"]], names, ["Career", "Family"]),
    Query(targets, [sets["science"], sets["arts"]], names, ["Science", "Arts"]),
    Query(targets, [sets["math"], sets["arts_2"]], names, ["Math", "Arts"]),
]

# %%
results = run_queries(WEAT, gender_queries, models, queries_set_name="Gender Queries")
results

# %% [markdown]
# Parameters of the metric go into a dictionary.

# %%
lower = run_queries(
    WEAT,
    gender_queries,
    models,
    metric_params={"preprocessors": [{"lowercase": True}], "return_effect_size": True},
)
lower

# %% [markdown]
# Words that no model has leave a column without values; a metric for fewer sets gets every part of
# the queries that it can take.

# %%
strange = Query(targets, [["qwzx", "family"], ["career", "office"]], names, ["Strange", "Work"])
lost = run_queries(WEAT, [strange, gender_queries[0]], models[:1])
lost

# %%
parts = run_queries(RND, gender_queries[:2], models, generate_subqueries=True)
parts

# %%
values = {
    "results": results,
    "lower case": lower,
    "lost": lost,
    "parts": parts,
    "rounded": results.T.round(2),
    "index and columns": [results.index.name, results.columns.name],
    "queries of parts": [
        query.query_name for query in generate_subqueries_from_queries_list(RND, gender_queries[:2])
    ],
}

# %% [markdown]
# What cannot be run is refused; the kinds of the errors are those of the manual.


# %%
def error_of(**wrong):
    arguments = {"metric": WEAT, "queries": gender_queries, "models": models, **wrong}
    try:
        run_queries(**arguments)
    except TypeError:
        return "TypeError"
    except Exception:
        return "Exception"


values["errors"] = {
    "a tuple of queries": error_of(queries=tuple(gender_queries)),
    "no query": error_of(queries=[]),
    "a word for a query": error_of(queries=["he"]),
    "a model without its list": error_of(models=models[0]),
    "no model": error_of(models=[]),
    "an array for a model": error_of(models=[vectors.vectors]),
    "no name": error_of(queries_set_name=""),
    "a number for a name": error_of(queries_set_name=1),
    "a list of parameters": error_of(metric_params=["normalize"]),
    "None for parameters": error_of(metric_params=None),
    "a number for aggregate_results": error_of(aggregate_results=1),
    "an unknown aggregation": error_of(aggregation_function="median"),
    "a number for an aggregation": error_of(aggregation_function=2),
    "a word for return_only_aggregation": error_of(return_only_aggregation="yes"),
}
