"""A download says how far it is: in one line of a terminal, or in a log."""

import logging
import os
import pty
import select
import sys
from hashlib import sha256

import pytest

from fairflow.errors import DownloadError
from fairflow.files import web
from fairflow.files.downloads import fetch

from .test_downloads_server import CHECKSUM, CONTENT, server, slept, status, target, whole

# Fixtures.
__all__ = ["server", "slept", "target"]


@pytest.fixture
def terminal():
    """A terminal: a stream that writes on it, and a function that reads what it shows."""
    outer, inner = pty.openpty()
    with open(inner, "w") as stream:
        yield stream, lambda: read_line(outer)
    os.close(outer)


def read_line(terminal):
    """What is shown up to the end of a line; the kernel passes it on in pieces."""
    shown = b""
    while not shown.endswith(b"\n") and select.select([terminal], [], [], 5)[0]:
        shown += os.read(terminal, 100_000)
    return shown.decode()


def messages(caplog):
    return [record.getMessage() for record in caplog.records if record.name.startswith("fair")]


def test_a_log_has_a_message_at_the_start_at_each_tenth_and_at_the_end(server, target, caplog):
    caplog.set_level(logging.INFO)
    server.files["/model.gz"] = CONTENT * 10
    fetch([{"url": server.url()}], target)
    first, *between, last = messages(caplog)
    assert first == "fetching model.gz: 6.0 MB"
    assert len(between) == 10
    assert all(message.startswith("model.gz: ") for message in between)
    assert last.startswith("fetched model.gz: 6.0 MB, 100 %, ")
    assert last.endswith(" MB/s")


def test_a_log_says_what_was_there_already(server, target, caplog):
    caplog.set_level(logging.INFO)
    server.answers["/model.gz"] = [whole(cut_at=300_000)]
    fetch([{"url": server.url()}], target, CHECKSUM)
    assert "fetching model.gz: 0.6 MB, 0.3 MB are there" in caplog.text


def test_a_file_of_unknown_length_has_a_message_for_each_so_many_bytes(
    server, target, caplog, monkeypatch
):
    caplog.set_level(logging.INFO)
    monkeypatch.setattr(web, "_BYTES_BETWEEN_MESSAGES", 200_000)
    server.answers["/model.gz"] = [whole(Content_Length=None)]
    fetch([{"url": server.url()}], target, CHECKSUM)
    assert "fetching model.gz: size unknown" in caplog.text
    assert len([text for text in messages(caplog) if text.startswith("model.gz: ")]) == 3


def test_an_empty_file_has_no_percentage(server, target, caplog):
    caplog.set_level(logging.INFO)
    server.files["/model.gz"] = b""
    fetch([{"url": server.url()}], target)
    assert "fetched model.gz: 0.0 MB, 0.0 MB/s" in caplog.text


def test_a_terminal_shows_one_line_that_is_seldom_drawn(
    server, target, terminal, caplog, monkeypatch
):
    caplog.set_level(logging.INFO)
    stream, read = terminal
    monkeypatch.setattr(sys, "stderr", stream)
    server.files["/model.gz"] = content = CONTENT * 10
    fetch([{"url": server.url()}], target, f"sha256:{sha256(content).hexdigest()}")
    shown = read()
    lines = shown.split("\r")
    assert shown.startswith("\rmodel.gz: 0.0 MB, 0 %")
    assert "\rmodel.gz: 6.0 MB, 100 %, " in shown
    assert shown.endswith(" MB/s\x1b[K\r\n")
    assert shown.count("\n") == 1
    # At the start, at the end, and five times a second at most.
    assert len(lines) <= 12
    assert messages(caplog) == []


def test_a_failure_ends_the_line_of_the_terminal(server, target, terminal, monkeypatch):
    stream, read = terminal
    monkeypatch.setattr(sys, "stderr", stream)
    server.answers["/model.gz"] = [whole(cut_at=1000), *[status(503)] * 5]
    with pytest.raises(DownloadError):
        fetch([{"url": server.url()}], target, CHECKSUM)
    assert read().endswith("\r\n")
