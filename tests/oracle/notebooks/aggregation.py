# %% [markdown]
# # Aggregation
# One number per model, from the results of all queries on one subject.

# %%
from gensim.models import KeyedVectors
from wefe.datasets import load_weat
from wefe.metrics import ECT, MAC, WEAT
from wefe.query import Query
from wefe.utils import load_test_model, run_queries
from wefe.word_embedding_model import WordEmbeddingModel

vectors = load_test_model().wv
models = []
for number in (50, 100, 300):
    shorter = KeyedVectors(number)
    shorter.add_vectors(vectors.index_to_key, vectors.vectors[:, :number])
    models.append(WordEmbeddingModel(shorter, f"word2vec dim={number}"))

sets = load_weat()
targets, names = [sets["male_terms"], sets["female_terms"]], ["Male terms", "Female terms"]
queries = [
    Query(targets, [sets["career"], sets["family"]], names, ["Career", "Family"]),
    Query(targets, [sets["science"], sets["arts"]], names, ["Science", "Arts"]),
    Query(targets, [sets["math"], sets["arts_2"]], names, ["Math", "Arts 2"]),
]

# %%
aggregated = run_queries(
    WEAT, queries, models, queries_set_name="Gender Queries", aggregate_results=True
)
aggregated

# %%
only = run_queries(
    WEAT,
    queries,
    models,
    queries_set_name="Gender Queries",
    aggregate_results=True,
    aggregation_function="abs_avg",
    return_only_aggregation=True,
)
only

# %%
values = {"aggregated": aggregated, "only": only}
for rule in ("avg", "sum", "abs_sum"):
    values[rule] = run_queries(
        WEAT, queries, models, "Gender", 0.2, {}, False, True, rule, return_only_aggregation=True
    )

# %% [markdown]
# A rule of one's own gets the table.

# %%
values["largest"] = run_queries(
    WEAT,
    queries,
    models,
    aggregate_results=True,
    aggregation_function=lambda table: table.abs().max(axis=1),
)
values["largest"]

# %% [markdown]
# The effect size, and metrics whose sign is no direction.

# %%
values["effect size"] = run_queries(
    WEAT,
    queries,
    models,
    queries_set_name="Gender",
    metric_params={"return_effect_size": True},
    aggregate_results=True,
)
values["MAC"] = run_queries(MAC, queries, models, queries_set_name="Gender", aggregate_results=True)
values["ECT"] = run_queries(
    ECT,
    queries,
    models,
    queries_set_name="Gender",
    generate_subqueries=True,
    aggregate_results=True,
)
