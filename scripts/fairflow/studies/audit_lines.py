"""What an audit found, in nine lines that a terminal shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from fairflow.language_models.folders.stated_reading import ASSUMED
from fairflow.queries.lookup import OF_ANOTHER_LANGUAGE
from fairflow.studies.comparability import (
    AS_ANOTHER,
    COMES_OUT,
    INCOMPARABLE,
    NO_CONTROL,
    SAME_VECTORS,
    failing_models,
    without_controls,
)
from fairflow.studies.distinct_tests import beyond_chance
from fairflow.studies.findings.associations import failing_statement
from fairflow.studies.findings.comparisons import poorer_model, standing
from fairflow.studies.findings.finding import Results
from fairflow.studies.ranking import ALPHA
from fairflow.studies.wording import counted, listed, shortened

STRONGEST = 3
NO_BAND = "no null band: "
_NAMED = 5
_POOLING = (
    "none of its files says how the positions of a word become one vector: their mean is taken "
    "(audit_pooling=cls and the like for others)"
)
_HEADS = ("Model", "Asked", "Found", "Sure", "Control", "Stands", "Quality", "Missing", "Look at")
_WIDTH = 9


def audit_lines(
    results: Results,
    metric: str,
    about: str,
    sets: Mapping[str, Sequence[Sequence[str]]],
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
    coverage = results.table("coverage").query("model == @model")
    failing = failing_models(rows)
    if model in failing:
        read = failing_statement(results.labels[model], failing[model])
        said = (about, read, _missing(rows, coverage), report)
        return _lines(("Model", "Control", "Missing", "Look at"), said)
    rows = without_controls(rows)
    said = (
        about,
        _asked(rows, results.labels[metric], left_out),
        _found(rows, sets),
        _sure(rows),
        _control(results, [_in_words(_shown(query), sets) for query in controls]),
        _standing(results, metric) + _besides(results, metric),
        _quality(results),
        _missing(rows, coverage),
        report,
    )
    return _lines(_HEADS, said)


def about_vectors(
    about: str,
    labels: Mapping[str, str],
    equal: Sequence[str],
    facts: Iterable[Mapping[str, Any]],
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
    told += [_POOLING for each in facts if each["pooling_stated_by"] == ASSUMED]
    return "; ".join(told)


def _lines(heads: Sequence[str], texts: Sequence[str]) -> list[str]:
    return [f"{head:<{_WIDTH}}{_plain(text)}" for head, text in zip(heads, texts, strict=True)]


def _control(results: Results, shown: Sequence[str]) -> str:
    """Whether it shows what any sensible vectors show, and what that is.

    Parameters
    ----------
    shown : each control query in words.
    """
    ranking = results.table("ranking")
    remarks = ranking.loc[ranking["model"] == results.subject, "control"].dropna().unique()
    remark = remarks[0] if len(remarks) else NO_CONTROL
    if remark.startswith(NO_CONTROL):
        return "no control query was asked"
    if remark == COMES_OUT:
        return f"it shows what any sensible vectors show: {'; '.join(shown)}"
    out = remark.count(f" {COMES_OUT} (")
    if not out:
        return f"not known, as no control query could be measured: {remark}"
    others = "the other" if len(shown) == out + 1 else "the others"
    controls = counted(len(shown), "control query", "control queries")
    comes = "comes" if out == 1 else "come"
    return f"{out} of {controls} {comes} out, {others} could not be measured: {remark}"


def _standing(results: Results, metric: str) -> str:
    """How it stands beside the reference models, and its score on each criterion beside theirs.

    Criteria on which it is not ranked are named with the reason.
    """
    ranking, labels, model = results.table("ranking"), results.labels, results.subject
    computed = ranking[(ranking["source"] == "computed") & (ranking["metric"] == metric)]
    names = [*dict.fromkeys(computed.loc[computed["model"] != model, "model"])]
    told: list[str] = []
    left_out: dict[str, list[str]] = {}
    for criterion, group in computed.groupby("criterion", sort=False):
        rows = {row["model"]: row for row in group.to_dict("records")}
        own = rows.get(model)
        if own is None or pd.isna(own["score"]):
            reason = _reason(own["note"] if own else None, names, labels)
            left_out.setdefault(reason, []).append(str(criterion))
            continue
        beside = ", ".join(_score(rows.get(name)) for name in names)
        verdict = standing(results.table("pairwise"), labels, model, str(criterion), metric)
        in_brackets = f" ({beside})" if beside else ""
        said = f"{criterion} {own['score']:.2f}{_part(own)}{in_brackets}"
        told.append(f"{said}: {verdict}" if verdict else said)
    legend = f"in parentheses {listed(labels[name] for name in names)}" if told and names else ""
    missing = [f"{listed(criteria)} not ranked: {why}" for why, criteria in left_out.items()]
    return "; ".join(filter(None, (*told, *missing, legend))) or "it has no score to be compared by"


def _score(row: Mapping[str, Any] | None) -> str:
    if row is not None and row["status"] == SAME_VECTORS:
        return "the same"
    return "none" if row is None or pd.isna(row["score"]) else f"{row['score']:.2f}"


def _part(row: Mapping[str, Any]) -> str:
    """How many of the queries are compared, where it is not all of them."""
    number, every = int(row["n_common"]), int(row["n_queries"])
    return f" on {number} of {every} queries" if number < every else ""


def _reason(note: object, names: Sequence[str], labels: Mapping[str, str]) -> str:
    """Why there is no score, with the labels of models."""
    text = note if isinstance(note, str) and note else "it has no score"
    if text.startswith(AS_ANOTHER):
        other = next(name for name in names if text.startswith(f"{AS_ANOTHER}{name},"))
        return text.replace(other, labels[other], 1)
    return text


def _besides(results: Results, metric: str) -> str:
    """What other metrics say of queries that this one does not measure, and of the other models.

    Of the other models nothing by metrics whose values are not comparable between models.
    """
    ranking, labels, headlines = results.table("ranking"), results.labels, results.every_headline
    alone = {*ranking.loc[ranking["status"].isin(INCOMPARABLE), "metric"]}
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
    poorer = [poorer_model(quality, labels, model, other) for other in others["model"]]
    return " ".join([f"{said}.", *filter(None, poorer)])


def _plain(text: str) -> str:
    return " ".join(text.split())


def _asked(rows: pd.DataFrame, metric: str, left_out: str) -> str:
    groups = rows.groupby("criterion", sort=False)["query"].nunique()
    told = listed(f"{criterion} {number}" for criterion, number in groups.items())
    text = f"{counted(rows['query'].nunique(), 'query', 'queries')} ({told}) by {metric}"
    return f"{text}; {left_out}" if left_out else text


def _found(rows: pd.DataFrame, sets: Mapping[str, Sequence[Sequence[str]]]) -> str:
    """The strongest associations beyond chance in words, those of one measurement once.

    See `fairflow.studies.distinct_tests.beyond_chance`.
    """
    defined = rows.dropna(subset="value").drop_duplicates("measurement")
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


def _strongest(rows: pd.DataFrame, sets: Mapping[str, Sequence[Sequence[str]]]) -> str:
    order = rows["value"].abs().sort_values(ascending=False, kind="stable").index
    strongest = rows.loc[order[:STRONGEST]].to_dict("records")
    return "; ".join(f"{_in_words(r, sets)} {r['value']:+.2f}{_interval(r)}" for r in strongest)


def _in_words(row: Mapping[str, Any], sets: Mapping[str, Sequence[Sequence[str]]]) -> str:
    """Which groups go with which attributes; the name of another query."""
    targets, attributes = sets.get(row["query"], ((), ()))
    if len(targets) != 2 or len(attributes) != 2:
        return ", ".join(dict.fromkeys((row["query_label"], row["subquery"])))
    first, second = attributes if row["value"] > 0 else reversed(attributes)
    return f"{targets[0]} with {first}, {targets[1]} with {second} ({row['query']})"


def _shown(query: str) -> dict[str, Any]:
    """A control query as a row; it comes out if it is positive."""
    return {"query": query, "query_label": query, "subquery": query, "value": 1}


def _interval(row: Mapping[str, Any]) -> str:
    if pd.isna(row["ci_low"]):
        return ""
    return f" [{row['ci_low']:.2f}, {row['ci_high']:.2f}]"


def _sure(rows: pd.DataFrame) -> str:
    tested = rows.dropna(subset="p_value").drop_duplicates("measurement")
    if tested.empty:
        notes = rows["statistics_note"].dropna()
        return f"no test could be made ({notes.iloc[0] if len(notes) else 'none was asked for'})"
    below = {name: int((tested[name] < ALPHA).sum()) for name in ("p_value", "p_bh", "p_holm")}
    level = tested["ci_level"].dropna()
    text = (
        f"{below['p_value']} of {counted(len(tested), 'test')} have p < {ALPHA}, of which "
        f"{below['p_bh']} survive correction by Benjamini-Hochberg and {below['p_holm']} by Holm; "
    )
    if len(level):
        text += f"in brackets intervals of {level.iloc[0]:.0%}; "
    return text + _null_band(rows)


def _null_band(rows: pd.DataFrame) -> str:
    banded = rows.dropna(subset="p_random").drop_duplicates("measurement")
    if banded.empty:
        return f"{NO_BAND}{_why_no_band(rows)}"
    outside = int((banded["p_random"] < ALPHA).sum())
    return (
        f"{outside} of {len(banded)} lie outside the null band of random target words of similar "
        "frequency"
    )


def _why_no_band(rows: pd.DataFrame) -> str:
    """The first reason among the notes of scores, which tell of other things, too."""
    parts = (part for note in rows["statistics_note"].dropna() for part in note.split("; "))
    whys = (part.removeprefix(NO_BAND) for part in parts if part.startswith(NO_BAND))
    return next(whys, "no random words")


def _missing(rows: pd.DataFrame, coverage: pd.DataFrame) -> str:
    lost, asked = int(coverage["lost"].sum()), int(coverage["words"].sum())
    text = f"{lost:,} of {asked:,} words of {counted(len(coverage), 'set')}"
    if lost > asked / 2:
        text += f" ({OF_ANOTHER_LANGUAGE})"
    worst = coverage[coverage["lost"] > 0].sort_values("lost", ascending=False, kind="stable")
    if len(worst):
        most = worst.iloc[0]
        text += f", most of {most['word_set']} ({most['lost']} of {most['words']})"
    undefined = [*dict.fromkeys(rows.loc[rows["value"].isna(), "query"])]
    if not undefined:
        return f"{text}; every query has a score"
    more = f" and {len(undefined) - _NAMED} more" if len(undefined) > _NAMED else ""
    which = ", ".join(undefined[:_NAMED])
    return f"{text}; no score for {counted(len(undefined), 'query', 'queries')}: {which}{more}"
