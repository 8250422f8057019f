"""The commands `fairflow merge` and `fairflow export`: results of runs, together or for others."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from fairflow.errors import printable

_OF = {
    "runs": "the folder of a project after its run, or an archive of 'make archive'",
    "only": "names of studies, criteria, queries, metrics or models; all others are left out",
    "merge-to": "the folder for merged.csv, leaderboard.html and merged.json; merged by default",
    "export": "a study of the run in this folder, or an audit",
    "as": "every-eval-ever or model-card",
    "to": "the folder of the files; results/exports/STUDY/FORM by default",
}


def add_to(commands: Any) -> None:
    """Add both commands to those of a parser."""
    several = {"nargs": "+", "action": "extend", "default": []}
    merges = commands.add_parser("merge", help="rank the models of several runs together")
    merges.add_argument("runs", nargs="+", metavar="RUN", help=_OF["runs"])
    merges.add_argument("--only", metavar="NAME", help=_OF["only"], **several)
    merges.add_argument("--to", metavar="FOLDER", default="merged", help=_OF["merge-to"])
    merges.set_defaults(run=_merge)

    exports = commands.add_parser("export", help="results of a study in forms that others read")
    exports.add_argument("study", metavar="STUDY", help=_OF["export"])
    exports.add_argument("--as", dest="form", metavar="FORM", required=True, help=_OF["as"])
    exports.add_argument("--to", metavar="FOLDER", help=_OF["to"])
    exports.set_defaults(run=_export)


def _merge(asked: argparse.Namespace) -> str:
    # Late, because it imports pandas and the report.
    from fairflow.sharing.results import write_merged

    lines = write_merged([*map(Path, asked.runs)], asked.only, Path(asked.to))
    return printable("".join(f"{line}\n" for line in lines))


def _export(asked: argparse.Namespace) -> str:
    # Late, because it imports what reads the whole configuration.
    from fairflow.sharing.results import export

    lines = export(asked.study, asked.form, asked.to)
    return "".join(f"{line}\n" for line in lines)
