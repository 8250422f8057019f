"""Downloads in real processes and on real disks: killed, at once, full, read-only."""

import hashlib
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import fairflow
from fairflow.errors import DownloadError
from fairflow.files.downloads import fetch

from .test_downloads_server import CHECKSUM, CONTENT, server, slept, target, whole

# Fixtures.
__all__ = ["server", "slept", "target"]
PROGRAM = """
import json, logging, sys
from fairflow.files.downloads import fetch
logging.basicConfig(level=logging.INFO)
fetch(**json.loads(sys.argv[1]))
"""


def started(server, target, **arguments):
    """Another Python process that fetches the file."""
    given = {"sources": [{"url": server.url()}], "target": str(target), "checksum": CHECKSUM}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, json.dumps(given | arguments)],
        env=os.environ | {"PYTHONPATH": str(Path(fairflow.__file__).parents[1])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def read_until(stream, pattern):
    return any(re.search(pattern, line) for line in stream)


def wait_for_part(target):
    part = target.with_name("model.gz.part")
    while not part.is_file() or part.stat().st_size < 420_000:
        time.sleep(0.01)


def finish(process):
    """What a process prints, once it has ended well."""
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    return out


def test_a_process_that_is_killed_leaves_a_part_with_which_the_next_goes_on(server, target):
    server.answers["/model.gz"] = [whole(cut_at=450_000, hold=True)]
    with started(server, target) as process:
        wait_for_part(target)
        process.send_signal(signal.SIGKILL)
    left = sorted(path.name for path in target.parent.iterdir())
    assert left == ["model.gz.lock", "model.gz.part", "model.gz.part.json"]
    arrived = target.with_name("model.gz.part").read_bytes()
    assert len(arrived) >= 420_000
    assert arrived == CONTENT[: len(arrived)]
    with started(server, target) as process:
        finish(process)
    assert target.read_bytes() == CONTENT
    assert server.ranges() == [None, f"bytes={len(arrived)}-"]
    assert list(target.parent.iterdir()) == [target]


def test_processes_that_want_a_file_at_once_download_it_once(server, target):
    server.answers["/model.gz"] = [whole(cut_at=450_000, hold=True)]
    with started(server, target) as first:
        wait_for_part(target)
        with started(server, target) as second, started(server, target) as third:
            assert read_until(second.stderr, "waiting for the process")
            assert read_until(third.stderr, "waiting for the process")
            server.held.set()
            for process in (first, second, third):
                finish(process)
    assert target.read_bytes() == CONTENT
    assert len(server.requests) == 1
    assert list(target.parent.iterdir()) == [target]


def test_the_next_process_takes_over_from_one_that_is_killed_while_it_waits(server, target):
    server.answers["/model.gz"] = [whole(cut_at=450_000, hold=True)]
    with started(server, target) as first:
        wait_for_part(target)
        with started(server, target) as second:
            assert read_until(second.stderr, "waiting for the process")
            first.send_signal(signal.SIGKILL)
            finish(second)
    assert target.read_bytes() == CONTENT
    assert server.ranges()[1].startswith("bytes=4")


def mounted(folder, *options):
    command = ["mount", *options, str(folder)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture
def small_disk(tmp_path):
    """A folder for files of 300 kB in all, and a function that makes it larger."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if mounted(folder, "-t", "tmpfs", "-o", "size=300k", "tmpfs"):
        yield folder, lambda: mounted(folder, "-o", "remount,size=3m")
        subprocess.run(["umount", str(folder)], check=True)
        return
    # Without the right to mount: the system refuses to write files beyond a limit.
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, before[1]))
    yield folder, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, before)
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_without_room_is_an_error_that_says_how_much_is_needed(server, small_disk):
    target = small_disk[0] / "model.gz"
    with pytest.raises(DownloadError, match=r"no space left for .*: 600000 bytes in all"):
        fetch([{"url": server.url()}, {"file": "/none"}], target, CHECKSUM)
    assert not target.exists()


def test_a_disk_that_fills_up_keeps_what_has_come_until_there_is_room(server, small_disk):
    folder, enlarge = small_disk
    server.answers["/model.gz"] = [whole(Content_Length=None)]
    with pytest.raises(DownloadError, match=r"unknown number of bytes needed, [23]\d{5} w"):
        fetch([{"url": server.url()}], folder / "model.gz", CHECKSUM)
    enlarge()
    fetch([{"url": server.url()}], folder / "model.gz", CHECKSUM)
    assert (folder / "model.gz").read_bytes() == CONTENT
    assert server.ranges()[1].startswith("bytes=")
    assert os.listdir(folder) == ["model.gz"]


def test_a_copy_for_which_there_is_no_room_is_not_kept(tmp_path, small_disk):
    (tmp_path / "large.gz").write_bytes(CONTENT)
    with pytest.raises(DownloadError, match="no space left"):
        fetch([{"file": tmp_path / "large.gz"}], small_disk[0] / "model.gz", CHECKSUM)
    assert os.listdir(small_disk[0]) == []


@pytest.fixture
def read_only(target):
    """A file in a folder that even root cannot write to."""
    folder = target.parent
    folder.mkdir()
    target.write_bytes(CONTENT)
    if mounted(folder, "--bind", str(folder)) and mounted(folder, "-o", "remount,bind,ro"):
        yield target
        subprocess.run(["umount", str(folder)], check=True)
    else:
        yield Path("/proc/version")


@pytest.mark.parametrize("known", [True, False])
def test_a_file_in_a_folder_that_is_read_only_is_verified_and_nothing_is_written(read_only, known):
    found = hashlib.sha256(read_only.read_bytes()).hexdigest()
    fetch([], read_only, f"sha256:{found}" if known else None)
    assert not read_only.with_name(f"{read_only.name}.sha256").exists()


def test_a_folder_that_cannot_be_written_to_is_an_error_that_names_the_file(read_only, server):
    target = read_only.with_name("new.gz")
    with pytest.raises(DownloadError, match=f"cannot write {target}"):
        fetch([{"url": server.url()}], target, CHECKSUM)
    assert server.requests == []
