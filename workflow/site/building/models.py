"""The page Models: how biased and how good some models are, from three committed tables.

`make leaderboard` computes the studies and writes the tables into `workflow/report`; tests compare
them with a fresh run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from fairflow.files.configuration_files import read_yaml, shipped_schemas
from fairflow.planning.configuration import read_configuration
from fairflow.planning.planner import make_plan
from fairflow.scores.ranked import ranked_rows
from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies.aggregation import OVERALL
from fairflow.studies.before_after import MEAN_SIZE
from fairflow.studies.wording import listed

TABLES = Path("workflow/report")
RANKED, DEBIASED, FRENCH = "models.csv", "models_debiased.csv", "models_french.csv"
COMPARED = "static_and_contextual"
COMPARING = ("debiasing", "debiased_encoders")
OTHER_LANGUAGE = "french"
_QUALITY = {
    "value": "quality",
    "value_range_low": "quality_low",
    "value_range_high": "quality_high",
}

# The benchmark of quality that every model has.
_BENCHMARK = "MEN"
_SIZES = {"before": "mean_size_before", "after": "mean_size_after"}
_SIZES |= {f"absolute_difference{end}": f"change{end}" for end in ("", "_low", "_high")}
_OF_SIZES = ["before_model", "model", "metric", "n_associations", "n_smaller", "n_clearly_smaller"]
_OF_SIZES += [*_SIZES.values(), "ci_level", "verdict"]

_PAGE = """# Models

How biased are the models that can be computed without large downloads, and how good are their
vectors? `make leaderboard` computes the tables; the models come from the package index. [`make
audit`](audit.md) compares your own model with word2vec and GloVe.

## Compared { #compared }

%s

