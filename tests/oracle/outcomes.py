"""What fairflow answers to a case, and what it should answer: one function per kind of case."""

from collections.abc import Callable, Iterator
from typing import Any

from fairflow.queries.lookup import Lookup, look_up_set
from fairflow.wefe import Query, metrics
from fairflow.wefe.preprocessing import preprocess_word

from .comparison import FLOAT32, FLOAT64, OPTIMUM, SAME_SOLVER, Comparison, attempt
from .debiasing_outcomes import debiasing
from .errors import ERRORS
from .models import BASE, Models
from .reference import parameters, preprocessor, query, words
from .table_outcomes import correlations, ranking, run_queries_table


def comparisons(case: dict[str, Any], models: Models) -> Iterator[Comparison]:
    """Everything that a case says: (expected, found, tolerance); the first is WEFE's answer."""
    return KINDS[case["kind"]](case, models)


def _metric(case: dict[str, Any], models: Models) -> Iterator[Comparison]:
    name, expected = case["metric"], case["expected"]
    metric, own = getattr(metrics, name)(), parameters(case["params"])
    model = models.named(case["model"])
    slack = 1
    if name == "RNSB" and own["normalize"]:
        # WEFE rounds unit vectors to float32, and the rounding depends on the memory layout: the
        # last bit of a vector is worth 1e-8 of a probability.
        model, own = models.normalised(case["model"]), own | {"normalize": False}
        slack = 10

    def run(model: Any, **changed: Any) -> dict[str, Any]:
        return attempt(lambda: metric.run_query(query(case["query"]), model, **(own | changed)))

    found = run(model)
    # liblinear stops early, at a place that depends on rounding in the same way: 1e-9 holds for the
    # score, of single probabilities only 1e-8.
    yield expected, found, slack * OPTIMUM if name == "RNSB" else FLOAT32
    if name == "RNSB" and "error" not in found:
        score = _restricted(found, {"rnsb": None})
        yield {"rnsb": expected["rnsb"]}, score, slack * SAME_SOLVER
    if model is not models.named(case["model"]):
        yield expected, run(models.named(case["model"]), normalize=True), FLOAT32
    if "error" not in (found := attempt(lambda: _numbers_found(case, models))):
        yield {"lookup": case["lookup"]}, found, 0
    if "expected_float64" in case:
        exact = run(models.named(case["model"], "float64"))
        yield case["expected_float64"], _restricted(exact, case["expected_float64"]), FLOAT64
    if "independent_float64" in case:
        reference, model = case["independent_float64"], models.named(case["model"], "float64")
        for convention, sd in (("wefe", "population"), ("paper", "sample")):
            values = {"weat": reference["weat"], "effect_size": reference[f"effect_size_{sd}_sd"]}
            yield values, _restricted(run(model, convention=convention), values), FLOAT64
    if "independent_exact_optimum" in case:
        found = run(model, estimator=None, estimator_params=None)
        optimum = _optimum(case, models)
        yield optimum, _restricted(found, optimum), slack * OPTIMUM


def _numbers_found(case: dict[str, Any], models: Models) -> dict[str, Any]:
    policy = {key: case["params"][key] for key in ("preprocessors", "strategy")}
    policy["preprocessors"] = [preprocessor(options) for options in policy["preprocessors"]]
    vectors = models.named(case["model"]).look_up(query(case["query"]), Lookup(**policy))
    accounts = (vectors.targets, vectors.attributes)
    return {"lookup": [[len(account.found) for account in sets] for sets in accounts]}


def _optimum(case: dict[str, Any], models: Models) -> dict[str, Any]:
    policy = Lookup(case["params"]["preprocessors"])
    vectors = models.named(case["model"]).look_up(query(case["query"]), policy)
    forms = [form for account in vectors.targets for form in account.found]
    reference = case["independent_exact_optimum"]
    by_word = dict(zip(forms, reference["probabilities_in_order"], strict=True))
    return {"rnsb": reference["rnsb"], "negative_sentiment_probabilities": by_word}


def _restricted(found: dict[str, Any], keys: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in found.items() if key in keys or key == "error"}


def _permutation(case: dict[str, Any], models: Models) -> Iterator[Comparison]:
    expected = {"weat": case["expected"]["statistic"]}
    own = parameters(case["params"])
    model = models.named(case["model"], "float64")
    found = metrics.WEAT().run_query(query(case["query"]), model, **own)
    yield expected, _restricted(found, expected), FLOAT64


def _subqueries(case: dict[str, Any], _: Models) -> Iterator[Comparison]:
    targets, attributes = case["target_sets_names"], case["attribute_sets_names"]
    whole = Query([[n] for n in targets], [[n] for n in attributes], targets, attributes)
    keys = ("query_name", "target_sets_names", "attribute_sets_names")
    found = whole.get_subqueries(tuple(case["new_template"]))
    parts = [{key: part.dict()[key] for key in keys} for part in found]
    yield {"subqueries": case["expected"]}, {"subqueries": parts}, 0


def _query_name(case: dict[str, Any], _: Models) -> Iterator[Comparison]:
    counts = (case["n_target_sets"], case["n_attribute_sets"])
    sets = ([[f"word {i}"] for i in range(count)] for count in counts)
    made = Query(*sets, case["target_sets_names"], case["attribute_sets_names"]).dict()
    made["template"] = list(made["template"])
    yield case["expected"], _restricted(made, case["expected"]), 0


def _lookup(case: dict[str, Any], models: Models) -> Iterator[Comparison]:
    model = models.named(case["model"])
    policy = Lookup(case["preprocessors"], case["strategy"])
    account = look_up_set("set", words(case), model.__contains__, policy, model.vocab_prefix)
    found = {"found": list(account.found), "candidates_not_found": account.lost}
    yield case["expected"], found, 0


def _preprocess_word(case: dict[str, Any], _: Models) -> Iterator[Comparison]:
    expected, found = {}, {}
    for item in case["items"]:
        name = f"{item['word']} {item['options']}"
        own = (item["word"], preprocessor(item["options"]), item["prefix"])
        expected[name] = item["expected"]
        found[name] = attempt(lambda own=own: preprocess_word(*own))
    yield expected, found, 0


def _error(case: dict[str, Any], models: Models) -> Iterator[Comparison]:
    expected = case["expected"]["type"]
    try:
        found = ERRORS[case["id"]](models.named(BASE))
    except Exception as error:
        raised = [parent.__name__ for parent in type(error).__mro__]
        # WEFE's plain Exception is any exception here.
        found = {"error": expected if expected in raised else raised[0]}
    yield {"error": expected}, found, 0


KINDS: dict[str, Callable[[dict[str, Any], Models], Iterator[Comparison]]] = {
    "metric": _metric,
    "run_queries": run_queries_table,
    "ranking": ranking,
    "ranking_correlations": correlations,
    "subqueries": _subqueries,
    "query_name": _query_name,
    "lookup": _lookup,
    "preprocess_word": _preprocess_word,
    "error": _error,
    "exact_permutation_p": _permutation,
    "debias": debiasing,
}
