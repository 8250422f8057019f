"""The verdict on simulated models whose answer is known, and the limits of its grades."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from fairflow import Query, WordEmbeddingModel
from fairflow.queries.lookup import Lookup
from fairflow.studies.validity.base_pairs import pair_agreement
from fairflow.studies.validity.consistency import reliability
from fairflow.studies.validity.evidence import (
    BasePairs,
    Concept,
    Evidence,
    ModelWords,
    Norm,
    metric_choice,
)
from fairflow.studies.validity.frequency import frequency
from fairflow.studies.validity.seed_sets import seed_swap
from fairflow.studies.validity.trust import COLUMNS, GRADES, LINES, TABLES, grade, trust
from fairflow.studies.validity.yardsticks import yardsticks

WORDS, DIMS, SIZE, QUERIES, PUBLISHED = 200, 50, 8, 4, 9
NAN = math.nan
EFFECT_SIZE = metric_choice("es", "weat", measure="effect_size")


def simulated(effect: float, seed: int, model: str = "m") -> dict[str, pd.DataFrame]:
    """The tables of a model whose words have a direction of this size; 0 is noise.

    The words of a norm have it in proportion to the norm, those of ten published pairs of sets of
    women and men, and of the attributes of each query, on one side or the other.
    """
    random = np.random.default_rng(seed)
    norm = dict(zip((f"word {n}" for n in range(WORDS)), random.normal(size=WORDS), strict=True))
    sides = {
        f"{name}:{side}": [f"{name} {side} {n}" for n in range(SIZE)]
        for name in (*(f"s{n}" for n in range(PUBLISHED + 1)), *(f"q{n}" for n in range(QUERIES)))
        for side in ("women", "men")
    }
    sign = {w: 1 if ":women" in of else -1 for of, words in sides.items() for w in words} | norm
    vectors = {word: random.normal(size=DIMS) for word in sign}
    for word, of_word in sign.items():
        vectors[word][0] += effect * math.sqrt(DIMS) * of_word
    store = WordEmbeddingModel(vectors)
    seeds = {f"s{n}": (f"s{n}:women", f"s{n}:men") for n in range(PUBLISHED + 1)}
    own = seeds["s0"]
    gender = Concept(
        *("gender", "Gender", ("women", "men"), seeds),
        (Norm("n", "ratings of gender", norm, "norm", *own),),
        (BasePairs("b", "ten pairs", *own, "norm"),),
    )
    sets = {"norm": [*norm]} | {name: words for name, words in sides.items() if name[0] == "s"}
    asked = Query([*sets.values()], [], [*sets], [])
    queries = {
        name: Query(
            [sides[pole] for pole in own],
            [sides[f"{name}:{side}"] for side in ("women", "men")],
            *(["Women", "Men"], ["Family", "Career"]),
        )
        for name in (f"q{n}" for n in range(QUERIES))
    }
    found = Evidence(
        {"gender": gender},
        {model: ModelWords(store.look_up(asked, Lookup()))},
        {(model, name): store.look_up(query, Lookup()) for name, query in queries.items()},
        dict.fromkeys(queries, "Gender"),
        dict.fromkeys(queries, (own, ("family", "career"))),
        {"es": EFFECT_SIZE},
        {
            word: value
            for words in sides.values()
            for word, value in zip(words, random.normal(size=SIZE), strict=True)
        },
    )
    return {
        "yardsticks": yardsticks(found),
        "pair_agreement": pair_agreement(found),
        "reliability": reliability(found),
        "seed_swap": seed_swap(found),
        "frequency": frequency(found, pd.DataFrame()),
    }


def together(*models: dict[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
    return {name: pd.concat([one[name] for one in models], ignore_index=True) for name in TABLES}


def grades(frame: pd.DataFrame, criterion: str = "", model: str = "m") -> dict[str, str]:
    rows = frame[(frame["criterion"] == criterion) & (frame["model"] == model)]
    return dict(zip(rows["line"], rows["grade"], strict=True))


@pytest.mark.parametrize("seed", range(20))
def test_noise_is_valid_for_nothing(seed):
    found = grades(trust(simulated(0.0, seed)))
    assert {line: found[line] for line in LINES[:4]} == dict.fromkeys(LINES[:4], "poor")


@pytest.mark.parametrize("seed", range(5))
def test_a_planted_direction_is_good(seed):
    table = trust(simulated(0.8, seed))
    assert {grades(table)[line] for line in LINES[:4]} == {"good"}
    seeds = table[(table["line"] == "seeds") & (table["criterion"] == "")].iloc[0]
    assert (seeds["value"], seeds["n"]) == (1.0, QUERIES * PUBLISHED)
    # The only criterion is the whole study.
    assert grades(table, "Gender") == grades(table)


def test_each_model_has_its_own_grades():
    table = trust(together(simulated(0.8, 1, "good"), simulated(0.0, 1, "noise")))
    assert grades(table, model="good")["yardstick"] == "good"
    assert grades(table, model="noise")["yardstick"] == "poor"
    assert len(table) == 2 * 2 * len(LINES)


@pytest.mark.parametrize(
    ("line", "value", "expected"),
    [
        # Cohen (1988): a correlation of .5 is large, one of .3 medium, one of .1 small.
        ("yardstick", 0.5, "good"), ("yardstick", 0.49, "middling"), ("yardstick", 0.3, "middling"),
        ("yardstick", 0.29, "poor"), ("yardstick", -0.7, "poor"),
        # Nunnally (1978): .7; below .5 a comparison says so.
        ("reliability", 0.7, "good"), ("reliability", 0.69, "middling"),
        ("reliability", 0.5, "middling"), ("reliability", 0.49, "poor"),
        # Landis and Koch (1977): .41 to .60 is moderate, more is substantial.
        ("pairs", 0.61, "good"), ("pairs", 0.6, "middling"), ("pairs", 0.4, "poor"),
        ("seeds", 0.95, "good"), ("seeds", 0.94, "middling"), ("seeds", 0.79, "poor"),
        ("frequency", -0.09, "good"), ("frequency", 0.1, "middling"), ("frequency", -0.3, "poor"),
        *((line, NAN, "unknown") for line in LINES),
    ],
)  # fmt: skip
def test_the_limits_of_grades(line, value, expected):
    assert grade(line, value, low=0.01) == expected


def test_a_yardstick_whose_interval_is_not_above_0_is_poor():
    assert grade("yardstick", 0.8, low=-0.01) == "poor"
    assert grade("yardstick", 0.8) == "poor"
    tables = simulated(0.8, 1)
    tables["yardsticks"]["pearson_low"] = -0.1
    row = trust(tables).iloc[0]
    assert (row["grade"], row["reason"]) == ("poor", "the interval is not above 0")


def test_nothing_is_trusted_without_data():
    assert list(trust({}).columns) == list(COLUMNS)
    assert trust({}).empty
    swaps = simulated(0.8, 1)["seed_swap"].assign(same_sign=NAN, value=NAN, reason="lost 9 words")
    table = trust({"seed_swap": swaps})
    assert {*table["grade"]} == {"unknown"}
    assert table["value"].isna().all()
    reasons = dict(zip(table["line"], table["reason"], strict=True))
    assert reasons["seeds"] == "lost 9 words"
    assert all(reasons.values())


def alphas(values: Sequence[float], criteria: Sequence[str] = ()) -> dict[str, pd.DataFrame]:
    names = criteria or ["Gender"] * len(values)
    rows = [
        {"model": "m", "criterion": name, "query": f"q{n}", "parts": "attribute words"}
        | {"coefficient": "alpha", "value": value, "low": NAN, "high": NAN, "reason": ""}
        for n, (name, value) in enumerate(zip(names, values, strict=True))
    ]
    return {"reliability": pd.DataFrame(rows)}


def row_of(table: pd.DataFrame, line: str, criterion: str = "") -> pd.Series:
    return table[(table["line"] == line) & (table["criterion"] == criterion)].iloc[0]


def test_a_criterion_has_the_number_of_the_query_in_the_middle_and_of_two_the_worse_one():
    assert row_of(trust(alphas([0.9, 0.2, 0.6])), "reliability")["value"] == 0.6
    assert row_of(trust(alphas([0.9, 0.6])), "reliability")["value"] == 0.6
    table = trust(alphas([0.9, NAN, 0.8, 0.1], ["Gender", "Gender", "Gender", "Age"]))
    numbers = {c: row_of(table, "reliability", c)[["value", "n"]].tolist() for c in ("", "Age")}
    assert numbers == {"": [0.8, 3], "Age": [0.1, 1]}


def test_a_query_is_as_reliable_as_the_parts_that_agree_least():
    tables = alphas([0.9, 0.8])
    targets = tables["reliability"].assign(parts="target words", value=[0.3, 0.85])
    omega = targets.assign(coefficient="omega", value=0.0)
    table = pd.concat([tables["reliability"], targets, omega], ignore_index=True)
    row = row_of(trust({"reliability": table}), "reliability")
    assert (row["value"], row["of"]) == (0.3, "Cronbach's alpha over target words")


def frequencies(r: Sequence[float], changes: Sequence[bool]) -> dict[str, pd.DataFrame]:
    rows = [
        {"model": "m", "criterion": "Gender", "query": f"q{n}", "value": 1.0, "reason": ""}
        | {
            "r": each,
            "r_low": NAN,
            "r_high": NAN,
            "r_norm": NAN,
            "sign_changes": of,
            "verdict_changes": NAN,
        }
        for n, (each, of) in enumerate(zip(r, changes, strict=True))
    ]
    return {"frequency": pd.DataFrame(rows)}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [([False] * 3, "good"), ([True, False, False], "middling"), ([True, True, False], "poor")],
)
def test_a_sign_that_changes_without_frequency_makes_the_grade_worse(changes, expected):
    row = row_of(trust(frequencies([0.05, -0.02, 0.01], changes)), "frequency")
    assert row["grade"] == expected
    said = f"sign or verdict changes in {sum(changes)} of 3 queries"
    assert row["reason"] == (said if any(changes) else "")
    assert row_of(trust(frequencies([0.01], changes[:1])), "frequency")["grade"] == (
        "poor" if changes[0] else "good"
    )


def test_frequency_is_judged_on_thousands_of_words_where_a_norm_has_them():
    rows = frequencies([0.4], [False])
    rows["frequency"]["r_norm"] = 0.05
    row = row_of(trust(rows), "frequency")
    assert (row["value"], row["grade"]) == (0.05, "good")


def test_a_copy_of_published_sets_counts_once():
    swaps = simulated(0.8, 1)["seed_swap"]
    copies = swaps[~swaps["is_own"]].assign(seeds="copy of " + swaps["seeds"])
    both = pd.concat([swaps, copies], ignore_index=True)
    numbers = [row_of(trust({"seed_swap": one}), "seeds")["n"] for one in (swaps, both)]
    assert numbers == [QUERIES * PUBLISHED] * 2


def test_a_concept_counts_for_the_criteria_whose_queries_are_about_it():
    tables = simulated(0.8, 1)
    other = tables["seed_swap"].assign(criterion="Age", concept="age", query="old")
    tables["seed_swap"] = pd.concat([tables["seed_swap"], other], ignore_index=True)
    table = trust(tables)
    assert row_of(table, "yardstick", "Gender")["n"] == WORDS
    age = row_of(table, "yardstick", "Age")
    assert (age["grade"], age["n"]) == ("unknown", 0)
    assert {*table["grade"]} <= {*GRADES}


def test_the_norm_with_the_most_words_and_the_values_that_weat_averages_are_taken():
    tables = simulated(0.8, 1)
    small = tables["yardsticks"].assign(norm="s", n_words=50, pearson=0.9)
    other = tables["yardsticks"].assign(metric="ripa", pearson=0.1)
    unknown = tables["yardsticks"].assign(norm="u", n_words=999, pearson=NAN)
    every = pd.concat([small, other, unknown, tables["yardsticks"]], ignore_index=True)
    row = row_of(trust({**tables, "yardsticks": every}), "yardstick")
    of_weat = tables["yardsticks"].set_index("metric").loc["sc_weat"]
    assert row["value"] == of_weat["pearson"] != tables["yardsticks"]["pearson"].iloc[0]
