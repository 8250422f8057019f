"""A metric in the style of WEFE's tutorial works in a study."""

import pandas as pd
import pytest

from fairflow.scores.ranked import ranked_rows
from project import Project

pytestmark = pytest.mark.workflow

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
