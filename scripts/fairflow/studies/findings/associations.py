"""Conclusions on scores of words: associations, tests, controls, published and missing numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from fairflow.metrics.weat import WEATStatistic
from fairflow.queries.query import subquery_label
from fairflow.statistics.bootstrap import FEW_WORDS
from fairflow.statistics.rank_tests import ALPHA, benjamini_hochberg, holm
from fairflow.studies import comparability as controls
from fairflow.studies.distinct_tests import beyond_chance
from fairflow.studies.findings.comparisons import lead_metric
from fairflow.studies.findings.finding import Finding, Results, of_table
from fairflow.studies.published.comparison import ABSENT, DIFFERS, DRAWN, MATCH, TOLERATED
from fairflow.studies.published.publication import DERIVED
from fairflow.studies.validity.eat_patterns import is_plain
from fairflow.studies.wording import (
    counted,
    interval_brackets,
    listed,
    with_interval,
)

_REPRODUCED = {
    MATCH: ("matches to the printed digits", "match to the printed digits"),
    TOLERATED: ("is within tolerance", "are within tolerance"),
    DRAWN: ("is within the spread of random draws", "are within the spread of random draws"),
}
UNKNOWN_CAUSE = "unknown cause"
# Associations that are named; the others are counted.
STRONGEST = 3
# A study with at most this many pairs of metric and query has a sentence for each.
FEW_QUERIES = 10
_SIDES = {"two-sided": "two-sided", "greater": "right-sided", "less": "left-sided"}


# The words of statements on intervals, for words and for items: why an interval is rough, what is
# resampled, what is resampled in the wider interval, and the fair value.
WORDS = (
    f"a set has fewer than {FEW_WORDS} words",
    "target words",
    "target and attribute words",
    "0",
)
ITEMS = (
    f"there are fewer than {FEW_WORDS} units or templates",
    *("units of items", "units of items, templates, wordings and fills", "what is fair"),
)


def failing_statement(label: str, remark: str) -> str:
    """What a failing control query means for a model."""
    return (
        f"{label} fails a sanity check, an association that any sensible vectors show ({remark}): "
        "its vectors do not carry the meaning of words. Its other scores cannot be interpreted, "
        "and it has no rank."
    )


@of_table("controls")
def failing_controls(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """Which models fail a control query."""
    for model, (status, remark) in controls.control_facts(table).items():
        if status == controls.CONTROL_FAILS:
            text = failing_statement(results.labels[model], remark)
            yield Finding(text, leads=True, numbers={"model": model})


@of_table("controls")
def unknown_controls(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """For which models control queries say nothing, because words are missing, for example."""
    for model, (status, remark) in controls.control_facts(table).items():
        if status == controls.CONTROL_UNKNOWN:
            passes = f"Whether {results.labels[model]} passes the sanity checks"
            yield Finding(f"{passes} is not known: {remark}.", numbers={"model": model})


@of_table("controls")
def passed_controls(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """That every model passes every control query, or all that are in a language with any."""
    if (table["status"] == controls.CONTROL_PASSES).all():
        names = listed(table["query"].unique())
        checked = [*table["model"].unique()]
        every = {*results.every_headline["model"]} <= {*checked}
        models = "every model" if every else listed(results.labels[m] for m in checked)
        yield Finding(
            f"Sanity checks passed by {models} ({names}): positive, with "
            f"p < {controls.CONTROL_ALPHA}."
        )


@of_table("published")
def published_numbers(_: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """How many published numbers are reproduced; those derived from others are not counted."""
    printed = table[~table["measure"].isin(DERIVED)]
    if printed.empty:
        return
    numbers = {str(verdict): int(n) for verdict, n in printed["verdict"].value_counts().items()}
    unknown = printed["cause"].isin(["unknown", "not expected"]) & (printed["verdict"] == DIFFERS)
    yield published_finding(numbers | {UNKNOWN_CAUSE: int(unknown.sum())})


def published_finding(numbers: Mapping[str, int]) -> Finding:
    """How many published numbers of one study or several are reproduced.

    Parameters
    ----------
    numbers : how many have each verdict, and how many differ for an unknown reason.
    """
    agree = {verdict: n for verdict in _REPRODUCED if (n := numbers.get(verdict, 0))}
    differ, absent = numbers.get(DIFFERS, 0), numbers.get(ABSENT, 0)
    computed = sum(agree.values()) + differ
    more = [_different(differ, numbers.get(UNKNOWN_CAUSE, 0))] if differ else []
    if {*agree} - {MATCH}:
        more = [f"{listed(_counted(n, *_REPRODUCED[each]) for each, n in agree.items())}.", *more]
    claim = f"{computed - differ:,} of {_counted(computed, 'published number')} reproduced."
    if not computed:
        claim = f"This run can compute none of {_counted(absent, 'published number')}."
    elif absent:
        more.append(f"{absent:,} more need models or metrics that this run does not have.")
    return Finding(claim, " ".join(more), table="published", leads=True, numbers=dict(numbers))


def _different(differ: int, unknown: int) -> str:
    why = "the table gives the reason" if differ == 1 else "the table gives the reasons"
    if unknown:
        why = "for no known reason" if unknown == differ else f"{unknown:,} for no known reason"
    return f"{_counted(differ, 'differs', 'differ')}, {why}."


def _counted(number: int, one: str, several: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def single_scores(results: Results) -> Iterator[Finding]:
    """The scores of a study with few queries, one sentence for each query and metric."""
    labels, defined = results.labels, results.words.dropna(subset="value")
    if len(defined.drop_duplicates(["metric", "query", "subquery"])) > FEW_QUERIES:
        return
    for (metric, query), rows_of in defined.groupby(["metric", "query"], sort=False):
        for subquery, rows in rows_of.groupby("subquery", sort=False):
            first, name = rows.iloc[0], rows["query_label"].iloc[0]
            if len(rows) < len(rows_of):
                name = subquery_label(str(query), str(subquery), name)
            scores = "; ".join(_score(row, labels) for row in rows.to_dict("records"))
            yield Finding(f"{_measured(first, labels[metric])} of {name}: {scores}.")


def _measured(row: Mapping[str, Any], metric: str) -> str:
    """The name of a metric, with the measure where it has another name."""
    measure = str(row["measure"])
    named = measure.replace("_", "") in re.sub(r"\W", "", metric.lower())
    return metric if named else f"{metric} ({measure.replace('_', ' ')})"


def _score(row: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    """A score in a model, with its interval, p-value and null band."""
    known = []
    if pd.notna(row["ci_low"]):
        known.append(f"{row['ci_level']:.0%} interval {row['ci_low']:.2g} to {row['ci_high']:.2g}")
    if pd.notna(row["p_value"]):
        known.append(f"p {row['p_value']:.2g} ({_SIDES[row['alternative']]})")
    if pd.notna(row["p_null_band"]):
        band = f"the null band {row['null_band_low']:.2g} to {row['null_band_high']:.2g}"
        known.append(f"{'outside' if row['p_null_band'] < ALPHA else 'within'} {band}")
    more = f" ({', '.join(known)})" if known else ""
    return f"{row['value']:.3g} in {labels[row['model']]}{more}"


@dataclass(frozen=True)
class Association:
    """A score in words.

    Attributes
    ----------
    text : 'Men, rather than women, with careers, rather than family', or the name of the query.
    sentence : the same as a sentence. value, low, high : of the score, positive where poles are
        named. is_named : whether poles are named. model : its label. query : its name.
    behind : which target set is nearer to which attribute set; "" where it is one to each.
    """

    text: str
    sentence: str
    value: float
    low: float
    high: float
    is_named: bool
    model: str
    query: str
    behind: str = ""


def association(row: Mapping[str, Any], results: Results) -> Association:
    """The words for a row of scores: which targets are nearer to which attributes.

    A negative score of two target and two attribute sets is a positive one of exchanged targets.
    """
    value, low, high = (float(row[name]) for name in ("value", "ci_low", "ci_high"))
    label = results.labels.get(row["model"], row["model"])
    targets, attributes = results.sets.get(row["query"], ((), ()))
    # The language, or the name that tells two queries apart, follows in brackets.
    sides = row["query_label"].partition(" [")[0]
    is_whole = row["subquery"] in (row["query"], row["query_label"], sides)
    if len(targets) == 2 == len(attributes) and row["metric"] in results.signed and is_whole:
        near, far = targets if value >= 0 else reversed(targets)
        first, second = attributes
        if value < 0:
            value, low, high = -value, -high, -low
        text = f"{near}, rather than {far}, with {first}, rather than {second}"
        are = "are" if near.endswith("s") else "is"
        sentence = f"{near} {are} nearer to {first} than to {second}, compared with {far}"
    else:
        text = sentence = subquery_label(row["query"], row["subquery"], row["query_label"])
    numbers = value, low, high
    named = text != sentence
    return Association(
        *(text, f"{sentence}: {with_interval(*numbers)}", *numbers, named, label),
        *(str(row["query"]), _behind(row, results) if named else ""),
    )


def _behind(row: Mapping[str, Any], results: Results) -> str:
    """'taken alone: both nearer to Careers, Men more so'; "" for the plain pattern or none."""
    table = results.table("eat_patterns")
    if table.empty:
        return ""
    same = (table["model"] == row["model"]) & (table["query"] == row["query"])
    patterns = (
        f"taken alone: {one['pattern']}"
        for one in table[same].dropna(subset=["pattern"]).to_dict("records")
        if not is_plain(one)
    )
    return next(patterns, "")


@dataclass(frozen=True)
class Associations:
    """The associations of a study by one metric.

    Attributes
    ----------
    metric : its name. tested, significant : rows, one for each measurement; significant are those
        that survive Benjamini-Hochberg's correction and lie outside the null band where there is
        one. strongest : of the significant ones or, without any, of all, the largest first.
    unseen : where nothing is significant, what the tests could not have found, see `unseen_text`.
    """

    metric: str
    tested: pd.DataFrame
    significant: pd.DataFrame
    strongest: tuple[Association, ...]
    unseen: str = ""

    @property
    def outside(self) -> str:
        """What "significant" means in addition to the test; empty without a null band."""
        if "p_null_band" not in self.tested or self.tested["p_null_band"].isna().all():
            return ""
        if self.tested["p_null_band"].isna().any():
            return " and, where there is a null band, outside it"
        return " and outside the null band"

    @property
    def within(self) -> str:
        """How many significant ones have an interval that holds 0; empty without any."""
        rows = self.significant
        n = int(((rows["ci_low"] <= 0) & (rows["ci_high"] >= 0)).sum())
        return f", {n} of them with an interval that holds 0" if n else ""


def associations_of(results: Results) -> Associations | None:
    """By the metric that compares models best, or else the first that was tested.

    Of the subject, where there is one. None without a score by words.
    """
    rows, subject = results.words, results.subject
    rows = rows[rows["model"] == subject] if subject else rows
    rows = rows.dropna(subset="value")
    if rows.empty:
        return None
    metrics = rows.dropna(subset="p_bh")["metric"]
    lead = lead_metric(results.frames)
    first = str((metrics if len(metrics) else rows["metric"]).iloc[0])
    metric = lead if lead in {*metrics} else first
    rows = rows[rows["metric"] == metric]
    tested, clear = beyond_chance(rows)
    shown = clear if len(clear) else rows
    order = shown["value"].abs().sort_values(ascending=False, kind="stable").index
    shown = shown.loc[order].drop_duplicates("query" if not subject else ["query", "subquery"])
    if "test_id" in shown:
        shown = shown.drop_duplicates("test_id")
    strongest = tuple(association(row, results) for row in shown.to_dict("records"))
    unseen = "" if len(clear) else unseen_text(results, tested)
    return Associations(metric, tested, clear, strongest, unseen)


def unseen_text(results: Results, tested: pd.DataFrame) -> str:
    """How strong an association must be for tests that found nothing to find it usually.

    Parameters
    ----------
    tested : rows of scores; those by the test of WEAT count. "" without any, or where the study
        has no table "power".
    """
    table = results.table("power")
    if table.empty or "p_statistic" not in tested:
        return ""
    by_weat = tested[tested["p_statistic"] == WEATStatistic.tested]
    is_asked = [table[name].isin(by_weat[name]) for name in ("query", "alternative")]
    rows = table[is_asked[0] & is_asked[1]].dropna(subset="n_first")
    effects = rows["smallest_effect"].dropna()
    if rows.empty:
        return ""
    before = f"At p < {rows['level'].iloc[0]}, before correction, "
    if effects.empty:
        return f"{before}no association of so few words is found with {_share(rows)} power."
    low, high = f"{effects.min():.1f}", f"{effects.max():.1f}"
    above = low if low == high else f"{low} to {high}, depending on the number of words"
    return f"{before}these tests have {_share(rows)} power only for associations above d = {above}."


def _share(rows: pd.DataFrame) -> str:
    return f"{rows['power'].iloc[0]:.0%}"


def strongest_associations(results: Results) -> Iterator[Finding]:
    """How many associations are significant, and the strongest as sentences with their poles."""
    found = associations_of(results)
    if found is None or found.tested.empty:
        return
    labels, metric, subject = results.labels, found.metric, results.subject
    ranking = results.table("ranking")
    what = counted(len(found.tested), "association")
    statuses = {*ranking.loc[ranking["metric"] == metric, "status"]} if len(ranking) else set()
    is_bias = controls.NO_BIAS not in statuses
    if not is_bias:
        what = counted(
            len(found.tested), f"value of {labels[metric]}", f"values of {labels[metric]}"
        )
    n = len(found.significant)
    whose = f" of {labels[subject]}" if subject else ""
    also = found.outside.replace("band", "band of random words")
    several = not subject and found.tested["model"].nunique() > 1
    shown = found.strongest[:STRONGEST] if n else ()
    sentences = [
        f"{one.sentence}{f' in {one.model}' * several}{f' ({one.behind})' if one.behind else ''}."
        for one in shown
    ]
    sides = listed(_SIDES[side] for side in found.tested["alternative"].unique())
    yield Finding(
        f"{n} of {what}{whose} {_are(n)} significant{also}{found.within}.",
        detail=f"By {labels[metric]}, {sides} p < {ALPHA} after Benjamini-Hochberg.",
        caution=found.unseen or _without_band(found),
        leads=is_bias,
        evidence=tuple(sentences),
        numbers={"significant": n, "tested": len(found.tested)},
    )


def _without_band(found: Associations) -> str:
    """How many associations have no null band, where others have one."""
    if "p_null_band" not in found.tested:
        return ""
    tested, clear = (
        int(rows["p_null_band"].isna().sum()) for rows in (found.tested, found.significant)
    )
    if tested in (0, len(found.tested)):
        return ""
    of_all = f"{tested} of the {len(found.tested)}, {clear} of them significant"
    return f"No null band was computed for {of_all}."


def significant_tests(found: Associations) -> str:
    """'13 of 33 tests are significant (9 after Holm over all 33)'; "" where nothing was tested."""
    if found.tested.empty:
        return ""
    n, tests = len(found.significant), len(found.tested)
    p_holm = pd.Series(holm(found.tested["p_value"].to_numpy(dtype=float)), found.tested.index)
    strict = int((p_holm[found.significant.index] < ALPHA).sum())
    of = f"{n} of {counted(tests, 'test')} {_are(n)} significant{found.outside}{found.within}"
    return f"{of} ({strict} after Holm over all {tests})"


def distinct_tests(results: Results) -> Iterator[Finding]:
    """How many distinct tests are significant, for each alternative, and what was not tested."""
    headline, labels = results.headline, results.labels
    tested = headline.dropna(subset="p_value")
    without = headline[~headline["metric"].isin(tested["metric"])]
    sides = sorted(tested["alternative"].unique(), key=list(_SIDES).index)
    counted_before: set[str] = set()
    for side in sides:
        of_side = tested[tested["alternative"] == side]
        p = of_side.groupby("test_id")["p_value"].max()
        # All of these tests are one family.
        below, discovered, sure = (
            int((adjusted < ALPHA).sum()) for adjusted in (p, benjamini_hochberg(p), holm(p))
        )
        names = listed(labels[metric] for metric in of_side["metric"].unique())
        by = f" by {names}" if len(without) or len(sides) > 1 else ""
        more = f" in {len(of_side)} rows" if len(of_side) > len(p) else ""
        tests = f"{below} of {counted(len(p), 'distinct test')}{by}{more}"
        if counted_before >= {*p.index}:
            tests = f"{below} of the same {counted(len(p), 'test')}{by}"
        yield Finding(
            f"{tests} {_are(below)} significant at {ALPHA} ({_SIDES[side]}): {discovered} after "
            f"Benjamini-Hochberg over all {len(p)}, {sure} after Holm.",
            caution="" if below else unseen_text(results, of_side),
            numbers={"tests": len(p), "p": below, "p_bh": discovered, "p_holm": sure},
        )
        counted_before |= {*p.index}
    yield from _untested(without, labels, tested.empty)


def _untested(rows: pd.DataFrame, labels: Mapping[str, str], nothing: bool) -> Iterator[Finding]:
    """Why metrics have no test: the most frequent reason of each."""
    defined = rows.dropna(subset="value")
    reasons: dict[str, list[str]] = {}
    for metric, of_metric in defined.groupby("metric", sort=False):
        # A column without a single note is read as one of missing numbers.
        notes = of_metric["statistics_note"].dropna().astype(str).str.split("; ").str[0]
        if len(notes):
            reasons.setdefault(notes.mode().iloc[0], []).append(labels[str(metric)])
    parts = "; ".join(f"{listed(names)} ({reason})" for reason, names in reasons.items())
    if parts:
        yield Finding(f"{'No score could be tested' if nothing else 'Not tested'}: {parts}.")
    elif nothing and len(defined):
        yield Finding("This study makes no tests: whether its scores are chance is unknown.")


def random_words(results: Results) -> Iterator[Finding]:
    """How many scores of each metric are outside the null band of random words."""
    # Each variant has its own band: a mean of associations may be inside the band of words that
    # are spread wider while its effect size is outside.
    headline = results.words
    banded = headline.dropna(subset="p_null_band").drop_duplicates(["metric", "test_id"])
    if banded.empty:
        if headline["ci_low"].notna().any():
            yield Finding(
                "No score has a null band of random target words of similar frequency (the table "
                "gives the reasons): whether random words would score as high is unknown."
            )
        return
    outside = banded.assign(beyond=banded["p_null_band"] < ALPHA)
    counts = outside.groupby("metric", sort=False)["beyond"].agg(["sum", "size"])
    parts = []
    for metric, beyond, n in counts.itertuples():
        of = n if parts else f"{counted(n, 'score')} with a null band"
        parts.append(f"{beyond} of {of} by {results.labels[metric]}")
    total, scores = int(counts["sum"].sum()), len(banded)
    are = _are(total if len(counts) == 1 else 2)
    sources = "; ".join(banded["frequency_source"].dropna().unique())
    yield Finding(
        f"{listed(parts)} {are} outside the band of random target words of similar frequency "
        f"({sources}){_not_more(total, scores)}.",
        numbers={"outside": total, "scores": scores},
    )


def _not_more(beyond: int, scores: int) -> str:
    """How to interpret the scores inside the band; empty where there is no such score."""
    if beyond == scores:
        return ""
    others = "the other" if beyond == scores - 1 else "the others"
    inside = others if beyond else "it" if scores == 1 else "they"
    return f": random words score as high as {inside if inside != 'they' else 'them'}"


def intervals(results: Results) -> Iterator[Finding]:
    """How many intervals exclude 0, and how many are rough."""
    for (why, targets, every, fair), rows in ((WORDS, results.words), (ITEMS, results.items)):
        signed = rows[rows["metric"].isin([*results.signed])]
        known = signed.dropna(subset="ci_low").drop_duplicates("test_id")
        if known.empty:
            continue
        of, level = counted(len(known), "signed score"), f"{known['ci_level'].iloc[0]:.0%}"
        clear = int(((known["ci_low"] > 0) | (known["ci_high"] < 0)).sum())
        text = f"The {level} interval over {targets} excludes {fair} in {clear} of {of}"
        both = known.dropna(subset="ci_low_both")
        if len(both):
            of_both = int(((both["ci_low_both"] > 0) | (both["ci_high_both"] < 0)).sum())
            text += f", the interval over {every} in {of_both} of {len(both)}"
        few = int((known["statistics"] == "few_words").sum())
        rough = f"Intervals of {few} of {of} are rough, as {why}." if few else ""
        numbers = {"excluding": clear, "scores": len(known), "rough": few}
        yield Finding(f"{text}.", caution=rough, numbers=numbers)


def other_scores(results: Results) -> Iterator[tuple[str, str, str]]:
    """Metric, query and score of the subject where the metric of associations has no score."""
    found = associations_of(results)
    rows = results.headline[results.headline["model"] == results.subject]
    rows = rows[~rows["query"].isin(rows.loc[rows["metric"] == (found and found.metric), "query"])]
    for row in rows.dropna(subset="value").to_dict("records"):
        is_signed = row["metric"] in results.signed
        number = interval_brackets(row["value"], row["ci_low"], row["ci_high"], is_signed)
        name = subquery_label(row["query"], row["subquery"], row["query_label"])
        yield results.labels[row["metric"]], name, number


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
