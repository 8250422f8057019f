"""Run WEFE on a file of jobs. For the environment of requirements.txt; knows nothing of fairflow.

python run_wefe.py JOBS RESULTS, both JSON. JOBS: {"model": file of KeyedVectors, "dtype": number
type of the vectors, "jobs": [...]}. A job holds `metric`, `params`, `runs` and `query` (measured
with run_query) or `queries` (with run_queries); a query is the arguments of Query by name.
RESULTS: per job the result (null for a table) and the smallest wall and CPU times, in seconds.
"""

import json
import logging
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from gensim.models import KeyedVectors
from wefe import metrics
from wefe.query import Query
from wefe.utils import run_queries
from wefe.word_embedding_model import WordEmbeddingModel


def read_model(path: str, dtype: str) -> WordEmbeddingModel:
    """The model with vectors of the number type."""
    vectors = KeyedVectors.load(path)
    converted = KeyedVectors(vectors.vector_size, dtype=np.dtype(dtype))
    converted.add_vectors(vectors.index_to_key, np.asarray(vectors.vectors).astype(dtype))
    return WordEmbeddingModel(converted, "model")


def task(job: dict[str, Any], model: WordEmbeddingModel) -> Callable[[], Any]:
    """The work of a job, inputs prepared."""
    metric = getattr(metrics, job["metric"])
    if "query" in job:
        query = Query(**job["query"])
        return lambda: metric().run_query(query, model, **job["params"])
    queries = [Query(**query) for query in job["queries"]]

    def table() -> None:
        run_queries(metric, queries, [model], **job["params"])

    return table


def timed(work: Callable[[], Any], runs: int) -> dict[str, Any]:
    """The result of `work`, and the smallest wall and CPU times of several runs."""
    walls, cpus = [], []
    for _ in range(runs):
        wall, cpu = time.perf_counter(), time.process_time()
        result = work()
        walls.append(time.perf_counter() - wall)
        cpus.append(time.process_time() - cpu)
    return {"result": result, "wall": min(walls), "cpu": min(cpus)}


def plain(value: Any) -> Any:
    """A numpy number as one of Python's, for JSON."""
    return value.item()


def main(jobs_path: str, results_path: str) -> None:
    """Run every job."""
    # WEFE logs every rejected query, scipy warns of constant rankings.
    logging.disable()
    warnings.simplefilter("ignore")
    with open(jobs_path) as file:
        jobs = json.load(file)
    model = read_model(jobs["model"], jobs["dtype"])
    results = [timed(task(job, model), job["runs"]) for job in jobs["jobs"]]
    with open(results_path, "w") as file:
        json.dump(results, file, default=plain)


if __name__ == "__main__":
    main(*sys.argv[1:])
