"""Runs that meet: two at once, a full disk, a folder that cannot be written to, damaged files and
a clock that was set back."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from project import ROOT, Project, wait_until

pytestmark = pytest.mark.workflow

CELL = "results/scores/first/weat/toy.parquet"


SLOW = """
import time
from pathlib import Path

from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation


class Slow(BaseTransform):
    def fit(self, base):
        Path("at_work").touch()
        while not Path("go_on").exists():
            time.sleep(0.02)
        return Derivation(unit_last=True)
"""


@pytest.fixture
def plain_run(fresh: Project) -> Iterator[subprocess.Popen[bytes]]:
    """A plain snakemake, at work in the folder of `fresh` until there is a file `go_on`."""
    (fresh.folder / "slow.py").write_text(SLOW)
    fresh.edit("config/models.yaml", "transform: normalised", "transform: slow.py")
    process = fresh.start()
    wait_until((fresh.folder / "at_work").exists, "a derivation")
    yield process
    (fresh.folder / "go_on").touch()
    process.wait()


def test_a_second_run_beside_a_plain_snakemake_says_so_and_disturbs_nothing(
    fresh: Project, plain_run: subprocess.Popen[bytes]
):
    second = fresh.by_script("run.sh")
    third = fresh.run(check=False)
    assert plain_run.poll() is None
    (fresh.folder / "go_on").touch()
    assert second.returncode == 1
    assert "Another snakemake uses this folder" in second.stderr
    assert third.returncode != 0
    assert "cannot be locked" in third.stdout
    assert plain_run.wait() == 0
    assert fresh.planned() == {}


def test_a_plain_snakemake_that_was_killed_keeps_nobody_from_going_on(
    fresh: Project, plain_run: subprocess.Popen[bytes]
):
    plain_run.kill()
    plain_run.wait()
    assert list((fresh.folder / ".snakemake/locks").iterdir())
    (fresh.folder / "go_on").touch()
    result = fresh.by_script("run.sh", CELL)
    assert result.returncode == 0, result.stderr


def test_runs_are_told_apart_by_locks_and_snakemakes_own_are_removed_by_snakemake():
    for script in (ROOT / "workflow").glob("*.sh"):
        text = script.read_text()
        assert "/proc" not in text
        assert "ps " not in text
        assert "rm -rf" not in text


def test_a_derivation_that_is_killed_leaves_nothing_and_the_next_run_finishes(fresh: Project):
    (fresh.folder / "slow.py").write_text(SLOW)
    fresh.edit("config/models.yaml", "transform: normalised", "transform: slow.py")
    model = fresh.folder / "results/models/first-normalised"
    target = "results/models/first-normalised/vectors"
    process = fresh.start(target)
    wait_until((fresh.folder / "at_work").exists, "a derivation")
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not model.exists() or not list(model.iterdir())
    (fresh.folder / "go_on").touch()
    result = fresh.by_script("run.sh", target)
    assert result.returncode == 0, result.stderr
    assert sorted(path.name for path in model.iterdir()) == ["derivation.npz", "vectors"]
    assert fresh.planned(target) == {}


@pytest.fixture
def small_disk(fresh: Project) -> Iterator[Path]:
    """A file system of 300 kB for the results of `fresh`."""
    folder = fresh.folder / "results"
    folder.mkdir()
    if mount("-t", "tmpfs", "-o", "size=300k", "tmpfs", folder) != 0:
        pytest.skip("no file system can be mounted here: run as root")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def mount(*arguments: object) -> int:
    command = ["mount", *map(str, arguments)]
    try:
        return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode
    except FileNotFoundError:
        return 1


def test_a_full_disk_ends_a_run_with_advice_and_it_goes_on_when_there_is_room(
    fresh: Project, small_disk: Path, finished_once: Project
):
    result = fresh.run(check=False)
    assert result.returncode != 0
    # Whose file it is depends on which jobs ran first: one of ours, or a log of Snakemake's.
    assert any(said in result.stdout for said in ("no room is left", "No space left on device"))
    written = fresh.products()
    assert written
    assert written.items() <= finished_once.products().items()
    assert not [path for path in small_disk.rglob(".*") if path.is_file()]
    assert mount("-o", "remount,size=50m", small_disk) == 0
    fresh.run()
    assert fresh.products() == finished_once.products()


def test_a_clock_set_back_reruns_nothing_and_is_named_when_it_matters(finished: Project):
    tomorrow = time.time() + 86_400
    files = [
        p for part in ("config", "data", "results") for p in (finished.folder / part).rglob("*")
    ]
    for path in files:
        os.utime(path, (tomorrow, tomorrow))
    assert finished.planned() == {}
    finished.edit("config/word_sets/toy.yaml", "frost, hail", "frost, lynx")
    result = finished.run(check=False)
    assert result.returncode != 0
    assert "has older modification time" in result.stdout
    assert "clock skew" in result.stdout
    # The advice of config/README.md.
    for path in filter(Path.exists, files):
        path.touch()
    finished.run()
    assert finished.planned() == {}


def test_keep_going_does_all_that_does_not_need_what_failed(fresh: Project):
    fresh.edit("config/models.yaml", "format: word2vec-text", "format: word2vec-binary")
    result = fresh.run("--keep-going", check=False)
    assert result.returncode != 0
    scores = {p.parts[-3] for p in (fresh.folder / "results/scores").rglob("*.parquet")}
    assert scores == {"first", "first-normalised"}
