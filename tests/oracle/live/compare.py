"""Compare fairflow with WEFE, live, on random queries; `make oracle` runs it.

Both get the vectors in float64, so that their results may differ by rounding alone. The queries
keep clear of WEFE's known defects: no word is repeated within a set, not even in another case
(D17), and RIPA gets whole pairs of different words (D4). Words may be lost, also too many.
"""

import argparse
import logging
import math
import random
import sys
from pathlib import Path
from typing import Any

from gensim.models import KeyedVectors

from fairflow.wefe import Query, metrics

from ..models import BASE, Models
from ..pinned import model_file
from .peer import DOWNLOADS, run_wefe, word_sets

LOOKUPS = [[{}], [{}, {"lowercase": True}], [{"lowercase": True}]]
# What is compared -> metric, parameters, tolerance.
VARIANTS: dict[str, tuple[str, dict[str, Any], float]] = {
    "WEAT": ("WEAT", {}, 1e-12),
    "WEAT effect size": ("WEAT", {"return_effect_size": True}, 1e-12),
    "RND norm": ("RND", {"distance": "norm"}, 1e-12),
    "RND cos": ("RND", {"distance": "cos"}, 1e-12),
    "MAC": ("MAC", {}, 1e-12),
    "ECT": ("ECT", {}, 1e-12),
    "RIPA": ("RIPA", {}, 1e-12),
    "RNSB, all words": ("RNSB", {"holdout": False}, 1e-9),
    "RNSB, holdout": ("RNSB", {"holdout": True}, 1e-9),
}
COUNTS = {"WEAT": (2, 2), "RND": (2, 1), "ECT": (2, 1), "RIPA": (2, 1)}


class Draw:
    """Random queries of words of the model and of the configuration's word sets."""

    def __init__(self, seed: int, vocabulary: list[str]) -> None:
        self.random = random.Random(seed)
        self.vocabulary = vocabulary
        # RNSB needs a few words; the opinion lexicon would take most of the time.
        sets = map(distinct, word_sets().values())
        self.sets = [words for words in sets if 5 <= len(words) < 500]
        self.known = set(vocabulary)

    def words(self, size: int) -> list[str]:
        """A set of different words; some may be missing in the model."""
        source = self.vocabulary if self.random.random() < 0.5 else self.random.choice(self.sets)
        chosen = distinct(self.random.sample(source, min(size, len(source))))
        if self.random.random() < 0.1:
            chosen[self.random.randrange(len(chosen))] = "no such word"
        return chosen

    def pairs(self, size: int) -> list[list[str]]:
        """Two sets whose i-th words differ, all of them in the model in every look-up."""
        known = distinct([word for word in self.vocabulary if word.lower() in self.known])
        chosen = self.random.sample(known, 2 * size)
        return [chosen[:size], chosen[size:]]

    def job(self, variant: str) -> dict[str, Any]:
        """A query and its parameters."""
        metric, parameters, _ = VARIANTS[variant]
        many = (self.random.randint(1, 4), 2 if metric == "RNSB" else self.random.randint(1, 4))
        targets, attributes = COUNTS.get(metric, many)
        size = self.random.randint(5, 25)
        both = metric == "RIPA"
        query = {
            "target_sets": self.pairs(size) if both else [self.words(size) for _ in range(targets)],
            "attribute_sets": [self.words(self.random.randint(5, 25)) for _ in range(attributes)],
        }
        own = {
            "preprocessors": self.random.choice(LOOKUPS),
            "normalize": self.random.random() < 0.5,
            "lost_vocabulary_threshold": self.random.choice([0.0, 0.2, 0.5]),
        }
        if variant == "RNSB, holdout":
            own["random_state"] = self.random.randrange(2**32)
        return {"metric": metric, "params": parameters | own, "runs": 1, "query": query}


def distinct(words: list[str]) -> list[str]:
    """Words that stay different in lower case, in their order."""
    return list({word.lower(): word for word in reversed(words)}.values())[::-1]


def difference(left: Any, right: Any) -> float:
    """The largest difference of two results at any depth; infinite where their shapes differ."""
    if isinstance(left, dict) and isinstance(right, dict):
        if left.keys() != right.keys():
            return math.inf
        return max((difference(left[key], right[key]) for key in left), default=0.0)
    if isinstance(left, str) or isinstance(right, str):
        return 0.0 if left == right else math.inf
    if isinstance(left, dict) or isinstance(right, dict) or math.isnan(left) != math.isnan(right):
        return math.inf
    return 0.0 if math.isnan(left) else abs(left - right)


def compare(job: dict[str, Any], theirs: dict[str, Any], model: Any) -> float:
    """The largest difference between WEFE's result of a job and fairflow's."""
    metric = getattr(metrics, job["metric"])()
    ours = metric.run_query(Query(**job["query"]), model, **job["params"])
    if job["metric"] == "RIPA" and math.isnan(theirs["result"]):
        theirs["word_values"] = {}  # D41
    # What fairflow adds, see `comparison.ADDITIONS`.
    return difference(theirs, {key: value for key, value in ours.items() if key in theirs})


def main() -> int:
    """Print the largest difference of each variant; 1 if one is above its tolerance."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("python", help="the Python of WEFE's environment")
    parser.add_argument("--queries", type=int, default=200, help="random queries per metric")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    # Each query that lost too many words is logged.
    logging.disable()
    path: Path = model_file(DOWNLOADS)
    vectors = KeyedVectors.load(str(path))
    draw = Draw(options.seed, list(vectors.index_to_key))
    jobs = [(variant, draw.job(variant)) for variant in VARIANTS for _ in range(options.queries)]
    theirs = run_wefe(options.python, path, [job for _, job in jobs], "float64")
    model = Models(vectors).named(BASE, "float64")
    failed = False
    print(f"{'':18}{'queries':>8}{'undefined':>11}{'largest difference':>20}{'tolerance':>11}")
    for variant, (_, _, tolerance) in VARIANTS.items():
        rows = [
            (result["result"], compare(job, result["result"], model))
            for (name, job), result in zip(jobs, theirs, strict=True)
            if name == variant
        ]
        undefined = sum(math.isnan(result["result"]) for result, _ in rows)
        largest = max(value for _, value in rows)
        failed |= largest > tolerance
        print(f"{variant:18}{len(rows):8}{undefined:11}{largest:20.1e}{tolerance:11.0e}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
