"""The list of all statements, and what they find in a study, the headline first."""

from __future__ import annotations

from dataclasses import replace

from fairflow.studies.findings import associations, comparisons, corpora, debiasing, items, missing
from fairflow.studies.findings.finding import Finding, Results
from fairflow.studies.findings.grammar import grammatical_gender
from fairflow.studies.findings.headline import headline

# Each takes the results of a study and yields findings; its name is what these are about. First
# what the texts of a corpus show, then the answers, associations, ranks, quality, what is missing.
STATEMENTS = (
    corpora.associations_in_texts,
    corpora.trends_in_texts,
    corpora.undated_documents,
    associations.failing_controls,
    items.broken_models,
    headline,
    debiasing.associations_reduced,
    associations.strongest_associations,
    grammatical_gender,
    items.item_scores,
    comparisons.mean_scores,
    comparisons.quality_of_models,
    corpora.published_interval,
    corpora.shuffled_words,
    corpora.values_missing,
    missing.undefined_scores,
    missing.words_with_one_vector,
    associations.published_numbers,
    associations.single_scores,
    debiasing.changes_of_models,
    debiasing.bias_left,
    debiasing.use_lost,
    debiasing.not_measured,
    debiasing.hidden_bias,
    associations.distinct_tests,
    associations.random_words,
    associations.intervals,
    items.samples,
    items.few_counts,
    items.answers_in_text,
    items.unanswered_metrics,
    associations.unknown_controls,
    associations.passed_controls,
)


def findings(results: Results) -> tuple[Finding, ...]:
    """What all statements find; where the subject fails a control query only this leads.

    A caution that several findings share is given with the first of them.
    """
    found: list[Finding] = []
    given: set[str] = set()
    for statement in STATEMENTS:
        for finding in statement(results):
            caution = "" if finding.caution in given else finding.caution
            given.add(caution)
            found.append(replace(finding, about=statement.__name__, caution=caution))
    failing = {one.numbers["model"] for one in found if one.about == "failing_controls"}
    if results.subject in failing:
        found = [replace(one, leads=one.about == "failing_controls") for one in found]
    return tuple(found)
