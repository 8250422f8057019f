"""Five checks of each model: what a score of bias is worth, as grades with the number behind each.

Cohen, J. (1988). Statistical power analysis for the behavioral sciences (2nd ed.). Erlbaum.
Nunnally, J. C. (1978). Psychometric theory (2nd ed.). McGraw-Hill.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import stdtr, stdtrit

from fairflow.statistics.estimate import LEVEL
from fairflow.statistics.rank_tests import ALPHA, holm
from fairflow.studies.validity.power import weat_tests

RATINGS, LIST, OTHER_LISTS, BASE_PAIRS, FREQUENCY = QUESTIONS = (
    *("ratings", "list", "other_lists", "base_pairs", "frequency"),
)
GOOD, MIDDLING, POOR, UNKNOWN = GRADES = ("good", "middling", "poor", "unknown")
COLUMNS = (
    *("question", "model", "criterion", "concept", "query", "value", "low", "high", "n"),
    *("value_all", "n_all", "of", "grade", "reason"),
)
# Of the tables of validity, those that the checks are made from.
TABLES = ("yardsticks", "reliability", "pair_swap", "seed_swap", "frequency")
# From what value on a grade is good, and from what value on middling: a large and a medium
# correlation (Cohen 1988), Nunnally's reliabilities, 19 of 20 scores and four of five.
LIMITS = {RATINGS: (0.5, 0.3), LIST: (0.7, 0.5)} | dict.fromkeys(QUESTIONS[2:], (0.95, 0.8))
# The metric whose values of words WEAT averages, and the measure that compares models best: where a
# table has several, these are taken, else the first.
OF_WORDS, EFFECT_SIZE = "sc_weat", "effect_size"
NOT_CLEAR = "not clearly above 0 among all ratings of this model"
NOT_SIGNIFICANT = "no score is significant: there is no direction to keep"
_OF = {
    LIST: "median over queries",
    OTHER_LISTS: "significant scores that keep their direction with other published lists",
    BASE_PAIRS: "significant scores that keep their direction with one base pair",
    FREQUENCY: "significant scores that stay so without word frequency",
}
_NOT_THERE = {
    RATINGS: "no ratings by people are known for these words",
    LIST: "no query has several words in its sets",
    OTHER_LISTS: "no other lists have been published for these words",
    BASE_PAIRS: "no base pairs are known for these words",
    FREQUENCY: "the frequency of these words is not known",
}
Row = dict[str, Any]


def grade(question: str, value: float) -> str:
    """One of `GRADES` for a number that answers a question."""
    if math.isnan(value):
        return UNKNOWN
    good, middling = LIMITS[question]
    return GOOD if value >= good else MIDDLING if value >= middling else POOR


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
    most words. It is poor below .3, and where Holm's p over all norms of the model is not below
    0.05: of models of noise with six norms at most 5 % are valid for one. "list", for a criterion
    the median over its queries, and a row for each `query`: Cronbach's alpha over those parts that
    agree least; of a derived model that of its base, as where bias is removed nothing is left to
    agree on. "other_lists", "base_pairs", "frequency": the share of significant scores that keep
    their direction with other published lists, with single base pairs, and that stay significant
    in their direction without word frequency.
    concept : its label, of ratings ; value, low, high : with a 95 % interval where there is one ;
    n : words (ratings, one list), queries (list) or comparisons ; value_all, n_all : over all
    scores, significant or not ; of : what the number is ; grade : of `GRADES` ; reason : why there
    is no number, or why ratings are poor in spite of theirs.
    """
    frames = {name: tables.get(name, pd.DataFrame()) for name in TABLES}
    links = frames["seed_swap"].reindex(columns=["criterion", "concept"]).dropna()
    linked = [(str(c), str(concept)) for c, concept in links.drop_duplicates().to_numpy()]
    rated, lists = _ratings(frames["yardsticks"]), _lists(frames["reliability"], derived)
    tested = weat_tests(scores).reindex(columns=["model", "query", "p_bh"])
    clear = tested.loc[tested["p_bh"] < ALPHA, ["model", "query"]].drop_duplicates()
    kept = {
        OTHER_LISTS: _with_other_lists(frames["seed_swap"]),
        BASE_PAIRS: frames["pair_swap"],
        FREQUENCY: _without_frequency(frames["frequency"]),
    }
    kept = {question: _marked(units, clear) for question, units in kept.items() if len(units)}
    rows: list[Row] = []
    for criterion, model in product(("", *_names("criterion", frames)), _names("model", frames)):
        about = {"model": model, "criterion": criterion}
        own = [concept for c, concept in dict.fromkeys(linked) if criterion in ("", c)]
        of_concepts = [rated[model, c] for c in dict.fromkeys(own) if (model, c) in rated]
        for row in of_concepts or [{"question": RATINGS, "value": math.nan}]:
            name = row.get("concept", "")
            rows.append(about | row | {"concept": concepts.get(name, name)})
        of_model = [row for row in lists if row["model"] == model]
        queries = [row for row in of_model if criterion in ("", row["criterion"])]
        rows.append(about | _median(queries))
        rows += queries if criterion else []
        for question in (OTHER_LISTS, BASE_PAIRS, FREQUENCY):
            units = kept.get(question, pd.DataFrame(columns=["model", "criterion"]))
            here = units["model"].eq(model) & (units["criterion"].eq(criterion) | (not criterion))
            rows.append(about | {"question": question} | _share(units[here]))
    return pd.DataFrame([*map(_graded, rows)], columns=COLUMNS)


def _graded(row: Row) -> Row:
    """A row with all columns."""
    value, question = row["value"], row["question"]
    unknown = math.isnan(value)
    full = {"concept": "", "query": "", "n": 0, "n_all": 0, "grade": grade(question, value)}
    full |= {"reason": _NOT_THERE[question] if unknown else "", "of": _OF.get(question, "")}
    full |= {name: given for name, given in row.items() if given != ""}
    return full | ({"of": ""} if unknown else {})


def _names(column: str, frames: Mapping[str, pd.DataFrame]) -> list[str]:
    """The names of a column in the order of the tables; a model "" is all of them."""
    given = (frame[column].dropna().unique() for frame in frames.values() if column in frame)
    return [str(name) for name in dict.fromkeys(name for each in given for name in each) if name]


def _ratings(norms: pd.DataFrame) -> dict[tuple[str, str], Row]:
    """(Model, concept) -> a row, by the norm with the most words among those with a value."""
    if norms.empty:
        return {}
    norms = norms[norms["metric"] == OF_WORDS]
    norms = norms.assign(p=_p_of_interval(norms), has=norms["pearson"].notna())
    norms["p"] = norms.groupby("model")["p"].transform(lambda p: holm(p.to_numpy()))
    norms = norms.sort_values(["has", "n_words"], ascending=False, kind="stable")
    found = {}
    for norm in norms.drop_duplicates(["model", "concept"]).to_dict("records"):
        value, low, high = (float(norm[f"pearson{end}"]) for end in ("", "_low", "_high"))
        row = {"question": RATINGS, "concept": norm["concept"], "value": value, "low": low}
        row |= {"high": high, "n": int(norm["n_words"]) if norm["has"] else 0}
        row |= {"of": norm["norm_label"], "reason": _text(norm["reason"]) * (not norm["has"])}
        if norm["has"] and not norm["p"] < ALPHA:
            row |= {"grade": POOR, "reason": NOT_CLEAR}
        found[str(norm["model"]), str(norm["concept"])] = row
    return found


def _p_of_interval(norms: pd.DataFrame) -> np.ndarray:
    """Two-sided p of correlations, from their intervals (`statistics.estimate.jackknifed`)."""
    ends = (norms[f"pearson{end}"].to_numpy(float) for end in ("", "_low", "_high"))
    z, low, high = (np.arctanh(np.clip(end, -1 + 1e-12, 1 - 1e-12)) for end in ends)
    freedom = norms["n_words"].to_numpy(float) - 2
    error = (high - low) / 2 / stdtrit(freedom, (1 + LEVEL) / 2)
    return 2 * stdtr(freedom, -np.abs(z) / error)


def _lists(rows: pd.DataFrame, derived: Mapping[str, str]) -> list[Row]:
    """A row for each model and query, by the parts that agree least."""
    if rows.empty:
        return []
    rows = rows[(rows["coefficient"] == "alpha") & rows["criterion"].fillna("").ne("")]
    rows = rows.sort_values("value", kind="stable").drop_duplicates(["model", "query"])
    of = {(row["model"], row["query"]): row for row in rows.sort_index().to_dict("records")}
    made = []
    for model, query in of:
        base = model
        while base in derived:
            base = derived[base]
        row = of.get((base, query), {"value": math.nan, "reason": f"not measured in {base}"})
        what = row.get("parts", "") + (f" of {base}" if base != model else "")
        known = not math.isnan(row["value"])
        told = {name: row.get(name, math.nan) for name in ("value", "low", "high")}
        told |= {"n": int(row["n_parts"]) if known else 0, "of": what}
        told |= {"reason": _text(row["reason"]) * (not known)}
        names = {"question": LIST, "model": model, "query": query}
        made.append(names | {"criterion": of[model, query]["criterion"]} | told)
    return made


def _median(queries: list[Row]) -> Row:
    known = [row["value"] for row in queries if not math.isnan(row["value"])]
    reasons = [row["reason"] for row in queries if row["reason"]]
    if not known:
        return {"question": LIST, "value": math.nan, "reason": next(iter(reasons), "")}
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
    known = rows.get("changes", pd.Series(dtype=object)).notna()
    if rows.empty:
        return rows
    return rows.assign(n=known.astype(int), n_kept=rows["changes"].eq(False).astype(int))


def _marked(units: pd.DataFrame, clear: pd.DataFrame) -> pd.DataFrame:
    """With a column that says whether the score is significant."""
    return units.merge(clear.assign(clear=True), "left", ["model", "query"])


def _share(units: pd.DataFrame) -> Row:
    """The share that keeps its direction, of significant scores and of all."""
    if units.empty or not units["n"].sum():
        reasons = units["reason"][units["reason"].ne("")] if len(units) else []
        return {"value": math.nan, "reason": next(iter(reasons), "")}
    every = {"value_all": units["n_kept"].sum() / units["n"].sum(), "n_all": units["n"].sum()}
    clear = units[units["clear"].eq(True)]
    if not clear["n"].sum():
        return every | {"value": math.nan, "reason": NOT_SIGNIFICANT}
    return every | {"value": clear["n_kept"].sum() / clear["n"].sum(), "n": clear["n"].sum()}


def _text(reason: Any) -> str:
    return reason if isinstance(reason, str) else ""
