"""The code cells of a Markdown page, and what must hold of a command and of a piece of YAML."""

import ast
import contextlib
import io
import re
import shlex
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from fairflow.command.parser import parser
from fairflow.planning.configuration import shape_problems

ROOT = Path(__file__).parents[3]
SCHEMAS = ROOT / "workflow/schemas"
RULES = "\n".join(
    path.read_text()
    for path in [ROOT / "workflow/Snakefile", *(ROOT / "workflow/rules").glob("*.smk")]
)
# A cell under such a comment stands as an illustration; the comment says why it is not run.
ILLUSTRATION = re.compile(r"<!-- not run: .+ -->\s*$")
FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w*)[^\n`]*\n(?P<text>.*?)^(?P=indent)```$", re.M | re.S
)
# The first line of a file that a cell shows: "# config/models.yaml", and what is said of it.
FILE = re.compile(r"^# (?P<path>[\w./-]+\.(?:yaml|py))\b(?P<said>.*)$", re.M)
# The same in the text right above a cell, "Save this as `my_metrics/distance.py`:".
ABOVE = re.compile(r"`(?P<path>[\w./-]+\.(?:yaml|py))`[^`]*")
# The commands that a page may call, in addition to the project's own.
OTHERS = {"cd", ".", "export", "ls", "cat", "head", "less", "mkdir", "cp", "mv", "open"}
OTHERS |= {"git", "pip", "sed", "tar", "sha256sum", "docker", "xdg-open", "jupyter", "test"}


class Cell(NamedTuple):
    """A fenced block.

    Attributes
    ----------
    language, text : without the indent. line : where it begins.
    illustration : it is not run. above : the line of a comment that names the file of the cell, if
        the text above does.
    """

    language: str
    text: str
    line: int
    illustration: bool
    above: str = ""

    @property
    def with_file(self) -> str:
        """The text below the name of its file, if it has one; its own comment goes first."""
        return self.text if FILE.match(self.text) else self.above + self.text


def cells(page: str) -> list[Cell]:
    """The fenced blocks of a page in order."""
    return [
        Cell(
            found["language"],
            re.sub(rf"^{found['indent']}", "", found["text"], flags=re.M),
            page.count("\n", 0, found.start()) + 1,
            ILLUSTRATION.search(page[: found.start()]) is not None,
            _named_above(page[: found.start()], found["language"]),
        )
        for found in FENCE.finditer(page)
    ]


def _named_above(text: str, language: str) -> str:
    paragraph = text.rstrip().rpartition("\n\n")[2]
    suffix = {"python": ".py", "yaml": ".yaml"}.get(language)
    paths = [found["path"] for found in ABOVE.finditer(paragraph)] if suffix else []
    named = [path for path in paths if path.endswith(suffix) and paragraph.endswith(":")]
    return f"# {named[0]}\n" if named else ""


def files(text: str) -> Iterator[tuple[str, str, str]]:
    """Path, what is said of it and text of each file that a cell shows."""
    starts = [*FILE.finditer(text)]
    for at, start in enumerate(starts, 1):
        end = starts[at].start() if at < len(starts) else len(text)
        yield start["path"], start["said"], text[start.end() : end].lstrip("\n")


def faults_of_yaml(text: str) -> Iterator[str]:
    """What is wrong with a cell of YAML, whose files are named by comments.

    Of a file that is said to be shown "in part" keys may be missing.
    """
    shown = list(files(text))
    if not shown:
        yield "no file is named, neither right above nor by a comment '# config/models.yaml'"
    for path, said, part in shown:
        schema = schema_of(path)
        if not (SCHEMAS / f"{schema}.schema.yaml").is_file():
            yield f"{path}: no schema is known for it"
            continue
        for fault in shape_problems(yaml.safe_load(part), schema, Path(path), SCHEMAS):
            if not (said.endswith("in part") and fault.endswith("is missing")):
                yield fault


def schema_of(path: str) -> str:
    """The name of the schema of a file of the configuration, by its folder or name."""
    *_, folder, name = path.split("/")
    return name.removesuffix(".yaml") if folder == "config" else folder


