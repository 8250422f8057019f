"""Downloads from a server that misbehaves on demand."""

import hashlib
import json
import logging
import random
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from fairflow.errors import DownloadError, FairflowError
from fairflow.files import downloads
from fairflow.files.downloads import fetch

CONTENT = random.Random(1).randbytes(600_000)
SUM = hashlib.sha256(CONTENT).hexdigest()
CHECKSUM = f"sha256:{SUM}"


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
    monkeypatch.setattr(downloads.time, "sleep", pauses.append)
    monkeypatch.setattr(downloads, "READ_SECONDS", 0.2)
    return pauses


CUT = 400_000
HALF = CUT // 2
OTHER = hashlib.sha256(b"other").hexdigest()


def interrupted(server, target, **answer):
    """A call that gives up and leaves a part."""
    server.answers["/model.gz"] = [whole(cut_at=CUT, **answer), *[status(503)] * 5]
    with pytest.raises(DownloadError, match=r"503 Service Unavailable \(6 attempts\)"):
        fetch([{"url": server.url()}], target, CHECKSUM)
    assert not target.exists()
    server.requests.clear()


def fetched(server, target, *sources, **promised):
    """Fetch the file, which leaves nothing else; the ranges of the requests."""
    fetch(sources or [{"url": server.url()}], target, **{"checksum": CHECKSUM, **promised})
    assert target.read_bytes() == CONTENT
    assert list(target.parent.iterdir()) == [target]
    return server.ranges()


def test_a_file_comes_in_one_request(server, target, slept, caplog):
    caplog.set_level(logging.INFO)
    assert (fetched(server, target, size=len(CONTENT)), slept) == ([None], [])
    # A packed answer would have another checksum.
    assert server.requests[0][1]["Accept-Encoding"] == "identity"
    assert "0 of 600000 bytes" in caplog.text


@pytest.mark.parametrize(
    "fault",
    [status(503), status(408), silence, hang_up, whole(cut_at=0)],
    ids=["503", "408", "silence", "hang-up", "empty"],
)
def test_a_failure_that_may_pass_is_tried_again_after_a_pause(server, target, slept, fault):
    server.answers["/model.gz"] = [fault, fault]
    assert fetched(server, target) == [None] * 3
    assert slept == [1, 2]


@pytest.mark.parametrize(("header", "seconds"), [("7", 7), ("86400", 120), ("soon", 1)])
def test_a_pause_that_the_server_asks_for_is_made_within_bounds(
    server, target, slept, header, seconds
):
    server.answers["/model.gz"] = [status(429, Retry_After=header)]
    fetched(server, target)
    assert slept == [seconds]


def test_a_redirection_is_followed(server, target):
    server.answers["/old"] = [status(302, Location="/model.gz")]
    fetched(server, target, {"url": server.url("/old")})


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:1/model.gz", "ftp://127.0.0.1/model.gz", "http://", "nonsense"]
)
def test_an_url_that_cannot_be_asked_is_an_error_that_names_it(target, slept, url):
    with pytest.raises(DownloadError, match=url):
        fetch([{"url": url}], target, CHECKSUM)
    assert slept == []


def test_a_connection_that_is_cut_is_resumed(server, target):
    server.answers["/model.gz"] = [whole(cut_at=CUT), whole(cut_at=CUT + 9)]
    assert fetched(server, target) == [None, f"bytes={CUT}-", f"bytes={CUT + 9}-"]


def test_another_call_resumes_and_still_verifies_all_bytes(server, target):
    interrupted(server, target)
    sources = {"file": "/none"}, {"url": server.url("/none")}, {"url": server.url()}
    assert fetched(server, target, *sources) == [None, f"bytes={CUT}-"]
    target.unlink()
    interrupted(server, target)
    with open(target.with_name("model.gz.part"), "r+b") as file:
        file.write(b"damaged")
    with pytest.raises(DownloadError, match="has sha256"):
        fetch([{"url": server.url()}], target, CHECKSUM)
    assert list(target.parent.iterdir()) == []


