"""Five checks of each model: what a score of bias is worth, as grades with the number behind each.

All tables of validity are made model by model, so that one model is in memory at a time.

Cohen, J. (1988). Statistical power analysis for the behavioral sciences (2nd ed.). Erlbaum.
Nunnally, J. C. (1978). Psychometric theory (2nd ed.). McGraw-Hill.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from fairflow.files.configuration_files import read_yaml
from fairflow.statistics.intervals import p_of_jackknifed
from fairflow.statistics.rank_tests import ALPHA, holm
from fairflow.studies.claims.grid import GOOD, MIDDLING, POOR, UNKNOWN
from fairflow.studies.tables import columns_of
from fairflow.validity.base_pairs import pair_agreement, pair_swap
from fairflow.validity.consistency import reliability
from fairflow.validity.eat_patterns import eat_patterns
from fairflow.validity.evidence import Evidence
from fairflow.validity.frequency import frequency, weat_tests
from fairflow.validity.seed_sets import seed_swap
from fairflow.validity.yardsticks import yardsticks

TEXTS = read_yaml(Path(__file__).with_name("checks.yaml"))
RATINGS, LIST, OTHER_LISTS, BASE_PAIRS, FREQUENCY = QUESTIONS = (*TEXTS,)
COLUMNS = columns_of("checks")
# Of the tables of validity, those that the checks are made from.
TABLES = ("yardsticks", "reliability", "pair_swap", "seed_swap", "frequency")
# The metric whose values of words WEAT averages, and the measure that compares models best: where a
# table has several, these are taken, else the first.
OF_WORDS, EFFECT_SIZE = "sc_weat", "effect_size"
NOT_CLEAR = "not clearly above 0 among all ratings of this model"
AGREEMENT = "pair_agreement"
OF_FREQUENCY = "correlation of associations with word frequency"
CHANGES = "a significant result changes without word frequency"
# Of fewer scores no share says much.
FEWEST = 5
NOT_SIGNIFICANT = "no score is significant: there is no direction to keep"
Row = dict[str, Any]


def grade(question: str, value: float) -> str:
    """One of `claims.grid.GRADES` for a number that answers a question."""
    if math.isnan(value):
        return UNKNOWN
    return next((g for g in (GOOD, MIDDLING) if value >= TEXTS[question][g]), POOR)


def checks(
    tables: Mapping[str, pd.DataFrame],
    scores: pd.DataFrame,
    concepts: Mapping[str, str] = {},
    derived: Mapping[str, str] = {},
) -> pd.DataFrame:
    """What the scores of a study are worth.

    Parameters
    ----------
    tables : of validity, by name; any of `TABLES` may be missing. Concepts belong to the criteria
        of the queries that `seed_swap` names with them.
    scores : the study's table; significant is p_bh < 0.05.
    concepts : name -> label. derived : model -> the model that it is derived from.

    Returns
    -------
    for each model and criterion, "" for the whole study:
    question : "ratings", a row for each concept of the criterion: the correlation with the norm of
    most words. It is poor below .3, and unknown where Holm's p over all norms of the model is not
    below 0.05: of models of noise with six norms at most 5 % are valid for one. "list", for a
    criterion the median over its queries, and a row for each `query`: Cronbach's alpha over those
    parts that agree least; of a derived model that of its base, as where bias is removed nothing is
    left to agree on. "other_lists", "base_pairs", "frequency": the share of significant scores that
    keep their direction with other published lists, with single base pairs, and that stay
    significant in their direction without word frequency.
    concept : its label, of ratings ; value, low, high : with a 95 % interval where there is one ;
    n : words (ratings, one list), queries (list) or comparisons ; value_all, n_all : over all
    scores, significant or not ; of : what the number is ; grade : of `GRADES` ; reason : why there
    is no number, or why ratings are poor in spite of theirs.
    """
    frames = {name: tables.get(name, pd.DataFrame()) for name in TABLES}
    links = frames["seed_swap"].reindex(columns=["criterion", "concept"]).drop_duplicates()
    rated, lists = _ratings(frames["yardsticks"]), _lists(frames["reliability"], derived)
    linked = [(c, of) for c, of in links.to_numpy() if of in {of for _, of in rated}]
    tested = weat_tests(scores).reindex(columns=["model", "query", "p_bh"])
    clear = tested.loc[tested["p_bh"] < ALPHA, ["model", "query"]].drop_duplicates()
    kept = {
        OTHER_LISTS: _with_other_lists(frames["seed_swap"]),
        BASE_PAIRS: frames["pair_swap"],
        FREQUENCY: _without_frequency(frames["frequency"]),
    }
    clear = clear.assign(clear=True)
    kept = {q: of.merge(clear, "left", ["model", "query"]) for q, of in kept.items() if len(of)}
    rows: list[Row] = []
    for criterion, model in product(("", *_names("criterion", frames)), _names("model", frames)):
        about = {"model": model, "criterion": criterion}
        for concept in dict.fromkeys(of for c, of in linked if criterion in ("", c)) or [""]:
            row = rated.get((model, concept), {"question": RATINGS, "value": math.nan})
            rows.append(about | row | {"concept": concepts.get(concept, concept)})
        own = (row for row in lists if row["model"] == model)
        queries = [row for row in own if criterion in ("", row["criterion"])]
        rows.append(about | _median(queries))
        rows += queries if criterion else []
        for question in (OTHER_LISTS, BASE_PAIRS, FREQUENCY):
            units = kept.get(question, pd.DataFrame(columns=["model", "criterion"]))
            here = units["model"].eq(model) & (units["criterion"].eq(criterion) | (not criterion))
            rows.append(about | {"question": question} | _share(units[here]))
    return pd.DataFrame([*map(_graded, rows)], columns=COLUMNS)


def share_rows(
    tables: Mapping[str, pd.DataFrame], concepts: Mapping[str, str] = {}
) -> pd.DataFrame:
    """What shares are made from, as rows of the table `checks` without a grade.

    Parameters
    ----------
    tables : pair_swap, frequency and pair_agreement. concepts : name -> label.

    Returns
    -------
    The columns of `checks`. Of "base_pairs", a row for each query and side: value, the share of n
    pairs that keep the direction; and for each base pairs, under their name (pairs), and each one
    of them (pair): value, kappa with its interval over n words, by the values that `of` names;
    value_all, the share of words that all put on one side; n_all, the number of pairs. Of
    "frequency", a row for each query: value, the correlation of n words' association with their log
    frequency; value_all, the effect size without it; reason, whether a significant score changes.
    """
    swaps, rates, agreement = (tables[name] for name in ("pair_swap", "frequency", AGREEMENT))
    of_pairs = "pairs in place of the " + swaps["role"] + " that keep the direction"
    changes = rates["changes"].eq(True).fillna(False).astype(bool)
    found = [
        swaps.assign(value=swaps["n_kept"] / swaps["n"].replace(0, math.nan), of=of_pairs),
        rates.drop(columns="value")
        .rename(
            columns={"r": "value", "r_low": "low", "r_high": "high", "n_words": "n"}
            | {"value_residual": "value_all"}
        )
        .assign(of=OF_FREQUENCY, reason=rates["reason"].mask(changes, CHANGES)),
        agreement.rename(
            columns={"value": "of", "kappa": "value", "kappa_low": "low", "kappa_high": "high"}
            | {"n_words": "n", "n_pairs": "n_all", "share_unanimous": "value_all"}
            | {"base_pairs": "pairs"}
        ),
    ]
    named = [
        rows.assign(question=question)
        for question, rows in zip((BASE_PAIRS, FREQUENCY, BASE_PAIRS), found, strict=True)
    ]
    rows = pd.concat(named, ignore_index=True).reindex(columns=COLUMNS)
    rows["concept"] = rows["concept"].map(lambda name: concepts.get(name, name))
    counts = {name: rows[name].fillna(0).astype(int) for name in ("n", "n_all")}
    return rows.assign(grade="", **counts)


def _graded(row: Row) -> Row:
    """A row with all columns."""
    value, texts = row["value"], TEXTS[row["question"]]
    full: Row = dict.fromkeys(("criterion", "concept", "query", "pairs", "pair"), "")
    full |= {"n": 0, "n_all": 0}
    full |= {"grade": grade(row["question"], value), "of": texts["of"]}
    full |= {"reason": texts["missing"] if math.isnan(value) else ""}
    return full | {name: given for name, given in row.items() if given != ""}


def _names(column: str, frames: Mapping[str, pd.DataFrame]) -> list[str]:
    """The names of a column in the order of the tables; a model "" is all of them."""
    given = (frame[column].dropna().unique() for frame in frames.values() if column in frame)
    return [str(name) for name in dict.fromkeys(name for each in given for name in each) if name]


def _ratings(norms: pd.DataFrame) -> dict[tuple[str, str], Row]:
    """(Model, concept) -> a row, by the norm with the most words among those with a value."""
    if norms.empty:
        return {}
    names = {"pearson": "value", "pearson_low": "low", "pearson_high": "high"}
    norms = norms[norms["metric"] == OF_WORDS].rename(columns=names)
    of_norm = (norms[name].to_numpy(float) for name in ("value", "low", "high", "n_words"))
    norms = norms.assign(p=p_of_jackknifed(*of_norm), has=norms["value"].notna())
    norms["p"] = norms.groupby("model")["p"].transform(lambda p: holm(p.to_numpy()))
    norms = norms.sort_values(["has", "n_words"], ascending=False, kind="stable")
    found = {}
    for norm in norms.drop_duplicates(["model", "concept"]).to_dict("records"):
        row = {"question": RATINGS} | _number(norm, "n_words", norm["norm_label"])
        if row["n"] and not norm["p"] < ALPHA:
            low = row["value"] < TEXTS[RATINGS]["middling"]
            row |= {"grade": POOR if low else UNKNOWN, "reason": NOT_CLEAR}
        found[str(norm["model"]), str(norm["concept"])] = row
    return found


def _number(row: Mapping[str, Any], n: str, of: str) -> Row:
    """The columns of a number with its interval, which rests on row[n]."""
    numbers: Row = {name: float(row[name]) for name in ("value", "low", "high")} | {"of": of}
    if math.isnan(numbers["value"]):
        return numbers | {"n": 0, "reason": row["reason"] or ""}
    return numbers | {"n": int(row[n])}


def _lists(rows: pd.DataFrame, derived: Mapping[str, str]) -> list[Row]:
    """A row for each model and query, by the parts that agree least."""
    if rows.empty:
        return []
    rows = rows.sort_values("value", kind="stable").drop_duplicates(["model", "query"])
    of = {(row["model"], row["query"]): row for row in rows.sort_index().to_dict("records")}
    made = []
    for (model, query), own in of.items():
        base = model
        while base in derived:
            base = derived[base]
        row = of.get((base, query), own | {"value": math.nan, "reason": f"not measured in {base}"})
        what = row["parts"] + (f" of {base}" if base != model else "")
        names = {"question": LIST, "model": model, "criterion": own["criterion"], "query": query}
        made.append(names | _number(row, "n_parts", what))
    return made


def _median(queries: list[Row]) -> Row:
    known = [row["value"] for row in queries if not math.isnan(row["value"])]
    if not known:
        reasons = (row["reason"] for row in queries)
        return {"question": LIST, "value": math.nan, "reason": next(reasons, "")}
    return {"question": LIST, "value": float(np.median(known)), "n": len(known)}


def _with_other_lists(rows: pd.DataFrame) -> pd.DataFrame:
    """Each other published list in each query, by an effect size where there is one."""
    if rows.empty:
        return rows
    rows = rows[~rows["is_own"].eq(True)]
    preferred = rows.assign(other=rows["measure"] != EFFECT_SIZE, none=rows["value"].isna())
    preferred = preferred.sort_values(["none", "other"], kind="stable")
    place = ["model", "query", "role", "concept"]
    each = preferred.drop_duplicates([*place, "seeds"])
    # Lists with the value of others, or of the study's own, have the same words: they count once.
    each = each.assign(same=each["value"].round(9))
    copies = each.duplicated([*place, "same"]) | each["same"].eq(each["own_value"].round(9))
    each = each[each["none"] | ~copies]
    known = ~each["none"] & each["same_sign"].notna()
    return each.assign(n=known.astype(int), n_kept=(known & each["same_sign"].eq(True)).astype(int))


def _without_frequency(rows: pd.DataFrame) -> pd.DataFrame:
    if rows.empty:
        return rows
    known = rows["changes"].notna()
    return rows.assign(n=known.astype(int), n_kept=(known & rows["changes"].ne(True)).astype(int))


def _share(units: pd.DataFrame) -> Row:
    """The share that keeps its direction, of significant scores and of all."""
    if units.empty:
        return {"value": math.nan}
    clear = units[units["clear"].eq(True)]
    n, n_all = (int(of["n"].sum()) for of in (clear, units))
    every = {"value_all": units["n_kept"].sum() / n_all if n_all else math.nan, "n_all": n_all}
    if not n:
        reasons = (clear if len(clear) else units)["reason"]
        why = reasons.iloc[0] if reasons.ne("").all() else NOT_SIGNIFICANT
        return every | {"value": math.nan, "reason": why}
    few = {"grade": UNKNOWN, "reason": f"fewer than {FEWEST} comparisons"} if n < FEWEST else {}
    return every | {"value": clear["n_kept"].sum() / n, "n": n} | few


OF_A_MODEL = (yardsticks, pair_agreement, pair_swap, reliability, seed_swap, eat_patterns)


def validity_tables(of_models: Iterable[Evidence], scores: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The tables yardsticks, seed_swap, eat_patterns and checks, by name.

    Parameters
    ----------
    of_models : the evidence of each model. scores : the study's table of scores.
    """
    made: dict[str, list[pd.DataFrame]] = {}
    for one in of_models:
        for make in OF_A_MODEL:
            made.setdefault(make.__name__, []).append(make(one))
        of_model = scores[scores["model"].isin(one.models)]
        made.setdefault("frequency", []).append(frequency(one, of_model))
    tables = {name: pd.concat(frames, ignore_index=True) for name, frames in made.items()}
    labels = {name: concept.label for name, concept in one.concepts.items()}
    graded = checks(tables, scores, labels, one.derived)
    shown = {name: tables[name] for name in ("yardsticks", "seed_swap", "eat_patterns")}
    return shown | {"checks": pd.concat([graded, share_rows(tables, labels)], ignore_index=True)}