def run_cell(text: str, name: str, line: int, namespace: dict[str, Any]) -> tuple[str, Any]:
    """What a cell prints, and the value of its last expression.

    Parameters
    ----------
    name, line : where the cell is, for tracebacks. namespace : of the page.
    """
    tree = ast.parse("\n" * line + text, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    value = None
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(tree, name, "exec"), namespace)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval"), namespace)
    return out.getvalue(), value


def commands(cell: Cell) -> Iterator[str]:
    """The command lines of a cell; in a `console` those behind a dollar."""
    text = cell.text.replace("\\\n", " ")
    for line in text.splitlines():
        if cell.language == "console":
            if line.startswith("$ "):
                yield line[2:]
        elif line.strip():
            yield line


def faults_of_command(line: str, made: set[str]) -> Iterator[str]:
    """What is wrong with a command line: programs, targets, flags and files that are not there.

    Parameters
    ----------
    made : paths of files that the page makes.
    """
    for words in _simple_commands(line):
        while words and re.match(r"\w+=", words[0]):
            words = words[1:]
        if not words:
            continue
        program, arguments = words[0], words[1:]
        check = CHECKS.get(program)
        if check:
            yield from check(arguments)
        elif program not in OTHERS and not (ROOT / program).is_file():
            yield f"unknown program {program!r}"
        yield from _missing_files(words, made)


def _simple_commands(line: str) -> Iterator[list[str]]:
    """The words of each command of a line of a shell, without the file that takes its output."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    words: list[str] = []
    parts = iter([*lexer, ";"])
    for word in parts:
        if word == ">":
            next(parts)
        elif re.fullmatch(r"[|&;]+", word):
            yield words
            words = []
        else:
            words.append(word)


def _missing_files(words: list[str], made: set[str]) -> Iterator[str]:
    for word in words:
        ours = re.match(r"(config|workflow|tests|envs|scripts)/", word)
        if ours and not (ROOT / word).exists() and word not in made:
            yield f"there is no {word}"


def _make(arguments: list[str]) -> Iterator[str]:
    text = (ROOT / "Makefile").read_text()
    for word in arguments:
        name, given, _ = word.partition("=")
        if given and not re.search(rf"@{name}\b|\$\$\{{?{name}\b|^{name} \?=", text, re.M):
            yield f"the Makefile knows no variable {name}"
        elif not given and not re.search(rf"^{re.escape(name)}:", text, re.M):
            yield f"the Makefile has no target {name}"


@cache
def _flags_of_snakemake() -> set[str]:
    from snakemake.cli import get_argument_parser

    return set(get_argument_parser()._option_string_actions)


def _snakemake(arguments: list[str]) -> Iterator[str]:
    schema = yaml.safe_load((SCHEMAS / "config.schema.yaml").read_text())
    for word in arguments:
        name, given, _ = word.partition("=")
        if word.startswith("-"):
            # What follows -- are targets.
            if name != "--" and name not in _flags_of_snakemake():
                yield f"snakemake has no option {name}"
        elif given and name not in schema["properties"]:
            yield f"the configuration has no key {name}"
        elif re.fullmatch(r"[a-z_]+", word) and not _is_target_or_value(word):
            yield f"there is no rule {word}"


def _is_target_or_value(word: str) -> bool:
    plugin = any((ROOT / "scripts").glob(f"snakemake_*_plugin_{word}"))
    return plugin or word == "conda" or re.search(rf"^rule {word}:", RULES, re.M) is not None


def _python(arguments: list[str]) -> Iterator[str]:
    if "-m" not in arguments:
        return
    at = arguments.index("-m")
    if find_spec(arguments[at + 1]) is None:
        yield f"there is no module {arguments[at + 1]}"
    if arguments[at + 1] == "fairflow":
        yield from _fairflow(arguments[at + 2 :])


def _fairflow(arguments: list[str]) -> Iterator[str]:
    try:
        parser().parse_args(arguments)
    except SystemExit as exit:
        if exit.code:
            yield f"fairflow does not take {' '.join(arguments)!r}"


CHECKS: dict[str, Callable[[list[str]], Iterator[str]]] = {
    "make": _make,
    "snakemake": _snakemake,
    "python": _python,
    "python3": _python,
    "fairflow": _fairflow,
}