def test_a_date_serves_where_there_is_no_strong_tag(server, target):
    date = "Mon, 01 Jan 2024 00:00:00 GMT"
    interrupted(server, target, etag='W/"1"', Last_Modified=date)
    server.answers["/model.gz"] = [whole(etag='W/"1"', checks=False, Last_Modified=date)]
    assert fetched(server, target) == [f"bytes={CUT}-"]
    assert server.requests[0][1]["If-Range"] == date


@pytest.mark.parametrize(
    ("requests", "rest"),
    [
        (1, whole(ranges=False)),
        (1, whole(etag='"2"')),
        (2, whole(checks=False, Content_Range=f"bytes {CUT - 1}-599999/600000")),
        (2, status(416)),
    ],
    ids=["no-ranges", "changed", "other-start", "416"],
)
def test_a_file_that_cannot_be_resumed_is_fetched_whole(server, target, requests, rest):
    interrupted(server, target)
    server.answers["/model.gz"] = [rest]
    assert fetched(server, target) == [f"bytes={CUT}-", None][:requests]


def test_a_part_is_not_continued_without_a_tag_or_from_another_source(server, target):
    server.files["/other"] = CONTENT
    interrupted(server, target, etag=None)
    assert fetched(server, target) == [None]
    target.unlink()
    interrupted(server, target)
    assert fetched(server, target, {"url": server.url("/other")}) == [None]


@pytest.mark.parametrize("notes", ["", "{", "[]", '{"url": 1, "unknown": 2}'])
def test_half_written_notes_are_not_believed(server, target, notes):
    interrupted(server, target)
    target.with_name("model.gz.part.json").write_text(notes)
    assert fetched(server, target) == [None]


def test_a_part_that_is_complete_is_not_asked_for_again(server, target):
    interrupted(server, target)
    target.with_name("model.gz.part").write_bytes(CONTENT)
    assert fetched(server, target) == []


@pytest.fixture
def pieces(server):
    """The file split as in gensim-data."""
    for i in range(3):
        server.files[f"/model.gz_0{i}"] = CONTENT[i * HALF : (i + 1) * HALF]
    return {"url": server.url(), "parts": 3}


def test_the_pieces_of_a_split_file_are_joined_and_resumed(server, target, pieces):
    server.answers["/model.gz_01"] = [whole(cut_at=1000), *[status(503)] * 5]
    with pytest.raises(DownloadError, match="503"):
        fetch([pieces], target, CHECKSUM)
    notes = json.loads(target.with_name("model.gz.part.json").read_text())
    assert (notes["url"], notes["start"]) == (server.url("/model.gz_01"), HALF)
    server.requests.clear()
    server.answers["/model.gz_01"] = [whole(cut_at=2000), whole(etag='"2"')]
    assert fetched(server, target, pieces) == ["bytes=1000-", "bytes=2000-", None]
    asked = [path for path, _ in server.requests]
    assert asked == ["/model.gz_01", "/model.gz_01", "/model.gz_02"]


def test_a_piece_that_is_missing_fails_the_source(server, target, pieces):
    del server.files["/model.gz_02"]
    with pytest.raises(DownloadError, match="404"):
        fetch([pieces], target, CHECKSUM)
    assert not target.exists()


def trickle(handler):
    """The first bytes at once, the others one by one until the client disconnects."""
    handler.send_response(200)
    for name, value in (("Content-Length", len(CONTENT)), ("ETag", '"1"')):
        handler.send_header(name, str(value))
    handler.end_headers()
    handler.wfile.write(CONTENT[:HALF])
    for place in range(HALF, len(CONTENT)):
        try:
            handler.wfile.write(CONTENT[place : place + 1])
        except OSError:
            return
        if handler.server.held.wait(0.02):
            return


