# %% [markdown]
# # The names of the 0.2.2 manual
# What the other chapters compute, written as WEFE 0.2.2 had it. Release 1.0.1 has dropped these
# names, so this chapter runs with the door alone; its values are those of the other chapters.

# %%
import json
from typing import Any

import numpy as np
import pandas as pd
from gensim.models import KeyedVectors
from scipy.spatial import distance
from wefe import WEAT, BaseMetric, Query, WordEmbeddingModel, load_bingliu, load_weat
from wefe.metrics import RND, RNSB
from wefe.utils import load_weat_w2v, plot_ranking, run_queries
from wefe.word_embedding_model import PreprocessorArgs

vectors = load_weat_w2v()
model = WordEmbeddingModel(model=vectors, model_name="weat_w2v", vocab_prefix="")
sets = load_weat()
values = {chapter: {} for chapter in ("one_query", "many_queries", "own_metric")}
values["rnsb_distributions"] = {}
facts = [model.model_name, model.vocab["woman"] == vectors.key_to_index["woman"]]
assert facts == ["weat_w2v", True]


# %%
def printed(result):
    return json.loads(str(result).replace("'", '"').replace("nan", "NaN"))


family_or_career = Query(
    [sets["female_terms"], sets["male_terms"]],
    [sets["family"], sets["career"]],
    ["Female terms", "Male terms"],
    ["Family", "Career"],
)
result = WEAT().run_query(query=family_or_career, word_embedding=model)
values["one_query"]["weat"] = printed(result)
result

# %%
family = family_or_career.get_subqueries((2, 1))[0]
values["one_query"]["RND"] = printed(RND().run_query(family, model, distance_type="norm"))

# %% [markdown]
# One preprocessor, and a second one for the words that the first does not find.

# %%
upper = [[word.upper() for word in words] for words in family_or_career.target_sets]
capitals = Query(upper, family_or_career.attribute_sets, ["WOMEN", "MEN"], ["Family", "Career"])
lower = {"lowercase": True, "strip_accents": True}
values["one_query"]["lower case"] = printed(
    WEAT().run_query(capitals, model, preprocessor_args=lower)
)
values["one_query"]["first form"] = printed(
    WEAT().run_query(capitals, model, secondary_preprocessor_args=lower)
)


# %%
def first_dimensions(number):
    shorter = KeyedVectors(number)
    shorter.add_vectors(vectors.index_to_key, vectors.vectors[:, :number])
    return WordEmbeddingModel(shorter, f"word2vec dim={number}")


targets, names = [sets["male_terms"], sets["female_terms"]], ["Male terms", "Female terms"]
values["many_queries"]["lower case"] = run_queries(
    WEAT,
    [
        Query(targets, [sets["career"], sets["family"]], names, ["Career", "Family"]),
        Query(targets, [sets["science"], sets["arts"]], names, ["Science", "Arts"]),
        Query(targets, [sets["math"], sets["arts_2"]], names, ["Math", "Arts"]),
    ],
    word_embeddings_models=[first_dimensions(number) for number in (25, 50, 100)],
    metric_params={"preprocessor_args": {"lowercase": True}, "return_effect_size": True},
)

# %%
ranking = pd.DataFrame({"WEAT": [1.0, 2.0], "RND": [2.0, 1.0]}, index=["first", "second"])
plot_ranking(ranking, "Two models", True)


# %% [markdown]
# A metric of one's own has its arguments checked by the method that it overrides, and asks the
# model for the vectors.


# %%
class MeanDistance(BaseMetric):
    metric_template = (2, 1)
    metric_name = "Difference of the distances of means"
    metric_short_name = "MD"

    def run_query(
        self,
        query: Query,
        word_embedding: WordEmbeddingModel,
        lost_vocabulary_threshold: float = 0.2,
        preprocessor_args: PreprocessorArgs = {
            "strip_accents": False,
            "lowercase": False,
            "preprocessor": None,
        },
        secondary_preprocessor_args: PreprocessorArgs = None,
        warn_not_found_words: bool = False,
        *args: Any,
        **kwargs: Any,
    ) -> dict[str, Any]:
        super().run_query(
            query,
            word_embedding,
            lost_vocabulary_threshold,
            preprocessor_args,
            secondary_preprocessor_args,
            warn_not_found_words,
            *args,
            **kwargs,
        )
        embeddings = word_embedding.get_embeddings_from_query(
            query=query,
            lost_vocabulary_threshold=lost_vocabulary_threshold,
            preprocessor_args=preprocessor_args,
            secondary_preprocessor_args=secondary_preprocessor_args,
            warn_not_found_words=warn_not_found_words,
        )
        if embeddings is None:
            return {"query_name": query.query_name, "result": np.nan, "md": np.nan}
        first, second, against = (
            np.mean(list(words.values()), axis=0) for sets in embeddings for words in sets.values()
        )
        value = distance.cosine(first, against) - distance.cosine(second, against)
        return {"query_name": query.query_name, "result": value, "md": value}


flowers = Query(
    [sets["flowers"], sets["weapons"]], [sets["pleasant_5"]], ["Flowers", "Weapons"], ["Pleasant"]
)
strange = Query([["qwzx"], ["flower"]], [["peace"]], ["Strange", "Flower"], ["Peace"])
values["own_metric"]["result"] = MeanDistance().run_query(flowers, model)
values["own_metric"]["lost"] = MeanDistance().run_query(strange, model)
run_queries(MeanDistance, [flowers, strange], [model])

# %%
opinion = load_bingliu()
some = {side: [word for word in words if word in vectors][:400] for side, words in opinion.items()}
terms = ["he", "him", "man", "boy", "she", "her", "woman", "girl"]
result = RNSB().run_query(
    Query([[word] for word in terms], [some["positive_words"], some["negative_words"]]),
    model,
    num_iterations=1,
    holdout=False,
)
values["rnsb_distributions"]["shares"] = pd.DataFrame(
    result["negative_sentiment_distribution"], columns=["Word", "Share"]
)
values["rnsb_distributions"]["shares"]
