"""The process from which jobs are forked; it only imports the modules of their scripts.

`python forking.py DESCRIPTOR SCRIPTS` serves a socket until its other end is closed. Each message
starts a job and brings three descriptors: the job's connection, standard output and standard error.
Over the connection this process receives the modules to import; its fork then says that it has
begun, receives its script, and finally sends the exit status and the modules that it imported.
When the job has ended, this process sends the exit status, or the signal, and what it used.
"""

from __future__ import annotations

import atexit
import gc
import logging
import multiprocessing.util
import os
import pickle
import signal
import socket
import sys
import threading
import weakref
from _io import _IOBase  # What a file is, without the slow test of io.IOBase.
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NoReturn

# Imported here because scripts receive an object of this module.
import snakemake.iocontainers  # noqa: F401

BEGUN = b"b"
# A device of this driver that torch has opened is not usable in a fork.
CUDA = Path("/proc/driver/nvidia")


def serve(control: socket.socket) -> None:
    """Fork a process for each job until the other end is closed."""
    # Ctrl-C reaches every process: it ends the jobs; this process ends with Snakemake.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # It was blocked until now.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    jobs: dict[int, Connection] = {}
    signal.signal(signal.SIGCHLD, lambda *_signal: _wait(jobs))
    while True:
        message, descriptors, *_ = socket.recv_fds(control, 1, 3)
        if not message:
            return
        connection = Connection(descriptors[0])
        try:
            load(connection.recv())
            begin(connection, jobs, control, *descriptors[1:])
        except (EOFError, OSError):
            connection.close()
        for descriptor in descriptors[1:]:
            os.close(descriptor)


def begin(
    connection: Connection,
    jobs: dict[int, Connection],
    control: socket.socket,
    output: int,
    errors: int,
) -> None:
    """Fork the process of a job, and keep its connection under the process number."""
    # A job that ends at once must wait until its number is known.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    try:
        number = os.fork()
        if number == 0:
            for other in (control, *jobs.values()):
                other.close()
            run_job(connection, output, errors)
        jobs[number] = connection
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})


def _wait(jobs: dict[int, Connection]) -> None:
    """Collect the jobs that have ended, and send how each ended and what it used."""
    with suppress(ChildProcessError):
        while True:
            number, status, usage = os.wait4(-1, os.WNOHANG)
            if not number:
                return
            # An imported module may have started a process that is not a job.
            if number in jobs:
                with jobs.pop(number) as connection, suppress(OSError):
                    connection.send((os.waitstatus_to_exitcode(status), usage))


def load(modules: list[str]) -> None:
    """Import modules by name; the script reports those that cannot be imported."""
    missing = [name for name in modules if name not in sys.modules]
    for name in missing:
        with suppress(Exception):
            import_module(name)
    if missing:
        # Garbage collection in a fork would copy the memory pages of all these objects.
        gc.collect()
        gc.freeze()


def run_job(connection: Connection, output: int, errors: int) -> NoReturn:
    """Run the script that the connection sends, and end the process."""
    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.dup2(output, 1)
        os.dup2(errors, 2)
        connection.send(BEGUN)
        job = connection.recv()
        leave_to_the_parent()
        before = set(sys.modules)
        ended = run_script(job)
        connection.send((ended, imported_since(before)))
        status = ended
    finally:
        # Python's own exit unloads all modules, which takes ten times as long as a small job.
        os._exit(status)


def leave_to_the_parent() -> None:
    """Remove the exit functions of the parent process."""
    atexit._clear()
    weakref.finalize._registry.clear()
    weakref.finalize._registered_with_atexit = False
    # These check their process, and a script may need them.
    atexit.register(logging.shutdown)
    atexit.register(multiprocessing.util._exit_function)


def end_script(names: dict[str, Any]) -> None:
    """Wait for threads, call exit functions and flush open files, as Python does at exit.

    Parameters
    ----------
    names : the global names of the script; they are cleared, which closes its files.
    """
    threading._shutdown()
    atexit._run_exitfuncs()
    names.clear()
    for one in gc.get_objects():
        if isinstance(one, _IOBase) and not one.closed:
            one.flush()
    sys.stdout.flush()
    sys.stderr.flush()


def run_script(job: dict[str, Any]) -> int:
    """Run a script as a separate process would, and return its exit status.

    Parameters
    ----------
    job : script (path), snakemake (pickled), environment (name -> value).
    """
    os.environ.update(job["environment"])
    script = job["script"]
    names = {
        "__name__": "__main__",
        "__file__": script,
        "snakemake": pickle.loads(job["snakemake"]),
    }
    sys.argv = [script]
    try:
        try:
            exec(compile(Path(script).read_bytes(), script, "exec"), names)
        finally:
            end_script(names)
    except SystemExit as end:
        # As Python does: 0 for None, a number unchanged, 1 after printing anything else.
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BaseException as error:
        # Leave out the frames of this file.
        traceback = error.__traceback__
        while traceback and traceback.tb_frame.f_code.co_filename == __file__:
            traceback = traceback.tb_next
        sys.excepthook(type(error), error.with_traceback(traceback), traceback)
        return 1
    return 0


def imported_since(before: set[str]) -> list[str]:
    """The new modules that can be imported by name, in the order of their import."""
    if "torch" in sys.modules and CUDA.exists():
        return []
    return [
        name
        for name, module in list(sys.modules.items())
        if name not in before and getattr(getattr(module, "__spec__", None), "name", None) == name
    ]


if __name__ == "__main__":
    # As Snakemake does, after everything else.
    sys.path.append(sys.argv[2])
    serve(socket.socket(fileno=int(sys.argv[1])))
