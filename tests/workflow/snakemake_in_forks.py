"""Snakemake in forks of a process that has imported it, so that a run costs no start of Python.

Run as a script with the descriptor of a socket, this process loads Snakemake, what it and its jobs
need, and nothing of fairflow: each fork reads the library of the project that it runs in. So does
the process that the executor of a run forks jobs from, which is another fork of this one.
"""

from __future__ import annotations

import gc
import os
import runpy
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace

LOADED = ("snakemake.cli", "snakemake.utils", "snakemake.report", "jsonschema.validators")
LOADED += ("smart_open", "requests", "jinja2")
LOADED_FOR_JOBS = ("pandas", "pyarrow.parquet", "pyarrow.json", "scipy.stats", "matplotlib.figure")
LOADED_FOR_JOBS += ("matplotlib.backends.backend_svg", "matplotlib.backends.backend_pdf")
# Modules that transformers imports for the networks of the tests.
NETWORKS = ("bert.modeling_bert", "gpt2.modeling_gpt2", "llama.modeling_llama")
LOADED_FOR_LANGUAGE_MODELS = ("torch", "transformers", "transformers.generation.utils")
LOADED_FOR_LANGUAGE_MODELS += tuple(f"transformers.models.{network}" for network in NETWORKS)
SWITCH = "language_models=True"
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

    def load_for_language_models(self) -> None:
        """Import torch for the runs to come, as for those of `make run-lm`."""
        self._connection.send(None)


def serve(connection: Connection) -> None:
    """Run requests until the other end is closed; returns in each fork, which then runs one."""
    load(LOADED + LOADED_FOR_JOBS)
    while True:
        try:
            asked = connection.recv()
        except EOFError:
            return
        if asked is None or SWITCH in asked[0]:
            load(LOADED_FOR_LANGUAGE_MODELS)
        if asked is None:
            continue
        number = os.fork()
        if number == 0:
            connection.close()
            return snakemake(*asked)
        _, status = os.waitpid(number, 0)
        connection.send(os.waitstatus_to_exitcode(status))


def load(modules: tuple[str, ...]) -> None:
    for module in modules:
        with suppress(ModuleNotFoundError):
            import_module(module)
    gc.freeze()


class Parent:
    """Replaces `subprocess.Popen` of the executor: a fork that has imported packages."""

    def __init__(self, starter: socket.socket, command: list[str], env: dict[str, str]) -> None:
        control = int(command[-2])
        with Connection(os.dup(starter.fileno())) as connection:
            socket.send_fds(starter, [b"c"], [control])
            connection.send((command, env))
            self.pid = connection.recv()

    def poll(self) -> int | None:
        return None if os.path.exists(f"/proc/{self.pid}") else 0

    def wait(self) -> int:
        while self.poll() is None:
            time.sleep(0.005)
        return 0


def start_parents(asked: socket.socket) -> list[str] | None:
    """Fork for each request until the other end is closed; in a fork, the command to be it."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        message, descriptors, *_ = socket.recv_fds(asked, 1, 1)
        if not message:
            return None
        with Connection(os.dup(asked.fileno())) as connection:
            command, environment = connection.recv()
            number = os.fork()
            if number == 0:
                asked.close()
                os.environ.clear()
                os.environ.update(environment)
                return [*command[:-2], str(descriptors[0]), command[-1]]
            connection.send(number)
        os.close(descriptors[0])


def parents() -> socket.socket:
    """A socket that a process listens to which starts parents of jobs."""
    ours, theirs = socket.socketpair()
    if os.fork():
        theirs.close()
        return ours
    ours.close()
    command = start_parents(theirs)
    if command:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        if "torch" in sys.modules:
            sys.modules["torch"].set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
        sys.argv = command[2:]
        runpy.run_path(command[2], run_name="__main__")
    # As what comes back from here would be Snakemake.
    os._exit(0)


def snakemake(arguments: list[str], folder: str, environment: dict[str, str], output: str) -> None:
    """What `python -m snakemake` does in that folder."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    with open(output, "wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    starter = parents()
    cli = sys.modules["snakemake.cli"]
    sys.argv = [str(Path(cli.__file__).with_name("__main__.py")), *arguments]
    # As Python begins in that folder, where fairflow.pth names its scripts.
    sys.path.insert(0, folder)
    if os.path.isdir("scripts/fairflow"):
        sys.path.append(os.path.abspath("scripts"))
    cli.ExecutorPluginRegistry().collect_plugins()
    if executor := sys.modules.get("snakemake_executor_plugin_fairflow.parent"):
        executor.subprocess = SimpleNamespace(
            DEVNULL=None, Popen=lambda command, env, **_: Parent(starter, command, env)
        )
    cli.main()


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
