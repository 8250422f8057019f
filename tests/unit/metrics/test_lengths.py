"""A metric that says that lengths change nothing is right."""

import numpy as np
import pytest

from fairflow import Query
from fairflow.metrics import METRICS
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import QueryInputs, Vocabulary
from fairflow.vectors.vocabulary import with_vocabulary
from fairflow.vectors.word_embedding_model import WordEmbeddingModel, word_rows

SIZES = {"hidden_bias": {"n_clustered": 20, "n_classified": 20, "n_train": 8, "n_neighbours": 5}}
OF_DIRECTIONS = [name for name in METRICS.names if METRICS.load(name).of_directions]


@pytest.mark.parametrize("name", OF_DIRECTIONS)
def test_longer_vectors_give_the_same_values(name):
    generator = np.random.default_rng(1)
    words = [f"{a}{b}" for a in "abcdef" for b in "uvwxyz"]
    rows = generator.standard_normal((36, 3))
    longer = rows * generator.uniform(0.5, 2, (36, 1))
    metric = METRICS.load(name)
    sets = [words[4 * i : 4 * i + 4] for i in range(4)]
    targets, attributes = metric.metric_template
    query = Query(
        sets[: 2 if targets == "n" else targets],
        sets[2 : 2 + (2 if attributes == "n" else attributes)],
        declared=QueryInputs((tuple(words[20:22]), tuple(words[22:24])), {}, Vocabulary()),
    )

    def measures(vectors):
        model = WordEmbeddingModel(word_rows((words, vectors)))
        looked_up = with_vocabulary(model.look_up(query, Lookup()), model)
        return metric().evaluate(looked_up, **SIZES.get(name, {})).measures

    assert measures(longer) == pytest.approx(measures(rows), abs=1e-5, nan_ok=True)
