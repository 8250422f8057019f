"""The process that jobs are forked from: it holds what their scripts import and does nothing else.

`python forking.py DESCRIPTOR SCRIPTS` serves a socket until its other end is closed. Each message
begins a job and brings three descriptors: the job's own connection, standard output and standard
error. Over that connection this process is told what to import first; the fork of it then tells
its number, is told its script, and tells at last how that ended and what it imported besides. Of
a job that could not, because it was killed, this process tells by which signal.
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

# What a script is given: Snakemake's own class of it.
import snakemake.iocontainers  # noqa: F401

# What torch holds of a device of this driver does not outlive a fork.
CUDA = Path("/proc/driver/nvidia")


def serve(control: socket.socket) -> None:
    """Fork a process for each job, until the other end is closed."""
    # Ctrl-C reaches every process: the jobs end, this one when Snakemake does.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # It was kept away until here.
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
    """Fork the process of a job, and keep its connection under the number of the process."""
    # One that ends at once is waited for once its number is known.
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
    """Wait for the jobs that have ended, and tell how; one that told itself is heard no more."""
    with suppress(ChildProcessError):
        while True:
            number, status = os.waitpid(-1, os.WNOHANG)
            if not number:
                return
            # What is imported may have started a process that is no job.
            if number in jobs:
                with jobs.pop(number) as connection, suppress(OSError):
                    connection.send((os.waitstatus_to_exitcode(status), []))


def load(modules: list[str]) -> None:
    """Import modules by name; what cannot be imported here is left to the script."""
    missing = [name for name in modules if name not in sys.modules]
    for name in missing:
        with suppress(Exception):
            import_module(name)
    if missing:
        # What stays is not looked at in every fork, where looking copies its pages.
        gc.collect()
        gc.freeze()


def run_job(connection: Connection, output: int, errors: int) -> NoReturn:
    """Be a job: run the script that the connection tells of, and end."""
    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.dup2(output, 1)
        os.dup2(errors, 2)
        connection.send(os.getpid())
        job = connection.recv()
        leave_to_the_parent()
        before = set(sys.modules)
        ended = run_script(job)
        connection.send((ended, imported_since(before)))
        status = ended
    finally:
        # As Python would take all modules apart first, ten times as long as a small job.
        os._exit(status)


def leave_to_the_parent() -> None:
    """Forget what the process that this is a copy of is to do when it ends itself."""
    atexit._clear()
    weakref.finalize._registry.clear()
    weakref.finalize._registered_with_atexit = False
    # These know whose they are, and a script may need them.
    atexit.register(logging.shutdown)
    atexit.register(multiprocessing.util._exit_function)


def end_script(names: dict[str, Any]) -> None:
    """Wait for threads, call what is registered, and write open files, as Python does at its end.

    Parameters
    ----------
    names : of the script; the files among them are closed.
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
    """Run a script as a process of its own would; its exit status.

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
        # As Python ends a process: 0 for None, a number as it is, 1 for words, which are shown.
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except BaseException as error:
        # Without the frames of this file.
        traceback = error.__traceback__
        while traceback and traceback.tb_frame.f_code.co_filename == __file__:
            traceback = traceback.tb_next
        sys.excepthook(type(error), error.with_traceback(traceback), traceback)
        return 1
    return 0


def imported_since(before: set[str]) -> list[str]:
    """The modules that can be imported by name, those first that were asked for first."""
    if "torch" in sys.modules and CUDA.exists():
        return []
    return [
        name
        for name, module in list(sys.modules.items())
        if name not in before and getattr(getattr(module, "__spec__", None), "name", None) == name
    ]


if __name__ == "__main__":
    # As Snakemake does, behind everything else.
    sys.path.append(sys.argv[2])
    serve(socket.socket(fileno=int(sys.argv[1])))
