"""The command line: what may be asked, which function answers it, and how rows are printed."""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import Any, NoReturn

from fairflow.command import known_entries
from fairflow.errors import FairflowError
from fairflow.files.configuration_files import version

Row = Mapping[str, Any]


def as_text(rows: Sequence[Row]) -> str:
    """Aligned columns below their names, numbers to the right; the last column is not padded."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    cells = [[_shown(row.get(name)) for name in columns] for row in rows]
    right = [any(isinstance(row.get(name), int | float) for row in rows) for name in columns]
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    lines = (
        "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in [columns, *cells]
    )
    return "\n".join(lines) + "\n"


def as_csv(rows: Sequence[Row]) -> str:
    """Comma-separated, with a line of names; what is undefined stays empty."""
    buffer = StringIO()
    columns = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.DictWriter(buffer, columns, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        cells = {k: "; ".join(map(str, v)) if isinstance(v, list) else v for k, v in row.items()}
        writer.writerow(_defined(cells))
    return buffer.getvalue()


def as_json(contents: Any) -> str:
    """Indented; what is undefined is null."""
    return json.dumps(_defined(contents), indent=2, ensure_ascii=False) + "\n"


FORMATS: dict[str, Callable[[Sequence[Row]], str]] = {
    "text": as_text,
    "csv": as_csv,
    "json": as_json,
}


def _shown(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _defined(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _defined(item) for key, item in value.items()}
    return [_defined(item) for item in value] if isinstance(value, list | tuple) else value


FAILED = 2
_EXAMPLES = """\
examples:
  fairflow list queries gender
  fairflow show query gender_1
  fairflow score vectors.txt.gz
  fairflow score vectors.txt.gz --query weat:6 --metric weat
  fairflow explain glove-6B-50d weat_es weat_6
"""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and leave."""
        self.exit(FAILED, f"{self.prog}: {message}. '{self.prog} --help' tells what is expected\n")


class _Version(argparse.Action):
    """Prints the version, which is looked up for those who ask."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        print(f"fairflow {version()}")
        parser.exit()


# What each argument is.
_OF = {
    "vectors": "a file of any format, packed or not; or a model that the workflow has converted",
    "query": "as 'fairflow list queries' has them; weat:6 is weat_6",
    "metric": "as 'fairflow list metrics' has them",
    "preset": "a publication's queries and metrics, where none are named; caliskan2017 by default",
    "lookup": "how words are sought, instead of each query's own way",
    "name": "of the model in the results, by which random splits are drawn; else the file's",
    "prefix": "what the vocabulary has in front of each word, such as /c/en/",
    "vector-format": "where the content of the file does not tell it",
    "no-statistics": "without tests and intervals",
    "all-measures": "also the measures that no ranking uses",
    "study": "one that config/config.yaml does not list, as make run STUDY=NAME runs it",
    "asked": "results/scores/MODEL/METRIC/QUERY.parquet; or MODEL METRIC QUERY",
}


def parser() -> Parser:
    """That of the command and of each of its commands, which name the function to call as `run`."""
    made = Parser(
        prog="fairflow",
        description="Measure social bias in word vectors, and look up what is configured.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = made.add_subparsers(title="commands", metavar="COMMAND", required=True)

    lists = commands.add_parser("list", help="one line for each model, query, metric, ...")
    known = f"{', '.join(known_entries.LISTED)}; without one, how many there are of each"
    lists.add_argument("kind", nargs="?", choices=known_entries.LISTED, metavar="KIND", help=known)
    lists.add_argument("words", nargs="*", metavar="WORD", help="only lines that hold all of these")
    _answers(lists, _list, [*FORMATS])

    shows = commands.add_parser("show", help="everything that is known of one of them")
    known = ", ".join(known_entries.SHOWN)
    shows.add_argument("kind", choices=known_entries.SHOWN, metavar="KIND", help=known)
    shows.add_argument("name", metavar="NAME", help="as 'fairflow list' has it")
    _answers(shows, _show, ["text", "json"])

    scores = commands.add_parser("score", help="scores of word vectors, with tests and intervals")
    scores.add_argument("vectors", metavar="VECTORS", help=_OF["vectors"])
    for name in ("query", "metric"):
        several = {"nargs": "+", "action": "extend", "default": [], "metavar": name.upper()}
        scores.add_argument(f"--{name}", help=_OF[name], **several)
    for name in ("preset", "lookup", "name", "prefix", "vector-format"):
        scores.add_argument(f"--{name}", metavar=name.upper(), help=_OF[name])
    for name in ("no-statistics", "all-measures"):
        scores.add_argument(f"--{name}", action="store_true", help=_OF[name])
    _answers(scores, _score, [*FORMATS])

    explains = commands.add_parser("explain", help="why a score of the workflow is what it is")
    explains.add_argument("asked", nargs="+", metavar="FILE", help=_OF["asked"])
    explains.add_argument("--study", metavar="NAME", help=_OF["study"])
    _answers(explains, _explain)
    return made


def _answers(
    command: argparse.ArgumentParser,
    run: Callable[[argparse.Namespace], str],
    formats: Sequence[str] = (),
) -> None:
    command.set_defaults(run=run)
    if formats:
        told = "of what is printed; text by default"
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
    # These load numpy, which lists need not wait for.
    from fairflow.command.asked import AskedVectors
    from fairflow.command.project import project_here
    from fairflow.command.scoring import readable, scores

    vectors = AskedVectors(asked.vectors, asked.name, asked.vector_format, asked.prefix)
    what = asked.query, asked.metric, asked.preset, asked.lookup
    wanted = not asked.no_statistics, asked.all_measures
    rows, because = scores(project_here(), vectors, *what, *wanted)
    if because:
        print(f"fairflow: {because}", file=sys.stderr)
    return FORMATS[asked.format](readable(rows) if asked.format == "text" else rows)


def _explain(asked: argparse.Namespace) -> str:
    # It reads the whole configuration, which lists need not wait for.
    from fairflow.command.explain import explanation

    return explanation(asked.asked, asked.study)


INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0 if it did what was asked, 2 after a sentence on stderr."""
    asked = parser().parse_args(arguments)
    try:
        sys.stdout.write(asked.run(asked))
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has enough of it; Python would try once more at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return INTERRUPTED
    except (FairflowError, OSError) as error:
        print(f"fairflow: {error}", file=sys.stderr)
        return FAILED
    return 0
