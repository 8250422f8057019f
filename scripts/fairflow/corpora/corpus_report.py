"""The command `fairflow corpus`: what texts hold and can show, and their entries."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import yaml

from fairflow.command.asked import AskedQuery, asked_queries
from fairflow.command.project import project_here
from fairflow.corpora.cooccurrence import SubcorpusCounts
from fairflow.corpora.corpus import FILES, Corpus, read_corpus
from fairflow.corpora.documents import (
    MISSING,
    Document,
    endings,
    is_table,
    opened_folder,
    read_documents,
    remedies,
    without_packing,
)
from fairflow.corpora.drawn_scores import count_queries
from fairflow.corpora.log_odds_rows import log_odds_rows
from fairflow.corpora.planned_corpus import PlannedCorpus
from fairflow.corpora.rows import decimal_year, rows, value_text
from fairflow.corpora.sample import Sample, Subcorpus, documents_of, plain_name
from fairflow.corpora.tables import corpus_words
from fairflow.errors import FairflowError
from fairflow.files.atomic import write_text
from fairflow.files.configuration_files import with_entries
from fairflow.statistics.intervals import LEVEL

USUAL_QUERY = "women_men_family_career"
SHOWN, EXAMPLES, LONGEST = 8, 3, 40
LOST = (
    "Take fewer, longer parts or other words, or let sets lose more: lookup: small_corpus in the\n"
    "file of the query, which 'fairflow show query NAME' names, allows 75% (words in lower case)."
)
Block = str | list[dict[str, Any]]


def corpus_report(
    path: Path, options: Mapping[str, str], queries: Sequence[str] = (), dry_run: bool = False
) -> list[Block]:
    """Read texts, say what they hold and can show, and write the entries that the workflow needs.

    Texts that have an entry are read as it says, and their entries stay. All are read into a
    temporary folder: files that Snakemake has not made would pass for those of any later entry.

    Parameters
    ----------
    path : absolute. options : those of name, text and encoding that are given; the last two are for
        texts without an entry. queries : whose words are counted; () for the usual one.
    dry_run : show the entries instead of writing them.

    Returns
    -------
    Paragraphs, and tables as rows.

    Raises
    ------
    FairflowError : the texts cannot be read, or the name is that of other texts or a study.
    """
    project = project_here()
    name = plain_name(options.get("name") or without_packing(path.name).stem)[:40]
    catalogue, study = project.folder / "corpora.yaml", project.folder / f"studies/{name}.yaml"
    here = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    sources, known = [{"file": str(here)}], project.contents("corpora").get(name)
    if known["sources"] != sources if known else study.is_file():
        raise FairflowError(
            f"{name} is the name of other texts in {catalogue}, or of {study}: choose another name "
            "with --name NAME"
        )
    asked = asked_queries(project, queries or [USUAL_QUERY])
    with TemporaryDirectory() as folder:
        paths = {key: Path(folder, file) for key, file in FILES.items()}
        told = ""
        entry = known or {"sources": sources, **guessed_definition(path, options)}
        read_corpus(path, entry, paths)
        corpus = Corpus.open(paths)
        if not known and (divisions := guessed_divisions(corpus)):
            entry["divisions"] = divisions
        if not known and (cluster := guessed_cluster(corpus, entry.get("divisions", {}))):
            entry["cluster"], told = cluster
        planned = PlannedCorpus(name, entry)
        parts = [*_counted(corpus, planned, asked, project.main.get("seed", 0))]
        blocks: list[Block] = ["\n".join(_contents(path, corpus, planned))]
        if told:
            blocks.append(f"Guessed; the entry can say otherwise\n  {told}")
        blocks += [block for one in asked for block in _words(parts, one, planned)]
    if known:
        return [*blocks, f"These texts were read as {name} in {catalogue}. Nothing was written."]
    of_study = dict[str, Any](title=f"Associations in {name}", corpus=name, metrics=["weat_es"])
    of_study |= {"criteria": {"Queries": [one.name for one in asked]}, "aggregation": "abs_avg"}
    of_study |= {"controls": [], "figures": ["subcorpora"]}
    new = {catalogue: _yaml({name: entry}), study: _yaml(of_study)}
    in_clone = Path("Snakefile").is_file()
    own = Path("config/config.yaml").is_file()
    if dry_run or not own:
        shown = (f"# config/{p.relative_to(project.folder)}\n{text}" for p, text in new.items())
        where = f"In the folder of a clone, with {shlex.quote(str(path))} as PATH"
        where = "Without --dry-run" if own else where
        last = f"Nothing was written. {where}, the same command writes these entries."
        return [*blocks, *shown, last]
    for file, text in {file: with_entries(file, text) for file, text in new.items()}.items():
        write_text(text, file)
    elsewhere = f"snakemake --snakefile CLONE/Snakefile --cores all --config 'studies=[{name}]'"
    elsewhere = f", with the path of a clone as CLONE: {elsewhere}"
    following = f": make run STUDY={name}" if in_clone else elsewhere
    return [*blocks, f"Wrote {name} in {catalogue}, and {study}. Next{following}"]


def _counted(
    corpus: Corpus, planned: PlannedCorpus, asked: Sequence[AskedQuery], seed: int
) -> Iterator[tuple[Subcorpus, SubcorpusCounts, dict[str, float]]]:
    """Each subcorpus with its counts, and the smallest effect of each query."""
    queries = {one.name: (one.query, one.lookup) for one in asked}
    # Only vectors need context words.
    how = {"contexts": 1, **planned.settings}
    for part in planned.subcorpora:
        documents = documents_of(corpus, planned.entry.get("divisions", {}), part.name)
        # The name of the texts decides no draws.
        sample = Sample(corpus, documents, planned.cluster)
        counted = count_queries(sample, part.name, queries, 0, seed, **how)
        drawn = {row.key[2]: row.columns(LEVEL) for row in log_odds_rows(counted, seed, LEVEL)}
        yield part, counted, {query: each["smallest_effect"] for query, each in drawn.items()}


def _contents(path: Path, corpus: Corpus, planned: PlannedCorpus) -> Iterator[str]:
    """What was read and what was not, and the values of fields."""
    card = corpus.card
    dates = f", from {card['first_date']} to {card['last_date']}" if card["first_date"] else ""
    yield f"{path}: {card['documents']:,} documents{dates}"
    yield f"{card['tokens']:,} tokens, {card['words']:,} distinct words"
    how = {key: value for key, value in planned.definition.items() if value != {}}
    yield f"Read with\n{_yaml(how).rstrip()}"
    if not card["date"]:
        yield "No field is a date: 1853, 1853-12, 1853-12-05 or, with date_order, 05/12/1853"
    for reason, note in card["notes"].items():
        yield f"{reason}: {note['number']:,} ({'; '.join(note['examples'][:EXAMPLES])})"
    yield "\nFields, with numbers of documents, for divisions"
    for field, values in corpus.fields.items():
        numbers = Counter(value[:LONGEST] or "(empty)" for value in values)
        most = ", ".join(f"{value} ({number:,})" for value, number in numbers.most_common(SHOWN))
        yield f"  {field}: {most}" + f", of {len(numbers):,} values" * (len(numbers) > SHOWN)


def _words(
    parts: Sequence[tuple[Subcorpus, SubcorpusCounts, Mapping[str, float]]],
    asked: AskedQuery,
    planned: PlannedCorpus,
) -> Iterator[Block]:
    """What a query finds in each subcorpus: how to read it, a table, and each word."""
    words, least = corpus_words([part[:2] for part in parts]), planned.settings["minimum_count"]
    most_lost, lost = asked.lookup.lost_vocabulary_threshold, []
    table, lines = [], [f"Tokens of each word of {asked.name}"]
    for part, counted, smallest in parts:
        own = words[(words["query"] == asked.name) & (words["subcorpus"] == part.name)]
        row = {"division": part.division, "subcorpus": part.label}
        row |= {"documents": f"{counted.documents:,}", "tokens": f"{counted.n_tokens:,}"}
        for name, of_set in own.groupby("set", sort=False)["count"]:
            row[name] = f"{of_set.sum():,} ({(of_set >= least).sum()} of {len(of_set)})"
            rare = own.loc[of_set.index[of_set < least], "word"]
            if len(rare) > most_lost * len(of_set):
                lost.append(f"  {part.label}: {name}, without {', '.join(rare)}")
        if asked.name in smallest:
            effect = f"{smallest[asked.name]:.2f}"
            row["smallest log odds ratio"] = effect.replace("nan", "too few to tell anything")
        table.append(row)
        found = own[own["count"] > 0]
        shown = [f"{word} {n:,}, " for word, n in zip(found["word"], found["count"], strict=True)]
        lines.append(f"  {part.label}: {''.join(shown)}{len(own) - len(found)} words not at all")
    yield (
        f"Tokens of each set of {asked.name}, and how many of its words occur {least} times or "
        "more. Rarer words have\nno vector, and metrics of vectors have no value where a set loses "
        f"more than {most_lost:.0%} of its words.\nA log odds ratio "
        "closer to 0 than the smallest one (half the width of the interval over documents)\ncannot "
        f"be told apart from 0. Intervals over fewer than {LEAST_DATED} documents are too narrow."
    )
    yield table
    if lost:
        yield "\n".join(["Sets that lose too many words for a value of vectors", *lost, LOST])
    yield "\n".join(lines)


def _yaml(contents: Any) -> str:
    return yaml.safe_dump(contents, sort_keys=False, allow_unicode=True, default_flow_style=None)


TEXTS = ("text", "texts", "content", "body", "speech", "full_text")
DATES = ("date", "year", "published", "created_at", "month", "time", "decade")
# Of who wrote or spoke a document.
AUTHORS = ("author", "writer", "speaker", "president")
# A column of texts has at least that many characters on average.
LEAST_TEXT = 40
# Rows or documents that a guess is made from.
SAMPLE = 500
YEARS = (1000, 2100)
DATE_IN_NAME = r"(?<!\d)(?P<date>(?:1[4-9]|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-[0-3]\d)?)?)(?!\d)"
# Divisions by date, in years of a subcorpus.
STEPS = {"years": 1, "decades": 10, "quarter_centuries": 25, "half_centuries": 50}
LEAST_DATED, LEAST_OF_VALUE, MOST_BY_DATE, MOST_VALUES = 20, 10, 12, 8


def guessed_definition(path: Path, given: Mapping[str, str]) -> dict[str, Any]:
    """The keys with which `read_documents` reads the texts at `path`.

    Parameters
    ----------
    given : those of text and encoding that are declared.

    Raises
    ------
    FairflowError : nothing could be a text; it says what there is. A table has no line of names.
    """
    found: dict[str, Any] = {key: given[key] for key in ("text", "encoding") if key in given}
    encoding = given.get("encoding", "utf-8")
    with opened_folder(path, is_table) as (root, names):
        alone = path.is_file() and root == path.parent
        texts = [place for place in map(without_packing, names) if place.suffix.lower() == ".txt"]
        tables = [name for name in names if is_table(name) or (alone and not texts)]
        if joined := _joined(root, texts, tables, encoding):
            found["metadata"] = joined
        elif tables and len(texts) < 3:
            if "text" not in given:
                found["text"] = _text_column(tables[0], _head(root, tables[0], encoding))
            if not alone:
                pattern = f"**/*{without_packing(tables[0]).suffix}"
                found["texts"] = tables[0] if len(tables) == 1 else pattern
        elif not texts:
            raise FairflowError(
                f"{path} has no .txt files and no table (.csv, .tsv, .jsonl, .parquet); found "
                f"{endings(names)}{remedies(names)}"
            )
        else:
            some = [(p.stem, re.findall(DATE_IN_NAME, p.stem)) for p in texts[:SAMPLE]]
            if 2 * sum(bool(dates) for _, dates in some) > len(some):
                found["names"] = DATE_IN_NAME
    return found | _date(path, found)


def _head(root: Path, name: str, encoding: str) -> pd.DataFrame:
    """The first rows of a table, as texts."""
    some = islice(rows(root / name, name, encoding, None), SAMPLE)
    texts = ({key: value_text(value) for key, value in row.items()} for _, row in some)
    return pd.DataFrame([*texts]).fillna("")


def _joined(
    root: Path, texts: Sequence[PurePosixPath], tables: Sequence[str], encoding: str
) -> dict[str, str] | None:
    """The table with a row for each text, and its column with their names."""
    known = {str(n) for p in texts for n in (p, p.with_suffix(""), p.name, p.stem)}
    for table in tables if texts else ():
        # It may be anything.
        with suppress(FairflowError):
            shares = _head(root, table, encoding).isin(known).mean()
            if shares.max() > 0.5:
                return {"file": table, "key": shares.idxmax()}
    return None


def _text_column(table: str, head: pd.DataFrame) -> str:
    """The column with the texts: by its name, or else the one with the longest."""
    sizes = head.map(len).mean()
    named = [column for column in sizes.index if column.lower() in TEXTS]
    usual = head.map(len).median()[sizes >= LEAST_TEXT]
    likely = [*dict.fromkeys([*named, *usual.sort_values(ascending=False, kind="stable").index])]
    if not likely:
        raise FairflowError(
            f"{table}: no column is named text, and none has {LEAST_TEXT} characters on average; "
            f"found {', '.join(sizes.index) or 'no row'}. Name it with --text COLUMN"
        )
    return likely[0]


def _date(path: Path, definition: Mapping[str, Any]) -> dict[str, str]:
    """The key for the dates: a field by its name, or else the first whose values are dates."""
    some = islice(read_documents(path, definition), SAMPLE)
    fields = pd.DataFrame([one.fields for one in some if isinstance(one, Document)]).fillna("")

    found = fields.map(lambda v: YEARS[0] <= decimal_year(v, None) <= YEARS[1]).mean()
    dated = [*found[found > 0.5].index]
    named = [name for date in DATES for name in dated if name.lower() == date] + dated
    return {"date": named[0]} if named else {}


def guessed_divisions(corpus: Corpus) -> dict[str, Any]:
    """Divisions by date and by each field with few values, as config/corpora.yaml has them.

    By date: the finest of `STEPS` with at most 12 subcorpora of at least 20 documents. The first
    and the last may be longer.
    """
    years = corpus.dates[~np.isnan(corpus.dates)]
    by_date = ((name, _limits(years, step)) for name, step in STEPS.items() if len(years))
    found: dict[str, Any] = dict([(n, {"date": limits}) for n, limits in by_date if limits][:1])
    for field, values in corpus.fields.items():
        numbers = Counter(value for value in values if value and value not in MISSING)
        kept = sorted(value for value, number in numbers.items() if number >= LEAST_OF_VALUE)
        covered = sum(numbers[value] for value in kept) / len(values)
        distinct = len({plain_name(value) for value in kept}) == len(kept) > 1
        if distinct and len(kept) <= MOST_VALUES and covered > 0.5 and field.lower() not in DATES:
            found[plain_name(field)] = {"field": field, "values": kept}
    return found


def guessed_cluster(corpus: Corpus, divisions: Mapping[str, Any]) -> tuple[str, str] | None:
    """The field with the authors of documents, and a sentence; None without such a field.

    Or if each document has its own author, or authors are what is compared.
    """
    for field in sorted((one for one in corpus.fields if one.lower() in AUTHORS), key=str.lower):
        known = [value for value in corpus.fields[field] if value and value not in MISSING]
        compared = field in (division.get("field") for division in divisions.values())
        if 1 < len({*known}) < len(known) and not compared:
            told = (
                f"cluster: {field}; its {len({*known}):,} values are drawn with all their documents"
            )
            return field, f"{told}. Without this key documents are taken as independent"
    return None


def _limits(years: np.ndarray, step: int) -> list[int] | None:
    """Limits of ranges of that many years, the first and the last longer; None if none will do."""
    first, last = int(years.min()), int(years.max()) + 1
    limits = [first, *range((first // step + 1) * step, last, step), last]
    for end, inner in ((0, 1), (-1, -2)):
        if len(limits) > 2 and np.histogram(years, limits)[0][end] < LEAST_DATED:
            del limits[inner]
    numbers = np.histogram(years, limits)[0]
    return limits if 2 <= len(numbers) <= MOST_BY_DATE and numbers.min() >= LEAST_DATED else None
