"""A study's page, the same five parts everywhere: an answer, a figure, a table, what is reproduced,
and the checks. It is made from claims and computes nothing.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from fairflow.capabilities import additions
from fairflow.files.text_table import table_lines
from fairflow.studies.before_after import SMALLER
from fairflow.studies.claims import associations, comparisons
from fairflow.studies.claims import claim as kinds
from fairflow.studies.claims.claim import FAILED, PASSED, Claim, with_numbers
from fairflow.studies.claims.comparisons import beaten
from fairflow.studies.claims.extension import ClaimsOf, Labels, TableRow
from fairflow.studies.claims.grid import GridCell, GridRow, grid_lines
from fairflow.studies.claims.words import P, against, answer, objections, p_text, topic
from fairflow.studies.wording import (
    counted,
    listed_briefly,
    plain_markdown,
    short_number,
    with_interval,
)

# Rows of the table at most, and where nothing was found; models that an answer names.
ROWS, FEW_ROWS, NAMED = 12, 6, 3
# Kinds with a table, the first that a study has is the one it shows, those of capabilities between.
FIRST, LAST = (kinds.DEBIASED,), (kinds.COMPARISON, kinds.ASSOCIATION)
ONE_SIDED = ("greater", "less")
BEYOND = {PASSED: "yes", FAILED: "no", kinds.UNKNOWN: "not tried"}
HEADS = {
    kinds.ASSOCIATION: ("Association", "Model", "Value", P, "Larger than random", "Significant"),
    kinds.COMPARISON: ("Model", "Mean size", "More biased than", "Less biased than", "Open"),
    kinds.DEBIASED: ("Model", "Mean size", "Change", "On average", "Clearly smaller", "But"),
}


@dataclass(frozen=True)
class Page:
    """The five parts.

    Attributes
    ----------
    answer : at most 25 words. head, rows : the table. more : rows that it does not show.
    notes : sentences on what was not measured or may be something else.
    reproduced : on published numbers, "" without. checks : rows of the grid. labels : of models.
    """

    title: str
    answer: str
    head: tuple[str, ...] = ()
    rows: tuple[TableRow, ...] = ()
    more: int = 0
    notes: tuple[str, ...] = ()
    reproduced: str = ""
    checks: tuple[GridRow, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)


def study_page(
    title: str,
    claims: Sequence[Claim],
    labels: Mapping[str, str],
    checks: Sequence[GridRow] = (),
    subject: str = "",
) -> Page:
    """The page of a study.

    Parameters
    ----------
    claims : with their words. labels : of models. checks : the grid of the study.
    subject : the model that the study is about.
    """
    of: dict[str, list[Claim]] = {}
    for one in claims:
        of.setdefault(one.kind, []).append(one)
    reproduced = [one.sentence for one in of.get(kinds.REPRODUCED, ())]
    failing = [one for one in of.get(kinds.CONTROL, ()) if one.verdict == associations.FAILS]
    if failing and subject in {one.subject for one in failing}:
        return Page(title, failing[0].sentence, reproduced=" ".join(reproduced), checks=())
    # Of a single model its associations, which its comparisons rest on; and those that were tested
    # by another metric than the one that compares models.
    tested, pairs = (_tabled(of.get(kind, ())) for kind in (kinds.ASSOCIATION, kinds.COMPARISON))
    other = bool(tested and pairs) and tested[0].measure != pairs[0].measure
    makers = {kind: one for one in additions("claims") for kind in one.heads}
    heads = HEADS | {kind: one.heads[kind] for kind, one in makers.items()}
    every_kind = (*FIRST, *makers, *LAST)
    order = [kind for kind in every_kind if not ((subject or other) and kind == kinds.COMPARISON)]
    shown = next((kind for kind in order if _tabled(of.get(kind, ()))), "")
    tabled, every = _tabled(of.get(shown, ())), of.get(shown, [])
    rows, head = [*_rows(shown, tabled, labels)] if shown else [], heads.get(shown, ())
    if shown == kinds.COMPARISON and len(tabled) == 1:
        head, rows = _of_one_pair(tabled[0], every, labels)
    most = min(ROWS, max(FEW_ROWS, sum(row.strength for row in rows)))
    if shown in makers and (several := makers[shown].together.get(shown)):
        every = [one for kind in several for one in of.get(kind, ())]
        rows = [row for k in several for row in _in_order(makers[shown], of.get(k, ()), labels)]
        most = len(rows)
    more = len(rows if shown == kinds.COMPARISON else every)
    if subject and "Model" in head:
        # It is named above the table.
        n = head.index("Model")
        head = head[:n] + head[n + 1 :]
        rows = [row._replace(cells=row.cells[:n] + row.cells[n + 1 :]) for row in rows]
    notes = [one.sentence for one in failing]
    noted = {kind: said for one in additions("claims") for kind, said in one.noted.items()}
    further = (one for kind in noted for one in of.get(kind, ()) if one.verdict in noted[kind])
    every_note = *of.get(kinds.OWN, ()), *further, *of.get(kinds.NOT_MEASURED, ())
    notes += [one.sentence for one in every_note]
    return Page(
        title,
        _answer(of, labels, subject),
        head,
        tuple(rows[:most]),
        max(0, more - min(most, len(rows))),
        tuple(notes),
        " ".join(reproduced),
        tuple(checks),
        {name: labels[name] for row in checks for name in row.cells},
    )


def _tabled(claims: Sequence[Claim]) -> list[Claim]:
    """The claims of a kind that a table shows: pairs on the leading criterion, tested scores."""
    if not claims:
        return []
    kind = claims[0].kind
    for one in additions("claims"):
        if kind in one.heads:
            return [*one.tabled(claims)]
    tested = [one for one in claims if one.p_adjusted >= 0]
    if kind == kinds.COMPARISON:
        return [one for one in tested if one.criterion == tested[0].criterion]
    # Where some scores were tested, the others are their parts or other measures.
    return (tested if kind == kinds.ASSOCIATION else []) or [*claims]


def _answer(of: Mapping[str, Sequence[Claim]], labels: Mapping[str, str], subject: str) -> str:
    """The answer to the question of a study, by the first kind of claims that it has."""
    if of.get(kinds.DEBIASED):
        return _of_debiased(of[kinds.DEBIASED], labels)
    pairs = _tabled(of.get(kinds.COMPARISON, ()))
    if pairs and subject:
        return _of_subject(pairs, labels)
    if words := next(filter(None, (one.answer(of, labels) for one in additions("claims"))), ""):
        return words
    tested = [one for one in of.get(kinds.ASSOCIATION, ()) if one.p_adjusted >= 0]
    if tested or pairs:
        # Models are compared by what was tested, or not here.
        same = not tested or (bool(pairs) and pairs[0].measure == tested[0].measure)
        found = _of_associations(tested, labels) if tested else ""
        compared = _of_models(pairs, labels, bool(found)) if pairs and same else ""
        return "; ".join(filter(None, (found.removesuffix("." * bool(compared)), compared)))
    if values := [one for one in of.get(kinds.ASSOCIATION, ()) if not math.isnan(one.value)]:
        return _of_values(values, labels)
    if reproduced := of.get(kinds.REPRODUCED):
        return reproduced[0].sentence
    missing = [one for one in of.get(kinds.NOT_MEASURED, ()) if one.verdict == associations.SCORES]
    return answer("unmeasured" if missing and missing[0].value == missing[0].n else "untested")


def _of_values(claims: Sequence[Claim], labels: Mapping[str, str]) -> str:
    """The range of the first metric's values, where nothing is tested."""
    lead = claims[0].measure
    values = [one.value for one in claims if one.measure == lead]
    n = len({one.subject for one in claims if one.measure == lead})
    ends = {"low": short_number(min(values)), "high": short_number(max(values))}
    return answer("values", what=labels.get(lead, lead), models=counted(n, "model"), **ends)


