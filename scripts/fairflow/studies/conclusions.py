"""What may and what may not be concluded from a study: a short list of statements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import pandas as pd

from fairflow.statistics.bootstrap import FEW_WORDS
from fairflow.statistics.counts import FEW_COUNTS
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
from fairflow.studies.published.comparison import ABSENT, DIFFERS, DRAWN, MATCH, TOLERATED
from fairflow.studies.published.publication import DERIVED
from fairflow.studies.wording import counted, listed

_VERDICTS = {
    MATCH: ("matches", "match"),
    TOLERATED: ("lies within tolerance", "lie within tolerance"),
    DRAWN: ("lies within what random draws give", "lie within what random draws give"),
    DIFFERS: ("differs", "differ"),
    ABSENT: ("is not computed in this run", "are not computed in this run"),
}
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
) -> str:
    """A list in Markdown under the study's title, the most important statement first.

    Only what the tables bear out is stated; rows that tell of one measurement count once.

    Parameters
    ----------
    scores, published, controls, ranking, pairwise, scale : tables of the study.
    labels : of models, metrics and queries. vectors : model -> the name of its vectors.
    signed : the metrics whose value 0 means no association.
    of_items : the metrics that measure sentences, pairs and prompts, not vectors.
    """
    headline = scores[scores["headline"]]
    of_items = headline["metric"].isin(list(of_items))
    is_signed = headline["metric"].isin(list(signed))
    measured = {WORDS: headline[~of_items], ITEMS: headline[of_items]}
    statements = [
        *published_statements(published),
        *failing_controls(controls, labels),
        *same_vectors(vectors, labels),
        *told_apart(pairwise, ranking, labels),
        *not_ranked(ranking, labels),
        *statements_of_tests(headline),
        *random_statements(measured[WORDS]),
        *(
            statement
            for units, rows in measured.items()
            for statement in interval_statements(rows[is_signed[rows.index]], units)
        ),
        *length_statements(scale, ranking, labels),
        *few_counts_statements(headline, labels),
        *undefined_statements(headline, labels),
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


def random_statements(headline: pd.DataFrame) -> Iterator[str]:
    """How many scores random words give as well."""
    banded = headline.dropna(subset="p_random").drop_duplicates("measurement")
    if len(banded):
        inside = int((banded["p_random"] >= ALPHA).sum())
        sources = listed(banded["random_source"].dropna().unique())
        yield (
            f"{inside} of {counted(len(banded), 'score')} with a null band {_are(inside)} no "
            f"further out than those of random target words of similar frequency ({sources}), and "
            "should not be read as more."
        )
    elif headline["ci_low"].notna().any():
        yield (
            "No score has a null band of random target words of similar frequency, for reasons "
            "that the table gives: whether other words would score as high is not known."
        )


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
        yield f"In {few} of these {units.few}: their intervals are rough."


def _excluding_zero(rows: pd.DataFrame, low: str, high: str) -> int:
    return int(((rows[low] > 0) | (rows[high] < 0)).sum())


def few_counts_statements(headline: pd.DataFrame, labels: Mapping[str, str]) -> Iterator[str]:
    """Which scores rest on too few counts to be ranked."""
    few = headline[(headline["status"] == FEW_COUNTS) & headline["value"].notna()]
    if len(few):
        models = listed(labels[model] for model in few["model"].unique())
        yield (
            f"{counted(len(few), 'score')} of generated texts ({models}) {_rests(len(few))} on too "
            "few counts to be a finding, and no model is ranked by them."
        )


def _rests(number: int) -> str:
    return "rests" if number == 1 else "rest"


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
