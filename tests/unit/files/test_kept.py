"""Files of cells: whatever happened before, the bytes are those of a file computed from nothing."""

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow.errors import FairflowError
from fairflow.files import kept
from fairflow.files.cell_arrays import cell_table
from fairflow.files.jobs import partial_folder, read_job_progress
from fairflow.files.kept import cells_in, keep_up_to_date, read_cells

SCRIPTS = Path(__file__).parents[3] / "scripts"
NAMES = [f"q{number}" for number in range(8)]
SCHEMA = pa.schema(
    [("query", pa.string()), ("value", pa.float64()), ("words", pa.list_(pa.string()))]
)
START = {"one": dict.fromkeys(NAMES[:5], "0"), "other": dict.fromkeys(NAMES[3:], "0")}


class Killed(BaseException):
    """What no code may catch."""


def rows_of(name, made):
    """The rows of a cell, which may be empty."""
    draw = random.Random(f"{name} {made}")
    return [
        {"query": name, "value": draw.choice([None, draw.random()]), "words": ["ü"] * at}
        for at in range(draw.randrange(4))
    ]


class Computing:
    """Computes cells, and remembers which; dies at one."""

    def __init__(self, wanted, dies_at=None):
        self.done: list[tuple[str, str]] = []
        self._wanted, self._dies_at = wanted, dies_at

    def __call__(self, names):
        for name in names:
            if name == self._dies_at:
                raise Killed
            self.done.append((name, self._wanted[name]))
            yield name, rows_of(name, self._wanted[name])


def run(path, wanted, dies_at=None, **options):
    """A run that goes well or dies: the cells that it computed, and whether it died."""
    computing, died = Computing(wanted, dies_at), False
    try:
        number = keep_up_to_date(path, SCHEMA, wanted, computing, **{"together": 3} | options)
        assert number == len(computing.done)
    except Killed:
        died = True
    assert len(computing.done) == len({*computing.done})
    return {*computing.done}, died


def flip(path, bit):
    """Flip a bit of the file, or of one in its partial folder."""
    files = [one for one in (path, *partial_folder(path).glob("*.parquet")) if one.is_file()]
    if files:
        file = sorted(files)[bit % len(files)]
        data = bytearray(file.read_bytes())
        data[bit // 8 % len(data)] ^= 1 << bit % 8
        file.write_bytes(data)


RUNS = st.fixed_dictionaries(
    {
        "study": st.sampled_from([*START]),
        # Version "" removes a cell.
        "edits": st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from("012") | st.just(""))),
        "reverse": st.booleans(),
        "dies_at": st.none() | st.sampled_from(NAMES),
        "damaged": st.none() | st.none() | st.integers(0, 10**6),
        "seconds": st.sampled_from([0.0, 1e9]),
    }
)


@given(runs=st.lists(RUNS, min_size=2, max_size=8))
def test_whatever_happened_before_only_changed_cells_are_computed_and_bytes_are_those_of_a_new_file(
    runs, tmp_path_factory
):
    folder = tmp_path_factory.mktemp("run")
    path, studies = folder / "results/scores/m/x/g.parquet", dict(START)
    # The versions of each name that are there, the latest last, and those that damage may spare.
    there: dict[str, list[str]] = {}
    spared: set[tuple[str, str]] = set()
    for number, one in enumerate(runs):
        wanted = studies[one["study"]] | dict(one["edits"])
        wanted = {name: made for name, made in sorted(wanted.items()) if made}
        studies[one["study"]] = wanted
        wanted = dict(reversed(wanted.items())) if one["reverse"] else wanted
        known = {(name, made) for name, versions in there.items() for made in versions}
        if one["damaged"] is not None:
            flip(path, one["damaged"])
            there, spared, known = {}, spared | known, set()
        computed, died = run(path, wanted, one["dies_at"], seconds=one["seconds"])
        assert computed <= wanted.items() - known
        for name, made in computed:
            there.setdefault(name, []).append(made)
        if died:
            continue
        assert wanted.items() - computed <= known | spared
        found = [(name, table.to_pylist()) for name, table in read_cells(path)]
        assert found == [(name, rows_of(name, made)) for name, made in wanted.items()]
        there = {name: versions[-1:] for name, versions in there.items()}
        there |= {name: [made] for name, made in wanted.items()}
        # Of the bits that no value depends on some stay changed.
        if not spared:
            new = folder / f"new/results/{number}.parquet"
            run(new, wanted)
            assert path.read_bytes() == new.read_bytes()
            assert partial_folder(path).exists() == bool(there.keys() - wanted.keys())


