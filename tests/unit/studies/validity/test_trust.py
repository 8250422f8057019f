"""The verdict on simulated models whose answer is known, and the limits of its grades."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr

from fairflow.statistics.reliability import cronbach_alpha, fleiss_kappa
from fairflow.studies.validity.trust import COLUMNS, GRADES, LINES, TABLES, grade, trust

WORDS, DIMS, POLE, QUERIES, PUBLISHED = 200, 50, 8, 4, 9
NAN = math.nan


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def simulated(effect: float, seed: int, model: str = "m") -> dict[str, pd.DataFrame]:
    """The tables of a model whose words and poles have a direction of this size; 0 is noise.

    Each word has a norm, and the direction in proportion to it; each of several published pairs of
    word sets has other words for both poles.
    """
    random = np.random.default_rng(seed)
    direction = unit(random.normal(size=DIMS)) * effect * math.sqrt(DIMS)
    norm = random.normal(size=WORDS)
    words = unit(random.normal(size=(WORDS, DIMS)) + norm[:, None] * direction)
    signs = np.array([1, -1])[:, None, None]
    poles = unit(random.normal(size=(PUBLISHED + 1, 2, POLE, DIMS)) + signs * direction)
    cosines = np.einsum("wd,spid->swpi", words, poles) * signs[:, 0]  # second pole reversed
    first = cosines[0].mean(axis=(1, 2))  # (words,)
    items = cosines[0].reshape(WORDS, -1)
    agree = fleiss_kappa(cosines[0].sum(axis=1) > 0)
    asked = np.array_split(np.argsort(norm), 2 * QUERIES)  # X and Y of each query
    pairs = [(asked[-1 - n], asked[n]) for n in range(QUERIES)]

    def of(name: str, *rows: dict[str, Any]) -> tuple[str, pd.DataFrame]:
        return name, pd.DataFrame([{"model": model, "reason": "", **row} for row in rows])

    r = pearsonr(first, norm)
    frequency = random.normal(size=WORDS)
    ends = r.confidence_interval()
    up = [(each[x].mean() > each[y].mean()) for each in cosines.mean(axis=(2, 3)) for x, y in pairs]
    same = np.reshape(up, (PUBLISHED + 1, QUERIES)) == up[:QUERIES]
    queries = [{"criterion": "Gender", "query": f"q{n}"} for n in range(QUERIES)]
    swap = {"concept": "gender", "role": "attributes", "metric": "es", "measure": "effect_size"}
    return dict(
        [
            of(
                "yardsticks",
                {"concept": "gender", "norm": "n", "norm_label": "ratings", "metric": "sc_weat"}
                | {"n_words": WORDS, "pearson": r.statistic}
                | {"pearson_low": ends.low, "pearson_high": ends.high},
            ),
            of(
                "pair_agreement",
                {"concept": "gender", "base_pairs": "b", "label": "she/he and others", "pair": NAN}
                | {"value": "difference of cosines", "n_pairs": POLE, "n_words": WORDS}
                | {"kappa": agree.value, "kappa_low": agree.low, "kappa_high": agree.high},
            ),
            of(
                "reliability",
                *(
                    query
                    | {"parts": "attribute words", "coefficient": "alpha"}
                    | cronbach_alpha(items[np.concatenate(two)])._asdict()
                    for query, two in zip(queries, pairs, strict=True)
                ),
            ),
            of(
                "seed_swap",
                *(
                    query | swap | {"seeds": f"s{number}", "is_own": number == 0, "value": 1.0}
                    | {"same_sign": same[number, n]}
                    for n, query in enumerate(queries)
                    for number in range(PUBLISHED + 1)
                ),
            ),
            of(
                "frequency",
                *(
                    query | {"value": 1.0, "sign_changes": False, "verdict_changes": False}
                    | {"r": np.corrcoef(first, frequency)[0, 1], "r_low": NAN, "r_high": NAN}
                    for query in queries
                ),
            ),
        ]
    )  # fmt: skip


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


def reliability(values: Sequence[float], criteria: Sequence[str] = ()) -> dict[str, pd.DataFrame]:
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
    assert row_of(trust(reliability([0.9, 0.2, 0.6])), "reliability")["value"] == 0.6
    assert row_of(trust(reliability([0.9, 0.6])), "reliability")["value"] == 0.6
    table = trust(reliability([0.9, NAN, 0.8, 0.1], ["Gender", "Gender", "Gender", "Age"]))
    numbers = {c: row_of(table, "reliability", c)[["value", "n"]].tolist() for c in ("", "Age")}
    assert numbers == {"": [0.8, 3], "Age": [0.1, 1]}


def test_a_query_is_as_reliable_as_the_parts_that_agree_least():
    tables = reliability([0.9, 0.8])
    targets = tables["reliability"].assign(parts="target words", value=[0.3, 0.85])
    omega = targets.assign(coefficient="omega", value=0.0)
    table = pd.concat([tables["reliability"], targets, omega], ignore_index=True)
    row = row_of(trust({"reliability": table}), "reliability")
    assert (row["value"], row["of"]) == (0.3, "Cronbach's alpha over target words")


def frequency(r: Sequence[float], changes: Sequence[bool]) -> dict[str, pd.DataFrame]:
    rows = [
        {"model": "m", "criterion": "Gender", "query": f"q{n}", "value": 1.0, "reason": ""}
        | {"r": each, "r_low": NAN, "r_high": NAN, "sign_changes": of, "verdict_changes": NAN}
        for n, (each, of) in enumerate(zip(r, changes, strict=True))
    ]
    return {"frequency": pd.DataFrame(rows)}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [([False] * 3, "good"), ([True, False, False], "middling"), ([True, True, False], "poor")],
)
def test_a_sign_that_changes_without_frequency_makes_the_grade_worse(changes, expected):
    row = row_of(trust(frequency([0.05, -0.02, 0.01], changes)), "frequency")
    assert row["grade"] == expected
    said = f"sign or verdict changes in {sum(changes)} of 3 queries"
    assert row["reason"] == (said if any(changes) else "")
    assert row_of(trust(frequency([0.01], changes[:1])), "frequency")["grade"] == (
        "poor" if changes[0] else "good"
    )


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
    assert row["value"] == tables["yardsticks"]["pearson"].iloc[0]
