"""The command `fairflow corpus`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from fairflow.command.parser import aligned
from fairflow.errors import printable

_OF = {
    "texts": "a folder of .txt files, a table (CSV, TSV, JSONL, parquet), or a zip or tar of these",
    "query": "a query whose words are counted; about gender, family and career by default",
}
_OPTIONS = {
    "text": "the column of a table with the texts",
    "name": "of the corpus and the study; that of the file or folder by default",
    "encoding": "of the texts; utf-8 by default",
}


def add_to(commands: Any) -> None:
    """Add the command to those of a parser."""
    reads = commands.add_parser("corpus", help="what texts hold and can show; write their entry")
    reads.add_argument("path", metavar="PATH", help=_OF["texts"])
    for name, told in _OPTIONS.items():
        reads.add_argument(f"--{name}", metavar=name.upper(), help=told)
    several = {"nargs": "+", "action": "extend", "default": []}
    reads.add_argument("--query", metavar="QUERY", help=_OF["query"], **several)
    reads.add_argument("--dry-run", action="store_true", help="write nothing")
    reads.set_defaults(run=report)


def report(asked: argparse.Namespace) -> str:
    """What texts hold and can show, for the terminal."""
    # Late, because it imports numpy and pandas.
    from fairflow.corpora.corpus_report import corpus_report

    given = {name: value for name in _OPTIONS if (value := getattr(asked, name)) is not None}
    path = Path(os.path.abspath(asked.path))
    print(f"Reading {path} ...", file=sys.stderr)
    found = corpus_report(path, given, asked.query, asked.dry_run)
    blocks = (block if isinstance(block, str) else aligned(block) for block in found)
    # Foreign texts may hold what a terminal obeys.
    return printable("\n".join(f"{block.rstrip()}\n" for block in blocks))
