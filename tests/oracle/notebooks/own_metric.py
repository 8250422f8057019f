# %% [markdown]
# # A metric of one's own
# The difference of two distances: from the mean of each target set to the mean of the attribute
# set. A class names itself and the numbers of sets that it takes, and has one method.

# %%
from typing import Any

import numpy as np
from scipy.spatial import distance
from wefe.datasets import load_weat
from wefe.metrics.base_metric import BaseMetric
from wefe.preprocessing import get_embeddings_from_query
from wefe.query import Query
from wefe.utils import load_test_model, run_queries
from wefe.word_embedding_model import WordEmbeddingModel


# %%
class MeanDistance(BaseMetric):
    metric_template = (2, 1)
    metric_name = "Difference of the distances of means"
    metric_short_name = "MD"

    def run_query(
        self,
        query: Query,
        model: WordEmbeddingModel,
        lost_vocabulary_threshold: float = 0.2,
        preprocessors: list[dict[str, Any]] = [{}],
        strategy: str = "first",
        normalize: bool = False,
        warn_not_found_words: bool = False,
        *args: Any,
        **kwargs: Any,
    ) -> dict[str, Any]:
        self._check_input(query, model, lost_vocabulary_threshold, warn_not_found_words)
        embeddings = get_embeddings_from_query(
            model=model,
            query=query,
            lost_vocabulary_threshold=lost_vocabulary_threshold,
            preprocessors=preprocessors,
            strategy=strategy,
            normalize=normalize,
            warn_not_found_words=warn_not_found_words,
        )
        if embeddings is None:
            return {"query_name": query.query_name, "result": np.nan, "md": np.nan}
        first, second, against = (
            np.mean(list(words.values()), axis=0) for sets in embeddings for words in sets.values()
        )
        value = distance.cosine(first, against) - distance.cosine(second, against)
        return {"query_name": query.query_name, "result": value, "md": value}


# %%
sets, model = load_weat(), load_test_model()
flowers = Query(
    [sets["flowers"], sets["weapons"]], [sets["pleasant_5"]], ["Flowers", "Weapons"], ["Pleasant"]
)
result = MeanDistance().run_query(flowers, model)
print(result)

# %% [markdown]
# It runs wherever a metric of the package runs.

# %%
insects = Query(
    [sets["insects"], sets["weapons"]], [sets["pleasant_5"]], ["Insects", "Weapons"], ["Pleasant"]
)
strange = Query([["qwzx"], ["flower"]], [["peace"]], ["Strange", "Flower"], ["Peace"])
table = run_queries(
    MeanDistance,
    [flowers, insects, strange],
    [model],
    queries_set_name="Things",
    metric_params={"normalize": True},
    aggregate_results=True,
)
table


# %%
def error_of(*arguments):
    try:
        MeanDistance().run_query(*arguments)
    except (TypeError, ValueError) as error:
        return type(error).__name__


two_by_two = Query([["he"], ["she"]], [["art"], ["math"]])
targets, attributes = get_embeddings_from_query(model, flowers)
values = {
    "result": result,
    "table": table.to_numpy().tolist(),
    "columns": list(table.columns),
    "lost": MeanDistance().run_query(strange, model),
    "another template": error_of(two_by_two, model),
    "no query": error_of("flowers", model),
    "no model": error_of(flowers, {}),
    "words": {name: list(words) for name, words in (targets | attributes).items()},
    "a vector": [float(number) for number in targets["Flowers"]["aster"][:5]],
}