The score is the mean size of [WEAT's effect size](numbers/words.md#weat): over all %d queries
and, in parentheses, over the tests of Caliskan et al. (2017) except the two control queries, and
over the gender queries of the WEFE case study. The mean rank and its 95%% interval are over word
resamples; rank 1 has the least association. Where two models cannot be told apart (p of their
difference at least .05 after Benjamini-Hochberg), the table names them as a tie. Quality
is Spearman's correlation of cosines with human ratings of the similarity of MEN's word pairs,
with a 95%% interval; it is measured for word vectors. Noise makes every association smaller: a
less biased model may only be a poorer model. A language model reads each word in four short
texts.

## Debiased, before and after { #debiased }

%s

A debiased model is compared with its source model only, over the same words: word2vec on the
gender queries of the WEFE case study, MiniLM on tests of gender in words and in sentences.
The change of the mean size has an interval over resamples of the same words, corrected for
the number of models; an interval without 0 shows a change. "Smaller" counts the queries whose
effect size is smaller. A smaller score does not show that bias was removed: [it may be
hidden](write/transform.md#before-and-after).

## French { #french }

%s

WEAT's effect size (sample standard deviation) of the tests of WEATHub, with its interval over
target and attribute words, by the study `french`. **The lists are not parallel:** they were
translated word by word, and differ in their words, names and meanings, so that a difference
between the columns is not one between two languages. "Words" is how many of the French words are
in the model, and how many vectors these have: the model is pruned, and words that share a vector
are one word in tests and intervals. The English vectors are a part of word2vec without many words
of tests 12 to 15.
"""


def ranked_table(study: Path, labels: Mapping[str, str]) -> pd.DataFrame:
    """Score, mean rank with its interval, and quality of each model of a study, by criterion.

    Parameters
    ----------
    study : the folder of its tables. labels : of models.
    """
    key = ["criterion", "metric", "model"]
    ranks = pd.read_csv(study / "ranking.csv").drop(columns="note")
    ranks = ranks[ranks["source"] == "computed"]
    pairs = pd.read_csv(study / "pairwise.csv")
    ties = (
        pairs[pairs["p_bh"] >= ALPHA]
        .groupby(key)["other"]
        .agg(lambda models: listed(labels[m] for m in models))
    )
    rows = ranks.merge(ties.rename("ties").reset_index(), "left", on=key)
    rows = rows.merge(qualities(study), "left", on="model")
    rows.insert(0, "label", rows["model"].map(labels))
    columns = ["label", *key, "score", "n_common", "expected_rank", "rank_low", "rank_high", "ties"]
    return rows[[*columns, *_QUALITY.values()]]


def qualities(study: Path) -> pd.DataFrame:
    """The quality of each model of a study by itself."""
    table = pd.read_csv(study / "quality.csv")
    alone = table[table["other"].isna() & (table["subject"] == _BENCHMARK)]
    alone = alone.rename(columns=_QUALITY)
    names = [*_QUALITY.values()]
    return alone[["model", *names]].astype(dict.fromkeys(names, float))


def debiased_table(study: Path, labels: Mapping[str, str]) -> pd.DataFrame:
    """The mean size of associations of each debiased model and of its source, and its quality.

    Parameters
    ----------
    study : the folder of its tables. labels : of models.
    """
    rows = pd.read_csv(study / "before_after.csv")
    rows = rows[rows["measure"] == MEAN_SIZE].rename(columns=_SIZES)[_OF_SIZES]
    rows = rows[rows["metric"] == rows["metric"].iloc[0]]
    rows = rows.astype(dict.fromkeys(_OF_SIZES[3:6], int)).merge(
        qualities(study), "left", on="model"
    )
    rows.insert(0, "study", study.name)
    rows.insert(1, "label", rows["model"].map(labels))
    return rows


def french_table(study: Path) -> pd.DataFrame:
    """The score of each test in each language, with the words found and their vectors.

    Parameters
    ----------
    study : the folder of its tables. Its criteria are languages, and its queries end in their test.
    """
    key = ["model", "query"]
    scores = ranked_rows(pd.read_csv(study / "scores.csv")).dropna(subset="criterion")
    scores = scores.sort_values("n_found", ascending=False, kind="stable")
    scores = scores.drop_duplicates("query").sort_index()
    sets = pd.read_csv(study / "coverage.csv")
    sets = sets.assign(query=sets["queries"].str.split()).explode("query")
    rows = scores.merge(sets.groupby(key)["distinct"].sum().reset_index(), "left", on=key)
    rows["test"] = rows["query"].str.rpartition("_")[2]
    rows["label"] = rows["query_label"].str.replace(r" \[.*\]$", "", regex=True)
    named = ["criterion", "test", "label", *key, "value", "ci_low_both", "ci_high_both"]
    return rows[[*named, "n_words", "n_found", "distinct"]]


def model_pages(root: Path) -> dict[str, str | bytes]:
    """The page and its tables: path on the site -> content."""
    tables = (pd.read_csv(root / TABLES / name) for name in (RANKED, DEBIASED, FRENCH))
    ranked, debiased, french = tables
    n_queries = int(ranked.loc[ranked["criterion"] == OVERALL, "n_common"].iloc[0])
    page = _PAGE % (
        _markdown(_ranked_lines(ranked)),
        n_queries,
        _markdown(_debiased_lines(debiased)),
        _markdown(_french_lines(french)),
    )
    return {"models.md": page}


def _ranked_lines(table: pd.DataFrame) -> Iterator[list[str]]:
    parts = [name for name in table["criterion"].unique() if name != OVERALL]
    scores = table.pivot(index="model", columns="criterion", values="score")
    yield ["Model", f"Score ({', '.join(parts)})", "Mean rank", "Not distinguished from", "Quality"]
    rows = table[table["criterion"] == OVERALL].sort_values("expected_rank", kind="stable")
    for row in rows.itertuples():
        rank = f"{row.expected_rank:.1f} [{row.rank_low:.0f}, {row.rank_high:.0f}]"
        ties = row.ties if isinstance(row.ties, str) else "—"
        of_parts = ", ".join(f"{scores.loc[row.model, name]:.2f}" for name in parts)
        yield [row.label, f"{row.score:.2f} ({of_parts})", rank, ties, _quality(row)]


def _debiased_lines(table: pd.DataFrame) -> Iterator[list[str]]:
    yield ["Model", "Score before", "Score after", "Change", "Smaller", "Quality"]
    for row in table.itertuples():
        change = f"{row.change:.2f} [{row.change_low:.2f}, {row.change_high:.2f}]"
        sizes = [f"{size:.2f}" for size in (row.mean_size_before, row.mean_size_after)]
        counts = f"{row.n_smaller} of {row.n_associations}"
        yield [row.label, *sizes, change, counts, _quality(row)]


def _french_lines(table: pd.DataFrame) -> Iterator[list[str]]:
    yield ["Test", "French, spaCy", "Words", "English, word2vec"]
    english = table[table["criterion"] == "English"].set_index("test")
    for row in table[table["criterion"] == "French"].itertuples():
        words = f"{row.n_found} of {row.n_words}, {row.distinct} vectors"
        yield [row.label, _effect(row), words, _effect(english.loc[row.test])]


def _effect(row: Any) -> str:
    if pd.isna(row.value):
        return "too few words"
    return f"{row.value:.2f} [{row.ci_low_both:.2f}, {row.ci_high_both:.2f}]"


def _quality(row: tuple) -> str:
    if pd.isna(row.quality):
        return "—"
    return f"{row.quality:.2f} [{row.quality_low:.2f}, {row.quality_high:.2f}]"


def _markdown(lines: Iterable[list[str]]) -> str:
    head, *body = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join([head, f"|{' --- |' * (head.count('|') - 1)}", *body])


def write_tables(root: Path, results: Path) -> None:
    """Write the tables from the results of a run."""
    main = {**read_yaml(root / "config/config.yaml"), "language_models": True}
    plan = make_plan(read_configuration(main, root / "config", shipped_schemas()))
    labels = {name: model.label for name, model in plan.models.items()}
    ranked = ranked_table(results / "studies" / COMPARED, labels)
    debiased = [debiased_table(results / "studies" / name, labels) for name in COMPARING]
    french = french_table(results / "studies" / OTHER_LANGUAGE)
    for table, name in ((ranked, RANKED), (pd.concat(debiased), DEBIASED), (french, FRENCH)):
        # What varies between processors is not written.
        table.to_csv(root / TABLES / name, index=False, float_format="%.6g", lineterminator="\n")


if __name__ == "__main__":
    write_tables(Path(), Path(sys.argv[1] if sys.argv[1:] else "results"))
