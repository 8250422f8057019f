"""A server that hardly sends is given up, and what has come is not lost."""

import time

import pytest

from fairflow.errors import DownloadError
from fairflow.files import web
from fairflow.files.downloads import fetch

from .test_downloads_server import CHECKSUM, CONTENT, server, slept, target, whole

# Fixtures.
__all__ = ["server", "slept", "target"]
SENT = 100_000


@pytest.fixture(autouse=True)
def _short_windows(monkeypatch):
    """Windows of half a second, in which 50 kB must come."""
    monkeypatch.setattr(web, "WINDOW_SECONDS", 0.5)
    monkeypatch.setattr(web, "LEAST_BYTES_PER_SECOND", 1e5)


def trickle(handler, data):
    """Send byte by byte until the client disconnects."""
    try:
        for byte in data:
            handler.wfile.write(bytes([byte]))
            if handler.server.held.wait(0.02):
                return
    except OSError:
        pass


def slow(start=0, etag='"1"'):
    """The first bytes at once, the others one by one."""

    def answer(handler):
        handler.send_response(200)
        for name, value in (("Content-Length", len(CONTENT)), ("ETag", etag)):
            handler.send_header(name, str(value))
        handler.end_headers()
        handler.wfile.write(CONTENT[:start])
        trickle(handler, CONTENT[start:])

    return answer


def slow_chunks(handler):
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    trickle(handler, b"1\r\nx\r\n" * 9000)


SLOW = {
    "body": slow(),
    "chunks": slow_chunks,
}


@pytest.mark.parametrize("kind", SLOW)
def test_the_next_source_is_asked_when_one_sends_byte_by_byte(server, target, kind):
    server.answers["/slow"] = [SLOW[kind]] * 6
    fetch([{"url": server.url("/slow")}, {"url": server.url()}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT
    assert list(target.parent.iterdir()) == [target]


def test_when_there_is_no_other_source_the_error_says_how_slow_it_was(server, target):
    server.answers["/model.gz"] = [slow()]
    sentence = r"model\.gz: is too slow: \d+ bytes came in 0\.5 seconds, expected 100000 a second"
    with pytest.raises(DownloadError, match=sentence):
        fetch([{"url": server.url()}], target, CHECKSUM)
    assert len(server.requests) == 1


def test_another_run_goes_on_with_what_a_slow_server_has_sent(server, target):
    server.answers["/model.gz"] = [slow(SENT)]
    with pytest.raises(DownloadError, match="Another run goes on with what has come"):
        fetch([{"url": server.url()}], target, CHECKSUM)
    come = target.with_name("model.gz.part").stat().st_size
    assert come >= SENT
    fetch([{"url": server.url()}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT
    assert server.ranges() == [None, f"bytes={come}-"]


def test_a_server_that_falls_silent_is_asked_again(server, target, monkeypatch):
    monkeypatch.setattr(web, "READ_TIMEOUT_SECONDS", 0.5)
    server.answers["/model.gz"] = [whole(cut_at=SENT, hold=True)]
    fetch([{"url": server.url()}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT
    assert server.ranges() == [None, f"bytes={SENT}-"]


def test_a_slow_disk_is_not_the_fault_of_the_server(monkeypatch):
    monkeypatch.setattr(web, "WINDOW_SECONDS", 0.2)
    for block in web._steadily(b"x" for _ in range(4)):
        assert block == b"x"
        time.sleep(0.25)
