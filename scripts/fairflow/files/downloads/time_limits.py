"""How long to wait for a server.

A time limit of the connection alone is none, as every byte that comes begins it anew. So asking and
reading run in a thread, which is left when they take too long.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import Any, TypeVar

ANSWER_SECONDS = 60.0
# The least that must come in a window, on average; less is what a broken or hostile server sends.
WINDOW_SECONDS = 60.0
LEAST_BYTES_PER_SECOND = 1000.0

T = TypeVar("T")
_END = object()


class TooSlow(Exception):
    """A server sends so little that the file would never be there.

    Parameters
    ----------
    came : bytes in the last window.
    """

    def __init__(self, came: int) -> None:
        super().__init__(f"{came} bytes came in {WINDOW_SECONDS:g} seconds")
        self.came = came


def in_time(function: Callable[[], T], leave: Callable[[T], None]) -> T:
    """The result of a function.

    Parameters
    ----------
    leave : what to do with a result that comes when nobody waits for it any more.

    Raises
    ------
    TimeoutError : it takes longer than `ANSWER_SECONDS`.
    """

    def once() -> Generator[T]:
        result = function()
        try:
            yield result
        except GeneratorExit:
            leave(result)
            raise

    ahead = _Ahead(once())
    try:
        return ahead.next(ANSWER_SECONDS)
    except Empty:
        raise TimeoutError from None
    finally:
        ahead.leave()


def steadily(blocks: Generator[bytes]) -> Iterator[bytes]:
    """Blocks of bytes, as long as enough of them come.

    Raises
    ------
    TooSlow : less than `LEAST_BYTES_PER_SECOND` in a window of waiting.
    """
    ahead = _Ahead(blocks)
    try:
        came, waited = 0, 0.0
        while True:
            since = time.monotonic()
            try:
                block = ahead.next(WINDOW_SECONDS - waited)
            except Empty:
                block = b""
            if block is _END:
                return
            # What is done with a block is not the server's time.
            waited += time.monotonic() - since
            came += len(block)
            if block:
                yield block
            if waited >= WINDOW_SECONDS:
                if came < LEAST_BYTES_PER_SECOND * WINDOW_SECONDS:
                    raise TooSlow(came)
                came, waited = 0, 0.0
    finally:
        ahead.leave()


class _Ahead:
    """An iterator that runs ahead a little, in a thread of its own."""

    def __init__(self, items: Generator[Any]) -> None:
        self._queue: Queue[tuple[Any, BaseException | None]] = Queue(maxsize=16)
        self._is_left = Event()
        Thread(target=self._run, args=(items,), daemon=True).start()

    def next(self, seconds: float) -> Any:
        """The next item, or `_END`; an error of the iterator is raised here.

        Raises
        ------
        Empty : nothing has come in this time.
        """
        item, error = self._queue.get(timeout=max(seconds, 1e-3))
        if error is not None:
            raise error
        return item

    def leave(self) -> None:
        """Let the thread end, and close the iterator, as soon as it can."""
        self._is_left.set()

    def _run(self, items: Generator[Any]) -> None:
        try:
            for item in items:
                if not self._put(item, None):
                    return
            self._put(_END, None)
        except BaseException as error:
            self._put(None, error)
        finally:
            items.close()

    def _put(self, item: Any, error: BaseException | None) -> bool:
        while not self._is_left.is_set():
            try:
                self._queue.put((item, error), timeout=0.1)
                return True
            except Full:
                pass
        return False
