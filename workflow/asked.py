"""asked.py COMMAND...: run a command of Snakemake with settings from variables.

The argument KEY=@NAME becomes the setting KEY with the value of the variable NAME, and KEY=[@NAME]
a list of its comma-separated values; without a value the argument is left out. Variables are those
of the environment, or after --of FILE those under "run" in a JSON file.

A value may be any name of a file: no shell reads it, and Snakemake, which reads settings as YAML,
gets it in quotes.
"""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import yaml

_SETTING = re.compile(r"(\w+)=(\[?)@(\w+)\]?")


def asked(command: Sequence[str], variables: Mapping[str, str | None]) -> Iterator[str]:
    """The arguments of a command with the values of the variables."""
    for argument in command:
        setting = _SETTING.fullmatch(argument)
        if setting is None:
            yield argument
            continue
        key, is_list, name = setting[1], bool(setting[2]), setting[3]
        value = variables.get(name)
        if not value:
            continue
        if is_list:
            yield f"{key}=[{', '.join(in_quotes(one.strip()) for one in value.split(','))}]"
        elif key == "items" and value.isdecimal():
            # The only setting that may be a number.
            yield f"{key}={value}"
        else:
            # Snakemake strips quotes at both ends before it reads YAML: these are inside.
            yield f"{key}=!!str {in_quotes(value)} # as it is"


def in_quotes(value: str) -> str:
    """A text as quoted YAML."""
    return yaml.safe_dump(value, default_style='"', width=math.inf).rstrip("\n")


if __name__ == "__main__":
    command, variables = sys.argv[1:], os.environ
    if command[0] == "--of":
        variables = json.loads(Path(command[1]).read_text(encoding="utf-8"))["run"]
        command = command[2:]
    os.execvp(command[0], [*asked(command, variables)])
