"""The checks of models whose truth is planted, the limits of grades, and what each number is of."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from checked_worlds import CONCEPTS, PUBLISHED, QUERIES, flagged, frequency_world, luck, world

from fairflow.scores.ranked import PRIMARY
from fairflow.studies.claims.grid import GRADES
from fairflow.validity.checks import (
    COLUMNS,
    QUESTIONS,
    TABLES,
    checks,
    grade,
    share_rows,
)

NAN = math.nan
RATED = ["Gender", "Race", "Class"]
Tables = dict[str, pd.DataFrame]


def row_of(table: pd.DataFrame, question: str, criterion: str = "", **names: str) -> pd.Series:
    rows = table[(table["question"] == question) & (table["criterion"] == criterion)]
    for column, name in ({"query": ""} | names).items():
        rows = rows[rows[column] == name]
    return rows.iloc[0]


def grades(table: pd.DataFrame, model: str = "m") -> list[str]:
    rows = table[(table["criterion"] == "") & (table["model"] == model)]
    return [*rows["grade"]]


def together(*tables: Tables) -> Tables:
    return {name: pd.concat([one[name] for one in tables], ignore_index=True) for name in TABLES}


@pytest.fixture(scope="module")
def planted() -> tuple[Tables, pd.DataFrame]:
    return world(0.8, 1)


def test_a_planted_direction_is_good_in_every_check(planted):
    table = checks(*planted, CONCEPTS)
    assert [*table.columns] == [*COLUMNS]
    whole = table[table["criterion"] == ""]
    assert [*whole["question"]] == ["ratings"] * 3 + [*QUESTIONS[1:]]
    assert [*whole["concept"]] == [*RATED, "", "", "", ""]
    assert {*whole["grade"]} == {"good"}
    assert row_of(table, "other_lists")["n"] == 3 * QUERIES * PUBLISHED
    assert row_of(table, "base_pairs")["n"] == 3 * QUERIES * 8
    # A criterion has its own concept and its own queries, and a row for each of them.
    own = table[table["criterion"] == "Race"]
    assert [*own["concept"]] == ["Race", *[""] * 7]
    assert [*own["query"]] == ["", "", "race 0", "race 1", "race 2", "", "", ""]


@pytest.mark.parametrize(("dims", "spectrum"), [(50, False), (300, False), (50, True)])
def test_noise_is_valid_for_nothing_and_has_no_direction_to_keep(dims, spectrum):
    table = checks(*world(0.0, 1, dims, spectrum))
    assert grades(table) == ["poor"] * 4 + ["unknown"] * 3
    said = row_of(table, "other_lists")
    assert (said["n"], said["value_all"] > 0, said["n_all"]) == (0, True, 3 * QUERIES * PUBLISHED)
    for question in QUESTIONS[2:]:
        reason = row_of(table, question)["reason"]
        assert reason == "no score is significant: there is no direction to keep"


def test_each_model_has_its_own_grades(planted):
    noise, scores = world(0.0, 1, model="noise")
    both = pd.concat([planted[1], scores])
    table = checks(together(planted[0], noise), both)
    assert grades(table) == ["good"] * 7
    assert grades(table, "noise") == ["poor"] * 4 + ["unknown"] * 3


@pytest.mark.parametrize(
    ("question", "good", "middling"),
    [
        ("ratings", 0.5, 0.3), ("list", 0.7, 0.5),
        *((share, 0.95, 0.8) for share in ("other_lists", "base_pairs", "frequency")),
    ],
)  # fmt: skip
def test_the_limits_of_grades(question, good, middling):
    values = [1.0, good, good - 0.01, middling, middling - 0.01, -1.0, NAN]
    expected = ["good", "good", "middling", "middling", "poor", "poor", "unknown"]
    assert [grade(question, value) for value in values] == expected


def norms(rows: Sequence[tuple[str, float, float, int]], model: str = "m") -> Tables:
    """Norms of these concepts with a correlation, half the width of its interval, and words."""
    table = [
        {"model": model, "concept": concept, "norm_label": f"rated {n}", "metric": "sc_weat"}
        | {"pearson": r, "pearson_low": r - half, "pearson_high": r + half, "n_words": words}
        | {"reason": "" if words else "no words"}
        for n, (concept, r, half, words) in enumerate(rows)
    ]
    links = [{"criterion": c.capitalize(), "concept": c} for c in ("gender", "race", "age")]
    swaps = pd.DataFrame([one | {"model": model, "is_own": True} for one in links])
    swaps = swaps.assign(
        query="q", role="targets", seeds="s", measure="m", value=1.0, own_value=1.0
    )
    return {"yardsticks": pd.DataFrame(table), "seed_swap": swaps.assign(same_sign=True)}


def ratings(*rows: tuple[str, float, float, int], criterion: str = "Race") -> pd.Series:
    return row_of(checks(norms(rows), pd.DataFrame()), "ratings", criterion)


def test_ratings_of_a_criterion_are_those_of_its_own_concept():
    rows = ("gender", 0.52, 0.04, 2000), ("race", 0.10, 0.2, 60)
    assert ratings(*rows, criterion="Gender")[["value", "grade"]].tolist() == [0.52, "good"]
    assert ratings(*rows)[["value", "grade"]].tolist() == [0.10, "poor"]
    none = ratings(*rows, criterion="Age")
    assert (none["grade"], none["reason"]) == (
        "unknown",
        "no ratings by people are known for these words",
    )


def test_ratings_are_unknown_that_one_of_several_norms_could_have_by_chance():
    # p is .032: below .05 alone, and above it among six norms.
    rare = "race", 0.4, 0.3, 30
    assert ratings(rare)["grade"] == "middling"
    others = [("gender", 0.0, 0.3, 40)] * 5
    among = ratings(rare, *others)
    assert among["grade"] == "unknown"
    assert among["reason"] == "not clearly above 0 among all ratings of this model"
    # A small one is poor, whatever its words.
    assert ratings(("race", 0.2, 0.3, 30), *others)["grade"] == "poor"


def test_noise_has_a_valid_concept_in_at_most_a_twentieth_of_worlds():
    """Of six norms of noise one has an interval above 0 in 11 to 15 % of worlds."""
    random, worlds = np.random.default_rng(0), 200
    words = np.array([2000, 44, 50, 59, 59, 59])
    r = random.normal(size=(worlds, 6)) / np.sqrt(words)
    half = 2 / np.sqrt(words - 2)
    names = ["gender"] * 4 + ["race", "age"]
    made = [norms([*zip(names, row, half, words, strict=True)], f"m{n}") for n, row in enumerate(r)]
    every = {name: pd.concat([one[name] for one in made]) for name in made[0]}
    every["seed_swap"]["criterion"] = "All"
    table = checks(every, pd.DataFrame())
    valid = table[(table["question"] == "ratings") & table["grade"].isin(["good", "middling"])]
    assert valid["model"].nunique() / worlds <= 0.05
    assert (r > half).any(axis=1).mean() > 0.08


def alphas(values: Mapping[str, Sequence[float]], parts: str = "attribute words") -> pd.DataFrame:
    rows = [
        {"model": model, "criterion": "Gender", "query": f"q{n}", "parts": parts, "n_parts": 16}
        | {"value": value, "low": value - 0.2, "high": value + 0.1}
        for model, of in values.items()
        for n, value in enumerate(of)
    ]
    return pd.DataFrame(rows).assign(reason=lambda rows: rows["value"].map({NAN: "too few"}))


def lists(*tables: pd.DataFrame, **how: Any) -> pd.DataFrame:
    return checks({"reliability": pd.concat(tables)}, pd.DataFrame(), **how)


def test_a_list_agrees_as_far_as_its_parts_that_agree_least():
    targets = alphas({"m": [0.3, 0.85, -0.4]}, "target words")
    table = lists(alphas({"m": [0.9, 0.8, 0.7]}), targets)
    assert row_of(table, "list", "Gender")[["value", "n", "grade"]].tolist() == [0.3, 3, "poor"]
    each = [row_of(table, "list", "Gender", query=f"q{n}") for n in range(3)]
    assert [one["value"] for one in each] == [0.3, 0.8, -0.4]
    assert [one["of"] for one in each] == ["target words", "attribute words", "target words"]
    assert each[0][["low", "high", "n"]].tolist() == pytest.approx([0.1, 0.4, 16])


def test_a_derived_model_has_the_lists_of_its_base():
    values = {"base": [0.8, 0.6], "half": [0.1, -1.0], "after": [-1.0, 0.2]}
    table = lists(alphas(values), derived={"after": "half", "half": "base"})
    for model in values:
        row = row_of(table, "list", "Gender", model=model)
        assert row[["value", "grade"]].tolist() == [0.7, "good"]
    one = row_of(table, "list", "Gender", query="q1", model="after")
    assert one[["value", "of"]].tolist() == [0.6, "attribute words of base"]
    assert one["low"] == pytest.approx(0.4)
    gone = lists(alphas({"base": [NAN], "after": [-1.0]}), derived={"after": "base"})
    assert row_of(gone, "list", "Gender", model="after")["grade"] == "unknown"


def significant(tables: Tables, queries: Sequence[str]) -> pd.DataFrame:
    rows = [{"model": "m", "query": query, "p_value": 0.001, "p_bh": 0.01} for query in queries]
    frame = pd.DataFrame(rows, columns=["model", "query", "p_value", "p_bh"])
    tested = {PRIMARY: True, "p_statistic": "difference of mean associations"}
    return checks(tables, frame.assign(alternative="two-sided", **tested))


def test_only_scores_that_are_significant_must_keep_their_direction(planted):
    tables, _ = planted
    swaps = tables["seed_swap"]
    turned = swaps["query"].eq("gender 1") & ~swaps["is_own"]
    swaps = swaps.assign(same_sign=swaps["same_sign"] & ~turned)
    pairs = tables["pair_swap"].assign(n_kept=[8, 2, *[8] * 7])
    both = {"seed_swap": swaps, "pair_swap": pairs}
    for question, n in (("other_lists", PUBLISHED), ("base_pairs", 8)):
        held = row_of(significant(both, ["gender 0", "race 0"]), question)
        assert held[["value", "n", "grade"]].tolist() == [1.0, 2 * n, "good"]
        half = row_of(significant(both, ["gender 0", "gender 1"]), question)
        assert half["grade"] == "poor"
        assert half["value"] < 1 > half["value_all"] > half["value"]
    none = row_of(significant({"seed_swap": swaps}, ["gender 0"]), "other_lists", "Race")
    assert none["grade"] == "unknown"


def frequencies(changes: Sequence[bool | None]) -> Tables:
    rows = [
        {"model": "m", "criterion": "Gender", "query": f"q{n}", "changes": of}
        | {"reason": "is unknown" if of is None else ""}
        for n, of in enumerate(changes)
    ]
    return {"frequency": pd.DataFrame(rows).astype({"changes": "boolean"})}


@pytest.mark.parametrize(
    ("changes", "expected", "n"),
    [
        ([False] * 5, "good", 5), ([True, *[False] * 4], "middling", 5),
        ([True, True, *[False] * 4], "poor", 6),
        # Those that is unknown do not count; of fewer than five no share says much.
        ([None, True, *[False] * 9], "middling", 10), ([False] * 4, "unknown", 4),
    ],
)  # fmt: skip
def test_frequency_counts_the_significant_scores_that_stay(changes, expected, n):
    names = [f"q{n}" for n in range(len(changes))]
    table = significant(frequencies([*changes, True]), names)
    assert row_of(table, "frequency")[["grade", "n"]].tolist() == [expected, n]


def test_what_shares_are_made_from_has_rows_without_a_grade(planted):
    agreement = {"model": "m", "concept": "gender", "base_pairs": "b", "value": "RIPA"}
    agreement |= {"pair": "she/he", "n_pairs": 1, "n_words": 12, "kappa": 0.6, "kappa_low": 0.1}
    agreement |= {"kappa_high": 0.9, "share_unanimous": 0.8, "reason": ""}
    tables = planted[0] | {"pair_agreement": pd.DataFrame([agreement])}
    rates = tables["frequency"].assign(changes=[True, *[pd.NA] * (3 * QUERIES - 1)])
    found = share_rows(tables | {"frequency": rates.astype({"changes": "boolean"})}, CONCEPTS)
    assert [*found.columns] == [*COLUMNS]
    assert {*found["grade"]} == {""}
    pairs = found[found["question"] == "base_pairs"]
    assert pairs[["concept", "query", "value", "n"]].iloc[0].tolist() == [
        "Gender",
        "gender 0",
        1,
        8,
    ]
    told = ["concept", "pairs", "pair", "of", "value", "low", "high", "n", "value_all", "n_all"]
    assert pairs[told].iloc[-1].tolist() == [
        *("Gender", "b", "she/he", "RIPA", 0.6, 0.1, 0.9, 12, 0.8, 1)
    ]
    of_frequency = found[found["question"] == "frequency"]
    assert of_frequency["value"].tolist() == pytest.approx(rates["r"].tolist())
    assert of_frequency["reason"].ne("").tolist() == [True, *[False] * (3 * QUERIES - 1)]


def test_nothing_is_known_without_data():
    assert checks({}, pd.DataFrame()).empty
    table = significant(frequencies([None] * 6), ["q0"])
    assert {*table["grade"]} == {"unknown"} < {*GRADES}
    assert row_of(table, "frequency")["reason"] == "is unknown"
    assert table["reason"].map(bool).all()


@pytest.mark.parametrize("apart", [0, 1, 2])
def test_where_frequency_plays_no_part_no_significant_score_changes(apart):
    found = [flagged(frequency_world(0.0, apart, seed)) for seed in range(20)]
    assert sum(changed > 0 for changed, *_ in found) / 20 <= 0.05 + luck(0.05, 20)


def test_where_frequency_makes_a_score_it_is_found():
    found = np.sum([flagged(frequency_world(2.0, 1.5, s, effect=0.0)) for s in range(5)], axis=0)
    assert found[0] / found[2] > 0.7


def test_a_copy_of_published_sets_counts_once(planted):
    swaps = planted[0]["seed_swap"]
    copies = swaps[~swaps["is_own"]].assign(seeds="copy of " + swaps["seeds"])
    both = {"seed_swap": pd.concat([swaps, copies], ignore_index=True)}
    assert row_of(significant(both, ["race 0"]), "other_lists")["n"] == PUBLISHED
