"""The command `fairflow corpus`: what texts hold and can show, and their entries."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from fairflow.command.asked import AskedQuery, asked_queries
from fairflow.command.corpus_guesses import (
    LEAST_DATED,
    guessed_cluster,
    guessed_definition,
    guessed_divisions,
)
from fairflow.command.project import project_here
from fairflow.corpora.corpus import FILES, Corpus, read_corpus
from fairflow.corpora.documents import without_packing
from fairflow.corpora.sample import Sample
from fairflow.corpora.subcorpora import Subcorpus, documents_of, plain_name
from fairflow.corpora.subcorpus_counts import SubcorpusCounts
from fairflow.errors import FairflowError
from fairflow.files.atomic import write_text
from fairflow.files.configuration_files import with_entries
from fairflow.planning.corpora import PlannedCorpus
from fairflow.scores.drawn_scores import count_queries
from fairflow.statistics.estimate import LEVEL
from fairflow.studies.corpora.every_table import corpus_words
from fairflow.studies.corpora.log_odds_rows import log_odds_rows

USUAL_QUERY = "women_men_family_career"
SHOWN, EXAMPLES, LONGEST = 8, 3, 40
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
        guessed, told = ({}, []) if known else guessed_definition(path, options)
        entry = known or {"sources": sources, **guessed}
        read_corpus(path, entry, paths)
        corpus = Corpus.open(paths)
        if not known and (divisions := guessed_divisions(corpus)):
            entry["divisions"] = divisions
        if not known and (cluster := guessed_cluster(corpus, entry.get("divisions", {}))):
            entry["cluster"] = cluster[0]
            told.append(cluster[1])
        planned = PlannedCorpus(name, entry)
        parts = [*_counted(corpus, planned, asked, project.main.get("seed", 0))]
        blocks: list[Block] = ["\n".join(_contents(path, corpus, planned))]
        if told:
            blocks.append("\n  ".join(["Guessed; the entry can say otherwise", *told]))
        blocks += [block for one in asked for block in _words(parts, one, planned)]
    if known:
        return [*blocks, f"These texts were read as {name} in {catalogue}. Nothing was written."]
    of_study = {"title": f"Associations in {name}", "corpus": name, "metrics": ["weat"]}
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
    table, lines = [], [f"Tokens of each word of {asked.name}"]
    for part, counted, smallest in parts:
        own = words[(words["query"] == asked.name) & (words["subcorpus"] == part.name)]
        row = {"division": part.division, "subcorpus": part.label}
        row |= {"documents": f"{counted.documents:,}", "tokens": f"{counted.n_tokens:,}"}
        for name, of_set in own.groupby("set", sort=False)["count"]:
            row[name] = f"{of_set.sum():,} ({(of_set >= least).sum()} of {len(of_set)})"
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
        f"more than {asked.lookup.lost_vocabulary_threshold:.0%} of its words.\nA log odds ratio "
        "closer to 0 than the smallest one (half the width of the interval over documents)\ncannot "
        f"be told apart from 0. Intervals over fewer than {LEAST_DATED} documents are too narrow."
    )
    yield table
    yield "\n".join(lines)


def _yaml(contents: Any) -> str:
    return yaml.safe_dump(contents, sort_keys=False, allow_unicode=True, default_flow_style=None)
