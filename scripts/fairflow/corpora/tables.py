"""All tables of a study of a corpus, from counts, draws and the study's scores."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from fairflow.corpora import KIND
from fairflow.corpora.cooccurrence import SubcorpusCounts
from fairflow.corpora.draws import KEY, UNLIMITED, Drawn
from fairflow.corpora.embeddings import CHANGES
from fairflow.corpora.log_odds_rows import log_odds_rows, sets_of
from fairflow.corpora.sample import Subcorpus
from fairflow.corpora.trends import WORD, corpus_trends
from fairflow.files.tables import read_table
from fairflow.queries.lookup import SetLookup
from fairflow.scores.ranked import ranked_rows
from fairflow.studies.tabulate import Tabulation

_SCORED = ["model", *KEY[1:]]
# Model, metric, query, subquery and kind -> draws.
Draws = Mapping[tuple[str, ...], pd.DataFrame]


def corpus_tables(
    counts: Sequence[SubcorpusCounts],
    subcorpora: Sequence[Subcorpus],
    draws: pd.DataFrame,
    scores: pd.DataFrame,
    models: Mapping[str, Mapping[str, str]],
    level: float,
    seed: int,
) -> dict[str, pd.DataFrame]:
    """Name -> the parts of the table `corpus_scores`: words, scores and trends.

    Parameters
    ----------
    counts : of each of the subcorpora. draws : rows of `fairflow.corpora.drawn_scores` with the
        model of each, in the order of their numbers. scores : the study's table of scores.
    models : model -> its subcorpus and embedding.
    """
    parts, found = [*zip(subcorpora, counts, strict=True)], []
    drawn = dict(iter(draws.groupby([*_SCORED, "kind"], sort=False)))
    of_models = ranked_rows(scores[scores["model"].isin([*models])]).to_dict("records")
    for part, counted in parts:
        of_part = log_odds_rows(counted, seed, level)
        own = [one for one in of_models if models[one["model"]]["subcorpus"] == part.name]
        of_vectors = (
            _with_draws(one, models[one["model"]]["embedding"], counted, drawn) for one in own
        )
        found += [(part, counted, one) for one in chain(of_part, of_vectors)]
    return {
        "corpus_words": corpus_words(parts),
        "corpus_scores": corpus_scores(found, level),
        "corpus_trends": corpus_trends([(part, drawn) for part, _, drawn in found], level),
    }


def in_one_table(parts: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The table `corpus_scores`; `kind` says what a row is, see `trends.parted`."""
    words = parts["corpus_words"].assign(kind=WORD)
    return pd.concat([parts["corpus_scores"], parts["corpus_trends"], words], ignore_index=True)


def read_draws(paths: Sequence[str | Path], models: Sequence[str]) -> pd.DataFrame:
    """Files of draws, with the model of each as a column."""
    read = zip(paths, models, strict=True)
    frames = [read_table(path).assign(model=model) for path, model in read]
    return pd.concat(frames or [pd.DataFrame(columns=[*_SCORED, "kind"])])


def corpus_words(parts: Sequence[tuple[Subcorpus, SubcorpusCounts]]) -> pd.DataFrame:
    """How often each word of each set occurs in each subcorpus.

    documents, tokens : of the subcorpus. undated : documents that are in no subcorpus of the
    division, as they have no date; 0 where it is not by date. role : "targets" or "attributes".
    word : as the query writes it. count : of its forms that were found; per_million : of a million
    tokens.
    """
    rows = [
        (
            *(*part[:3], counted.documents, counted.n_tokens),
            counted.undated * math.isfinite(part.position),
            *(query, role, each.name, word, count),
        )
        for part, counted in parts
        for query in counted.sets
        for role, sets in sets_of(counted, query).items()
        for each in sets
        for word, count in zip(each.words, _counts(counted, each), strict=True)
    ]
    names = "division subcorpus label documents tokens undated query role set word count"
    table = pd.DataFrame(rows, columns=names.split())
    return table.assign(per_million=1e6 * table["count"] / table["tokens"])


def _counts(counts: SubcorpusCounts, account: SetLookup) -> list[int]:
    """How often each word of a set occurs, in all its forms; a word that is repeated, each time."""
    own = Counter[int]()
    for form, position in account.found.items():
        own[position] += counts.numbers[form]
    # A word whose form another word has brought in is not among these.
    return [own[n] or counts.numbers.get(form or "", 0) for n, form in enumerate(account.form_of)]


