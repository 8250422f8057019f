"""A file of vectors with a fault is refused in one sentence, soon, and leaves nothing behind."""

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from stores import converted

from fairflow.errors import FairflowError

from .bad_vector_files import CASES

SECONDS = 10
MEMORY = 400 << 20


@contextmanager
def bounded() -> Iterator[None]:
    """An alarm, and a limit to the memory that may be allocated.

    The memory is that of addresses: a thread takes 72 MB without using them.
    """
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, most))
    before = signal.signal(signal.SIGALRM, lambda *_: pytest.fail(f"more than {SECONDS} s"))
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


@pytest.mark.parametrize(
    ("vector_format", "contents", "sentence", "words"),
    [pytest.param(form, *rest, id=f"{form}: {what}") for form, what, *rest in CASES],
)
def test_the_fault_is_told_in_one_sentence(tmp_path, vector_format, contents, sentence, words):
    source, target = tmp_path / "vectors.file", tmp_path / "model"
    source.write_bytes(contents)
    if words is not None:
        (tmp_path / "words.txt").write_bytes(words)
    beside = None if words is None else {"path": tmp_path / "words.txt"}
    with bounded(), pytest.raises(FairflowError) as caught:
        converted(source, vector_format, target, words=beside)
    assert str(tmp_path) in str(caught.value)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(target.iterdir()) == []
