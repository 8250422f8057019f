"""The metric and the transform that the site writes work as it says, in a project of one's own."""

import pandas as pd
import pytest

from fairflow.metrics import metric_class
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
