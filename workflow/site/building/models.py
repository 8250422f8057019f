"""The page Models: how biased and how good some models are, from two committed tables.

`make leaderboard` computes the studies and writes the tables into `workflow/report`; tests compare
them with a fresh run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pandas as pd

from fairflow.files.configuration_files import read_yaml, shipped_schemas
from fairflow.planning.configuration import read_configuration
from fairflow.planning.planner import make_plan
from fairflow.studies.aggregation import OVERALL
from fairflow.studies.ranking import OPEN
from fairflow.studies.wording import listed

TABLES = Path("workflow/report")
RANKED, DEBIASED = "models.csv", "models_debiased.csv"
COMPARED = "static_and_contextual"
COMPARING = ("debiasing", "debiased_encoders")
_QUALITY = {
    "value": "quality",
    "value_range_low": "quality_low",
    "value_range_high": "quality_high",
}

_PAGE = """# Models

How biased are the models that can be computed without large downloads, and how good are their
vectors? `make leaderboard` computes both tables; the models come from the package index. [`make
audit`](audit.md) compares your own model with word2vec and GloVe.

## Compared { #compared }

%s

The score is the mean size of [WEAT's effect size](numbers/words.md#weat): over all %d queries
and, in parentheses, over the tests of Caliskan et al. (2017) except the two control queries, and
over the gender queries of the WEFE case study. The mean rank and its 95%% interval are over word
resamples; rank 1 has the least association. Where the order of two models is not settled, the
table does not break the tie: it names the models that a model is not distinguished from. Quality
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
    uncertain = pd.read_csv(study / "rank_uncertainty.csv")[
        [*key, "expected_rank", "rank_low", "rank_high"]
    ]
    pairs = pd.read_csv(study / "pairwise.csv")
    ties = (
        pairs[pairs["verdict"] == OPEN]
        .groupby(key)["other"]
        .agg(lambda models: listed(labels[m] for m in models))
    )
    rows = ranks.merge(uncertain, on=key).merge(ties.rename("ties").reset_index(), "left", on=key)
    rows = rows.merge(qualities(study), "left", on="model")
    rows.insert(0, "label", rows["model"].map(labels))
    columns = ["label", *key, "score", "n_common", "expected_rank", "rank_low", "rank_high", "ties"]
    return rows[[*columns, *_QUALITY.values()]]


def qualities(study: Path) -> pd.DataFrame:
    """The quality of each model of a study by itself."""
    table = pd.read_csv(study / "quality.csv")
    alone = table[table["other"].isna()].rename(columns=_QUALITY)
    names = [*_QUALITY.values()]
    return alone[["model", *names]].astype(dict.fromkeys(names, float))


def debiased_table(study: Path, labels: Mapping[str, str]) -> pd.DataFrame:
    """The mean size of associations of each debiased model and of its source, and its quality.

    Parameters
    ----------
    study : the folder of its tables. labels : of models.
    """
    rows = pd.read_csv(study / "size_changes.csv")
    rows = rows[rows["metric"] == rows["metric"].iloc[0]].merge(
        qualities(study), "left", on="model"
    )
    rows.insert(0, "study", study.name)
    rows.insert(1, "label", rows["model"].map(labels))
    return rows


def model_pages(root: Path) -> dict[str, str | bytes]:
    """The page and its tables: path on the site -> content."""
    ranked, debiased = (pd.read_csv(root / TABLES / name) for name in (RANKED, DEBIASED))
    n_queries = int(ranked.loc[ranked["criterion"] == OVERALL, "n_common"].iloc[0])
    page = _PAGE % (
        _markdown(_ranked_lines(ranked)),
        n_queries,
        _markdown(_debiased_lines(debiased)),
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


def _quality(row: tuple) -> str:
    if pd.isna(row.quality):
        return "—"
    return f"{row.quality:.2f} [{row.quality_low:.2f}, {row.quality_high:.2f}]"


def _markdown(lines: Iterable[list[str]]) -> str:
    head, *body = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join([head, f"|{' --- |' * (head.count('|') - 1)}", *body])


def write_tables(root: Path, results: Path) -> None:
    """Write both tables from the results of a run."""
    main = {**read_yaml(root / "config/config.yaml"), "language_models": True}
    plan = make_plan(read_configuration(main, root / "config", shipped_schemas()))
    labels = {name: model.label for name, model in plan.models.items()}
    ranked = ranked_table(results / "studies" / COMPARED, labels)
    debiased = [debiased_table(results / "studies" / name, labels) for name in COMPARING]
    for table, name in ((ranked, RANKED), (pd.concat(debiased), DEBIASED)):
        # What varies between processors is not written.
        table.to_csv(root / TABLES / name, index=False, float_format="%.6g", lineterminator="\n")


if __name__ == "__main__":
    write_tables(Path(), Path(sys.argv[1] if sys.argv[1:] else "results"))
