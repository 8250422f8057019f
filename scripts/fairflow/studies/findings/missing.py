"""Conclusions on what has no score: queries, the words that their sets lost, and topics."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pandas as pd

from fairflow.queries.known_languages import language_name
from fairflow.studies import comparability as controls
from fairflow.studies.aggregation import OVERALL
from fairflow.studies.findings.finding import Finding, Results, of_table
from fairflow.studies.wording import counted, listed, listed_briefly, shortened

# What follows the numbers in 'Careers lost 3 of 8 words (wage, ...)'.
_LOST_WORDS = re.compile(r" words( \([^()]*\))?$")


def undefined_scores(results: Results) -> Iterator[Finding]:
    """How many scores are missing, and in which models; queries and words of a subject."""
    yield from _other_languages(results)
    headline, labels, subject = results.every_headline, results.labels, results.subject
    if subject:
        # Sanity checks without a score are reported with the checks.
        headline = controls.without_controls(headline[headline["model"] == subject])
    missing = headline[headline["value"].isna()]
    if missing.empty:
        return
    numbers = {"undefined": len(missing), "scores": len(headline)}
    if subject:
        queries, asked = missing["query"].unique(), headline["query"].nunique()
        words = oov_words(missing)
        named = f" (words missing: {listed_briefly(words)})" if words else ""
        text = f"Not measured: {len(queries)} of {counted(asked, 'query', 'queries')}{named}."
        yield Finding(text, leads=True, numbers=numbers)
        return
    models = missing["model"].value_counts(sort=False)
    whose = listed(f"{count} in {labels[model]}" for model, count in models.items())
    if len(models) == 1 and headline["model"].nunique() > 1:
        whose = f"all in {labels[models.index[0]]}"
    about = f" ({whose})" if headline["model"].nunique() > 1 else ""
    count = f"{len(missing)} of {counted(len(headline), 'score')}"
    yield Finding(f"Not measured: {count}{about}; the table gives the reasons.", numbers=numbers)


def _other_languages(results: Results) -> Iterator[Finding]:
    """The queries that a model was not asked because they are in a language that it is not in."""
    asked = [row for row in results.unspoken if results.subject in ("", row[0])]
    if asked:
        total = sum(sum(numbers.values()) for _, _, numbers in asked)
        yield Finding(
            f"Not measured: {counted(total, 'pair')} of a model and a query in another language.",
            leads=bool(results.subject),
            evidence=[
                f"{results.labels[model]} is in {listed(map(language_name, languages))}, and was "
                f"not asked {listed(f'{n} in {language_name(tag)}' for tag, n in numbers.items())}."
                for model, languages, numbers in asked
            ],
            numbers={"pairs": total},
        )
    if len({tuple(own) for _, own, _ in results.unspoken}) > 1 and not results.subject:
        yield Finding(
            "Word lists of several languages are not parallel: they differ in their words, and "
            "words in their meanings. A difference between scores in two languages is not one "
            "between the languages, or between their models.",
            leads=True,
        )


@of_table("coverage")
def words_with_one_vector(results: Results, coverage: pd.DataFrame) -> Iterator[Finding]:
    """The models in which several words of a set have one vector, and the set with most of them."""
    if "distinct" not in coverage:
        return
    forms = coverage["found"] - coverage["duplicated"]
    alike = coverage.assign(forms=forms)[forms > coverage["distinct"]]
    if results.subject:
        alike = alike[alike["model"] == results.subject]
    # A derived model has the words of its base, and is not named again.
    alike = alike.drop_duplicates(alike.columns.difference(["model"]))
    for model, sets in alike.groupby("model", sort=False):
        most = sets.loc[(sets["forms"] - sets["distinct"]).idxmax()]
        of = counted((coverage["model"] == model).sum(), "set")
        yield Finding(
            f"In {results.labels[model]}, words share a vector in {len(sets)} of {of}, most in "
            f"{most['word_set']}: {most['forms']} words have {most['distinct']} vectors.",
            "Each of them counts in a score; its test and intervals have them as one word.",
            "The model cannot tell them apart: such a score is one of fewer words.",
            numbers={"model": model, "sets": len(sets)},
        )


def oov_words(undefined: pd.DataFrame) -> list[str]:
    """The words that undefined scores miss, those of the shortest list first."""
    if "oov_words" not in undefined:
        return []
    lists = sorted((list(words) for words in undefined["oov_words"]), key=len)
    return [*dict.fromkeys(word for words in lists for word in words)]


def undefined_queries(results: Results) -> Iterator[str]:
    """Each topic of the subject that is not compared, and its queries without a score by reason."""
    own = controls.without_controls(results.every_headline)
    own = own[own["model"] == results.subject]
    ranking = results.table("ranking")
    if len(ranking):
        is_few = (ranking["model"] == results.subject) & (ranking["status"] == controls.FEW_QUERIES)
        for criterion in ranking.loc[is_few, "criterion"].unique():
            of = own if criterion == OVERALL else own[own["criterion"] == criterion]
            defined = of.dropna(subset="value")["query"].nunique()
            have = f"{defined} of {counted(of['query'].nunique(), 'query', 'queries')}"
            where = "all queries" if criterion == OVERALL else criterion
            yield f"No comparison on {where}: {have} {'has' if defined == 1 else 'have'} a score."
    queries_of: dict[str, list[str]] = {}
    missing = own[own["value"].isna()].drop_duplicates("query")
    for row in missing.to_dict("records"):
        reason = row.get("reason")
        text = shortened(reason) if isinstance(reason, str) else ""
        text = _LOST_WORDS.sub("", text) or "No score"
        queries_of.setdefault(text, []).append(row["query_label"])
    yield from (f"{reason}: {'; '.join(queries)}." for reason, queries in queries_of.items())
