"""What may and what may not be concluded from a study: a short list of statements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from fairflow.statistics.bootstrap import FEW_WORDS
from fairflow.studies.before_after_statements import before_after_statements
from fairflow.studies.comparison_statements import (
    ALPHA,
    controls_that_come_out,
    failing_controls,
    length_statements,
    not_ranked,
    same_vectors,
    told_apart,
    unknown_controls,
)
from fairflow.studies.item_statements import few_counts_statements, unanswered_statements
from fairflow.studies.published.comparison import ABSENT, DIFFERS, DRAWN, MATCH, TOLERATED
from fairflow.studies.published.publication import DERIVED
from fairflow.studies.remains_statements import remains_statements
from fairflow.studies.samples import sample_sentences
from fairflow.studies.specification_statements import specification_statements
from fairflow.studies.wording import counted, listed

_VERDICTS = {
    MATCH: ("matches", "match"),
    TOLERATED: ("lies within tolerance", "lie within tolerance"),
    DRAWN: ("lies within what random draws give", "lie within what random draws give"),
    DIFFERS: ("differs", "differ"),
    ABSENT: ("is not computed in this run", "are not computed in this run"),
}
# A study of no more scores has each told by name.
FEW_SCORES = 6
_SIDES = {"two-sided": "two-sided", "right": "right-sided", "left": "left-sided"}


@dataclass(frozen=True)
class Units:
    """How statements speak of what is resampled."""

    few: str
    targets: str
    both: str


WORDS = Units(
    few=f"a set has fewer than {FEW_WORDS} words",
    targets="target words",
    both="target and attribute words",
)
ITEMS = Units(
    few=f"there are fewer than {FEW_WORDS} units or templates",
    targets="units of items",
    both="units of items, templates and fills",
)


def conclusions(
    title: str,
    scores: pd.DataFrame,
    published: pd.DataFrame,
    controls: pd.DataFrame,
    ranking: pd.DataFrame,
    pairwise: pd.DataFrame,
    scale: pd.DataFrame,
    labels: Mapping[str, str],
    vectors: Mapping[str, str],
    signed: Iterable[str],
    of_items: Iterable[str] = (),
    unanswered: Iterable[tuple[str, Sequence[str], Sequence[str]]] = (),
    before_after: pd.DataFrame | None = None,
    what_remains: pd.DataFrame | None = None,
    specification_summary: pd.DataFrame | None = None,
) -> str:
    """A list in Markdown under the study's title, the most important statement first.

    Only what the tables bear out is stated; rows that tell of one measurement count once.

    Parameters
    ----------
    scores, published, controls, ranking, pairwise, scale : tables of the study.
    labels : of models, metrics and queries. vectors : model -> the name of its vectors.
    signed : the metrics whose value 0 means no association.
    of_items : the metrics that measure sentences, pairs and prompts, not vectors.
    unanswered : metric, kinds of models that answer it, models of the study that do not.
    before_after, what_remains : tables of a study that compares models before and after.
    specification_summary : of a study that compares models in every specification.
    """
    headline = scores[scores["headline"]]
    of_items = headline["metric"].isin(list(of_items))
    is_signed = headline["metric"].isin(list(signed))
    measured = {WORDS: headline[~of_items], ITEMS: headline[of_items]}
    statements = [
        *published_statements(published),
        *failing_controls(controls, labels),
        *score_statements(headline, labels),
        *before_after_statements(before_after, what_remains, labels),
        *remains_statements(what_remains, labels),
        *same_vectors(vectors, labels),
        *told_apart(pairwise, ranking, labels),
        *specification_statements(specification_summary, labels),
        *not_ranked(ranking, labels),
        *statements_of_tests(headline),
        *random_statements(measured[WORDS], labels),
        *(
            statement
            for units, rows in measured.items()
            for statement in interval_statements(rows[is_signed[rows.index]], units)
        ),
        *length_statements(scale, ranking, labels),
        *sample_sentences(headline, labels),
        *few_counts_statements(headline, labels),
        *undefined_statements(headline, labels),
        *unanswered_statements(unanswered, labels),
        *unknown_controls(controls, labels),
        *controls_that_come_out(controls),
    ]
    lines = "\n".join(f"- {_as_text(statement)}" for statement in statements)
    return f"## {_as_text(title)}\n\n{lines}\n"


def _as_text(statement: str) -> str:
    """On one line, without HTML: a label or a criterion is text, not markup."""
    return re.sub(r"<(?=[A-Za-z/!?])", "&lt;", " ".join(statement.split()))


def published_statements(published: pd.DataFrame) -> Iterator[str]:
    """What became of the published numbers, but for those that follow from other published ones."""
    printed = published[~published["measure"].isin(DERIVED)]
    if printed.empty:
        return
    verdicts = printed["verdict"].value_counts(sort=False)
    if set(verdicts.index) == {ABSENT}:
        yield f"None of {counted(len(printed), 'published number')} can be computed in this run."
        return
    told = [counted(n, *_VERDICTS.get(name, (name, name))) for name, n in verdicts.items()]
    yield f"Of {counted(len(printed), 'published number')} {listed(told)}."
    differ = printed["verdict"] == DIFFERS
    unexplained = int((differ & printed["cause"].isin(["unknown", "not expected"])).sum())
    if unexplained:
        what = counted(unexplained, "published number differs", "published numbers differ")
        yield f"Why {what} is not known."


def score_statements(headline: pd.DataFrame, labels: Mapping[str, str]) -> Iterator[str]:
    """Each defined score of a study of few, with what is known of chance."""
    if len(headline) > FEW_SCORES:
        return
    for row in headline.dropna(subset="value").to_dict("records"):
        known = [f"{row['value']:.3g}"]
        if pd.notna(row["ci_low"]):
            interval = f"{row['ci_low']:.3g} to {row['ci_high']:.3g}"
            known.append(f"{row['ci_level']:.0%} interval {interval}")
        if pd.notna(row["p_value"]):
            known.append(f"p {row['p_value']:.2g} ({_SIDES[row['p_side']]})")
        if pd.notna(row["p_random"]):
            band = f"that of random words, {row['random_low']:.3g} to {row['random_high']:.3g}"
            known.append(f"{'beyond' if row['p_random'] < ALPHA else 'within'} {band}")
        names = dict.fromkeys((row["query_label"], row["subquery"]))
        what = f"{labels[row['metric']]} of {labels[row['model']]}, {', '.join(names)}"
        yield f"{what}: {', '.join(known)}."


def statements_of_tests(headline: pd.DataFrame) -> Iterator[str]:
    """How many distinct tests show an association, for each side; or why there is none."""
    tested = headline.dropna(subset="p_value")
    if tested.empty:
        yield _no_tests(headline)
        return
    sides = sorted(tested["p_side"].unique(), key=list(_SIDES).index)
    told: set[str] = set()
    for side in sides:
        of_side = tested[tested["p_side"] == side]
        p = of_side.groupby("measurement")[["p_value", "p_bh", "p_holm"]].max() < ALPHA
        below = p.sum()
        tests = _of_tests(int(below["p_value"]), len(p), len(of_side), told >= {*p.index})
        yield (
            f"{tests} p < {ALPHA} ({_SIDES[side]}): {below['p_bh']} with the false discovery rate "
            f"of the family controlled (Benjamini-Hochberg), {below['p_holm']} with its chance of "
            "any error (Holm)."
        )
        told |= {*p.index}


def _of_tests(significant: int, number: int, rows: int, again: bool) -> str:
    """'3 of 17 distinct tests have', or 'of the same tests'."""
    if again:
        return f"Of the same tests {significant} of {number} {_have(significant)}"
    more = f" ({rows} rows tell of them)" if rows > number else ""
    return f"{significant} of {counted(number, 'distinct test')}{more} {_have(significant)}"


def _have(number: int) -> str:
    return "has" if number == 1 else "have"


def _no_tests(headline: pd.DataFrame) -> str:
    defined = headline[headline["value"].notna()]
    notes = defined.loc[defined["statistics"] != "none", "statistics_note"].dropna()
    if notes.empty:
        return "This study asks for no tests, so that nothing is said about chance."
    reason = notes.str.split("; ").str[0].mode().iloc[0]
    return f"No score could be tested ({reason}), so that nothing is said about chance."


def random_statements(headline: pd.DataFrame, labels: Mapping[str, str]) -> Iterator[str]:
    """How many scores of each metric random words do not give as well."""
    # Variants of one measurement have bands of their own: a mean of associations lies within the
    # band of words that are spread wider, and its effect size beyond it.
    banded = headline.dropna(subset="p_random").drop_duplicates(["metric", "measurement"])
    if len(banded):
        counts = [
            (int((rows["p_random"] < ALPHA).sum()), len(rows), f"by {labels[metric]}")
            for metric, rows in banded.groupby("metric", sort=False)
        ]
        (beyond, n, by), *others = counts
        first = f"{beyond} of {counted(n, 'score')} with a null band {by}"
        told = listed([first, *(f"{clear} of {of} {by}" for clear, of, by in others)])
        lie = "lies" if beyond == 1 and not others else "lie"
        sources = "; ".join(banded["random_source"].dropna().unique())
        total = sum(clear for clear, _, _ in counts)
        yield (
            f"{told} {lie} beyond those of random target words of similar frequency ({sources})"
            f"{_not_more(total, len(banded))}."
        )
    elif headline["ci_low"].notna().any():
        yield (
            "No score has a null band of random target words of similar frequency, for reasons "
            "that the table gives: whether other words would score as high is not known."
        )


def _not_more(beyond: int, scores: int) -> str:
    """What is to be thought of the scores that random words give as well; empty without any."""
    if beyond == scores:
        return ""
    if not beyond:
        return f": {'it' if scores == 1 else 'they'} should not be read as more"
    others = "the other" if beyond == scores - 1 else "the others"
    return f": {others} should not be read as more"


def interval_statements(signed: pd.DataFrame, units: Units) -> Iterator[str]:
    """How many intervals exclude 0, and how many are rough."""
    with_interval = signed.dropna(subset="ci_low").drop_duplicates("measurement")
    if with_interval.empty:
        return
    level = f"{with_interval['ci_level'].iloc[0]:.0%}"
    clear = _excluding_zero(with_interval, "ci_low", "ci_high")
    text = f"The {level} interval over {units.targets} excludes 0 for {clear} of "
    text += counted(len(with_interval), "signed score")
    both = with_interval.dropna(subset="ci_low_both")
    if len(both):
        clear = _excluding_zero(both, "ci_low_both", "ci_high_both")
        text += f", that over {units.both} for {clear} of {len(both)}"
    yield f"{text}."
    few = int((with_interval["statistics"] == "few_words").sum())
    if few:
        of = counted(len(with_interval), "signed score")
        yield f"In {few} of {of} {units.few}: their intervals are rough."


def _excluding_zero(rows: pd.DataFrame, low: str, high: str) -> int:
    return int(((rows[low] > 0) | (rows[high] < 0)).sum())


def undefined_statements(headline: pd.DataFrame, labels: Mapping[str, str]) -> Iterator[str]:
    """How many scores there are not, and of which models."""
    missing = headline[headline["value"].isna()]
    if missing.empty:
        return
    models = missing["model"].value_counts(sort=False)
    whose = listed(f"{count} of {labels[model]}" for model, count in models.items())
    if len(models) == 1 and headline["model"].nunique() > 1:
        whose = f"all of {labels[models.index[0]]}"
    about = f" ({whose})" if headline["model"].nunique() > 1 else ""
    count = f"{len(missing)} of {counted(len(headline), 'score')} {_are(len(missing))}"
    yield f"{count} undefined{about}, each with its reason in the table."


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
