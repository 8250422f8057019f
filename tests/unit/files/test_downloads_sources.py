"""Which source gives the file, and what is said when none does."""

import hashlib
import re

import pytest

from fairflow.errors import DownloadError, FairflowError
from fairflow.files.downloads import fetch

from .test_downloads_server import CHECKSUM, CONTENT, server, slept, status, target, whole

# Fixtures.
__all__ = ["server", "slept", "target"]
OTHER = hashlib.sha256(b"other").hexdigest()
SUM = CHECKSUM.removeprefix("sha256:")


def assert_nothing_is_left(target):
    assert list(target.parent.iterdir()) == []


def closed_at_the_end(handler):
    """A file whose length nobody says."""
    whole(Content_Length=None)(handler)


def in_chunks(announced):
    """A file in chunks with an announced length that may be wrong."""

    def answer(handler):
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.send_header("Content-Length", str(announced))
        handler.end_headers()
        for start in range(0, len(CONTENT), 60_000):
            handler.wfile.write(b"%x\r\n%b\r\n" % (60_000, CONTENT[start : start + 60_000]))
        handler.wfile.write(b"0\r\n\r\n")

    return answer


def test_a_wrong_checksum_is_an_error_that_names_both(server, target):
    with pytest.raises(DownloadError, match=f"has sha256 {SUM}, expected {OTHER}"):
        fetch([{"url": server.url()}], target, f"sha256:{OTHER}")
    assert_nothing_is_left(target)


@pytest.mark.parametrize("wrong", [1, -1])
def test_an_announced_size_that_is_wrong_is_an_error_before_anything_is_read(server, target, wrong):
    with pytest.raises(DownloadError, match=f"has 600000 bytes, expected {600_000 + wrong}"):
        fetch([{"url": server.url()}], target, CHECKSUM, len(CONTENT) + wrong)
    assert_nothing_is_left(target)
    assert len(server.requests) == 1


def test_a_file_that_grows_beyond_its_size_is_stopped(server, target):
    server.answers["/model.gz"] = [closed_at_the_end]
    with pytest.raises(DownloadError, match="more than the 599999 bytes"):
        fetch([{"url": server.url()}], target, CHECKSUM, len(CONTENT) - 1)
    assert_nothing_is_left(target)


