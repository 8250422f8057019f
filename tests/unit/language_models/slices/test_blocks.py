"""Blocks: answers of a long job, a kill loses at most one block."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from itertools import cycle
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from fairflow.files.jobs import partial_folder, read_job_progress
from fairflow.files.parquet import read_parquet, read_rows
from fairflow.language_models.slices.slices import write_in_blocks

SCRIPTS = Path(__file__).parents[4] / "scripts"
SCHEMA = pa.schema([("item", pa.string()), ("logp", pa.float64())])
ITEMS = [f"item {number}" for number in range(10)]


class Killed(BaseException):
    """What no code may catch."""


class Model:
    """Answers two rows to each item, and remembers what it was asked; dies at an item."""

    def __init__(self, dies_at: str = "") -> None:
        self.asked: list[str] = []
        self._dies_at = dies_at

    def __call__(self, items):
        if self._dies_at in items:
            raise Killed
        self.asked += items
        return [{"item": item, "logp": -float(k)} for item in items for k in range(2)]


@pytest.fixture
def output(tmp_path):
    return tmp_path / "results/tokens/model/query.parquet"


def run(model, output, identity=("model", "query"), items=ITEMS, size=3, seconds=0.0):
    write_in_blocks(items, model, SCHEMA, output, identity, size, seconds)


def killed(output, at="item 7", **options):
    """A run that died at an item."""
    with pytest.raises(Killed):
        run(Model(dies_at=at), output, **options)
    assert not output.exists()


def blocks(output) -> list[Path]:
    return sorted(partial_folder(output).glob("*/*.parquet"))


def whole(output) -> bytes:
    """The bytes of a run that nobody disturbed."""
    other = output.parents[3] / "undisturbed/results/tokens/model/query.parquet"
    run(Model(), other)
    return other.read_bytes()


def test_rows_come_in_the_order_of_the_items_256_of_them_a_row_group(output):
    items = [f"item {number}" for number in range(300)]
    run(Model(), output, items=items, size=8)
    assert [row["item"] for row in read_rows(output, SCHEMA)] == [i for i in items for _ in "ab"]
    file = pyarrow.parquet.ParquetFile(output)
    assert [file.metadata.row_group(k).num_rows for k in range(2)] == [512, 88]
    assert read_parquet(output, "slice").schema.equals(SCHEMA, check_metadata=True)


def clock_of(monkeypatch, seconds):
    """A clock on which each answer takes as long as it says, and the model that answers so."""
    clock = [0.0]
    monkeypatch.setattr("fairflow.language_models.slices.slices.time.monotonic", lambda: clock[0])

    class Timed(Model):
        def __call__(self, items):
            clock[0] += next(seconds)
            return super().__call__(items)

    return Timed


def test_a_block_is_written_when_its_time_has_passed_however_many_items_it_holds(
    output, monkeypatch
):
    timed = clock_of(monkeypatch, iter([1, 1, 8, 12, 3, 1, 1]))
    items = [f"item {number}" for number in range(14)]
    with pytest.raises(Killed):
        run(timed("item 13"), output, items=items, size=2, seconds=10.0)
    assert [path.stem for path in blocks(output)] == ["000000000-000000006", "000000006-000000008"]


@pytest.mark.parametrize("seconds", [[1.0], [4.0], [11.0], [1.0, 3.0, 9.0]])
def test_how_long_answers_take_and_where_kills_cut_them_changes_no_byte(
    seconds, output, monkeypatch
):
    timed = clock_of(monkeypatch, cycle(seconds))
    for at in ("item 5", "item 8"):
        with pytest.raises(Killed):
            run(timed(at), output, size=2, seconds=7.0)
    run(timed(), output, size=2, seconds=7.0)
    other = output.with_name("other.parquet")
    run(Model(), other, size=2)
    assert output.read_bytes() == other.read_bytes()


def test_a_run_killed_again_and_again_ends_with_the_same_bytes(output):
    for at in ("item 4", "item 7", "item 9"):
        killed(output, at)
    last = Model()
    run(last, output)
    assert last.asked == ["item 9"]
    assert output.read_bytes() == whole(output)


def test_nothing_is_left_when_all_is_there(output):
    run(Model(), output)
    assert not partial_folder(output).exists()
    assert [path.name for path in output.parent.iterdir()] == [output.name]


@pytest.mark.parametrize(
    "changed",
    [{"identity": ("other model", "query")}, {"size": 4}, {"items": [*ITEMS, "item 10"]}],
    ids=["model", "size", "items"],
)
def test_blocks_of_something_else_are_removed_and_not_used(output, changed):
    killed(output)
    before = blocks(output)
    killed(output, at="item 0", **changed)
    assert not any(path.exists() for path in before)
    model = Model()
    run(model, output, **changed)
    assert model.asked == changed.get("items", ITEMS)


@pytest.mark.parametrize("kept", [0, 1, 200, -1], ids=["none", "a byte", "some", "all but one"])
def test_a_block_that_was_cut_off_is_asked_again(output, kept):
    killed(output)
    first, _ = blocks(output)
    first.write_bytes(first.read_bytes()[:kept])
    model = Model()
    run(model, output)
    assert model.asked == [*ITEMS[:3], *ITEMS[6:]]
    assert output.read_bytes() == whole(output)


def test_the_progress_of_a_job_tells_what_an_earlier_run_had_done(output):
    assert read_job_progress(output) is None
    killed(output)
    told = read_job_progress(output)
    assert (told.done, told.total, told.found) == (6, 10, 0)
    killed(output, at="item 9")
    told = read_job_progress(output)
    assert (told.done, told.total, told.found) == (9, 10, 6)


SLOW = """
    import signal, sys, time
    import pyarrow as pa
    from fairflow.language_models.slices.slices import write_in_blocks
    # A shell that starts this in the background has it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def answer(items):
        time.sleep(0.05)
        return [{"item": item, "logp": -float(k)} for item in items for k in range(2)]

    schema = pa.schema([("item", pa.string()), ("logp", pa.float64())])
    items = [f"item {number}" for number in range(10)]
    write_in_blocks(items, answer, schema, sys.argv[1], ("model", "query"), 3, 0.0)
"""


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_whatever_signal_ends_a_job_its_finished_blocks_stay(output, sent):
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SLOW), output],
        env=os.environ | {"PYTHONPATH": str(SCRIPTS)},
        stderr=subprocess.DEVNULL,
    )
    while not blocks(output):
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(sent)
    process.wait()
    n_done = 3 * len(blocks(output))
    assert not output.exists()
    model = Model()
    run(model, output)
    assert model.asked == ITEMS[n_done:]
    assert output.read_bytes() == whole(output)
