"""The page Models: how biased and how good some models are, from committed tables.

`make leaderboard` computes the studies and writes models.csv and models_french.csv into
`workflow/report`; tests compare them with a fresh run. `make entry` adds a table of one audit to
`workflow/report/entries`. The table is the one that opens the report.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from fairflow import WEAT, load_query
from fairflow.files.configuration_files import read_yaml, shipped_schemas
from fairflow.planning.audit import with_audit
from fairflow.planning.configuration import read_configuration
from fairflow.planning.jobs import run_description
from fairflow.planning.plan import Plan
from fairflow.planning.planner import make_plan
from fairflow.products.report.html_tables import TEMPLATES
from fairflow.products.report.standings import (
    Cell,
    Column,
    ModelsTable,
    columns_of_study,
    models_table,
)
from fairflow.scores.ranked import ranked_rows
from fairflow.statistics.intervals import percentile_interval
from fairflow.studies.aggregation import OVERALL
from fairflow.studies.claims.comparisons import COMPARABLE
from fairflow.studies.claims.study_claims import read_stated
from fairflow.studies.columns import read_table

TABLES = Path("workflow/report")
RANKED, FRENCH, ENTRIES = "models.csv", "models_french.csv", "entries"
COMPARED = "static_and_contextual"
COMPARING = ("debiasing", "debiased_encoders")
OTHER_LANGUAGE = "french"
MOST_COLUMNS = 8
# Models that are no models: what nothing looks like, and what is planted.
NOISE, PLANTED = "random vectors", "planted associations"
REFERENCES = {NOISE: 0.0, PLANTED: 0.3}
SETS_OF_VECTORS, DIMENSIONS, SEED = 20, 300, 2020
OF_COLUMN = ["study", "title", "criterion", "heading", "metric", "scale", "fair"]
OF_CELL = ["value", "low", "high", "badge", "note"]

_PAGE = """---
hide: [navigation, toc]
---

# Models

How biased are the models that can be computed without large downloads, and how good are their
vectors? The models come from the package index. A click on a head sorts.

## Compared { #compared }

%s

