"""The command line: what may be asked, and which function answers it."""

from __future__ import annotations

import argparse
import sys
from typing import Any, NoReturn

from fairflow.command import listing, showing
from fairflow.command.output import FORMATS, as_json
from fairflow.files.shipped import version

FAILED = 2
_EXAMPLES = """\
examples:
  fairflow list queries gender
  fairflow show query gender_1
  fairflow score vectors.txt.gz --query weat:6 --metric weat
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
    _add_list(commands)
    _add_show(commands)
    _add_score(commands)
    return made


def _add_list(commands: argparse._SubParsersAction) -> None:
    lists = commands.add_parser("list", help="one line for each model, query, metric, ...")
    lists.add_argument("kind", choices=listing.KINDS, metavar="KIND", help=", ".join(listing.KINDS))
    lists.add_argument("words", nargs="*", metavar="WORD", help="only lines that hold all of these")
    _add_format(lists, [*FORMATS])
    lists.set_defaults(run=_list)


def _list(asked: argparse.Namespace) -> str:
    lines = listing.lines_of(asked.kind, asked.words)
    if asked.format == "text":
        width = max(len(line.name) for line in lines)
        return "".join(f"{line.name:<{width}}  {line.says}\n" for line in lines)
    return FORMATS[asked.format]([line._asdict() for line in lines])


def _add_show(commands: argparse._SubParsersAction) -> None:
    shows = commands.add_parser("show", help="everything that is known of one of them")
    shows.add_argument("kind", choices=showing.KINDS, metavar="KIND", help=", ".join(showing.KINDS))
    shows.add_argument("name", metavar="NAME", help="as 'fairflow list' has it")
    _add_format(shows, ["text", "json"])
    shows.set_defaults(run=_show)


def _show(asked: argparse.Namespace) -> str:
    found = showing.details(asked.kind, asked.name)
    return as_json(found) if asked.format == "json" else showing.as_text(found)


def _add_score(commands: argparse._SubParsersAction) -> None:
    scores = commands.add_parser("score", help="scores of word vectors, with tests and intervals")
    scores.add_argument(
        "vectors",
        metavar="VECTORS",
        help="a file of any format, packed or not; or a model that the workflow has converted",
    )
    for name, metavar in (("query", "QUERY"), ("metric", "METRIC")):
        scores.add_argument(
            f"--{name}", nargs="+", action="extend", default=[], metavar=metavar, help=_OF[name]
        )
    for name in ("preset", "lookup", "name", "prefix", "vector-format"):
        scores.add_argument(f"--{name}", metavar=name.upper(), help=_OF[name])
    scores.add_argument(
        "--statistics", choices=["all", "none"], default="all", help="tests and intervals, or none"
    )
    scores.add_argument(
        "--every-measure", action="store_true", help="also measures that no ranking is made by"
    )
    _add_format(scores, [*FORMATS])
    scores.set_defaults(run=_score)


_OF = {
    "query": "as 'fairflow list queries' has them; weat:6 is weat_6",
    "metric": "as 'fairflow list metrics' has them",
    "preset": "a publication's queries and metrics, where none are named",
    "lookup": "how words are sought, instead of each query's own way",
    "name": "of the model in the results, by which random splits are drawn; else the file's",
    "prefix": "what the vocabulary has in front of each word, such as /c/en/",
    "vector-format": "where the content of the file does not tell it",
}


def _score(asked: argparse.Namespace) -> str:
    # These load numpy, which lists need not wait for.
    from fairflow.command.asked_vectors import AskedVectors
    from fairflow.command.project import project_here
    from fairflow.command.scoring import Asked, readable, scores

    vectors = AskedVectors(asked.vectors, asked.name, asked.vector_format, asked.prefix)
    rows, because = scores(
        project_here(),
        Asked(
            vectors,
            asked.query,
            asked.metric,
            asked.preset,
            asked.lookup,
            asked.statistics == "all",
            asked.every_measure,
        ),
    )
    if because:
        print(f"fairflow: {because}", file=sys.stderr)
    return FORMATS[asked.format](readable(rows) if asked.format == "text" else rows)


def _add_format(command: argparse.ArgumentParser, formats: list[str]) -> None:
    command.add_argument(
        "--format", choices=formats, default="text", help="of what is printed; text by default"
    )
