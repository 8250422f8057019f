"""What a study lets one conclude about scores of words: what they carry, and what chance gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from fairflow.queries.query import subquery_label
from fairflow.statistics.bootstrap import FEW_WORDS
from fairflow.statistics.rank_tests import ALPHA, benjamini_hochberg, holm
from fairflow.studies import comparability as controls
from fairflow.studies.distinct_tests import beyond_chance
from fairflow.studies.findings.comparisons import lead_metric
from fairflow.studies.findings.finding import Finding, Results, of_table
from fairflow.studies.published.comparison import ABSENT, DIFFERS, DRAWN, MATCH, TOLERATED
from fairflow.studies.published.publication import DERIVED
from fairflow.studies.wording import counted, interval_text, listed, short_number

_CAME_OUT = {
    MATCH: ("matches", "match"),
    TOLERATED: ("lies within tolerance", "lie within tolerance"),
    DRAWN: ("lies within what random draws give", "lie within what random draws give"),
}
UNKNOWN_CAUSE = "unknown cause"
# A study of no more queries by metrics has the scores of each told by name.
FEW_QUERIES = 10
_SIDES = {"two-sided": "two-sided", "greater": "right-sided", "less": "left-sided"}


# How statements speak of what is resampled of words and of items: why an interval is rough, over
# what it is, over what besides, and what is fair.
WORDS = (
    f"a set has fewer than {FEW_WORDS} words",
    "target words",
    "target and attribute words",
    "0",
)
ITEMS = (
    f"there are fewer than {FEW_WORDS} units or templates",
    *("units of items", "units of items, templates and fills", "what is fair"),
)


def failing_statement(label: str, remark: str) -> str:
    """What a failing control query means for a model."""
    return (
        f"{label} fails a control query, an association that any sensible vectors show ({remark}): "
        "its vectors do not carry the meaning of words. Nothing else can be read from its scores, "
        "and it has no rank."
    )


@of_table("controls")
def failing_controls(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """Which models fail a control query."""
    for model, remark in controls.control_remarks(table).items():
        if controls.failing(remark):
            text = failing_statement(results.labels[model], remark)
            yield Finding(text, leads=True, numbers={"model": model})


@of_table("controls")
def unknown_controls(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """Of which models control queries say nothing, for want of words, say."""
    for model, remark in controls.control_remarks(table).items():
        if controls.doubtful(remark) and not controls.failing(remark):
            shows = f"{results.labels[model]} shows what any sensible vectors show"
            yield Finding(f"Whether {shows} is not known: {remark}.", numbers={"model": model})


@of_table("controls")
def controls_that_come_out(_: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """That every control query comes out on every model."""
    if (table["status"] == controls.COMES_OUT).all():
        names = listed(table["query"].unique())
        yield Finding(
            f"Every model shows what any sensible vectors show (control queries {names}): "
            f"positive, with p < {controls.CONTROL_ALPHA}."
        )


@of_table("published")
def published_numbers(_: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """What became of the published numbers, but for those that follow from other published ones."""
    printed = table[~table["measure"].isin(DERIVED)]
    if printed.empty:
        return
    numbers = {str(verdict): int(n) for verdict, n in printed["verdict"].value_counts().items()}
    unknown = printed["cause"].isin(["unknown", "not expected"]) & (printed["verdict"] == DIFFERS)
    yield published_finding(numbers | {UNKNOWN_CAUSE: int(unknown.sum())})


def published_finding(numbers: Mapping[str, int]) -> Finding:
    """What became of published numbers of one study or several.

    Parameters
    ----------
    numbers : how many have each verdict, and how many differ of an unknown cause.
    """
    came = {verdict: n for verdict in _CAME_OUT if (n := numbers.get(verdict, 0))}
    differ, absent = numbers.get(DIFFERS, 0), numbers.get(ABSENT, 0)
    computed = sum(came.values()) + differ
    told = [_different(differ, numbers.get(UNKNOWN_CAUSE, 0))] if differ else []
    if {*came} - {MATCH}:
        told = [f"{listed(_counted(n, *_CAME_OUT[each]) for each, n in came.items())}.", *told]
    come = "comes" if computed == 1 else "come"
    claim = f"{computed - differ:,} of {_counted(computed, 'published number')} {come} out again."
    if not computed:
        claim = f"None of {_counted(absent, 'published number')} can be computed in this run."
    elif absent:
        are = "is of a model or metric" if absent == 1 else "are of models or metrics"
        told.append(f"{absent:,} more {are} that this run lacks.")
    return Finding(claim, " ".join(told), table="published", leads=True, numbers=dict(numbers))


def _different(differ: int, unknown: int) -> str:
    why = f"{'' if differ == 1 else 'each '}for a reason that the table gives"
    if unknown:
        why = "for no known reason" if unknown == differ else f"{unknown:,} for no known reason"
    return f"{_counted(differ, 'differs', 'differ')}, {why}."


def _counted(number: int, one: str, several: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def single_scores(results: Results) -> Iterator[Finding]:
    """The scores of a study of few queries, those of one query by one metric in a sentence."""
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
    """The name of a metric, with the measure where that has another name."""
    measure = str(row["measure"])
    named = measure.replace("_", "") in re.sub(r"\W", "", metric.lower())
    return metric if named else f"{metric} ({measure.replace('_', ' ')})"


def _score(row: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    """A score in a model, with what is known of chance."""
    known = []
    if pd.notna(row["ci_low"]):
        known.append(f"{row['ci_level']:.0%} interval {row['ci_low']:.3g} to {row['ci_high']:.3g}")
    if pd.notna(row["p_value"]):
        known.append(f"p {row['p_value']:.2g} ({_SIDES[row['alternative']]})")
    if pd.notna(row["p_null_band"]):
        band = f"that of random words, {row['null_band_low']:.3g} to {row['null_band_high']:.3g}"
        known.append(f"{'outside' if row['p_null_band'] < ALPHA else 'within'} {band}")
    told = f" ({', '.join(known)})" if known else ""
    return f"{row['value']:.3g} in {labels[row['model']]}{told}"


def associations_beyond_chance(results: Results) -> Iterator[Finding]:
    """How many associations are beyond chance and beyond random words, and the strongest.

    By the metric that compares models best, or else the first; of the subject, where there is one.
    """
    rows, subject, labels = results.words, results.subject, results.labels
    rows = rows[rows["model"] == subject] if subject else rows
    metrics = rows.dropna(subset=["p_bh", "value"])["metric"]
    if metrics.empty:
        return
    metric = lead_metric(results.frames)
    metric = metric if metric in {*metrics} else metrics.iloc[0]
    tested, clear = beyond_chance(rows[rows["metric"] == metric])
    what = counted(len(tested), "association")
    ranking = results.table("ranking")
    if len(ranking) and controls.NO_BIAS in {*ranking.loc[ranking["metric"] == metric, "status"]}:
        what = counted(len(tested), f"value of {labels[metric]}", f"values of {labels[metric]}")
    whose = f" of {labels[subject]}" if subject else ""
    also = " and beyond those of random words" if tested["p_null_band"].notna().all() else ""
    support = []
    if len(clear):
        row = clear.loc[clear["value"].abs().idxmax()]
        name = subquery_label(row["query"], row["subquery"], row["query_label"])
        numbers = ", ".join(filter(None, (short_number(row["value"]), interval_text(row))))
        support.append(f"The strongest: {name} in {labels[row['model']]} ({numbers}).")
    # Where others could be.
    without, beyond = (int(rows["p_null_band"].isna().sum()) for rows in (tested, clear))
    if without not in (0, len(tested)):
        of_all = f"{without} of the {len(tested)}, {beyond} of them beyond chance"
        support.append(f"{of_all}, cannot be compared with random words.")
    yield Finding(
        f"{len(clear)} of {what}{whose} {_are(len(clear))} beyond chance{also}.",
        " ".join(support),
        detail=f"By {labels[metric]}, p < {ALPHA} with the false discovery rate controlled.",
        leads=True,
        numbers={"beyond_chance": len(clear), "tested": len(tested)},
    )


def distinct_tests(results: Results) -> Iterator[Finding]:
    """How many distinct tests show an association, for each side; and what was not tested."""
    headline, labels = results.headline, results.labels
    tested = headline.dropna(subset="p_value")
    without = headline[~headline["metric"].isin(tested["metric"])]
    sides = sorted(tested["alternative"].unique(), key=list(_SIDES).index)
    told: set[str] = set()
    for side in sides:
        of_side = tested[tested["alternative"] == side]
        p = of_side.groupby("test_id")["p_value"].max()
        # What is counted together is one family.
        below, discovered, sure = (
            int((adjusted < ALPHA).sum()) for adjusted in (p, benjamini_hochberg(p), holm(p))
        )
        names = listed(labels[metric] for metric in of_side["metric"].unique())
        by = f" by {names}" if len(without) or len(sides) > 1 else ""
        more = f" ({len(of_side)} rows tell of them)" if len(of_side) > len(p) else ""
        tests = f"{below} of {counted(len(p), 'distinct test')}{by}{more}"
        if told >= {*p.index}:
            tests = f"Of the same tests{by} {below} of {len(p)}"
        tests = f"{tests} {'has' if below == 1 else 'have'}"
        yield Finding(
            f"{tests} p < {ALPHA} ({_SIDES[side]}): {discovered} with the false discovery rate of "
            f"them all controlled (Benjamini-Hochberg), {sure} with the chance of any error "
            "(Holm).",
            numbers={"tests": len(p), "p": below, "p_bh": discovered, "p_holm": sure},
        )
        told |= {*p.index}
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
    told = "; ".join(f"{listed(names)} ({reason})" for reason, names in reasons.items())
    if told:
        yield Finding(f"{'No score could be tested' if nothing else 'Not tested'}: {told}.")
    elif nothing and len(defined):
        yield Finding("This study asks for no tests, so that nothing is said about chance.")


def random_words(results: Results) -> Iterator[Finding]:
    """How many scores of each metric random words do not give as well."""
    # Variants of one measurement have bands of their own: a mean of associations lies within the
    # band of words that are spread wider, and its effect size beyond it.
    headline = results.words
    banded = headline.dropna(subset="p_null_band").drop_duplicates(["metric", "test_id"])
    if banded.empty:
        if headline["ci_low"].notna().any():
            yield Finding(
                "No score has a null band of random target words of similar frequency, for reasons "
                "that the table gives: whether other words would score as high is not known."
            )
        return
    outside = banded.assign(beyond=banded["p_null_band"] < ALPHA)
    counts = outside.groupby("metric", sort=False)["beyond"].agg(["sum", "size"])
    told = []
    for metric, beyond, n in counts.itertuples():
        of = n if told else f"{counted(n, 'score')} with a null band"
        told.append(f"{beyond} of {of} by {results.labels[metric]}")
    total, scores = int(counts["sum"].sum()), len(banded)
    lie = "lies" if total == 1 and len(counts) == 1 else "lie"
    sources = "; ".join(banded["frequency_source"].dropna().unique())
    yield Finding(
        f"{listed(told)} {lie} outside the band of random target words of similar frequency "
        f"({sources}){_not_more(total, scores)}.",
        numbers={"outside": total, "scores": scores},
    )


def _not_more(beyond: int, scores: int) -> str:
    """What is to be thought of the scores that random words give as well; empty without any."""
    if beyond == scores:
        return ""
    if not beyond:
        return f": {'it' if scores == 1 else 'they'} should not be read as more"
    others = "the other" if beyond == scores - 1 else "the others"
    return f": {others} should not be read as more"


def intervals(results: Results) -> Iterator[Finding]:
    """How many intervals exclude 0, and how many are rough."""
    for (why, targets, every, fair), rows in ((WORDS, results.words), (ITEMS, results.items)):
        signed = rows[rows["metric"].isin([*results.signed])]
        known = signed.dropna(subset="ci_low").drop_duplicates("test_id")
        if known.empty:
            continue
        of, level = counted(len(known), "signed score"), f"{known['ci_level'].iloc[0]:.0%}"
        clear = int(((known["ci_low"] > 0) | (known["ci_high"] < 0)).sum())
        text = f"The {level} interval over {targets} excludes {fair} for {clear} of {of}"
        both = known.dropna(subset="ci_low_both")
        if len(both):
            of_both = int(((both["ci_low_both"] > 0) | (both["ci_high_both"] < 0)).sum())
            text += f", that over {every} for {of_both} of {len(both)}"
        few = int((known["statistics"] == "few_words").sum())
        rough = f"In {few} of {of} {why}: their intervals are rough." if few else ""
        numbers = {"excluding": clear, "scores": len(known), "rough": few}
        yield Finding(f"{text}.", caution=rough, numbers=numbers)


def undefined_scores(results: Results) -> Iterator[Finding]:
    """How many scores there are not, and of which models."""
    headline, labels = results.every_headline, results.labels
    missing = headline[headline["value"].isna()]
    if missing.empty:
        return
    models = missing["model"].value_counts(sort=False)
    whose = listed(f"{count} of {labels[model]}" for model, count in models.items())
    if len(models) == 1 and headline["model"].nunique() > 1:
        whose = f"all of {labels[models.index[0]]}"
    about = f" ({whose})" if headline["model"].nunique() > 1 else ""
    count = f"{len(missing)} of {counted(len(headline), 'score')} {_are(len(missing))}"
    yield Finding(
        f"{count} undefined{about}, each with its reason in the table.",
        numbers={"undefined": len(missing), "scores": len(headline)},
    )


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