- **A mark** is the mean size of [WEAT's effect size](numbers/words.md#weat) over the queries of
  a column, with its 95%% interval over word resamples; the control queries of WEAT do not count.
- **tied**: not told apart from any other model of the column (p of the difference at least .05
  after Benjamini-Hochberg); **most** and **least**: told apart from all.
- **Random vectors** are no model: their marks show what nothing looks like, with the range of %d
  sets of them. A mean size is never 0. In the **planted** vectors each target word has its
  attribute in it.
- **Debiased** models are compared with their source alone, over the same words. A smaller score
  does not show that bias was removed: [it may be hidden](write/transform.md#before-and-after).
- **Quality** is Spearman's correlation of cosines with human ratings of the similarity of MEN's
  word pairs. Noise makes every association smaller: a less biased model may only be a poorer
  one.
- A language model reads each word in four short texts.

## Add a model { #entry }

```sh
make entry MODEL=PATH NAME=mine
```

audits the model with word2vec and GloVe and writes `workflow/report/entries/mine.csv`: a pull
request with this file puts the table on this page.

%s

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


def columns_of_run(results: Path, run: Mapping[str, Any], studies: Sequence[str]) -> list[Column]:
    """The columns of some studies of a run, in this order.

    Parameters
    ----------
    results : the folder of their tables. run : of `fairflow.planning.jobs.run_description`.
    """
    found: list[Column] = []
    described = {study["name"]: study for study in run["studies"]}
    for name in studies:
        folder, study = results / "studies" / name, described[name]
        read = {"ranking": "csv", "quality": "csv", "scores": "parquet"}
        frames = {table: read_table(folder / f"{table}.{form}") for table, form in read.items()}
        claims = read_stated(folder / "claims.json").claims
        found += columns_of_study(frames, claims, study, study["labels"])
    return found


def with_references(column: Column, queries: Mapping[str, Sequence[str]]) -> Column:
    """The column with random and with planted vectors, if its criterion has known queries."""
    if column.criterion not in queries:
        return column
    own = queries[column.criterion]
    added = {name: reference(own, strength) for name, strength in REFERENCES.items()}
    return replace(column, cells={**column.cells, **added})


def reference(queries: Sequence[str], strength: float) -> Cell:
    """The mean size of these queries on random vectors, and its range over sets of vectors.

    Parameters
    ----------
    strength : how much of the mean of its attribute words each target word gets, in units of their
        own length.
    """
    sizes = []
    for number in range(SETS_OF_VECTORS):
        random = np.random.default_rng((SEED, number))
        sizes.append(np.mean([abs(_planted_effect(name, strength, random)) for name in queries]))
    return Cell(float(np.mean(sizes)), *percentile_interval(np.array(sizes)))


def _planted_effect(name: str, strength: float, random: np.random.Generator) -> float:
    query = load_query(name)
    words = dict.fromkeys(
        word for sets in (*query.target_sets, *query.attribute_sets) for word in sets
    )
    vectors = {word: random.standard_normal(DIMENSIONS) for word in words}
    for targets, attributes in zip(query.target_sets, query.attribute_sets, strict=False):
        mean = np.mean([vectors[word] for word in attributes], axis=0)
        for word in targets:
            vectors[word] = vectors[word] + strength * mean
    return float(WEAT().run_query(query, vectors)["effect_size"])


def as_rows(table: ModelsTable) -> pd.DataFrame:
    """A row for each cell of a table of models."""
    return pd.DataFrame(
        {**{name: getattr(column, name) for name in OF_COLUMN}, "model": model}
        | {"label": table.models[model], **dict(zip(OF_CELL, column.cells[model], strict=True))}
        for column in table.columns
        for model in table.models
        if model in column.cells
    )


def from_rows(rows: pd.DataFrame) -> ModelsTable:
    """The table that `as_rows` wrote."""
    rows = rows.fillna({"badge": "", "note": "", "criterion": ""})
    columns = []
    for key, cells in rows.groupby(OF_COLUMN, sort=False, dropna=False):
        values = {
            row.model: Cell(*(getattr(row, n) for n in OF_CELL)) for row in cells.itertuples()
        }
        columns.append(Column(*key, values))
    labels = dict(zip(rows["model"], rows["label"], strict=True))
    return models_table(columns, labels, MOST_COLUMNS)


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
    """The page and what it shows: path on the site -> content."""
    ranked = from_rows(pd.read_csv(root / TABLES / RANKED))
    french = pd.read_csv(root / TABLES / FRENCH)
    entries = []
    for path in sorted((root / TABLES / ENTRIES).glob("*.csv")):
        table = _rendered(from_rows(pd.read_csv(path)), f"entry-{path.stem}", path.stem)
        entries.append(f"### {path.stem} {{ #entry-{path.stem} }}\n\n{table}")
    page = _PAGE % (
        _rendered(ranked, "compared", facts=_facts(root)),
        SETS_OF_VECTORS,
        "\n\n".join(entries),
        _markdown(_french_lines(french)),
    )
    return {
        "models.md": page,
        "assets/models.css": (TEMPLATES / "models.css").read_text(encoding="utf-8"),
        "assets/sortable_table.js": (TEMPLATES / "sortable_table.js").read_text(encoding="utf-8"),
    }


def _rendered(
    table: ModelsTable,
    heading: str,
    subject: str = "",
    facts: Mapping[str, Mapping[str, str]] | None = None,
) -> str:
    syntax = dict[str, Any](undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, **syntax)
    macro = environment.get_template("models.html").module.models_table
    html = macro(
        table, heading, False, subject=subject, facts=facts or {}, marked=tuple(REFERENCES)
    )
    return "\n".join(line for line in str(html).splitlines() if line.strip())


def _facts(root: Path) -> dict[str, dict[str, str]]:
    """What the configuration says of each model."""
    facts = {
        NOISE: {"Kind": "no model"},
        PLANTED: {"Kind": "no model"},
    }
    for file in ("models.yaml", "language_models.yaml"):
        for name, entry in read_yaml(root / "config" / file).items():
            made = "derive" in entry
            source = entry.get("sources", [{}])[0]
            size = f"{entry['bytes'] / 1e6:.0f} MB" if "bytes" in entry else ""
            facts[name] = {
                "Kind": "debiased" if made else entry.get("kind", "vectors"),
                "Download": size,
                "Source": source.get("pypi", "") if isinstance(source, Mapping) else "",
                "Licence": entry.get("licence", ""),
            }
    return facts


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


def _markdown(lines: Iterable[list[str]]) -> str:
    head, *body = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join([head, f"|{' --- |' * (head.count('|') - 1)}", *body])


def plan_of(root: Path) -> Plan:
    """The plan of the studies of words and of language models."""
    main = {**read_yaml(root / "config/config.yaml"), "language_models": True}
    main["studies"] = [*COMPARING[:1], OTHER_LANGUAGE]
    return make_plan(read_configuration(main, root / "config", shipped_schemas()))


def write_tables(root: Path, results: Path) -> None:
    """Write the tables from the results of a run."""
    run = run_description(plan_of(root))
    columns = columns_of_run(results, run, (COMPARED, *COMPARING))
    (study,) = (one for one in run["studies"] if one["name"] == COMPARED)
    queries = {
        name: [one for one in own if one not in study["controls"]]
        for name, own in study["criteria"].items()
    }
    queries[OVERALL] = [one for own in queries.values() for one in own]
    labels = {name: model["label"] for name, model in run["models"].items()}
    labels |= {NOISE: "Random vectors", PLANTED: "Planted associations"}
    of_compared = [one for one in columns if one.study == COMPARED and one.scale == COMPARABLE]
    # Of debiased models the column over all queries, and quality.
    rest = [one for one in columns if one not in of_compared]
    first = {one.study: one for one in reversed(rest) if one.scale == COMPARABLE}
    rest = [one for one in rest if one.scale != COMPARABLE or one is first[one.study]]
    ranked = models_table(
        [*(with_references(one, queries) for one in of_compared), *rest], labels, MOST_COLUMNS
    )
    _write(as_rows(ranked), root / TABLES / RANKED)
    _write(french_table(results / "studies" / OTHER_LANGUAGE), root / TABLES / FRENCH)


def entry(root: Path, model: str, name: str) -> ModelsTable:
    """The table of an audit that was run in a folder with this model and name."""
    main = {**read_yaml(root / "config/config.yaml"), "audit": model, "audit_name": name}
    plan = make_plan(with_audit(read_configuration(main, root / "config", shipped_schemas())))
    run = run_description(plan)
    (study,) = run["studies"]
    columns = columns_of_run(root / "results", run, [study["name"]])
    return models_table(columns, study["labels"], MOST_COLUMNS)


def _write(table: pd.DataFrame, path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    # What varies between processors is not written.
    table.to_csv(path, index=False, float_format="%.6g", lineterminator="\n")


if __name__ == "__main__":
    if sys.argv[1:]:
        model, name = sys.argv[1:]
        _write(as_rows(entry(Path(), model, name)), TABLES / ENTRIES / f"{name}.csv")
    else:
        write_tables(Path(), Path("results"))