def _of_associations(tested: Sequence[Claim], labels: Mapping[str, str]) -> str:
    """How many distinct tests of the leading metric are significant."""
    lead, signed = tested[0].measure, tested[0].facts["signed"]
    tests = {one.facts["test"]: one for one in reversed(tested) if one.measure == lead}
    what = "associations" if signed else f"values of {labels.get(lead, lead)}"
    strong = [one for one in tests.values() if one.verdict == associations.SIGNIFICANT]
    known = [one for one in strong if one.gate("random words") == PASSED]
    beyond = " and larger than with random words" if strong and known == strong else ""
    if known and not beyond:
        rest = len(strong) - len(known)
        beyond = f" ({len(known)} exceed random words, {rest} not tried)"
    return answer("associations", k=len(strong), n=len(tests), what=what, beyond=beyond)


def _of_subject(pairs: Sequence[Claim], labels: Mapping[str, str]) -> str:
    """'GloVe is more biased than A; not told apart from B'."""
    if len(pairs) == 1 or {one.verdict for one in pairs} == {comparisons.NO_ASSOCIATION}:
        return pairs[0].sentence
    groups: dict[str, list[str]] = {}
    for one in pairs:
        groups.setdefault(one.verdict, []).append(labels.get(one.against, one.against))
    parts = [against(verdict, listed_briefly(names, NAMED)) for verdict, names in groups.items()]
    who = labels.get(pairs[0].subject, pairs[0].subject)
    return answer("against", subject=who, parts="; ".join(parts))


