"""All tables of a study of a corpus, from counts, draws and the study's scores."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from fairflow.corpora.subcorpora import Subcorpus
from fairflow.corpora.subcorpus_counts import SubcorpusCounts
from fairflow.files.tables import read_table
from fairflow.queries.lookup import SetLookup
from fairflow.studies.corpora.draws import KEY, Drawn
from fairflow.studies.corpora.log_odds_rows import log_odds_rows, sets_of
from fairflow.studies.corpora.trends import corpus_trends

WORDS = (
    *("division", "subcorpus", "label", "documents", "tokens", "undated"),
    *("query", "role", "set", "word"),
)
_SCORED = ["model", *KEY[1:]]
SCORES = (
    *("division", "subcorpus", "label", "position", *KEY, "value", "standard_error"),
    *("low", "high", "p_value", "low_words", "high_words", "low_all", "high_all"),
    *("mean_of_draws", "n_draws", "share_documents", "share_seeds", "share_words"),
    *("null_low", "null_high", "n_shuffled", "smallest_effect", "seed_values"),
    *("analytic_error", "analytic_low", "analytic_high", "analytic_p", "ratio"),
    *("n_first", "n_second", "count_11", "count_12", "count_21", "count_22", "n_documents"),
    "reason",
)


def corpus_tables(
    counts: Sequence[SubcorpusCounts],
    subcorpora: Sequence[Subcorpus],
    draws: pd.DataFrame,
    scores: pd.DataFrame,
    models: Mapping[str, Mapping[str, str]],
    level: float,
    seed: int,
) -> dict[str, pd.DataFrame]:
    """Name -> table, of all tables of kind "corpus" of `fairflow.studies.tables`.

    Parameters
    ----------
    counts : of each of the subcorpora. draws : rows of `fairflow.scores.drawn_scores` with the
        model of each, in the order of their numbers. scores : the study's table of scores.
    models : model -> its subcorpus and embedding.
    """
    parts = [*zip(subcorpora, counts, strict=True)]
    drawn = dict(iter(draws.groupby(_SCORED, sort=False)))
    primary = scores[scores["is_primary"]]
    found: list[tuple[Subcorpus, SubcorpusCounts, Drawn]] = []
    for part, counted in parts:
        found += [(part, counted, each) for each in log_odds_rows(counted, seed, level)]
        own = {name: told for name, told in models.items() if told["subcorpus"] == part.name}
        for score in primary[primary["model"].isin([*own])].to_dict("records"):
            some = drawn.get(tuple(score[column] for column in _SCORED), draws.iloc[:0])
            embedding = own[score["model"]]["embedding"]
            found.append((part, counted, _with_draws(score, embedding, counted.documents, some)))
    return {
        "corpus_words": corpus_words(parts),
        "corpus_scores": corpus_scores(found, level),
        "corpus_trends": corpus_trends([(part, drawn) for part, _, drawn in found], level),
    }


def read_draws(paths: Sequence[str | Path], models: Sequence[str]) -> pd.DataFrame:
    """Files of draws, with the model of each as a column."""
    read = zip(paths, models, strict=True)
    frames = [read_table(path).assign(model=model) for path, model in read]
    return pd.concat(frames or [pd.DataFrame(columns=[*_SCORED, "kind", "draw"])])


def corpus_words(parts: Sequence[tuple[Subcorpus, SubcorpusCounts]]) -> pd.DataFrame:
    """How often each word of each set occurs in each subcorpus.

    documents, tokens : of the subcorpus. undated : documents that are in no subcorpus of the
    division, as they have no date; 0 where it is not by date. role : "targets" or "attributes".
    word : as the query writes it. count : of its forms that were found; per_million : of a million
    tokens.
    """
    rows = [
        (
            *_names(part),
            counted.documents,
            counted.n_tokens,
            counted.undated * math.isfinite(part.position),
            *(query, role, each.name, word, count),
        )
        for part, counted in parts
        for query in counted.sets
        for role, sets in sets_of(counted, query).items()
        for each in sets
        for word, count in zip(each.words, _counts(counted, each), strict=True)
    ]
    table = pd.DataFrame(rows, columns=[*WORDS, "count"])
    return table.assign(per_million=1e6 * table["count"] / table["tokens"])


def _counts(counts: SubcorpusCounts, account: SetLookup) -> list[int]:
    """How often each word of a set occurs, in all its forms; a word that is repeated, each time."""
    forms: dict[int, list[str]] = {}
    for form, position in account.found.items():
        forms.setdefault(position, []).append(form)
    own = [forms.get(n, [form] if form else []) for n, form in enumerate(account.form_of)]
    return [sum(counts.numbers[form] for form in of_word) for of_word in own]


def corpus_scores(
    found: Sequence[tuple[Subcorpus, SubcorpusCounts, Drawn]], level: float
) -> pd.DataFrame:
    """Each value of each subcorpus, with its uncertainty.

    value : of all documents; of metric "log_odds_ratio" (embedding "counts"), or of the study's
        table of scores. position : the middle of the range in years, NaN of other subcorpora.
    standard_error, low, high, p_value : over documents (and seeds, where training has one).
    low_words, high_words : over words. low_all, high_all : over all three, by the sum of variances.
        Samples of documents and of words at once would count what both do together three times
        (Owen 2007, https://doi.org/10.1214/07-AOAS122): in simulations with 12 to 20 words a set
        these intervals hold in .95 to .96, those of such samples in .98 to 1.
    mean_of_draws, n_draws : of documents, those with a value.
    share_documents, share_seeds, share_words : in the sum of the three variances. Seeds have 0
        where nothing is random: in counts, pmi and ppmi_svd.
    null_low, null_high, n_shuffled : where values without any meaning are expected, from samples
        whose tokens were dealt anew.
    smallest_effect : half the width from low to high; intervals of smaller values include 0.
    seed_values : with all documents and other training seeds, separated by blanks.
    analytic_error, analytic_low, analytic_high, analytic_p : by `fairflow.statistics.log_odds`, as
        if co-occurrences were independent. ratio : how much wider the interval over documents is.
    n_first, n_second : tokens of the target sets. count_11 ... count_22 : co-occurrences of the
        words of a target set and an attribute set. n_documents : of the subcorpus.
    reason : why the value is NaN, or what is missing of the row.
    """
    rows = [
        dict(zip(SCORES, (*_names(part), part.position), strict=False))
        | _tokens(counted, drawn.key[2])
        | drawn.columns(level)
        for part, counted, drawn in found
    ]
    table = pd.DataFrame(rows, columns=list(SCORES))
    widths = table["high"] - table["low"], table["analytic_high"] - table["analytic_low"]
    return table.assign(ratio=widths[0] / widths[1])


def _names(part: Subcorpus) -> tuple[str, str, str]:
    return part.division, part.name, part.label


def _tokens(counts: SubcorpusCounts, query: str) -> dict[str, Any]:
    """The tokens of up to two target sets."""
    sets = sets_of(counts, query)["targets"]
    numbers = [sum(counts.numbers[form] for form in each.found) for each in sets]
    return dict(zip(("n_first", "n_second"), numbers, strict=False)) if len(sets) < 3 else {}


def _with_draws(
    score: Mapping[str, Any], embedding: str, documents: int, draws: pd.DataFrame
) -> Drawn:
    """A score with its draws, of all kinds.

    Parameters
    ----------
    documents : of the subcorpus.
    """
    kinds = dict(iter(draws.groupby("kind", sort=False)))
    of_documents = kinds.get("documents", draws.iloc[:0])
    reasons = of_documents["reason"].dropna()
    return Drawn(
        (embedding, *(score[column] for column in KEY[1:])),
        score["value"],
        documents,
        "" if pd.isna(score["reason"]) else score["reason"],
        **{kind: rows["value"].to_numpy(float) for kind, rows in kinds.items()},
        words=np.array(score["draws"], float),
        words_interval=(score["ci_low_both"], score["ci_high_both"]),
        why=reasons.iloc[0] if len(reasons) else "",
    )
