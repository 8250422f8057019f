"""The command line: its arguments, the function behind each command, and how rows are printed."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, NoReturn

from fairflow.capabilities import extensions
from fairflow.command import known_entries
from fairflow.command.project import KINDS, new_files
from fairflow.errors import FairflowError
from fairflow.files.configuration_files import version
from fairflow.files.text_table import table_lines

Row = Mapping[str, Any]


def aligned(rows: Sequence[Row]) -> str:
    """Aligned columns below their names, with numbers to the right; cells wrap on a terminal."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = [[as_shown(row.get(name)) for name in names] for row in rows]
    right = {
        n
        for n, name in enumerate(names)
        if any(isinstance(row.get(name), int | float) for row in rows)
    }
    # What another program reads has a line for each row.
    columns = get_terminal_size().columns if sys.stdout.isatty() else None
    lines = table_lines([names, *cells], columns, right)
    return "".join(f"{line}\n" for row in lines for line in row)


def as_csv(rows: Sequence[Row]) -> str:
    """Comma-separated, with a line of names; undefined values are empty."""
    # Late, because it takes a moment that list and show do not need.
    from pandas import DataFrame

    frame = DataFrame([_defined(row) for row in rows], dtype=object)
    joined = frame.map(lambda cell: "; ".join(map(str, cell)) if isinstance(cell, list) else cell)
    return joined.to_csv(index=False, lineterminator="\n")


def as_json(contents: Any) -> str:
    """Indented; undefined values are null."""
    return json.dumps(_defined(contents), indent=2, ensure_ascii=False) + "\n"


FORMATS = {"text": aligned, "csv": as_csv, "json": as_json}


def as_shown(value: Any) -> str:
    """A cell as a person reads it; a missing one is a dash."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _defined(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _defined(item) for key, item in value.items()}
    return [_defined(item) for item in value] if isinstance(value, list | tuple) else value


RULE_BROKEN, FAILED = 1, 2
_EXAMPLES = """\
  fairflow score word2vec
  fairflow score vectors.txt.gz
  fairflow audit vectors.txt.gz --fail-if "WEAT effect size on Gender > 0.8"
  fairflow new query my_query
  fairflow corpus data/speeches
  fairflow merge my-clone results/archive/fairflow-archive.tar.xz
  fairflow export case_study --as model-card
  fairflow list queries gender
  fairflow show query gender_1
  fairflow score vectors.txt.gz --query weat:6 --metric weat
  fairflow ask bai_2025
  fairflow explain glove-6B-50d weat_es weat_6
