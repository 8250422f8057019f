"""The misuses that the oracle describes in words, as calls."""

from collections.abc import Callable
from typing import Any

from fairflow.wefe import RIPA, RND, RNSB, WEAT, Query, WordEmbeddingModel

MEN, WOMEN = ["man", "boy", "he"], ["woman", "girl", "she"]
CAREER = ["career", "salary", "office", "business"]
FAMILY = ["family", "home", "parents", "wedding"]


def _weat(model: WordEmbeddingModel, **changed: Any) -> dict[str, Any]:
    return WEAT().run_query(Query([MEN, WOMEN], [CAREER, FAMILY]), model, **changed)


def _rnsb(model: WordEmbeddingModel, **own: Any) -> dict[str, Any]:
    # Solved to convergence, so that the answer is exact.
    solved = {"estimator": None, "estimator_params": None}
    return RNSB().run_query(Query([MEN, WOMEN], [CAREER, FAMILY]), model, **solved, **own)


ERRORS: dict[str, Callable[[WordEmbeddingModel], Any]] = {
    "err-query-target-none": lambda _: Query(None, []),
    "err-query-no-targets": lambda _: Query([], [["a"]]),
    "err-query-target-not-list": lambda _: Query([("a",)], []),
    "err-query-target-word-int": lambda _: Query([[1]], []),
    "err-query-names-length": lambda _: Query([["a"]], [["b"]], ["x", "y"]),
    "err-subqueries-too-big": lambda _: Query([["a"], ["b"]], [["c"]]).get_subqueries((3, 1)),
    "err-template": lambda model: WEAT().run_query(Query([MEN, WOMEN], [CAREER]), model),
    "err-threshold-int": lambda model: _weat(model, lost_vocabulary_threshold=0),
    "err-strategy": lambda model: _weat(model, strategy="some"),
    "err-preprocessors-empty": lambda model: _weat(model, preprocessors=[]),
    "err-rnd-distance": lambda model: RND().run_query(
        Query([MEN, WOMEN], [CAREER]), model, distance="euclid"
    ),
    "err-rnsb-seed-and-iterations": lambda model: _rnsb(model, random_state=42, n_iterations=2),
    "err-ripa-first-set-longer": lambda model: RIPA().run_query(
        Query([MEN, WOMEN[:2]], [CAREER]), model
    ),
}
