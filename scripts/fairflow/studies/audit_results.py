"""What an audit says: a page for the terminal, a memo, and plain values for programs.

All three are the parts of `fairflow.studies.claims.page`, with what identifies the model. The memo
has them under the headings of a technical file on bias.
"""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from fairflow.capabilities import extensions
from fairflow.files.configuration_files import version
from fairflow.files.references import cited
from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies.claims import associations
from fairflow.studies.claims import claim as kinds
from fairflow.studies.claims.claim import Claim, Results, plain
from fairflow.studies.claims.comparisons import best_benchmark
from fairflow.studies.claims.page import as_lines, as_markdown
from fairflow.studies.claims.study_claims import Stated
from fairflow.studies.comparability import IS_CONTROL, without_controls
from fairflow.studies.wording import counted, facts_table, listed, plain_markdown

# Of the page, which fits the narrowest usual terminal; and the rows of its table.
COLUMNS, ROWS = 80, 5
LIMITS = (
    "A score belongs to these word lists in this model: other words can give another result.",
    "An association that is not significant may still exist.",
    "A score does not predict harm in an application, and says nothing about people.",
    "Weaker associations may mean a poorer model.",
)
_DATA = (
    "What was measured is the model as it is; the data that it was trained on were not examined."
)
_TESTS = (
    f"Significant: p < {ALPHA} after Benjamini-Hochberg and, where random words could be drawn, "
    "beyond their scores. Brackets are 95% intervals: what other words of the same kind would give."
)
_ASSOCIATION = ("criterion", "ci_low", "ci_high", "p_value", "p_bh", "p_holm", "p_null_band")
_RANK = ("criterion", "metric", "model", "score", "rank", "n_common", "n_queries", "status", "note")


_NAMES = {"glove": "GloVe", "fasttext": "fastText", "spacy": "spaCy", "gguf": "GGUF"}


@dataclass(frozen=True)
class AuditedModel:
    """The identity of an audited model.

    Attributes
    ----------
    short : its kind and size, for one line. facts : name -> value, for a table.
    notes : sentences on how it was read, and what was not asked.
    limits : sentences on the words and on what its vectors are.
    """

    short: tuple[str, ...]
    facts: Mapping[str, str]
    notes: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()


def audited_model(
    identity: Mapping[str, Mapping[str, Any]], equal: Sequence[str], said: Mapping[str, str]
) -> AuditedModel:
    """From what its conversion or its description recorded.

    Parameters
    ----------
    identity : "card" of a table of word vectors, or the files of a model of another kind.
    equal : the labels of models that have the same vectors.
    said : label and format of the model; about, how its file was read; left_out, what was not
        asked; language, a sentence on the language of its words; lists, the languages of queries.
    """
    notes = []
    if equal:
        notes.append(f"It has the same vectors as {listed(equal)}, whole or in part.")
    if left_out := said["left_out"]:
        notes.append(f"{left_out[:1].upper()}{left_out[1:]}.")
    of_lists = f"The word lists are in {said['lists']} and come from the cited publications."
    kind = " ".join(_NAMES.get(word, word) for word in said["format"].split("-"))
    if "card" in identity:
        card = identity["card"]
        size = f"{card['words']:,} words x {card['dims']}"
        facts = {"Name": said["label"], "Kind": f"word vectors, {kind}"}
        facts |= {"Size": f"{size} dimensions", "Read": said["about"]}
        facts |= {"Language": said["language"], "sha256": str(card.get("source_sha256") or "")}
        # One line of the page tells the language, which leaves room for the findings.
        short = f"{kind}, {size}", f"word lists in {said['lists']}"
        return AuditedModel(short, facts, tuple(notes), (of_lists,))
    of = next(filter(None, (one.audited(identity, said) for one in extensions("audit"))))
    return replace(of, notes=(*notes, *of.notes), limits=(of_lists, *of.limits))


def audit_command(settings: dict[str, str | None]) -> str:
    """The command of an audit, 'make audit MODEL=vectors.txt NAME=mine'.

    Of a whole path it has the name: the rest says something of the machine.
    """
    model = re.sub("^/.*/", "", settings["MODEL"] or "")
    told = settings | {"MODEL": model}
    given = (f"{name}={shlex.quote(value)}" for name, value in told.items() if value)
    return " ".join(["make audit", *given])