def _of_models(pairs: Sequence[Claim], labels: Mapping[str, str], follows: bool) -> str:
    """Which of several models shows the most bias, as far as it is known."""
    if len(pairs) == 1:
        return pairs[0].sentence
    models = dict.fromkeys(name for one in pairs for name in (one.subject, one.against))
    above = {model: [*beaten(pairs, model)] for model in models}
    below = {model: [other for other in models if model in above[other]] for model in models}
    most = [model for model in models if len(above[model]) == len(models) - 1]
    least = [model for model in models if len(below[model]) == len(models) - 1]
    n, names = len(models), {model: labels.get(model, model) for model in models}
    parts = [answer("most", model=names[one], n=n) for one in most]
    parts += [answer("least", model=names[one]) for one in least]
    if parts:
        return f"{', '.join(parts)}."
    found = sum(map(len, above.values()))
    which = "which" if follows else "Which"
    return answer("unsettled", which=which, n=n, k=found, m=len(pairs))


def _of_debiased(found: Sequence[Claim], labels: Mapping[str, str]) -> str:
    smaller = [_model(one, labels) for one in found if one.verdict == SMALLER]
    n, hidden = len(found), sum("hidden" in one.failed for one in found)
    named = listed_briefly(smaller, NAMED) if len(smaller) < n else f"all {n} models"
    return answer("debiased", smaller=named or f"none of {n} models", hidden=hidden, n=n)


def _rows(kind: str, claims: Sequence[Claim], labels: Mapping[str, str]) -> Iterator[TableRow]:
    if kind == kinds.COMPARISON:
        yield from _standings(claims, labels)
        return
    made = {one: extension.row for extension in additions("claims") for one in extension.heads}
    made |= {
        kinds.ASSOCIATION: _association_row,
        kinds.DEBIASED: _debiased_row,
    }
    ordered = sorted(claims, key=_p)
    rows = [made[kind](one, labels) for one in (claims if kind == kinds.ASSOCIATION else ordered)]
    yield from sorted(rows, key=lambda row: -row.strength)


def _in_order(maker: ClaimsOf, claims: Sequence[Claim], labels: Labels) -> list[TableRow]:
    """The strongest rows, as many as a table has, in the order of the claims."""
    rows = [maker.row(one, labels) for one in claims]
    ranks = [(-row.strength, _p(one)) for row, one in zip(rows, claims, strict=True)]
    strongest = sorted(range(len(rows)), key=ranks.__getitem__)[: maker.most_rows]
    return [rows[n] for n in sorted(strongest)]


def _p(claim: Claim) -> float:
    """To sort by: those without one are last."""
    return claim.p_adjusted if claim.p_adjusted >= 0 else 2


def _interval(claim: Claim) -> str:
    return with_interval(claim.value, claim.low, claim.high)


def _association_row(one: Claim, labels: Mapping[str, str]) -> TableRow:
    found = one.verdict == associations.SIGNIFICANT
    size = abs(one.value) if "targets" in one.facts else one.value
    swap = one.value < 0 and "targets" in one.facts
    ends = (-one.high, -one.low) if swap else (one.low, one.high)
    model, value = labels.get(one.subject, one.subject), with_interval(size, *ends)
    value = value if one.facts["signed"] else value.removeprefix("+")
    beyond = BEYOND[one.gate("random words")]
    # The row names the pairs that go together; the test asked for the others.
    other = " (other way)" if swap and one.facts.get("alternative") in ONE_SIDED else ""
    p = f"{p_text(one.p_adjusted)}{other}"
    return TableRow((one.what, model, value, p, beyond, one.short), int(found))


def _debiased_row(one: Claim, labels: Mapping[str, str]) -> TableRow:
    sizes = f"{one.facts['before']:.2f} to {one.facts['after']:.2f}"
    clear = f"{one.facts['clear']} of {one.n}"
    found = one.verdict == SMALLER
    cells = _model(one, labels), sizes, _interval(one), one.short, clear, objections(one)
    return TableRow(cells, int(found))


