"""A memo on an audit, in Markdown: two pages that a reader understands who is no specialist.

Its findings are those of `fairflow.studies.findings`, in the same sentences as in the report.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairflow.files.configuration_files import version
from fairflow.files.references import cited
from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies import comparability as controls
from fairflow.studies.audit_model import AuditedModel
from fairflow.studies.findings.associations import associations_of, other_scores
from fairflow.studies.findings.comparisons import best_benchmark
from fairflow.studies.findings.finding import Finding, Results
from fairflow.studies.findings.headline import SHARE
from fairflow.studies.findings.missing import undefined_queries
from fairflow.studies.findings.statements import findings
from fairflow.studies.findings.trust import MEANINGS, how_far_trusted, trust_lines
from fairflow.studies.ranking import LIKELY, SURE
from fairflow.studies.wording import counted, facts_table, listed, plain_markdown

# Statements of the memo: the answer, what was found, what that may be, and how good the model is.
_FINDINGS = (
    *("failing_controls", "headline", "strongest_associations", "grammatical_gender"),
    *("words_with_one_vector", "quality_of_models"),
)
LIMITS_OF_WORDS = (
    "A score belongs to these word lists in this model. Other words for the same idea can give "
    "another result; the intervals show how much."
)
LIMITS = (
    "An association that is not significant may still exist.",
    "A score does not predict harm in an application, and says nothing about people. Test the "
    "application itself.",
    "Weaker associations may mean a poorer model: read them together with its quality, where that "
    "was measured.",
)
_TESTS = (
    f"An association is significant where a permutation test gives p < {ALPHA} after correction "
    "for the number of tests (Benjamini-Hochberg) and, where random words could be drawn, it is "
    "outside the null band, the scores of random target words of similar frequency. Numbers in "
    "brackets are 95% intervals: what other words of the same kind would give."
)
_VERDICTS = (
    f'"Less biased" or "more biased" means that at least {SURE:.0%} of word resamples give that '
    f'order of the means; "probably" that at least {LIKELY:.0%} do, or that a test over queries, '
    'another metric or a topic does not agree; below, models "cannot be distinguished".'
)
_BENCHMARK = (
    "Quality is the rank correlation of the cosines of word pairs with human ratings of their "
    "similarity; {name} is a list of such pairs."
)


def audit_memo(
    results: Results,
    model: AuditedModel,
    citations: Sequence[str],
    report: str,
    command: str = "",
) -> str:
    """The memo; equal arguments give equal text, so that it has no date.

    Parameters
    ----------
    results : of the study whose subject is audited.
    citations : of the metrics, queries and models, by the keys of references.bib.
    report : the path of the report. command : that made the audit.
    """
    found = findings(results)
    missing = [
        one.sentence.removeprefix("Not measured: ")
        for one in found
        if one.about == "undefined_scores"
    ]
    each = [f"- {text}" for text in undefined_queries(results)]
    if missing and each:
        missing.append("")
    others = [f"{metric} of {query}: {number}." for metric, query, number in other_scores(results)]
    limits = LIMITS_OF_WORDS, *LIMITS
    sections = {
        "Model": facts_table(model.facts),
        "Method": [_method(results)],
        "Findings": [f"{n}. {text}" for n, text in enumerate([*_told(found), *others], start=1)],
        "How far these numbers can be trusted": [*_trust(results)],
        "Not measured": [*missing, *each] or ["Every query has a score."],
        "Limits": [f"- {text}" for text in (*limits, *model.limits, *model.notes)],
        "References": [f"- {text}" for text in _references(citations)],
    }
    parts = [f"# Bias audit of {plain_markdown(model.facts['Name'])}"]
    made = f"Made by fairflow {version()}{f' with `{command}`' if command else ''}."
    parts.append(f"All numbers are in `{report}`. {made} The date of the run is that of this file.")
    for title, lines in sections.items():
        if lines:
            parts += [f"## {title}", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def _method(results: Results) -> str:
    """What was measured and how, for a reader who is no specialist."""
    found, labels, ranking = associations_of(results), results.labels, results.table("ranking")
    own = results.every_headline
    own = own[own["model"] == results.subject]
    asked = controls.without_controls(own)
    groups = asked.groupby("criterion", sort=False)["query"].nunique()
    number = counted(asked["query"].nunique(), "query", "queries")
    topics = listed(f"{name}: {n}" for name, n in groups.items())
    yours = [f"{number} ({topics}) measure how close words of two sets are to other words."]
    by_metric = asked.groupby("metric", sort=False)["query"].nunique()
    if found:
        n = by_metric.pop(found.metric)
        yours.append(
            f"The measure of {counted(n, 'query', 'queries')} is {labels[found.metric]}: 0 means "
            "no association, a number further from 0 a stronger one."
        )
    if len(by_metric):
        means = {name: one["text"] for name, one in results.readings.items()}
        others = (
            f"{labels[str(name)]} ({n}{f'; {means[name]}' if means.get(str(name)) else ''})"
            for name, n in by_metric.items()
        )
        yours.append(f"Other measures: {listed(others)}.")
    yours.append(_TESTS)
    sides = found.tested["alternative"].dropna().unique() if found else []
    if len(sides):
        names = ("two-sided" if side == "two-sided" else "one-sided" for side in sides)
        yours.append(f"Tests are {listed(dict.fromkeys(names))}.")
    benchmark = best_benchmark(results)
    if len(benchmark):
        yours.append(_BENCHMARK.format(name=benchmark["subject"].iloc[0]))
    if "control_query" in own and own["control_query"].any():
        names = own.loc[own["control_query"], "query_label"].unique()
        yours.append(f"Sanity checks, which any sensible model passes: {'; '.join(names)}.")
    others = [m for m in ranking["model"].unique() if m != results.subject] if len(ranking) else []
    if others:
        yours.append(
            f"The model is compared with {listed(labels[name] for name in others)} on the same "
            f"words. {_VERDICTS}"
        )
    return " ".join(yours)


def _told(found: Sequence[Finding]) -> Iterator[str]:
    """The findings: the answer, each of the strongest associations, and the quality."""
    for about in _FINDINGS:
        for one in found:
            if one.about != about:
                continue
            if about == "strongest_associations":
                strongest, *others = [*one.evidence, ""]
                yield " ".join(filter(None, (one.sentence, one.detail, one.caution, strongest)))
                yield from filter(None, others)
            elif about == "headline":
                shares = (text for text in one.evidence if text.startswith(SHARE))
                yield " ".join(filter(None, (one.sentence, one.caution, *shares)))
            else:
                yield " ".join(filter(None, (one.sentence, one.caution)))


def _trust(results: Results) -> Iterator[str]:
    """The answer, and each line after the question that it answers; nothing without the table."""
    for one in how_far_trusted(results):
        yield f"{one.sentence}\n"
    for line, text in trust_lines(results).items():
        yield f"- {MEANINGS[line]} {text}"


def _references(citations: Sequence[str]) -> list[str]:
    publications = {
        reference.key: reference.text for text in citations for reference, _ in cited(text)
    }
    return sorted(publications.values())