def quality_text(results: Results) -> str:
    """'quality .58 (GloVe 6B .66)': how well cosines agree with human ratings of similarity."""
    rows = best_benchmark(results)
    own = rows[rows["model"] == results.subject] if len(rows) else rows
    if own.empty:
        return ""
    others = rows[rows["model"] != results.subject].itertuples()
    theirs = ", ".join(f"{results.labels[row.model]} {row.value:.2f}" for row in others)
    return f"quality {own['value'].iloc[0]:.2f}" + f" ({theirs})" * bool(theirs)


def audit_lines(
    said: Stated, results: Results, model: AuditedModel, files: Mapping[str, str]
) -> list[str]:
    """The page for the terminal, of lines of at most `COLUMNS` letters but for names of files.

    Parameters
    ----------
    said : of the study whose subject is audited. files : what a reader may open -> its path.
    """
    control = _control(said, results.subject)
    checked = f"sanity checks: {control.short if control else 'none'}"
    facts = (results.labels[results.subject], *model.short, checked, quality_text(results))
    head = textwrap.wrap("    ".join(filter(None, facts)), COLUMNS, subsequent_indent="  ")
    last = textwrap.wrap(" ".join(model.notes), COLUMNS)
    last += [f"{name}: {path}" for name, path in files.items()]
    return [*head, "", *as_lines(said.page, COLUMNS, ROWS), "", *last]


_MEMO = (
    "Its headings are those that article 10 of Regulation (EU) 2024/1689 and prEN 18283 ask of a "
    "file on bias; it says what was measured, not whether an obligation is met."
)


def audit_memo(
    said: Stated,
    results: Results,
    model: AuditedModel,
    citations: Sequence[str],
    report: str,
    command: str = "",
) -> str:
    """The memo in Markdown; equal arguments give equal text, so that it has no date.

    Parameters
    ----------
    citations : of the metrics, queries and models, by the keys of references.bib.
    report : the path of the report. command : that made the audit.
    """
    made = f"Made by fairflow {version()}{f' with `{command}`' if command else ''}."
    asked = without_controls(results.every_headline)
    asked = asked[asked["model"] == results.subject]
    control = _control(said, results.subject)
    parts = [
        f"# Bias audit of {plain_markdown(model.facts['Name'])}",
        f"{_MEMO} All numbers are in `{report}`. {made} The date of the run is that of this file.",
        "## Groups",
        "\n".join(_groups(asked, results)),
        "## Data",
        "\n".join(facts_table(model.facts)),
        " ".join((_DATA, *model.limits, *model.notes)),
        "## Measures",
        " ".join(filter(None, (*_method(asked, results), control.sentence if control else ""))),
        as_markdown(replace(said.page, title="Results")).rstrip("\n"),
        "## Limits",
        "\n".join(f"- {text}" for text in LIMITS),
    ]
    references = {one.key: one.text for text in citations for one, _ in cited(text)}
    if references:
        parts += ["## References", "\n".join(f"- {text}" for text in sorted(references.values()))]
    return "\n\n".join(parts) + "\n"


def _groups(asked: pd.DataFrame, results: Results) -> Iterator[str]:
    """The sets of words or the queries of each criterion, which are compared with each other."""
    for criterion, rows in asked.groupby("criterion", sort=False):
        queries = dict(zip(rows["query"], rows["query_label"], strict=True))
        named = (results.sets.get(name, ((), ()))[0] or [label] for name, label in queries.items())
        groups = dict.fromkeys(str(group) for names in named for group in names)
        yield f"- {plain_markdown(str(criterion))}: {plain_markdown('; '.join(groups))}."


