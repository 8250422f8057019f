"""An audit at a glance: a page of at most 25 lines and 100 columns for the terminal.

It only lays out: its sentences are those of `fairflow.studies.findings`, its numbers are those of
the study's tables.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from fairflow.queries.lookup import OF_ANOTHER_LANGUAGE
from fairflow.studies import comparability as controls
from fairflow.studies.aggregation import OVERALL
from fairflow.studies.findings.associations import (
    Association,
    associations_of,
    failing_statement,
    other_scores,
    significant_tests,
)
from fairflow.studies.findings.comparisons import best_benchmark
from fairflow.studies.findings.finding import Results
from fairflow.studies.findings.grammar import grammatical_gender
from fairflow.studies.findings.headline import headline, settled_text
from fairflow.studies.findings.missing import undefined_scores
from fairflow.studies.findings.trust import how_far_trusted
from fairflow.studies.wording import bare_decimal, interval_brackets

COLUMNS, LINES = 100, 25
# Rows of associations, of criteria, and of other metrics.
ASSOCIATIONS, CRITERIA, OTHERS = 3, 6, 3
_GAP = "    "


def audit_page(
    results: Results, facts: Sequence[str], notes: Sequence[str], files: Mapping[str, str]
) -> list[str]:
    """The lines of the page.

    Parameters
    ----------
    results : of the study whose subject is audited, with its table "coverage".
    facts : of the file, short: its format, its size.
    notes : sentences on how the model was read, for the end of the page.
    files : what a reader may open -> its path.
    """
    failing = controls.failing_models(results.every_headline).get(results.subject)
    head = [*facts, sanity_text(results), quality_text(results)]
    parts: list[list[str]] = [_head([_label(results), *filter(None, head)])]
    if failing:
        parts.append(_wrapped(failing_statement(_label(results), failing)))
    else:
        texts = [f"{one.sentence} {one.caution}".strip() for one in headline(results)]
        parts.append([line for text in texts for line in _wrapped(text)])
    trust = [one.sentence for one in how_far_trusted(results)]
    grammar = [one.sentence for one in grammatical_gender(results)]
    texts = [*trust, *grammar, *_missing(results), *notes]
    last = [line for text in texts for line in _wrapped(text, "  ")]
    last += ["   ".join(f"{name}: {path}" for name, path in files.items())]
    if len(last[-1]) > COLUMNS:
        last[-1:] = [f"{name}: {path}" for name, path in files.items()]
    scores = [] if failing else [*_scores(results), *_other_metrics(results)]
    most = 0 if failing else ASSOCIATIONS
    for shown, is_long in [(most, True), *((fewer, False) for fewer in range(most, -1, -1))]:
        strongest = [] if failing else _strongest(results, shown, is_long)
        lines = _joined([*parts, strongest, scores, last])
        if len(lines) <= LINES:
            break
    return lines


def _joined(parts: Sequence[Sequence[str]]) -> list[str]:
    """Lines with an empty one between parts."""
    return "\n\n".join("\n".join(lines) for lines in parts if lines).split("\n")


def sanity_text(results: Results) -> str:
    """'sanity checks passed': what the control queries say of the subject."""
    rows = results.table("ranking")
    own = rows.loc[rows["model"] == results.subject, "control_status"] if len(rows) else []
    return {
        controls.CONTROL_FAILS: "sanity checks FAILED",
        controls.CONTROL_PASSES: "sanity checks passed",
        controls.CONTROL_UNKNOWN: "sanity checks not all measured",
    }.get(next(iter(own), ""), "no sanity check")


def quality_text(results: Results) -> str:
    """'quality .58 (GloVe 6B .66)': how well cosines agree with human ratings of similarity."""
    rows = best_benchmark(results)
    own = rows[rows["model"] == results.subject] if len(rows) else rows
    if own.empty:
        return ""
    others = rows[rows["model"] != results.subject].itertuples()
    theirs = ", ".join(f"{results.labels[row.model]} {bare_decimal(row.value)}" for row in others)
    return f"quality {bare_decimal(own['value'].iloc[0])}" + f" ({theirs})" * bool(theirs)


def _label(results: Results) -> str:
    return results.labels[results.subject]


def _head(facts: Sequence[str]) -> list[str]:
    """Facts side by side, as many to a line as it can hold."""
    lines = [_cut(facts[0], COLUMNS)]
    for fact in facts[1:]:
        longer = f"{lines[-1]}{_GAP}{fact}"
        if len(longer) <= COLUMNS:
            lines[-1] = longer
        else:
            lines.append(_cut(f"  {fact}", COLUMNS))
    return lines


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(text, COLUMNS, subsequent_indent=indent, break_on_hyphens=False)


def _strongest(results: Results, most: int, is_long: bool) -> list[str]:
    """The strongest associations, at most `most`, and how many tests are significant.

    Parameters
    ----------
    is_long : also what is behind an association.
    """
    found = associations_of(results)
    if found is None:
        return ["No query has a score."]
    metric = results.labels[found.metric]
    numbers = f"({metric}, 95% interval)"
    if found.tested.empty:
        head = f"Strongest associations, not tested {numbers}"
    elif found.significant.empty:
        head = f"Strongest associations, none of them significant {numbers}"
    else:
        head = f"Strongest significant associations {numbers}"
    shown = found.strongest[:most]
    lines = [head, *_aligned(shown, is_long)]
    if tests := significant_tests(found):
        more = len(found.significant) - len(shown)
        lines += _wrapped(f"  {f'... {more} more; ' if more > 0 else ''}{tests}", "    ")
    if all(one.caution != found.unseen for one in headline(results)):
        lines += _wrapped(f"  {found.unseen}", "    ")
    return lines


def _aligned(shown: Sequence[Association], is_long: bool) -> Iterator[str]:
    numbers = [interval_brackets(one.value, one.low, one.high) for one in shown]
    room = COLUMNS - max(map(len, numbers), default=0) - 4
    texts = [textwrap.wrap(one.text, room, break_on_hyphens=False) for one in shown]
    width = max((len(line) for lines in texts for line in lines), default=0)
    for one, (first, *others), number in zip(shown, texts, numbers, strict=True):
        yield f"  {first:<{width}}  {number}"
        yield from (f"    {line}" for line in others)
        if is_long and one.behind:
            yield from _wrapped(f"    ({one.behind})", "     ")


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 3].rstrip(' ,')}..."


def _scores(results: Results) -> list[str]:
    """A row for each criterion: the mean scores of all models, and whether they differ."""
    ranking, model, labels = results.table("ranking"), results.subject, results.labels
    found = associations_of(results)
    if ranking.empty or found is None:
        return []
    rows = ranking[(ranking["source"] == "computed") & (ranking["metric"] == found.metric)]
    others = [name for name in rows["model"].unique() if name != model]
    head = [f"Mean {labels[found.metric]}", "yours", *(labels[name] for name in others), "settled?"]
    table = []
    for criterion, group in rows.groupby("criterion", sort=False):
        of = group.set_index("model").to_dict("index")
        name = "All queries" if criterion == OVERALL else str(criterion)
        scores = [_score(of.get(each)) for each in (model, *others)]
        table.append([f"  {name}", *scores, _settled(results, str(criterion), of, others)])
    more = len(table) - CRITERIA
    if more > 0:
        # Of many criteria the first, and all queries together.
        table = [*table[: CRITERIA - 1], table[-1]]
    return [*_columns([head, *table]), *([f"  ... {more} more criteria"] if more > 0 else [])]


def _settled(
    results: Results, criterion: str, of: Mapping[str, Mapping[str, Any]], others: Sequence[str]
) -> str:
    own = of.get(results.subject)
    if own is None or pd.isna(own["score"]):
        if own and own["status"] == controls.FEW_QUERIES:
            return "no, too few queries have a score"
        note = own.get("note") if own else ""
        return _renamed(note, results.labels) if isinstance(note, str) and note else "no score"
    number, every = int(own["n_common"]), int(own["n_queries"])
    part = f" ({number} of {every} queries)" if number < every else ""
    return f"{settled_text(results, criterion, others)}{part}"


def _renamed(note: str, labels: Mapping[str, str]) -> str:
    """A note with the labels of models, without what follows the first comma."""
    same = note.removeprefix(controls.AS_ANOTHER).split(",")[0]
    if note.startswith(controls.AS_ANOTHER):
        return f"{controls.AS_ANOTHER}{labels.get(same, same)}"
    return note


def _score(row: Mapping[str, Any] | None) -> str:
    if row is not None and row["status"] == controls.SAME_VECTORS:
        return "same"
    return "-" if row is None or pd.isna(row["score"]) else f"{row['score']:.2f}"


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows of cells, numbers to the right, the first and last cells to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *numbers, last in rows:
        cells = [f"{n:>{width}}" for n, width in zip(numbers, widths[1:], strict=False)]
        line = "   ".join([f"{first:<{widths[0]}}", *cells, last])
        yield _cut(line.rstrip(), COLUMNS)


def _other_metrics(results: Results) -> Iterator[str]:
    """The scores of queries that the main metric does not measure."""
    parts = [f"{metric} {number}" for metric, _, number in other_scores(results)]
    if parts:
        more = f", and {len(parts) - OTHERS} more" if len(parts) > OTHERS else ""
        yield from _wrapped(f"  Other metrics: {', '.join(parts[:OTHERS])}{more}", "    ")


def _missing(results: Results) -> Iterator[str]:
    """What was not measured, and whether the words are of another language."""
    for one in undefined_scores(results):
        yield one.sentence
    coverage = results.table("coverage")
    own = coverage[coverage["model"] == results.subject] if len(coverage) else coverage
    lost, asked = (int(own[name].sum()) if len(own) else 0 for name in ("oov", "words"))
    if lost > asked / 2:
        yield f"{lost:,} of {asked:,} words are missing: {OF_ANOTHER_LANGUAGE}."