def _model(one: Claim, labels: Mapping[str, str]) -> str:
    """The label of the subject, of a derived model without that of its base."""
    base = labels.get(one.against, one.against) if one.kind == kinds.DEBIASED else ""
    return labels.get(one.subject, one.subject).removeprefix(f"{base}, ")


def _of_one_pair(
    pair: Claim, every: Sequence[Claim], labels: Mapping[str, str]
) -> tuple[tuple[str, ...], list[TableRow]]:
    """Two models on each criterion: their means, the difference and whether it is clear."""
    models = pair.subject, pair.against
    names = [labels.get(name, name) for name in models]
    rows = []
    for one in every:
        if {one.subject, one.against} == {*models} and "means" in one.facts:
            means = [f"{one.facts['means'][name]:.2f}" for name in models]
            sign = 1 if one.subject == models[0] else -1
            ends = sorted((sign * one.low, sign * one.high))
            clear = one.verdict in (comparisons.MORE, comparisons.LESS)
            more = labels.get(one.facts["more"], one.facts["more"]) if clear else one.short
            difference = with_interval(sign * one.value, *ends)
            cells = topic(one.criterion), *means, difference, p_text(one.p_adjusted), more
            rows.append(TableRow(cells, int(clear)))
    return ("Mean size", *names, "Difference", P, "More biased"), rows


def _standings(pairs: Sequence[Claim], labels: Mapping[str, str]) -> Iterator[TableRow]:
    """A row for each model, the largest mean first."""
    means: dict[str, float] = {}
    for one in pairs:
        means |= one.facts["means"]
    for model in sorted(means, key=lambda name: -means[name]):
        above = [*beaten(pairs, model)]
        below = [name for name in means if model in beaten(pairs, name)]
        rest = [
            other
            for one in pairs
            for own, other in ((one.subject, one.against), (one.against, one.subject))
            if own == model and other not in (*above, *below)
        ]
        names = [[labels.get(name, name) for name in group] for group in (above, below, rest)]
        cells = (listed_briefly(group, NAMED) or "none" for group in names)
        yield TableRow((labels.get(model, model), f"{means[model]:.2f}", *cells), int(bool(above)))


def as_markdown(page: Page, level: int = 2) -> str:
    """The page as Markdown, without the figure."""
    parts = [f"{'#' * level} {plain_markdown(page.title)}", plain_markdown(page.answer)]
    if page.rows:
        head = [_markdown_row(page.head), _markdown_row(["---"] * len(page.head))]
        width = len(page.head)
        body = [_markdown_row([*row.cells, *[""] * (width - len(row.cells))]) for row in page.rows]
        more = [f"\n{page.more} more in claims.csv."] if page.more else []
        parts.append("\n".join([*head, *body, *more]))
    parts += map(plain_markdown, (*page.notes, *_said_once(page)))
    if page.checks:
        parts.append("\n".join(f"    {line}" for line in grid_lines(page.checks, page.labels)))
    return "\n\n".join(filter(None, parts)) + "\n"


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(plain_markdown, cells))} |"


def _said_once(page: Page) -> tuple[str, ...]:
    """What is reproduced, unless no other question has an answer."""
    return () if page.reproduced in ("", page.answer) else (page.reproduced,)


def as_lines(page: Page, columns: int, rows: int) -> list[str]:
    """The page for a terminal: no line is longer, none is cut.

    Parameters
    ----------
    rows : of the table, at most.
    """
    lines = textwrap.wrap(page.answer, columns)
    if page.rows:
        shown = [page.head, *(row.cells for row in page.rows[:rows])]
        lines += ["", *chain.from_iterable(table_lines(shown, columns))]
        more = page.more + max(0, len(page.rows) - rows)
        lines += [f"{more} more in claims.csv."] if more else []
    if texts := (*page.notes, *_said_once(page)):
        lines += ["", *(line for text in texts for line in textwrap.wrap(text, columns))]
    if page.checks:
        lines += ["", *grid_lines(page.checks, page.labels, columns)]
    return lines


def page_from_plain(data: Mapping[str, Any]) -> Page:
    """A page as `plain` gave it."""
    rows = [TableRow(tuple(one["cells"]), one["strength"]) for one in data["rows"]]
    checks = []
    for row in data["checks"]:
        plain_cells = row["cells"].items()
        cells = {n: GridCell(**with_numbers(c, "value", "low", "high")) for n, c in plain_cells}
        checks.append(GridRow(**row | {"cells": cells}))
    read = {"rows": tuple(rows), "checks": tuple(checks)}
    return Page(**{**data, **{name: tuple(data[name]) for name in ("head", "notes")}, **read})