def _method(asked: pd.DataFrame, results: Results) -> Iterator[str]:
    """What was measured and how, for a reader who is no specialist."""
    topics = asked.groupby("criterion", sort=False)["query"].nunique()
    named = listed(f"{name}: {n}" for name, n in topics.items())
    controls = results.every_headline
    controls = controls[(controls["model"] == results.subject) & controls[IS_CONTROL]]
    checks = [*controls["query_label"].unique()]
    number = counted(asked["query"].nunique() + len(checks), "query", "queries")
    named += f"; sanity checks: {len(checks)}" * bool(checks)
    yield f"{number} ({named}) measure how close words of two sets are to other words."
    labels = [results.labels[name] for name in asked["metric"].unique()]
    yield f"Measured by {listed(labels)}; 0 means no association where a score has a sign."
    yield _TESTS
    if checks:
        yield f"Sanity checks, which any sensible model passes: {'; '.join(checks)}."


def _control(said: Stated, model: str) -> Claim | None:
    """The claim on the sanity checks of a model."""
    own = (one for one in said.claims if one.kind == kinds.CONTROL and one.subject == model)
    return next(own, None)


def audit_summary(
    said: Stated, results: Results, facts: Mapping[str, str], files: Mapping[str, str]
) -> dict[str, Any]:
    """The summary of an audit, for programs and for the rules of `fairflow audit`.

    Returns
    -------
    model (with its facts) and against, with names and labels; control, what the sanity checks say
    of the model; answer; claims; counts (significant, tests, not measured, quality: None where it
    was not tested or measured); values, a row for each metric and criterion or query of the model
    with its size (value: None where a sanity check fails; note); table, the scores and ranks of all
    models; checks; files.
    """
    model, ranking = results.subject, results.table("ranking")
    every = without_controls(results.every_headline)
    own, quality = every[every["model"] == model], best_benchmark(results)
    control = _control(said, model)
    failed = control.sentence if control and control.verdict == associations.FAILS else ""
    tested = [one for one in said.claims if one.kind == kinds.ASSOCIATION and one.p_adjusted >= 0]
    lead = [one for one in tested if one.measure == tested[0].measure]
    found = {_place(one.rows) for one in lead if one.verdict == associations.SIGNIFICANT}
    quality = quality.loc[quality["model"] == model, "value"] if len(quality) else quality
    undefined = own.groupby("query")["value"].agg(lambda values: values.isna().all())
    others = [name for name in results.every_headline["model"].unique() if name != model]
    computed = ranking[ranking["source"] == "computed"] if len(ranking) else ranking
    ranks = computed.to_dict("records")
    values = [
        _value(results, row, row["criterion"], row["criterion"], row["score"], failed)
        for row in ranks
        if row["model"] == model
    ]
    values += [_of_query(results, row, found, failed) for row in own.to_dict("records")]
    page = plain(said.page)
    return {
        "model": {"name": model, "label": results.labels[model], "facts": dict(facts)},
        "against": [{"name": name, "label": results.labels[name]} for name in others],
        "control": control.verdict if control else "none",
        "answer": page["answer"],
        "claims": plain(said.claims),
        "counts": {
            "significant": len(found) if lead and not failed else None,
            "tests": len(lead),
            "not measured": int(undefined.sum()),
            "quality": float(quality.iloc[0]) if len(quality) else None,
        },
        "values": values,
        "table": [plain({name: row.get(name) for name in _RANK}) for row in ranks],
        "checks": page["checks"],
        "files": dict(files),
    }


def _place(row: Mapping[str, Any]) -> tuple[str, str]:
    return str(row["query"]), str(row["subquery"])


def _of_query(
    results: Results, row: Mapping[str, Any], found: set[tuple[str, str]], failed: str
) -> dict[str, Any]:
    # A query that is split has a row for each part.
    whole = row["subquery"] in (row["query"], row["query_label"])
    where, label = (row["query"], row["query_label"]) if whole else (row["subquery"],) * 2
    facts = {name: row.get(name) for name in _ASSOCIATION}
    facts |= {"signed": row["value"], "significant": _place(row) in found}
    return _value(results, row, where, label, row["value"], failed) | plain(facts)


def _value(
    results: Results, row: Mapping[str, Any], where: str, label: str, value: float, failed: str
) -> dict[str, Any]:
    """The row of a rule."""
    note, size = plain(row.get("note", row.get("reason"))), plain(value)
    return {
        "metric": row["metric"],
        "metric_label": results.labels[row["metric"]],
        "where": where,
        "where_label": label,
        "value": None if size is None or failed else abs(size),
        "note": failed or note or "",
    }
