"""Snakemake and its jobs in forks of a process that has imported what they need.

So neither a run nor a job costs a start of Python. Run as a script with the descriptor of a socket,
this process loads Snakemake and packages, and nothing of fairflow: each fork reads the library of
the project that it runs in.
"""

import gc
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

LOADED = ("snakemake.cli", "snakemake.utils", "snakemake.report", "jsonschema.validators")
LOADED += ("smart_open", "requests", "jinja2", "snakemake.script", "snakemake.benchmark")
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


def serve(connection: Connection) -> None:
    """Run requests until the other end is closed; returns in each fork, which then runs one."""
    load(LOADED + LOADED_FOR_JOBS)
    while True:
        try:
            asked = connection.recv()
        except EOFError:
            return
        if SWITCH in asked[0]:
            load(LOADED_FOR_LANGUAGE_MODELS)
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


class Jobs:
    """Runs scripts in forks of another process, as this one will have threads."""

    def __init__(self) -> None:
        self._asked, theirs = socket.socketpair()
        self._lock = threading.Lock()
        if os.fork() == 0:
            self._asked.close()
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            while self._serve(theirs):
                pass
            os._exit(0)
        theirs.close()

    def _serve(self, theirs: socket.socket) -> bool:
        """Fork for the next script; False when Snakemake has ended."""
        message, descriptors, *_ = socket.recv_fds(theirs, 1, 1)
        if message and os.fork() == 0:
            theirs.close()
            with Connection(descriptors[0]) as connection:
                connection.send(os.getpid())
                code = executed(connection.recv())
                connection.send(code)
            os._exit(0)
        for descriptor in descriptors:
            os.close(descriptor)
        return bool(message)

    def run(self, script: Any, path: str) -> None:
        """Replaces `PythonScript.execute_script`."""
        ours, theirs = socket.socketpair()
        with self._lock, theirs:
            socket.send_fds(self._asked, [b"j"], [theirs.fileno()])
        with Connection(ours.detach()) as connection:
            number = connection.recv()
            with sys.modules["snakemake.benchmark"].benchmarked(number, script.bench_record):
                connection.send(path)
                code = connection.recv()
        if code:
            raise subprocess.CalledProcessError(code, f"{sys.executable} {path}")


def executed(path: str) -> int:
    """The exit status of a script."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    sys.argv = [path]
    sys.path.insert(0, os.path.dirname(path))
    try:
        runpy.run_path(path, run_name="__main__")
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return code


def snakemake(arguments: list[str], folder: str, environment: dict[str, str], output: str) -> None:
    """What `python -m snakemake` does in that folder."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    with open(output, "wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    # As Python begins in that folder, where fairflow.pth names its scripts.
    if os.path.isdir("scripts/fairflow"):
        sys.path.append(os.path.abspath("scripts"))
    jobs = Jobs()
    sys.modules["snakemake.script"].PythonScript.execute_script = lambda script, path, edit=False: (
        jobs.run(script, path)
    )
    cli = sys.modules["snakemake.cli"]
    sys.argv = [str(Path(cli.__file__).with_name("__main__.py")), *arguments]
    sys.path.insert(0, folder)
    cli.ExecutorPluginRegistry().collect_plugins()
    cli.main()


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
