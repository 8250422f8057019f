# %% [markdown]
# # Ranking
# Scores of two metrics have two scales; the places of the models can be compared.

# %%
from gensim.models import KeyedVectors
from wefe.datasets import load_weat
from wefe.metrics import RND, WEAT
from wefe.query import Query
from wefe.utils import create_ranking, load_test_model, run_queries
from wefe.word_embedding_model import WordEmbeddingModel

vectors = load_test_model().wv
models = []
for number in (25, 50, 100, 200, 300):
    shorter = KeyedVectors(number)
    shorter.add_vectors(vectors.index_to_key, vectors.vectors[:, :number])
    models.append(WordEmbeddingModel(shorter, f"word2vec dim={number}"))

sets = load_weat()
targets, names = [sets["male_terms"], sets["female_terms"]], ["Male terms", "Female terms"]
gender = [
    Query(targets, [sets["career"], sets["family"]], names, ["Career", "Family"]),
    Query(targets, [sets["science"], sets["arts"]], names, ["Science", "Arts"]),
]
flowers = [
    Query(
        [sets["flowers"], sets["insects"]],
        [sets["pleasant_9"], sets["unpleasant_9"]],
        ["Flowers", "Insects"],
        ["Pleasant", "Unpleasant"],
    )
]


# %%
def scores(metric, queries, name, **parameters):
    return run_queries(
        metric,
        queries,
        models,
        queries_set_name=name,
        metric_params={"preprocessors": [{}, {"lowercase": True}], **parameters},
        generate_subqueries=metric is RND,
        aggregate_results=True,
        return_only_aggregation=True,
    )


weat_gender = scores(WEAT, gender, "Gender Queries")
size_gender = scores(WEAT, gender, "Gender Queries", return_effect_size=True)
rnd_gender = scores(RND, gender, "Gender Queries")
weat_flowers = scores(WEAT, flowers, "Flower Queries")

# %%
gender_ranking = create_ranking([weat_gender, size_gender, rnd_gender])
gender_ranking

# %%
mixed_ranking = create_ranking([weat_gender, weat_flowers, rnd_gender])
mixed_ranking

# %%
repeated = create_ranking([weat_gender, weat_gender])
repeated

# %%
values = {
    "gender": gender_ranking,
    "mixed": mixed_ranking,
    "repeated": repeated,
    "largest first": create_ranking([weat_gender, rnd_gender], "first", False),
    "places of the gender ranking": gender_ranking.to_numpy().tolist(),
}