def test_a_server_that_hardly_sends_is_given_up_and_what_has_come_is_not_lost(
    server, target, monkeypatch
):
    monkeypatch.setattr(downloads, "WINDOW_SECONDS", 0.5)
    monkeypatch.setattr(downloads, "LEAST_BYTES_PER_SECOND", 1e6)
    server.answers["/model.gz"] = [trickle]
    sentence = r"model\.gz: is too slow: \d+ bytes came in 0\.5 seconds.*Another run goes on"
    with pytest.raises(DownloadError, match=sentence):
        fetch([{"url": server.url()}], target, CHECKSUM)
    come = target.with_name("model.gz.part").stat().st_size
    assert come >= HALF
    assert fetched(server, target) == [None, f"bytes={come}-"]


def test_what_is_not_the_promised_file_is_not_kept(server, target):
    with pytest.raises(DownloadError, match=f"has sha256 {SUM}, expected {OTHER}"):
        fetch([{"url": server.url()}], target, f"sha256:{OTHER}")
    with pytest.raises(DownloadError, match="has 600000 bytes, expected 600001"):
        fetch([{"url": server.url()}], target, CHECKSUM, len(CONTENT) + 1)
    server.answers["/model.gz"] = [whole(Content_Length=None)]
    with pytest.raises(DownloadError, match="more than the 599999 bytes"):
        fetch([{"url": server.url()}], target, CHECKSUM, len(CONTENT) - 1)
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize("length", [None, "9" * 5000, "-5", "many", ""])
def test_a_file_whose_length_nobody_says_comes_whole(server, target, length):
    server.answers["/model.gz"] = [whole(Content_Length=length)]
    fetched(server, target)


def test_the_next_source_is_asked_and_an_error_names_all(server, target, tmp_path, caplog):
    server.files["/wrong"] = b"older"
    sources = [{"url": server.url("/wrong")}, {"file": tmp_path / "none.gz"}]
    sources += [{"pypi": "toyvectors==1"}, {"urls": "typo"}]
    md5 = hashlib.md5(CONTENT).hexdigest()
    with pytest.raises(DownloadError) as error:
        fetch(sources, target, f"md5:{md5}", mirrors=[tmp_path / "mirror"])
    reasons = str(error.value).split("\n  - ")[1:]
    expected = [
        f"{tmp_path}/mirror/model.gz: no file there",
        f"{server.url('/wrong')}: has md5 [0-9a-f]{{32}}, expected {md5}",
        f"{tmp_path}/none.gz: no file there",
        "wheel of toyvectors==1: .* by its sha256; the promised checksum: md5",
        f"{{'urls': 'typo'}}: is not a source: (.|\n)*md5 {md5}.*save it as {target}",
    ]
    for reason, pattern in zip(reasons, expected, strict=True):
        assert re.match(pattern, reason)
    fetched(server, target, *sources, {"url": server.url()}, checksum=f"md5:{md5}")
    assert "wrong: has md5" in caplog.text


def test_mirrors_come_first_and_are_asked_for_the_name_of_the_target(server, tmp_path):
    target = tmp_path / "a" / "a b#.gz"
    server.files["/copies/a%20b%23.gz"] = CONTENT
    (tmp_path / "a b#.gz").write_bytes(b"older")
    mirrors = [tmp_path, server.url("/copies")]
    fetched(server, target, mirrors=mirrors)
    assert [path for path, _ in server.requests] == ["/copies/a%20b%23.gz"]


def refuse_pages(path):
    if path.read_bytes().startswith(b"<"):
        raise FairflowError(f"{path} is a page")


def test_what_does_not_pass_a_check_is_not_believed_and_the_next_source_is_asked(server, target):
    server.files["/page"] = b"<html>Sign in</html>"
    sources = [{"url": server.url("/page")}, {"url": server.url()}]
    with pytest.raises(DownloadError, match=r"/page: is a page"):
        fetch(sources[:1], target, check=refuse_pages)
    assert list(target.parent.iterdir()) == []
    fetch(sources, target, check=refuse_pages)
    assert target.with_name("model.gz.sha256").read_text().split()[0] == SUM
    target.with_name("model.gz.sha256").unlink()
    target.write_bytes(server.files["/page"])
    with pytest.raises(FairflowError, match="is a page"):
        fetch([], target, check=refuse_pages)
    # A promised file is not checked.
    target.unlink()
    fetched(server, target, check=lambda path: 1 / 0)
