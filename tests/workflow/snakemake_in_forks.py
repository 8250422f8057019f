"""Snakemake in forks of a process that has imported it, so that a run costs no start of Python.

Run as a script with the descriptor of a socket, this process loads Snakemake and what it needs, and
nothing of fairflow: each fork reads the library of the project that it runs in.
"""

from __future__ import annotations

import gc
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path

LOADED = ("snakemake.cli", "snakemake.utils", "snakemake.report", "jsonschema.validators")
LOADED += ("smart_open", "requests", "jinja2")
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")


class Forks:
    """Starts runs of Snakemake, one after another."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", __file__, str(theirs.fileno())],
                # Where fairflow.pth finds no scripts.
                cwd=Path(__file__).parent,
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=os.environ | ONE_THREAD,
            )
        self._connection = Connection(ours.detach())

    def run(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], output: Path
    ) -> int:
        """The exit status of `snakemake ARGUMENTS`, all whose output goes to a file."""
        self._connection.send((list(arguments), str(folder), dict(environment), str(output)))
        return self._connection.recv()


def serve(connection: Connection) -> None:
    """Run requests until the other end is closed; returns in each fork, which then runs one."""
    for module in LOADED:
        with suppress(ModuleNotFoundError):
            import_module(module)
    gc.freeze()
    while True:
        try:
            asked = connection.recv()
        except EOFError:
            return
        number = os.fork()
        if number == 0:
            connection.close()
            return snakemake(*asked)
        _, status = os.waitpid(number, 0)
        connection.send(os.waitstatus_to_exitcode(status))


def snakemake(arguments: list[str], folder: str, environment: dict[str, str], output: str) -> None:
    """What `python -m snakemake` does in that folder."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    with open(output, "wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    cli = sys.modules["snakemake.cli"]
    sys.argv = [str(Path(cli.__file__).with_name("__main__.py")), *arguments]
    # As Python begins in that folder, where fairflow.pth names its scripts.
    sys.path.insert(0, folder)
    if os.path.isdir("scripts/fairflow"):
        sys.path.append(os.path.abspath("scripts"))
    cli.ExecutorPluginRegistry().collect_plugins()
    cli.main()


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
