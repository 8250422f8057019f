"""The command `fairflow corpus`: what texts hold and can show, and their entries."""

from __future__ import annotations

import math
import re
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
    guessed_definition,
    guessed_divisions,
    plain_name,
)
from fairflow.command.project import project_here
from fairflow.corpora.corpus import FILES, Corpus, read_corpus
from fairflow.corpora.rows import without_packing
from fairflow.corpora.sample import Sample
from fairflow.corpora.subcorpora import Subcorpus, documents_of, subcorpora
from fairflow.corpora.subcorpus_counts import SubcorpusCounts
from fairflow.errors import FairflowError
from fairflow.files.atomic import write_text
from fairflow.files.configuration_files import shipped_configuration
from fairflow.planning.corpora import PREPARATION
from fairflow.scores.drawn_scores import count_queries
from fairflow.statistics.estimate import LEVEL
from fairflow.studies.corpora.every_table import corpus_words
from fairflow.studies.corpora.log_odds_rows import log_odds_rows

USUAL_QUERY = "women_men_family_career"
# How words are counted; of context words, which only vectors need, as few as can be.
HOW = {"contexts": 1, **PREPARATION}
SHOWN, EXAMPLES, LONGEST = 12, 3, 40
TOO_FEW = "too few to tell anything"
Block = str | list[dict[str, Any]]


def corpus_report(
    path: Path,
    options: Mapping[str, str],
    queries: Sequence[str] = (),
    force: bool = False,
    dry_run: bool = False,
) -> list[Block]:
    """Read texts, say what they hold and can show, and write the entries that the workflow needs.

    The texts are read into a temporary folder: files that Snakemake has not made would pass for
    those of any later entry of that name.

    Parameters
    ----------
    path : absolute. options : those of name, text, date, names, encoding, metadata, key and
        language that are given. queries : whose words are counted; () for the usual one.
    force : replace entries of that name. dry_run : show the entries instead of writing them.

    Returns
    -------
    Paragraphs, and tables as rows.

    Raises
    ------
    FairflowError : the texts cannot be read, or an entry of that name exists.
    """
    project, name = project_here(), options.get("name") or without_packing(path.name).stem
    name = plain_name(name)
    catalogue, study = project.folder / "corpora.yaml", project.folder / f"studies/{name}.yaml"
    in_clone = Path("Snakefile").is_file()
    own = in_clone or project.folder.resolve() != shipped_configuration().resolve()
    writes = own and not dry_run
    if writes and not force and (study.is_file() or name in project.contents("corpora")):
        raise FairflowError(
            f"{name} exists already in {catalogue} or as {study}: choose another name with "
            "--name NAME, or replace both with --force"
        )
    asked = asked_queries(project, queries or [USUAL_QUERY])
    entry, blocks = _described(path, name, options, asked, project.main.get("seed", 0))
    of_study = {
        "title": f"Associations in {name}",
        "corpus": name,
        "metrics": ["weat"],
        "criteria": {"Queries": [one.name for one in asked]},
        "aggregation": "avg",
        "controls": [],
        "figures": ["subcorpora"],
    }
    if not writes:
        blocks.append(f"# config/corpora.yaml\n{_yaml({name: entry})}")
        blocks.append(f"# config/studies/{name}.yaml\n{_yaml(of_study)}")
        where = f"In the folder of a clone, with {shlex.quote(str(path))} as PATH"
        where = "Without --dry-run" if own else where
        return [*blocks, f"Nothing was written. {where}, the same command writes these entries."]
    write_text(_with_entry(catalogue, name, entry), catalogue)
    write_text(_yaml(of_study), study)
    elsewhere = f"snakemake --snakefile CLONE/Snakefile --cores all --config 'studies=[{name}]'"
    elsewhere = f", with the path of a clone as CLONE: {elsewhere}"
    following = f": make run STUDY={name}" if in_clone else elsewhere
    return [*blocks, f"Wrote {name} in {catalogue}, and {study}. Next{following}"]


def _described(
    path: Path, name: str, options: Mapping[str, str], queries: list[AskedQuery], seed: int
) -> tuple[dict[str, Any], list[Block]]:
    """The entry of a corpus, and what it holds."""
    here = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    entry: dict[str, Any] = {"sources": [{"file": str(here)}]}
    with TemporaryDirectory() as folder:
        paths = {key: Path(folder, file) for key, file in FILES.items()}
        try:
            definition, said = guessed_definition(path, options)
            entry |= definition
            read_corpus(path, entry, paths)
        except FairflowError as error:
            option = " (option --encoding)" if "encoding" in str(error) else ""
            raise FairflowError(f"{error}{option}") from error
        corpus = Corpus.open(paths)
        entry |= {"language": options["language"]} if "language" in options else {}
        entry |= {"divisions": divisions} if (divisions := guessed_divisions(corpus)) else {}
        asked = {one.name: (one.query, one.lookup) for one in queries}
        parts = []
        for part in subcorpora(divisions):
            sample = Sample(corpus, documents_of(corpus, divisions, part.name))
            own = f"{name}-{part.name}"
            parts.append((part, count_queries(sample, own, asked, 0, seed, **HOW)))
        blocks: list[Block] = ["\n".join(_contents(path, corpus, said, divisions))]
        blocks += [block for one in queries for block in _words(parts, one, seed)]
    return entry, blocks