def test_a_file_that_grows_a_tenth_beyond_what_was_announced_is_stopped(server, target):
    server.answers["/model.gz"] = [in_chunks(500_000)]
    with pytest.raises(DownloadError, match="more than the 550000 bytes"):
        fetch([{"url": server.url()}], target, CHECKSUM)
    assert_nothing_is_left(target)
    server.answers["/model.gz"] = [in_chunks(560_000)]
    fetch([{"url": server.url()}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT


def test_a_file_of_unknown_length_that_ends_early_is_asked_for_again(server, target):
    server.answers["/model.gz"] = [whole(cut_at=1000, Content_Length=None)]
    fetch([{"url": server.url()}], target, CHECKSUM, len(CONTENT))
    assert target.read_bytes() == CONTENT
    assert server.ranges() == [None, "bytes=1000-"]


def test_a_packed_answer_is_refused_unless_the_file_itself_is_one(server, target):
    server.files["/table.csv"] = CONTENT
    packed = whole(Content_Encoding="gzip")
    server.answers |= {"/table.csv": [packed], "/model.gz": [packed]}
    with pytest.raises(DownloadError, match="encoded as gzip"):
        fetch([{"url": server.url("/table.csv")}], target, CHECKSUM)
    fetch([{"url": server.url()}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize("failing", [status(404), status(403), status(503), whole(etag="x")])
def test_the_next_source_is_asked_when_one_fails(server, target, failing):
    server.files["/wrong"] = b"a page that asks for a password"
    server.answers["/wrong"] = [failing] * 6
    fetch([{"url": server.url("/wrong")}, {"url": server.url()}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT
    assert list(target.parent.iterdir()) == [target]


def test_when_all_fail_the_error_names_each_with_its_reason_and_where_to_put_the_file(
    server, target, tmp_path
):
    server.files["/wrong"] = CONTENT[1:] + b"1"
    sources = [{"url": server.url(path)} for path in ("/none", "/wrong")]
    sources += [{"file": tmp_path / "none.gz"}, {"pypi": "toyvectors==1"}, {"urls": "typo"}]
    mirrors = [tmp_path / "mirror", server.url("/mirror/")]
    with pytest.raises(DownloadError) as error:
        fetch(sources, target, f"md5:{'0' * 32}", len(CONTENT), mirrors)
    reasons = str(error.value).split("\n  - ")[1:]
    expected = [
        f"{tmp_path}/mirror/model.gz: no file there",
        f"{server.url('/mirror/model.gz')}: 404 Not Found",
        f"{server.url('/none')}: 404 Not Found",
        f"{server.url('/wrong')}: has md5 [0-9a-f]{{32}}, expected 0{{32}}",
        f"{tmp_path}/none.gz: no file there",
        "wheel of toyvectors==1: .* by its sha256; the promised checksum: md5 0+",
        "{'urls': 'typo'}: is not a source: expected url, pypi or file",
    ]
    for reason, pattern in zip(reasons, expected, strict=True):
        assert re.match(pattern, reason)
    for part in (f"Expected: md5 {'0' * 32}, 600000 bytes", f"save it as {target}"):
        assert part in str(error.value)
    assert_nothing_is_left(target)


def test_without_a_source_the_error_says_so(target):
    with pytest.raises(
        DownloadError, match=f"no source is named\nExpected: no checksum .*{target}"
    ):
        fetch([], target)


def test_mirrors_come_first(server, target, tmp_path):
    server.files["/copies/model.gz"] = CONTENT
    fetch([{"url": server.url()}], target, CHECKSUM, mirrors=[server.url("/copies")])
    assert [path for path, _ in server.requests] == ["/copies/model.gz"]
    target.unlink()
    (tmp_path / "model.gz").write_bytes(CONTENT)
    fetch([{"url": server.url()}], target, CHECKSUM, mirrors=[tmp_path, server.url("/copies")])
    assert target.read_bytes() == CONTENT
    assert len(server.requests) == 1


def test_the_name_of_the_target_is_quoted_for_a_mirror(server, tmp_path):
    server.files["/a%20b%23.gz"] = CONTENT
    fetch([], tmp_path / "a b#.gz", CHECKSUM, mirrors=[server.url("")])
    assert (tmp_path / "a b#.gz").read_bytes() == CONTENT


def test_a_mirror_with_another_file_is_passed_over(server, target, tmp_path, caplog):
    (tmp_path / "model.gz").write_bytes(b"older")
    fetch([{"url": server.url()}], target, CHECKSUM, mirrors=[tmp_path])
    assert target.read_bytes() == CONTENT
    assert f"{tmp_path}/model.gz: has sha256" in caplog.text


def refuse_pages(path):
    if path.read_bytes().startswith(b"<"):
        raise FairflowError(f"{path} is a page")


PAGE = b"<html>Sign in</html>"


def test_what_does_not_pass_a_check_is_not_believed_and_the_next_source_is_asked(
    server, target, caplog
):
    server.files["/page"] = PAGE
    sources = [{"url": server.url("/page")}, {"url": server.url()}]
    with pytest.raises(DownloadError, match=r"/page: is a page"):
        fetch(sources[:1], target, check=refuse_pages)
    assert_nothing_is_left(target)
    fetch(sources, target, check=refuse_pages)
    assert target.read_bytes() == CONTENT
    assert target.with_name("model.gz.sha256").read_text().split()[0] == SUM


def test_a_file_placed_by_hand_is_checked_before_it_is_recorded(target):
    target.parent.mkdir()
    target.write_bytes(PAGE)
    with pytest.raises(FairflowError, match="is a page"):
        fetch([], target, check=refuse_pages)
    assert list(target.parent.iterdir()) == [target]


def test_a_promised_file_is_not_checked(server, target):
    fetch([{"url": server.url()}], target, CHECKSUM, check=lambda path: 1 / 0)
    assert target.read_bytes() == CONTENT


HEADERS = {
    # What is wrong: the headers, the sentence.
    "length of 5000 digits": ({"Content_Length": "9" * 5000}, "announces a length of '9{40}'"),
    "length of 4000 digits": ({"Content_Length": "9" * 4000}, "announces a length of '9{40}'"),
    "length of a hundred digits": ({"Content_Length": "9" * 100}, "expected a number of bytes"),
    "negative length": ({"Content_Length": "-5"}, "announces a length of '-5', expected a number"),
    "length in words": ({"Content_Length": "many"}, "announces a length of 'many', expected"),
    "empty length": ({"Content_Length": ""}, "announces a length of '', expected a number"),
    "two lengths": ({"Content_Length": "600000, 5"}, "Content-Length contained multiple"),
    "length beyond the disk": ({"Content_Length": "9" * 18}, "announces a file too large: no spa"),
}  # fmt: skip


# urllib3 leaves the connection open when two lengths contradict each other.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(("headers", "sentence"), HEADERS.values(), ids=HEADERS)
def test_the_next_source_is_asked_when_headers_are_nonsense(
    server, target, caplog, headers, sentence
):
    server.files["/faulty"] = CONTENT
    server.answers["/faulty"] = [whole(**headers)]
    fetch([{"url": server.url("/faulty")}, {"url": server.url()}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT
    assert list(target.parent.iterdir()) == [target]
    assert re.search(f"faulty: .*({sentence})", caplog.text)


def test_the_same_length_twice_is_one(server, target):
    server.answers["/model.gz"] = [whole(Content_Length="600000, 600000")]
    fetch([{"url": server.url()}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT
