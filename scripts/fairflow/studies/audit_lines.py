"""What an audit found, in nine lines that a terminal shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from fairflow.language_models.checkpoints.pooling_config import ASSUMED
from fairflow.queries.lookup import OF_ANOTHER_LANGUAGE
from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies import comparability as controls_of
from fairflow.studies.distinct_tests import beyond_chance
from fairflow.studies.findings.associations import failing_statement
from fairflow.studies.findings.comparisons import poorer_model, standing
from fairflow.studies.findings.finding import Results
from fairflow.studies.wording import counted, listed, shortened

STRONGEST = 3
NO_BAND = "no null band: "
_NAMED = 5
_POOLING = (
    "none of its files says how the positions of a word become one vector: their mean is taken "
    "(audit_pooling=cls and the like for others)"
)
_WIDTH = 9
Sets = Mapping[str, Sequence[Sequence[str]]]


def audit_lines(
    results: Results,
    metric: str,
    about: str,
    sets: Sets,
    controls: Sequence[str],
    left_out: str,
    report: str,
) -> list[str]:
    """The model, what was asked and found, how sure, where it stands, what is missing, where it is.

    Parameters
    ----------
    results : of a study whose subject is audited, its table "coverage" among them.
    metric : by which the lines speak of it.
    about : a sentence on what was read. sets : query -> names of its target and attribute sets, of
        the control queries too.
    controls : queries that any sensible vectors show, which are no finding.
    left_out : a sentence on what was not asked, or "". report : path of the report.
    """
    scores, model = results.every_headline, results.subject
    rows = scores[(scores["model"] == model) & (scores["metric"] == metric)]
    if failing := controls_of.failing_models(rows).get(model):
        told = {"Control": failing_statement(results.labels[model], failing)}
    else:
        rows = controls_of.without_controls(rows)
        told = {
            "Asked": _asked(rows, results.labels[metric], left_out),
            "Found": _found(rows, sets),
            "Sure": _sure(rows),
            # A control query comes out if it is positive.
            "Control": _control(results, [_in_words(query, query, 1, sets) for query in controls]),
            "Stands": _standing(results, metric) + _besides(results, metric),
            "Quality": _quality(results),
        }
    missing = _missing(rows, results.table("coverage").query("model == @model"))
    said = {"Model": about, **told, "Missing": missing, "Look at": report}
    return [f"{head:<{_WIDTH}}{' '.join(text.split())}" for head, text in said.items()]


def about_vectors(
    about: str, labels: Mapping[str, str], equal: Sequence[str], facts: Iterable[Mapping[str, Any]]
) -> str:
    """What was read, whose vectors these are too, and how they are read where no file says it.

    Parameters
    ----------
    about : how the file was read. equal : models of the same vectors. facts : of a network.
    """
    told = [about]
    if equal:
        same = listed(labels[model] for model in equal)
        told.append(f"its vectors are the same vectors as {same}, whole or in part")
    told += [_POOLING for each in facts if each["pooling_source"] == ASSUMED]
    return "; ".join(told)


def _control(results: Results, shown: Sequence[str]) -> str:
    """Whether it shows what any sensible vectors show, and what that is.

    Parameters
    ----------
    shown : each control query in words.
    """
    ranking = results.table("ranking")
    remarks = ranking.loc[ranking["model"] == results.subject, "control"].dropna().unique()
    remark = remarks[0] if len(remarks) else controls_of.NO_CONTROL
    if remark.startswith(controls_of.NO_CONTROL):
        return "no control query was asked"
    if remark == controls_of.COMES_OUT:
        return f"it shows what any sensible vectors show: {'; '.join(shown)}"
    out = remark.count(f" {controls_of.COMES_OUT} (")
    if not out:
        return f"not known, as no control query could be measured: {remark}"
    others = "the other" if len(shown) == out + 1 else "the others"
    comes = f"{counted(len(shown), 'control query', 'control queries')} come{'s' * (out == 1)}"
    return f"{out} of {comes} out, {others} could not be measured: {remark}"


def _standing(results: Results, metric: str) -> str:
    """How it stands beside the reference models, and its score on each criterion beside theirs.

    Criteria on which it is not ranked are named with the reason.
    """
    ranking, labels, model = results.table("ranking"), results.labels, results.subject
    computed = ranking[(ranking["source"] == "computed") & (ranking["metric"] == metric)]
    names = [name for name in computed["model"].unique() if name != model]
    told: list[str] = []
    left_out: dict[str, list[str]] = {}
    for criterion, group in computed.groupby("criterion", sort=False):
        rows = group.set_index("model").to_dict("index")
        own = rows.get(model)
        if own is None or pd.isna(own["score"]):
            reason = _reason(own["note"] if own else None, names, labels)
            left_out.setdefault(reason, []).append(str(criterion))
            continue
        number, every = int(own["n_common"]), int(own["n_queries"])
        part = f" on {number} of {every} queries" if number < every else ""
        beside = ", ".join(_score(rows.get(name)) for name in names)
        verdict = standing(results, str(criterion), metric)
        said = f"{criterion} {own['score']:.2f}{part}" + f" ({beside})" * bool(beside)
        told.append(f"{said}: {verdict}" if verdict else said)
    legend = [f"in parentheses {listed(labels[name] for name in names)}"] if told and names else []
    missing = [f"{listed(criteria)} not ranked: {why}" for why, criteria in left_out.items()]
    return "; ".join([*told, *missing, *legend]) or "it has no score to be compared by"


def _score(row: Mapping[str, Any] | None) -> str:
    if row is not None and row["status"] == controls_of.SAME_VECTORS:
        return "the same"
    return "none" if row is None or pd.isna(row["score"]) else f"{row['score']:.2f}"


def _reason(note: object, names: Sequence[str], labels: Mapping[str, str]) -> str:
    """Why there is no score, with the labels of models."""
    text = note if isinstance(note, str) and note else "it has no score"
    same = (name for name in names if text.startswith(f"{controls_of.AS_ANOTHER}{name},"))
    other = next(same, "")
    return text.replace(other, labels[other], 1) if other else text


def _besides(results: Results, metric: str) -> str:
    """What other metrics say of queries that this one does not measure, and of the other models.

    Of the other models nothing by metrics whose values are not comparable between models.
    """
    ranking, labels, headlines = results.table("ranking"), results.labels, results.every_headline
    alone = {*ranking.loc[ranking["status"].isin(controls_of.INCOMPARABLE), "metric"]}
    measured = headlines.loc[headlines["metric"] == metric, "query"]
    unmeasured = headlines[~headlines["query"].isin(measured)]
    told = []
    for (name, *_), rows in unmeasured.groupby(["metric", "query", "subquery"], sort=False):
        of = {row["model"]: row for row in rows.to_dict("records")}
        own = of.pop(results.subject, None)
        if own is None:
            continue
        if pd.isna(own["value"]):
            told.append(f"{labels[name]} without value: {shortened(own['reason'])}")
            continue
        others = {} if name in alone else of
        values = {m: row["value"] for m, row in others.items() if not pd.isna(row["value"])}
        beside = ", ".join(f"{labels[m]} {value:.2f}" for m, value in values.items())
        told.append(
            f"{labels[name]} {own['value']:.2f}{_interval(own)}" + f" ({beside})" * bool(beside)
        )
    if len(told) > _NAMED:
        told = [*told[:_NAMED], f"{len(told) - _NAMED} more, see the report"]
    return f"; besides, {listed(told)}" if told else ""


def _quality(results: Results) -> str:
    """How well it tells similar words, beside the other models, and whether it is a poorer one."""
    quality, labels, model = results.table("quality"), results.labels, results.subject
    rows = quality[quality["other"].isna()].dropna(subset="value")
    own = rows[rows["model"] == model].sort_values("n", ascending=False, kind="stable")
    if own.empty:
        return "not measured"
    mine = own.iloc[0]
    others = rows[(rows["model"] != model) & (rows["subject"] == mine["subject"])]
    beside = ", ".join(f"{labels[row.model]} {row.value:.2f}" for row in others.itertuples())
    pairs = f"{int(mine['n']):,} of {int(mine['total']):,} pairs of words"
    said = (
        f"its cosines of {pairs} agree with the similarity that people see ({mine['subject']}) by "
        f"a correlation of {mine['value']:.2f} "
        f"[{mine['value_range_low']:.2f}, {mine['value_range_high']:.2f}]"
    )
    said += f" ({beside})" if beside else ""
    poorer = [poorer_model(results, model, other) for other in others["model"]]
    return " ".join([f"{said}.", *filter(None, poorer)])


def _asked(rows: pd.DataFrame, metric: str, left_out: str) -> str:
    groups = rows.groupby("criterion", sort=False)["query"].nunique()
    told = listed(f"{criterion} {number}" for criterion, number in groups.items())
    text = f"{counted(rows['query'].nunique(), 'query', 'queries')} ({told}) by {metric}"
    return f"{text}; {left_out}" if left_out else text


def _found(rows: pd.DataFrame, sets: Sets) -> str:
    """The strongest associations beyond chance in words, those of one measurement once.

    See `fairflow.studies.distinct_tests.beyond_chance`.
    """
    defined = rows.dropna(subset="value").drop_duplicates("test_id")
    if defined.empty:
        return "nothing, as no query has a score"
    if defined["p_value"].isna().all():
        return f"not tested, and so perhaps chance: {_strongest(defined, sets)}"
    _, clear = beyond_chance(defined)
    if clear.empty:
        return (
            f"nothing beyond chance; the largest, which may be chance: {_strongest(defined, sets)}"
        )
    number = counted(len(clear), "association")
    head = f"{number} beyond chance" + (", the strongest" if len(clear) > STRONGEST else "")
    return f"{head}: {_strongest(clear, sets)}"


def _strongest(rows: pd.DataFrame, sets: Sets) -> str:
    order = rows["value"].abs().sort_values(ascending=False, kind="stable").index
    told = []
    for row in rows.loc[order[:STRONGEST]].to_dict("records"):
        name = ", ".join(dict.fromkeys((row["query_label"], row["subquery"])))
        words = _in_words(row["query"], name, row["value"], sets)
        told.append(f"{words} {row['value']:+.2f}{_interval(row)}")
    return "; ".join(told)


def _in_words(query: str, name: str, value: float, sets: Sets) -> str:
    """Which groups go with which attributes; the name of another query."""
    targets, attributes = sets.get(query, ((), ()))
    if len(targets) != 2 or len(attributes) != 2:
        return name
    first, second = attributes if value > 0 else reversed(attributes)
    return f"{targets[0]} with {first}, {targets[1]} with {second} ({query})"


def _interval(row: Mapping[str, Any]) -> str:
    if pd.isna(row["ci_low"]):
        return ""
    return f" [{row['ci_low']:.2f}, {row['ci_high']:.2f}]"


def _sure(rows: pd.DataFrame) -> str:
    tested = rows.dropna(subset="p_value").drop_duplicates("test_id")
    if tested.empty:
        notes = rows["statistics_note"].dropna()
        return f"no test could be made ({notes.iloc[0] if len(notes) else 'none was asked for'})"
    below = {name: int((tested[name] < ALPHA).sum()) for name in ("p_value", "p_bh", "p_holm")}
    level = [f"in brackets intervals of {level:.0%}" for level in tested["ci_level"].dropna()[:1]]
    said = (
        f"{below['p_value']} of {counted(len(tested), 'test')} have p < {ALPHA}, of which "
        f"{below['p_bh']} survive correction by Benjamini-Hochberg and {below['p_holm']} by Holm"
    )
    return "; ".join([said, *level, _null_band(rows)])


def _null_band(rows: pd.DataFrame) -> str:
    """How many lie outside it, or the first reason among the notes, which tell of more."""
    banded = rows.dropna(subset="p_null_band").drop_duplicates("test_id")
    if banded.empty:
        notes = rows["statistics_note"].dropna().astype(str).str.split("; ").explode()
        whys = notes[notes.str.startswith(NO_BAND)]
        return whys.iloc[0] if len(whys) else f"{NO_BAND}no random words"
    outside = int((banded["p_null_band"] < ALPHA).sum())
    return (
        f"{outside} of {len(banded)} lie outside the null band of random target words of similar "
        "frequency"
    )


def _missing(rows: pd.DataFrame, coverage: pd.DataFrame) -> str:
    lost, asked = int(coverage["oov"].sum()), int(coverage["words"].sum())
    text = f"{lost:,} of {asked:,} words of {counted(len(coverage), 'set')}"
    if lost > asked / 2:
        text += f" ({OF_ANOTHER_LANGUAGE})"
    worst = coverage[coverage["oov"] > 0].sort_values("oov", ascending=False, kind="stable")
    if len(worst):
        most = worst.iloc[0]
        text += f", most of {most['word_set']} ({most['oov']} of {most['words']})"
    undefined = [*dict.fromkeys(rows.loc[rows["value"].isna(), "query"])]
    if not undefined:
        return f"{text}; every query has a score"
    more = f" and {len(undefined) - _NAMED} more" if len(undefined) > _NAMED else ""
    which = ", ".join(undefined[:_NAMED])
    return f"{text}; no score for {counted(len(undefined), 'query', 'queries')}: {which}{more}"
