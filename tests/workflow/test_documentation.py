"""The metric and the transform that the site writes work as it says, in a project of one's own."""

import pandas as pd
import pytest

from fairflow.metrics import metric_class
from fairflow.scores.ranked import ranked_rows
from fairflow.vectors.store import VectorStore
from pages import block
from project import Project

pytestmark = pytest.mark.workflow

METRIC = "write/metric.md"


@pytest.fixture
def documented(finished: Project) -> Project:
    """The finished toy project with the page's metric added to it."""
    (finished.folder / "my_metrics").mkdir()
    code = block(METRIC, "python", "class MeanDistance")
    (finished.folder / "my_metrics/distance.py").write_text(code)
    with open(finished.folder / "config/metrics.yaml", "a") as file:
        file.write(block(METRIC, "yaml", "my_distance:"))
    finished.edit("config/studies/toy.yaml", "rnsb]", "rnsb, my_distance]")
    return finished


def test_the_class_gives_the_same_number_in_a_notebook(documented: Project):
    from fairflow import Query, WordEmbeddingModel

    documented.run("results/scores/second/my_distance/toy.parquet")
    scores = pd.read_parquet(documented.folder / "results/scores/second/my_distance/toy.parquet")
    value = scores.loc[scores["query"] == "noise", "value"].iloc[0]
    folder = documented.folder / "results/models/second"
    metric = metric_class(str(documented.folder / "my_metrics/distance.py"))()
    with VectorStore(folder / "vectors", folder / "index.sqlite", folder / "card.json") as store:
        query = Query(
            [["cat", "kitten", "tabby", "tom"], ["dog", "puppy", "hound", "spaniel"]],
            [["drum", "horn", "siren", "storm"]],
        )
        result = metric.run_query(query, WordEmbeddingModel(store), scale=2.0)
    assert result["distance"] == value


WEFE_STYLE = """
import numpy as np
from fairflow.wefe.metrics.base_metric import BaseMetric
from fairflow.wefe.preprocessing import get_embeddings_from_query


class ExampleMetric(BaseMetric):
    metric_template = (2, 1)
    metric_name = "Example metric"
    metric_short_name = "EM"

    def run_query(self, query, model, lost_vocabulary_threshold=0.2, preprocessors=[{}],
                  strategy="first", normalize=False, warn_not_found_words=False, *args, **kwargs):
        self._check_input(query, model, locals())
        embeddings = get_embeddings_from_query(
            model=model, query=query, lost_vocabulary_threshold=lost_vocabulary_threshold,
            preprocessors=preprocessors, strategy=strategy, normalize=normalize,
            warn_not_found_words=warn_not_found_words,
        )
        if embeddings is None:
            return {"query_name": query.query_name, "result": np.nan}
        targets, attributes = ([np.mean(list(s.values()), axis=0) for s in role.values()]
                               for role in embeddings)
        near, far = (np.linalg.norm(t - attributes[0]) for t in targets)
        return {"query_name": query.query_name, "result": near - far, "near": near}
"""


def test_a_class_in_the_style_of_wefes_tutorial_works_too(finished: Project):
    (finished.folder / "example.py").write_text(WEFE_STYLE)
    with open(finished.folder / "config/metrics.yaml", "a") as file:
        file.write("example:\n  metric: ./example.py\n  measure: result\n  subqueries: true\n")
    finished.edit("config/studies/toy.yaml", "rnsb]", "rnsb, example]")
    finished.run("results/scores/first/example/toy.parquet")
    scores = pd.read_parquet(finished.folder / "results/scores/first/example/toy.parquet")
    assert set(scores["measure"]) == {"result", "near"}
    headline = ranked_rows(scores)
    assert set(headline["measure"]) == {"result"}
    assert headline["value"].notna().all()
    assert set(scores["status"]) == {"ok"}
