"""The list of all statements, and what they find in a study, the most important first."""

from __future__ import annotations

from dataclasses import replace

from fairflow.studies.findings import associations, comparisons, debiasing, items, specifications
from fairflow.studies.findings.finding import Finding, Results

# Each takes the results of a study and gives findings; its name is what these are about.
STATEMENTS = (
    associations.failing_controls,
    items.broken_models,
    associations.published_numbers,
    comparisons.place_of_subject,
    comparisons.order_of_models,
    debiasing.associations_reduced,
    associations.associations_beyond_chance,
    items.item_scores,
    comparisons.agreement_of_metrics,
    comparisons.told_apart,
    associations.single_scores,
    debiasing.changes_of_models,
    debiasing.bias_left,
    debiasing.use_lost,
    debiasing.not_measured,
    debiasing.hidden_bias,
    comparisons.same_vectors,
    comparisons.not_told_apart,
    specifications.specifications,
    comparisons.not_ranked,
    associations.distinct_tests,
    associations.random_words,
    associations.intervals,
    comparisons.hanging_on_vectors,
    items.samples,
    items.few_counts,
    associations.undefined_scores,
    items.unanswered_metrics,
    associations.unknown_controls,
    associations.controls_that_come_out,
)


def findings(results: Results) -> tuple[Finding, ...]:
    """What the statements find; of a subject that fails a control query nothing else leads."""
    found = [
        replace(finding, about=statement.__name__)
        for statement in STATEMENTS
        for finding in statement(results)
    ]
    failing = {one.numbers["model"] for one in found if one.about == "failing_controls"}
    if results.subject in failing:
        found = [replace(one, leads=one.about == "failing_controls") for one in found]
    return tuple(found)