def corpus_scores(
    found: Sequence[tuple[Subcorpus, SubcorpusCounts, Drawn]], level: float
) -> pd.DataFrame:
    """Each value of each subcorpus, with its uncertainty.

    value : of all documents; of metric "log_odds_ratio" (embedding "counts"), or of the study's
        table of scores. position : the middle of the range in years, NaN of other subcorpora.
    standard_error, low, high : over documents (and seeds, where training has one).
    null_mean : the value of texts without any association: 0 of log odds ratios, of vectors the
        mean of samples whose tokens were dealt anew, as frequencies alone give vectors some.
    excess, excess_low, excess_high, excess_p : the value less null_mean, its interval with the
        variance of both, and the two-sided p-value of no excess.
    low_words, high_words : over words. low_all, high_all : over all three, by the sum of variances.
        Samples of documents and of words at once would count what both do together three times
        (Owen 2007, https://doi.org/10.1214/07-AOAS122): in simulations with 12 to 20 words a set
        these intervals hold in .95 to .96, those of such samples in .98 to 1.
    mean_of_draws, n_draws : of documents, those with a value.
    share_documents, share_seeds, share_words : in the sum of the three variances. Seeds have 0
        where nothing is random: in counts, pmi and ppmi_svd.
    null_low, null_high, n_shuffled : where the value of one more such sample is expected, and how
        many there are.
    smallest_effect : half the width of the interval of the excess, which includes 0 where the
        excess is smaller.
    seed_values : with all documents and other training seeds, separated by blanks.
    analytic_error, analytic_low, analytic_high, analytic_p : by `fairflow.statistics.counts`, as
        if co-occurrences were independent. ratio : how much wider the interval over documents is.
    n_first, n_second : tokens of the target sets. count_11 ... count_22 : co-occurrences of the
        words of a target set and an attribute set. n_documents : of the subcorpus. n_clusters :
        those of them that are drawn as one, each document by itself where the corpus names none.
    reason : why the value is NaN, or what is missing of the row.
    """
    names = "division", "subcorpus", "label", "position"
    return pd.DataFrame(
        dict(zip(names, part, strict=True))
        | drawn.columns(level)
        | {"n_documents": counted.documents}
        | _tokens(counted, drawn.key[2])
        for part, counted, drawn in found
    )


def _tokens(counts: SubcorpusCounts, query: str) -> dict[str, float]:
    """The tokens of up to two target sets."""
    sets = sets_of(counts, query)["targets"]
    numbers = [sum(counts.numbers[form] for form in each.found) for each in sets]
    known = numbers if len(sets) < 3 else []
    return dict(zip(("n_first", "n_second"), [*known, math.nan, math.nan], strict=False))


def _with_draws(
    score: Mapping[str, Any], embedding: str, counts: SubcorpusCounts, drawn: Draws
) -> Drawn:
    """A score with its draws, of all kinds."""
    key, kinds = tuple(score[column] for column in _SCORED), ("documents", "seeds", "shuffled")
    some = {kind: drawn[*key, kind] for kind in kinds if (*key, kind) in drawn}
    reasons = some["documents"]["reason"].dropna() if "documents" in some else ()
    return Drawn(
        (embedding, *key[1:]),
        score["value"],
        counts.n_clusters,
        "" if pd.isna(score["reason"]) else score["reason"],
        counts.cluster,
        **{kind: rows["value"].to_numpy(float) for kind, rows in some.items()},
        words=np.array(score["draws"], float),
        why=next(iter(reasons), ""),
        more={"low_words": score["ci_low_both"], "high_words": score["ci_high_both"]},
        change=CHANGES.get(embedding, 1.0),
        limits=UNLIMITED if pd.isna(score["least"]) else (score["least"], score["most"]),
    )


def tables_of_study(study: Tabulation, how: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """The table of a study of a corpus, as `fairflow.corpora.jobs` asks for it."""
    made = corpus_tables(
        [SubcorpusCounts.read(path) for path in study.read["counts"]],
        [Subcorpus(**told) for told in how["subcorpora"]],
        read_draws(study.read["draws"], [model for model, _ in how["draws"]]),
        study.table("scores.parquet"),
        how["models"],
        how["level"],
        how["seed"],
    )
    return {"corpus_scores": in_one_table(made)}


MAKERS = {KIND: tables_of_study}
