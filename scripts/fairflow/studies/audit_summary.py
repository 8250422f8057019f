"""What an audit found, as plain values: for programs, and for the rules of `fairflow audit`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from fairflow.studies.comparability import NO_CONTROL, failing, without_controls
from fairflow.studies.findings.associations import associations_of
from fairflow.studies.findings.comparisons import best_benchmark
from fairflow.studies.findings.finding import Results
from fairflow.studies.validity.checks import COLUMNS as CHECKS
from fairflow.studies.validity.grid import with_names

# Columns of an association, and of the table of models.
_ASSOCIATION = ("criterion", "ci_low", "ci_high", "p_value", "p_bh", "p_holm", "p_null_band")
_RANK = ("criterion", "metric", "model", "score", "rank", "n_common", "n_queries", "status", "note")


def audit_summary(
    results: Results,
    facts: Mapping[str, str],
    findings: Sequence[Mapping[str, Any]],
    files: Mapping[str, str],
) -> dict[str, Any]:
    """The summary of an audit.

    Parameters
    ----------
    results : of the study whose subject is audited, with its tables "ranking" and "quality".
    facts : what identifies the model: name -> value. findings : of the study, plain values.
    files : what a reader may open -> its path.

    Returns
    -------
    model (with its facts) and against, with names and labels; control, what the sanity checks say
    of the model; findings; counts (significant, tests, not measured, quality: None where it was not
    tested or measured); values, a row for each metric and criterion or query of the model with its
    size (metric, where, their labels, value: None where a sanity check fails, note, and what is
    known of an association); table, the scores and ranks of all models; checks, rows of
    `fairflow.studies.validity.checks` on the model, [] without that table; files.
    """
    model, ranking = results.subject, results.table("ranking")
    found, quality = associations_of(results), best_benchmark(results)
    significant = found.significant.index if found else ()
    quality = quality.loc[quality["model"] == model, "value"] if len(quality) else quality
    own = without_controls(results.every_headline)
    own = own[own["model"] == model]
    control = max(own["control"], key=failing, default=NO_CONTROL)
    undefined = own.groupby("query")["value"].agg(lambda values: values.isna().all())
    checks = with_names(results.table("checks")).to_dict("records")
    checks = [row for row in checks if row["model"] == model]
    others = [name for name in results.every_headline["model"].unique() if name != model]
    return {
        "model": {"name": model, "label": results.labels[model], "facts": dict(facts)},
        "against": [{"name": name, "label": results.labels[name]} for name in others],
        "control": control,
        "findings": [dict(one) for one in findings],
        "counts": {
            "significant": len(significant) if found and len(found.tested) else None,
            "tests": len(found.tested) if found else 0,
            "not measured": int(undefined.sum()),
            "quality": float(quality.iloc[0]) if len(quality) else None,
        },
        "values": [*_of_criteria(results, ranking), *_of_queries(results, own, {*significant})],
        "table": [{name: _plain(row.get(name)) for name in _RANK} for row in _computed(ranking)],
        "checks": [{name: _plain(row[name]) for name in CHECKS} for row in checks],
        "files": dict(files),
    }


def _computed(ranking: pd.DataFrame) -> list[dict[str, Any]]:
    if ranking.empty:
        return []
    return ranking[ranking["source"] == "computed"].to_dict("records")


def _of_criteria(results: Results, ranking: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for row in _computed(ranking):
        if row["model"] == results.subject:
            yield _value(results, row, row["criterion"], row["criterion"], "score", "note")


def _of_queries(
    results: Results, own: pd.DataFrame, significant: set[Any]
) -> Iterator[dict[str, Any]]:
    for index, row in own.iterrows():
        # A query that is split has a row for each part.
        whole = row["subquery"] in (row["query"], row["query_label"])
        where, label = row["query"], row["query_label"]
        if not whole:
            where = label = row["subquery"]
        facts = {name: _plain(row.get(name)) for name in _ASSOCIATION}
        facts |= {"signed": _plain(row["value"]), "significant": index in significant}
        yield _value(results, row, where, label, "value", "reason") | facts


def _value(results: Results, row: Any, where: str, label: str, *keys: str) -> dict[str, Any]:
    """The row of a rule, from the columns with a score and with a note on it."""
    size, note = (_plain(row[key]) for key in keys)
    if failing(row["control"]):
        size, note = None, f"sanity checks: {row['control']}"
    return {
        "metric": row["metric"],
        "metric_label": results.labels[row["metric"]],
        "where": where,
        "where_label": label,
        "value": None if size is None else abs(size),
        "note": note or "",
    }


def _plain(value: Any) -> Any:
    """A cell as JSON has it, None where it is missing."""
    if value is None or (not isinstance(value, str) and pd.isna(value)):
        return None
    return value.item() if hasattr(value, "item") else value
