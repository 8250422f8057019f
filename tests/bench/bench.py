"""Time fairflow and WEFE: same machine, vectors and words, one thread; `make bench` runs it.

Each time is the smallest of several runs, look-up of the words included, loading of the model not.
The ratio is that of CPU times, which other work on the machine disturbs least. RNSB is given per
repeat: WEFE averages few random splits, fairflow many, and each total is divided by its number.
"""

import argparse
import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cost import fastest
from gensim.models import KeyedVectors
from oracle.live.peer import DOWNLOADS, ONE_THREAD, case_study, run_wefe, word_sets
from oracle.pinned import model_file
from threadpoolctl import threadpool_limits

from fairflow import Query, WordEmbeddingModel
from fairflow.metrics import metric_class
from fairflow.wefe.utils import run_queries

GOAL, GOAL_RNSB = 20, 50
REPEATS = 100
LOOKUP = {"preprocessors": [{}, {"lowercase": True}]}


@dataclass
class Task:
    """One row of the table.

    Attributes
    ----------
    job : what WEFE does, see `oracle/live/run_wefe.py`.
    repeats : (WEFE's, fairflow's) number of random splits.
    """

    what: str
    job: dict[str, Any]
    repeats: tuple[int, int] = (1, 1)
    goal: int = GOAL
    own: dict[str, Any] = field(default_factory=dict)


def tasks(runs: int) -> list[Task]:
    """Single large queries, then the case study by metric."""
    sets = word_sets()
    men, women = sets["eds:male_terms"], sets["eds:female_terms"]
    positive, negative = sets["bing_liu:positive_words"], sets["bing_liu:negative_words"]
    sentiment = {"target_sets": [men, women], "attribute_sets": [positive, negative]}

    def single(metric: str, query: dict[str, Any], **own: Any) -> dict[str, Any]:
        return {"metric": metric, "query": query, "params": LOOKUP | own, "runs": runs}

    def rnsb(what: str, job: dict[str, Any], theirs: int) -> Task:
        own = {"n_iterations": REPEATS}
        return Task(f"{what}, per repeat", job, (theirs, REPEATS), GOAL_RNSB, own)

    return [
        Task("WEAT, 40 words x opinion lexicon", single("WEAT", sentiment)),
        Task("MAC, 40 words x opinion lexicon", single("MAC", sentiment)),
        Task(
            "RIPA, 20 pairs x negative words",
            single("RIPA", sentiment | {"attribute_sets": [negative]}),
        ),
        rnsb("RNSB, opinion lexicon", single("RNSB", sentiment, n_iterations=5), 5),
        Task("case study, WEAT", study("WEAT", runs)),
        Task("case study, WEAT effect size", study("WEAT", runs, return_effect_size=True)),
        Task("case study, RND of sub-queries", study("RND", runs, subqueries=True)),
        rnsb("case study, RNSB", study("RNSB", runs, n_iterations=10), 10),
    ]


def study(metric: str, runs: int, subqueries: bool = False, **own: Any) -> dict[str, Any]:
    """The 25 queries of the case study through run_queries."""
    parameters = {"metric_params": LOOKUP | own, "generate_subqueries": subqueries}
    return {"metric": metric, "queries": case_study(), "params": parameters, "runs": runs}


def work(task: Task, model: WordEmbeddingModel) -> Callable[[], Any]:
    """What fairflow does for a task, inputs prepared as WEFE's are."""
    job = task.job
    metric = metric_class(job["metric"].lower())
    if "query" in job:
        query, own = Query(**job["query"]), job["params"] | task.own
        return lambda: metric().run_query(query, model, **own)
    queries = [Query(**query) for query in job["queries"]]
    parameters = job["params"] | {"metric_params": job["params"]["metric_params"] | task.own}
    return lambda: run_queries(metric, queries, [model], **parameters)


def row(task: Task, theirs: dict[str, float], ours: dict[str, float]) -> str:
    """Times of both in seconds, per repeat, and their ratio with the goal."""
    few, many = task.repeats
    times = [theirs["wall"] / few, theirs["cpu"] / few, ours["wall"] / many, ours["cpu"] / many]
    shown = "".join(f"{seconds:12.4f}" for seconds in times)
    return f"{task.what:36}{shown}{times[1] / times[3]:8.0f}x{task.goal:6}x"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("python", help="the Python of WEFE's environment")
    parser.add_argument("--runs", type=int, default=3, help="number of runs; the fastest counts")
    options = parser.parse_args()
    path = model_file(DOWNLOADS)
    model = WordEmbeddingModel(KeyedVectors.load(str(path)), "model")
    planned = tasks(options.runs)
    theirs = run_wefe(options.python, path, [task.job for task in planned], "float32")
    # The case study holds queries that are undefined in any model, which is not the matter here.
    warnings.simplefilter("ignore")
    print(
        f"{'seconds':36}{'WEFE':>12}{'CPU':>12}{'fairflow':>12}{'CPU':>12}{'ratio':>9}{'goal':>7}"
    )
    with threadpool_limits(1):
        for task, result in zip(planned, theirs, strict=True):
            print(row(task, result, fastest(work(task, model), options.runs)), flush=True)


if __name__ == "__main__":
    os.environ.update(ONE_THREAD)
    main()
