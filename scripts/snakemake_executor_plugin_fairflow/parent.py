"""Parent: runs scripts in forks of a process that has imported their modules."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections import Counter
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from resource import struct_rusage
from threading import Lock
from typing import Any

SERVER = Path(__file__).with_name("forking.py")
# The variables that Snakemake sets for a script.
THREADS = (
    *("OMP_NUM_THREADS", "GOTO_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
    *("VECLIB_MAXIMUM_THREADS", "NUMEXPR_NUM_THREADS"),
)
# glibc returns the memory of each large array to the system, which clears it for the next array.
# With these limits it keeps smaller ones, which saves a third of the system time of small jobs.
MEMORY = {
    "MALLOC_MMAP_THRESHOLD_": str(256 << 20),
    "MALLOC_TRIM_THRESHOLD_": str(512 << 20),
    "MALLOC_TOP_PAD_": str(16 << 20),
}
BEGIN = b"j"


class Parent:
    """A process that is forked for each script.

    It starts with the first script, and again if it was killed. Before a script runs again, the
    process imports what the script imported the first time; before a script's first run, it
    imports what at least two other scripts have imported.

    Parameters
    ----------
    scripts : the folder from which scripts import the library.
    threads : how many a script may use; libraries learn it when they are loaded.
    """

    def __init__(self, scripts: Path, threads: int = 1) -> None:
        self._scripts, self._threads = scripts, threads
        self._modules: dict[str, list[str]] = {}
        self._importers: Counter[str] = Counter()
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def run(self, job: dict[str, Any]) -> tuple[int, struct_rusage | None]:
        """Run a script in a new process.

        Parameters
        ----------
        job : see `forking.run_script`.

        Returns
        -------
        Its exit status, -9 if signal 9 killed it; and what it used with all its processes, None if
        nobody was there to see it end.
        """
        script = job["script"]
        # A killed process may still receive a message before it ends: that job has not started.
        for anew in (False, True):
            with self._begun(script, anew) as connection:
                try:
                    connection.recv()
                except (EOFError, OSError):
                    continue
                said: list[tuple[int, Any]] = []
                with suppress(EOFError, OSError):
                    connection.send(job)
                    # The job says what it imported, unless it was killed; then who forked it says
                    # what it used.
                    while not said or isinstance(said[-1][1], list):
                        said.append(connection.recv())
            if not said:
                return 1, None
            (status, imported), usage = said[0], said[-1][1]
            if status == 0 and isinstance(imported, list) and script not in self._modules:
                self._modules[script] = imported
                self._importers.update(imported)
            return status, None if isinstance(usage, list) else usage
        return 1, None

    def close(self) -> None:
        """End the process; running jobs continue."""
        with self._lock:
            self._end()

    def _begun(self, script: str, anew: bool) -> Connection:
        """The connection of a job that will be forked.

        Parameters
        ----------
        anew : whether from a new process.
        """
        here, there = socket.socketpair()
        connection = Connection(here.detach())
        with there, self._lock:
            if anew:
                self._end()
            self._ask(there)
        # For a script that runs for the first time, what at least two others have imported.
        shared = [name for name, scripts in self._importers.copy().items() if scripts > 1]
        with suppress(OSError):
            connection.send(self._modules.get(script) or shared)
        return connection

    def _ask(self, job: socket.socket) -> None:
        """Send the other end of a job's connection."""
        descriptors = [job.fileno(), 1, 2]
        if self._control is None or self._process is None or self._process.poll() is not None:
            self._start()
        try:
            socket.send_fds(self._control, [BEGIN], descriptors)
        except OSError:
            self._start()
            socket.send_fds(self._control, [BEGIN], descriptors)

    def _start(self) -> None:
        self._end()
        self._control, other = socket.socketpair()
        # The new process must not receive Ctrl-C before it can ignore it.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            with other:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", str(SERVER), str(other.fileno()), str(self._scripts)],
                    stdin=subprocess.DEVNULL,
                    pass_fds=[other.fileno()],
                    env=MEMORY | os.environ | dict.fromkeys(THREADS, str(self._threads)),
                )
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _end(self) -> None:
        if self._control is not None and self._process is not None:
            self._control.close()
            self._process.wait()
        self._control = self._process = None