def blocks(path):
    """The files of cells in the partial folder of a file."""
    return sorted(partial_folder(path).glob("*.parquet"))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results/scores/m/x/g.parquet"


def test_computed_cells_are_saved_when_their_time_has_passed(path, monkeypatch):
    clock = iter([0.0, 1, 9, 12, 12, 13, 19, 25, 25, 26])
    monkeypatch.setattr(kept.time, "monotonic", lambda: next(clock))
    run(path, dict.fromkeys(NAMES, "0"), dies_at="q6", seconds=10.0)
    assert [[*cells_in(one).n_rows] for one in blocks(path)] == [
        ["q0", "q1", "q2"],
        ["q3", "q4", "q5"],
    ]


def test_the_progress_of_a_job_tells_what_an_earlier_run_had_done(path):
    wanted = dict.fromkeys(NAMES, "0")
    for dies_at, done, found in (("q2", 2, 0), ("q5", 5, 2)):
        run(path, wanted, dies_at, seconds=0.0)
        told = read_job_progress(path)
        assert (told.done, told.total, told.found) == (done, 8, found)
    run(path, {"q0": "0"})
    # Seven cells wait in the partial folder, and no job runs.
    assert blocks(path)
    assert read_job_progress(path) is None


def test_a_file_that_is_right_is_new_for_whoever_compares_dates(path):
    run(path, START["one"])
    os.utime(path, (0, 0))
    assert run(path, START["one"]) == (set(), False)
    assert path.stat().st_mtime > 0


def test_files_of_somebody_else_and_cells_that_are_not_there_are_told(path):
    path.parent.mkdir(parents=True)
    pa.parquet.write_table(pa.Table.from_pylist([{"a": 1}]), path)
    with pytest.raises(FairflowError, match="is damaged"):
        cells_in(path)
    run(path, START["one"])
    with pytest.raises(FairflowError, match="does not hold q7: start the same command again"):
        [*read_cells(path, ["q7"])]
    with pytest.raises(RuntimeError, match="not computed: q5, q6"):
        keep_up_to_date(path, SCHEMA, dict.fromkeys(["q5", "q6"], "1"), lambda _: [])


SLOW = """
    import signal, sys, time
    from test_kept import NAMES, SCHEMA, keep_up_to_date, rows_of
    # A shell that starts this in the background has it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def compute(names):
        for name in names:
            time.sleep(0.05)
            yield name, rows_of(name, "0")

    keep_up_to_date(sys.argv[1], SCHEMA, dict.fromkeys(NAMES, "0"), compute, 3, 0.0)
"""


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_whatever_signal_ends_a_job_loses_at_most_what_was_not_saved(path, sent):
    folders = os.pathsep.join(map(str, (SCRIPTS, Path(__file__).parent)))
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SLOW), path],
        env=os.environ | {"PYTHONPATH": folders},
        stderr=subprocess.DEVNULL,
    )
    while len(blocks(path)) < 2:
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(sent)
    process.wait()
    saved = {name for one in blocks(path) for name in cells_in(one).n_rows}
    assert not path.exists()
    computed, _ = run(path, dict.fromkeys(NAMES, "0"))
    assert {name for name, _ in computed} == {*NAMES} - saved


def test_four_times_the_cells_take_hardly_more_memory(path, monkeypatch):
    monkeypatch.setattr(kept, "MOST_BYTES", 1 << 18)

    def compute(names):
        for name in names:
            yield name, cell_table("m", name, {}, {"rows": np.full(5_000, float(name))})

    def peak(number, made):
        pool = pa.proxy_memory_pool(pa.default_memory_pool())
        pa.set_memory_pool(pool)
        tracemalloc.start()
        try:
            wanted = {"0": made} | {str(n): "" for n in range(1, number)}
            keep_up_to_date(path, cell_table("", "", {}, {}).schema, wanted, compute, 4)
            return pool.max_memory() + tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
            pa.set_memory_pool(pa.system_memory_pool())

    few, many = ([peak(number, made) for made in "ab"] for number in (50, 200))
    assert many[0] < 1.3 * few[0]
    assert many[1] < 1.3 * few[1]
