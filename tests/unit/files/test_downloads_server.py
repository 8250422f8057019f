"""A server that misbehaves on demand, and downloads from it that fail only for a while."""

import hashlib
import random
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from fairflow.errors import DownloadError
from fairflow.files import web
from fairflow.files.downloads import fetch

CONTENT = random.Random(1).randbytes(600_000)
CHECKSUM = f"sha256:{hashlib.sha256(CONTENT).hexdigest()}"


class Server(ThreadingHTTPServer):
    """Serves `files` by path; `answers` holds what to do instead, request by request.

    `requests` are the path and the headers of what was asked; `held` lets go what `hold` holds.
    """

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.answers, self.requests = {"/model.gz": CONTENT}, {}, []
        self.held = threading.Event()
        threading.Thread(target=self.serve_forever, args=(0.01,)).start()

    def __exit__(self, *error):
        self.held.set()
        self.shutdown()
        super().__exit__(*error)

    def handle_error(self, request, client_address):
        """A client that hangs up is part of the tests."""

    def url(self, path="/model.gz"):
        return f"http://127.0.0.1:{self.server_port}{path}"

    def ranges(self):
        return [headers.get("Range") for _, headers in self.requests]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.close_connection = True
        self.server.requests.append((self.path, dict(self.headers)))
        waiting = self.server.answers.get(self.path)
        (waiting.pop(0) if waiting else whole())(self)

    def log_message(self, *arguments):
        pass


def whole(cut_at=None, hold=False, etag='"1"', ranges=True, checks=True, **headers):
    """The file, or the requested range; up to byte `cut_at`, after which `hold` waits."""

    def answer(handler):
        content = handler.server.files.get(handler.path)
        if content is None:
            return status(404)(handler)
        asked = re.match(r"bytes=(\d+)-", handler.headers.get("Range", "")) if ranges else None
        if asked and checks and handler.headers.get("If-Range") != etag:
            asked = None
        start = int(asked[1]) if asked else 0
        if start and start >= len(content):
            return status(416)(handler)
        handler.send_response(206 if asked else 200)
        place = f"bytes {start}-{len(content) - 1}/{len(content)}" if asked else None
        sent = {"Content-Range": place}
        sent |= {"Connection": "close", "ETag": etag, "Content-Length": str(len(content) - start)}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        for name, value in sent.items():
            if value is not None:
                handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content[start:cut_at])
        handler.wfile.flush()
        if hold:
            handler.server.held.wait(30)
            handler.wfile.write(content[cut_at:])

    return answer


def status(code, **headers):
    def answer(handler):
        handler.send_response(code)
        always = {"Connection": "close", "Content-Length": "0"}
        for name, value in (always | headers).items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()

    return answer


def silence(handler):
    handler.server.held.wait(30)


def hang_up(handler):
    handler.wfile.close()


@pytest.fixture
def server():
    with Server() as running:
        yield running


@pytest.fixture
def target(tmp_path):
    return tmp_path / "downloads" / "model.gz"


@pytest.fixture(autouse=True)
def slept(monkeypatch):
    """The pauses between attempts, which are not made; short timeouts."""
    pauses = []
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(web, "sleep", pauses.append)
    monkeypatch.setattr(web, "READ_TIMEOUT_SECONDS", 0.2)
    return pauses


def test_a_file_comes_in_one_request_and_leaves_nothing_else(server, target, slept):
    fetch([{"url": server.url()}], target, CHECKSUM, len(CONTENT))
    assert target.read_bytes() == CONTENT
    assert list(target.parent.iterdir()) == [target]
    assert (server.ranges(), slept) == ([None], [])
    # A packed answer would have another checksum.
    assert server.requests[0][1]["Accept-Encoding"] == "identity"


@pytest.mark.parametrize(
    "fault",
    [status(503), status(500), status(408), silence, hang_up, whole(cut_at=0)],
    ids=["503", "500", "408", "silence", "hang-up", "empty"],
)
def test_a_failure_that_may_pass_is_tried_again_after_a_pause(server, target, slept, fault):
    server.answers["/model.gz"] = [fault, fault]
    fetch([{"url": server.url()}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT
    assert 0.5 <= slept[0] <= 1.5
    assert 1 <= slept[1] <= 3
    assert len(server.requests) == 3


def test_attempts_are_bounded(server, target, slept):
    server.answers["/model.gz"] = [status(503)] * 20
    with pytest.raises(DownloadError, match=r"503 Service Unavailable \(6 attempts\)"):
        fetch([{"url": server.url()}], target, CHECKSUM)
    assert len(server.requests) == len(slept) + 1 == 6


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [
        ("7", 7, 7.5),
        ("0", 0, 0.5),
        ("86400", web.LONGEST_WAIT_SECONDS, web.LONGEST_WAIT_SECONDS + 0.5),
        ("Fri, 01 Jan 2100 00:00:00 GMT", web.LONGEST_WAIT_SECONDS, 121),
        ("Fri, 01 Jan 2100 00:00:00 -0000", web.LONGEST_WAIT_SECONDS, 121),
        ("Sat, 01 Jan 2000 00:00:00 GMT", 0, 0.5),
        ("soon", 0.5, 1.5),
        ("9" * 5000, web.LONGEST_WAIT_SECONDS, 121),
        (f"Fri, 01 Jan {'9' * 30} 00:00:00 GMT", 0.5, 1.5),
    ],
)
def test_a_pause_that_the_server_asks_for_is_made_within_bounds(
    server, target, slept, header, least, most
):
    server.answers["/model.gz"] = [status(429, Retry_After=header)]
    fetch([{"url": server.url()}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT
    assert least <= slept[0] <= most


def test_a_redirection_is_followed(server, target):
    server.answers["/old"] = [status(302, Location="/model.gz")]
    fetch([{"url": server.url("/old")}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT


def test_a_server_that_is_not_there_is_not_asked_twice(target, slept):
    with pytest.raises(DownloadError, match="Connection refused"):
        fetch([{"url": "http://127.0.0.1:1/model.gz"}], target, CHECKSUM)
    assert slept == []


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/model.gz", "http://", "nonsense"])
def test_an_url_that_cannot_be_asked_is_an_error_that_names_it(target, url):
    with pytest.raises(DownloadError, match=url):
        fetch([{"url": url}], target, CHECKSUM)
