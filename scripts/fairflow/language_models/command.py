"""The command `fairflow ask`, and what `fairflow score` says of a samples file of lm-eval."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from fairflow.command.parser import FORMATS, aligned
from fairflow.errors import FairflowError

_PLAIN = "plain"
_OF = {
    "study": "a study with queries of items, as config/studies/STUDY.yaml",
    "form": "lines of a provider's batch interface, or plain, which has all that is known; plain "
    "by default",
    "model": "the model as the provider calls it, for its forms",
    "draws": "answers to each item; by default as the query's decoding says, else 1",
    "without": "files of answers; what they answer is not asked again, what failed is",
    "max-tokens": "of an answer, at most; by default as the kind of item needs",
}


def add_to(commands: Any) -> None:
    """Add the command to those of a parser."""
    asks = commands.add_parser("ask", help="the questions of a study, for a model not run here")
    asks.add_argument("study", metavar="STUDY", help=_OF["study"])
    forms = {"choices": ["openai", "anthropic", _PLAIN], "default": _PLAIN}
    asks.add_argument("--form", help=_OF["form"], **forms)
    asks.add_argument("--model", metavar="MODEL", default="", help=_OF["model"])
    for name in ("draws", "max-tokens"):
        asks.add_argument(f"--{name}", metavar="N", type=_number, help=_OF[name])
    listed = {"metavar": "FILE", "nargs": "+", "default": ()}
    asks.add_argument("--without", help=_OF["without"], **listed)
    asks.set_defaults(run=_ask)


def scored(asked: argparse.Namespace) -> str | None:
    """The scores of a samples file; None for another file."""
    # Late, because these import numpy.
    from fairflow.command.project import project_here
    from fairflow.language_models.items.lm_eval_data import is_samples_file
    from fairflow.language_models.samples import readable_samples, samples_scores

    if not is_samples_file(asked.vectors):
        return None
    found = samples_scores(project_here(), asked.vectors, asked.name, not asked.no_statistics)
    if asked.format != "text":
        return FORMATS[asked.format](found.rows)
    shown, told = readable_samples(found, asked.name)
    return f"{told}\n{aligned(shown)}"


def _ask(asked: argparse.Namespace) -> str:
    # Late, because planning imports what list and show do not need.
    from fairflow.language_models.questions import asked_questions

    if asked.form != _PLAIN and not asked.model:
        raise FairflowError(f"--model: name the model as the provider does; --form {asked.form}")
    given = asked.form, asked.model, asked.draws, asked.max_tokens, asked.without
    lines, told = asked_questions(asked.study, *given)
    for line in told:
        print(f"fairflow: {line}", file=sys.stderr)
    return "".join(lines)


def _number(text: str) -> int:
    """A whole number from 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, found {text!r}")
    return int(text)