"""


_OLD_OPTIONS = {"every-measure": "--all-measures", "statistics": "--no-statistics (for none)"}


class Parser(argparse.ArgumentParser):
    """A parser that reports an error in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Print the error and exit; for an option that version 0.2 changed, its new name."""
        for old, new in _OLD_OPTIONS.items():
            if "unrecognized arguments" in message and f"--{old}" in message.split():
                message += f". Since version 0.2, --{old} is {new}"
        self.exit(FAILED, f"{self.prog}: {message}. See '{self.prog} --help'\n")


# What each argument is.
_OF = {
    "vectors": "a file of any format, packed or not; word2vec or glove, which are fetched; or "
    "another name of 'fairflow list models' that is here or in ~/gensim-data",
    "query": "a name that 'fairflow list queries' shows; weat:6 is weat_6",
    "metric": "a name that 'fairflow list metrics' shows",
    "preset": "the queries and metrics of a publication, instead of --query and --metric; "
    "caliskan2017 by default",
    "language": "the language of the words, such as fr, whose tests are used; by default it is "
    "found by the words of the vectors",
    "lookup": "the forms of each word that are looked up, instead of those of the query",
    "name": "the model's name in the results, which seeds random splits; the file's by default",
    "prefix": "what the vocabulary has before each word, such as /c/en/",
    "vector-format": "the format of the file, if its content does not show it",
    "no-statistics": "without tests and intervals",
    "all-measures": "print every number of a metric",
    "study": "a study that config/config.yaml does not list, as for make run STUDY=NAME",
    "asked": "MODEL METRIC QUERY",
    "model": "word vectors in any format, the folder of a language model, a .gguf file, "
    "hf:ORG/NAME@COMMIT, word2vec or glove",
    "against": "models to compare it with; word2vec and GloVe 6B 50d by default",
    "audit-preset": "the queries and metrics; audit by default",
    "pooling": "pooling: cls, mean, ..., if the model does not state it",
    "cores": "for Snakemake; all by default",
    "json": "print what was found as JSON; progress goes to stderr",
    "fail-if": "exit with 1 if this holds: 'WEAT effect size on Gender > 0.8' (a criterion or a "
    "query), 'significant > 10', 'not measured > 5', 'quality < 0.5'",
    "new": "for the files and the entries; letters, digits and _",
}


def parser() -> Parser:
    """The parser of fairflow; each command stores its function as `run`."""
    made = Parser(
        prog="fairflow",
        description="Measure social bias in word vectors and language models.",
    )
    shown = f"fairflow {version()}"
    made.add_argument("--version", action="version", version=shown, help="print the version")
    made.set_defaults(status=0)
    commands = made.add_subparsers(title="commands", metavar="COMMAND", required=True)

    lists = commands.add_parser("list", help="one line for each model, query, metric, ...")
    known = f"{', '.join(known_entries.LISTED)}; without a kind, the number of each"
    kinds = [*known_entries.LISTED]
    lists.add_argument("kind", nargs="?", choices=kinds, metavar="KIND", help=known)
    lists.add_argument("words", nargs="*", metavar="WORD", help="only lines with all these words")
    _answers(lists, _list, [*FORMATS])

    shows = commands.add_parser("show", help="all details of a model, query, metric, ...")
    kinds = [*known_entries.SHOWN]
    shows.add_argument("kind", choices=kinds, metavar="KIND", help=", ".join(kinds))
    shows.add_argument("name", metavar="NAME", help="a name that 'fairflow list' shows")
    _answers(shows, _show, ["text", "json"])

    scores = commands.add_parser("score", help="scores of word vectors, with tests and intervals")
    scores.add_argument("vectors", metavar="VECTORS", help=_OF["vectors"])
    for name in ("query", "metric"):
        several: dict[str, Any] = {"nargs": "+", "action": "extend", "default": []}
        scores.add_argument(f"--{name}", metavar=name.upper(), help=_OF[name], **several)
    for name in ("preset", "language", "lookup", "name", "prefix", "vector-format"):
        scores.add_argument(f"--{name}", metavar=name.upper(), help=_OF[name])
    for name in ("no-statistics", "all-measures"):
        scores.add_argument(f"--{name}", action="store_true", help=_OF[name])
    _answers(scores, _score, [*FORMATS])

    audits = commands.add_parser("audit", help="compare a model with others, with a report")
    audits.add_argument("model", metavar="PATH", help=_OF["model"])
    several = {"nargs": "+", "action": "extend", "default": []}
    audits.add_argument("--name", metavar="NAME", help="its name in results, tables and figures")
    audits.add_argument("--against", metavar="MODEL", help=_OF["against"], **several)
    audits.add_argument("--preset", metavar="PRESET", help=_OF["audit-preset"])
    audits.add_argument("--language", metavar="TAG", help=_OF["language"])
    audits.add_argument("--model-format", metavar="FORMAT", help=_OF["vector-format"])
    audits.add_argument("--pooling", metavar="POOLING", help=_OF["pooling"])
    audits.add_argument("--cores", metavar="N", default="all", help=_OF["cores"])
    audits.add_argument("--json", action="store_true", help=_OF["json"])
    rules: dict[str, Any] = {"action": "append", "default": [], "dest": "fail_if"}
    audits.add_argument("--fail-if", metavar="RULE", help=_OF["fail-if"], **rules)
    _answers(audits, _audit)

    news = commands.add_parser("new", help="write the files of a query, metric, study, transform")
    news.add_argument("kind", choices=[*KINDS], metavar="KIND", help=", ".join(KINDS))
    news.add_argument("name", metavar="NAME", help=_OF["new"])
    _answers(news, _new)

    for capability in extensions("command"):
        capability.add_to(commands)

    explains = commands.add_parser("explain", help="what a score of the workflow is computed from")
    explains.add_argument("asked", nargs="+", metavar="NAME", help=_OF["asked"])
    explains.add_argument("--study", metavar="NAME", help=_OF["study"])
    _answers(explains, _explain)
    # The help of each command has its own examples.
    for of, names in (
        (made, [*commands.choices]),
        *((c, [n]) for n, c in commands.choices.items()),
    ):
        lines = [line for line in _EXAMPLES.splitlines() if line.split()[1] in names]
        of.epilog = "\n".join(["examples:", *lines])
        of.formatter_class = argparse.RawDescriptionHelpFormatter
    return made


def _answers(
    command: argparse.ArgumentParser,
    run: Callable[[argparse.Namespace], str],
    formats: Sequence[str] = (),
) -> None:
    command.set_defaults(run=run)
    if formats:
        told = "the format of the output; text by default"
        command.add_argument("--format", choices=formats, default="text", help=told)


def _list(asked: argparse.Namespace) -> str:
    lines = known_entries.lines_of(asked.kind, asked.words) if asked.kind else known_entries.kinds()
    if asked.format == "text":
        width = max(len(name) for name, _ in lines)
        return "".join(f"{name:<{width}}  {says}\n" for name, says in lines)
    return FORMATS[asked.format]([{"name": name, "says": says} for name, says in lines])


def _show(asked: argparse.Namespace) -> str:
    found = known_entries.details(asked.kind, asked.name)
    return as_json(found) if asked.format == "json" else known_entries.as_text(found)


def _score(asked: argparse.Namespace) -> str:
    # Late, because these import numpy, which list and show do not need.
    from fairflow.command.asked import AskedVectors
    from fairflow.command.project import project_here
    from fairflow.command.scoring import readable_columns, scores

    for capability in extensions("command"):
        if (text := getattr(capability, "scored", lambda _: None)(asked)) is not None:
            return text
    project = project_here()
    named = AskedVectors(asked.vectors, asked.name, asked.vector_format, asked.prefix)
    what = asked.query, asked.metric, asked.preset, asked.language, asked.lookup
    wanted = not asked.no_statistics, asked.all_measures
    found = scores(project, named, *what, *wanted)
    for sentence in found.sentences:
        print(f"fairflow: {sentence}", file=sys.stderr)
    if asked.format != "text":
        return FORMATS[asked.format](found.rows)
    return aligned(readable_columns(found.rows, found.sets, found.labels))


def _explain(asked: argparse.Namespace) -> str:
    # Late, because it imports what reads the whole configuration.
    from fairflow.command.explain import explanation

    return explanation(asked.asked, asked.study)


def _audit(asked: argparse.Namespace) -> str:
    # Late, because planning imports what list and show do not need.
    from fairflow.command import audit
    from fairflow.files.atomic import read_json

    rules = [audit.parsed(text) for text in asked.fail_if]
    settings = {key: getattr(asked, option) for option, key in audit.SETTINGS.items()}
    settings = {key: value for key, value in settings.items() if value}
    wanted = audit.AskedAudit(asked.model, tuple(asked.against), settings, asked.cores)
    audit.check_plan(wanted)
    if audit.run_audit(wanted, quiet=asked.json):
        asked.status = FAILED
        return ""
    data = read_json(wanted.summary) if asked.json or rules else {}
    holds, undecided = audit.decided(rules, data)
    for sentence in [*(f"failed: {text}" for text in holds), *undecided]:
        print(f"fairflow: {sentence}", file=sys.stderr)
    asked.status = FAILED if undecided else RULE_BROKEN if holds else 0
    return as_json(data) if asked.json else ""


def _new(asked: argparse.Namespace) -> str:
    return "".join(f"{line}\n" for line in new_files(asked.kind, asked.name, Path()))


INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns
    -------
    The exit status: 0 for success, 1 if a rule of --fail-if holds, 2 after an error message.
    """
    asked = parser().parse_args(arguments)
    try:
        sys.stdout.write(asked.run(asked))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe; without this, Python would write to it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return INTERRUPTED
    except (FairflowError, OSError) as error:
        print(f"fairflow: {error}", file=sys.stderr)
        return FAILED
    return asked.status