def _contents(path: Path, corpus: Corpus, said: str, divisions: Mapping[str, Any]) -> Iterator[str]:
    """What was read and what was not, the values of fields, and the divisions."""
    card = corpus.card
    dates = f", from {card['first_date']} to {card['last_date']}" if card["first_date"] else ""
    yield f"{path}: {card['documents']:,} documents{dates}"
    yield f"{card['tokens']:,} tokens, {card['words']:,} distinct words"
    yield said
    notes = {f"Skipped ({reason})": note for reason, note in card["skipped"].items()}
    notes = notes or {"Skipped": {"number": 0, "examples": []}}
    notes |= {f"Kept, but {reason}": note for reason, note in card["remarks"].items()}
    notes |= {"Without a date": card["undated"], "Copies of earlier texts": card["duplicates"]}
    for what, note in notes.items():
        examples = "; ".join(note["examples"][:EXAMPLES])
        yield f"{what}: {note['number']:,}" + (f" ({examples})" if examples else "")
    yield "\nFields, with numbers of documents"
    for field, values in corpus.fields.items():
        numbers = Counter(values)
        most = numbers.most_common(1 if len(numbers) > len(values) / 2 else SHOWN)
        shown = [f"{value[:LONGEST] or '(empty)'} ({number:,})" for value, number in most]
        shown += [f"and {more:,} more"] if (more := len(numbers) - len(most)) else []
        yield f"  {field}: {', '.join(shown)}"
    yield "\nDivisions proposed" + ("" if divisions else ": none, all documents are one subcorpus")
    for name, entry in divisions.items():
        yield f"  {name}: {', '.join(part.label for part in subcorpora({name: entry}))}"


def _words(
    parts: list[tuple[Subcorpus, SubcorpusCounts]], asked: AskedQuery, seed: int
) -> Iterator[Block]:
    """What a query finds in each subcorpus: how to read it, a table, and rare words."""
    words, least = corpus_words(parts), PREPARATION["minimum_count"]
    words, table = words[words["query"] == asked.name], []
    rare = [f"Words of {asked.name} that occur fewer than {least} times"]
    for part, counted in parts:
        own = words[words["subcorpus"] == part.name]
        row = {"division": part.division, "subcorpus": part.label}
        row |= {"documents": f"{counted.documents:,}", "tokens": f"{counted.n_tokens:,}"}
        for name, of_set in own.groupby("set", sort=False)["count"]:
            row[name] = f"{of_set.sum():,} ({(of_set >= least).sum()} of {len(of_set)})"
        for drawn in log_odds_rows(counted, seed, LEVEL):
            if drawn.key[2] == asked.name:
                effect = drawn.columns(LEVEL)["smallest_effect"]
                row["smallest log odds ratio"] = TOO_FEW if math.isnan(effect) else f"{effect:.2f}"
        table.append(row)
        few = own[own["count"].between(1, least - 1)].sort_values(
            "count", ascending=False, kind="stable"
        )
        shown = [f"{word} {n}, " for word, n in zip(few["word"], few["count"], strict=True)]
        rare.append(f"  {part.label}: {''.join(shown)}{(own['count'] == 0).sum()} words not at all")
    yield (
        f"Tokens of each set of {asked.name}, and how many of its words occur {least} times or "
        "more. Rarer words have\nno vector, and metrics of vectors have no value where a set loses "
        f"more than {asked.lookup.lost_vocabulary_threshold:.0%} of its words.\nA log odds ratio "
        "closer to 0 than the smallest one (1.96 standard errors over documents) cannot be\ntold "
        f"apart from 0. Intervals over fewer than {LEAST_DATED} documents are too narrow."
    )
    yield table
    yield "\n".join(rare)


def _yaml(contents: Any) -> str:
    return yaml.safe_dump(contents, sort_keys=False, allow_unicode=True, default_flow_style=None)


def _with_entry(path: Path, name: str, entry: Mapping[str, Any]) -> str:
    """The text of a file of entries with one more, or with another of that name; comments stay.

    Raises
    ------
    FairflowError : the entry that exists is not written as a block.
    """
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    old = rf"^{re.escape(name)}[ \t]*:.*(?:\n(?:[ \t].*)?$)*\n?"
    kept = re.sub(old, "", before, flags=re.MULTILINE).rstrip()
    text = f"{kept}\n\n" * bool(kept) + _yaml({name: entry})
    if yaml.safe_load(text) != {**(yaml.safe_load(before) or {}), name: entry}:
        raise FairflowError(f"{path}: {name} cannot be replaced as it is written: delete it first")
    return text
