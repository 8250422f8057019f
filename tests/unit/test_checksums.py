"""make verify: a flipped byte, a missing, truncated or additional file, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fairflow.provenance.checksums import CHECKSUMS, LANGUAGE_CHECKSUMS, checksum_lines
from fairflow.provenance.converted_models import RECORDS
from fairflow.provenance.models import converted
from fairflow.provenance.writing import write_json, write_text

ROOT = Path(__file__).parents[2]
SCORES = "results/scores/first/weat/noise.parquet"
TABLE = "results/studies/toy/ranking.csv"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The results of a small run with its checksums."""
    monkeypatch.chdir(tmp_path)
    for path, contents in ((SCORES, bytes(range(256)) * 40), (TABLE, b"model,rank\nfirst,1\n")):
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_bytes(contents)
    store = tmp_path / "results/models/first"
    store.mkdir(parents=True)
    for name in ("vectors", "card.json"):
        (store / name).write_text(name)
    record = f"{RECORDS}/first.json"
    facts = converted(str(store / "vectors"), str(store / "card.json"), {"words": 2, "dims": 3})
    write_json(facts, record)
    write_text(checksum_lines([SCORES, TABLE, record]), CHECKSUMS)
    return tmp_path


def verify(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fairflow.provenance.verify", str(folder)],
        env={"PYTHONPATH": str(ROOT / "scripts")},
        capture_output=True,
        text=True,
        check=False,
    )


def assert_fault(folder: Path, *words: str) -> None:
    result = verify(folder)
    assert result.returncode == 1
    assert "the results are not those of the recorded run" in result.stderr
    for word in words:
        assert word in result.stderr


def test_untouched_results_are_as_recorded(run: Path):
    result = verify(run)
    assert result.returncode == 0, result.stderr
    assert "All 3 results" in result.stdout


@pytest.mark.parametrize("position", [0, 5000, -1])
def test_a_flipped_byte_is_named(run: Path, position: int):
    data = bytearray((run / SCORES).read_bytes())
    data[position] ^= 1
    (run / SCORES).write_bytes(data)
    assert_fault(run, f"{SCORES}: changed", "1 fault")


def test_a_truncated_file_is_named(run: Path):
    (run / TABLE).write_bytes((run / TABLE).read_bytes()[:-1])
    assert_fault(run, f"{TABLE}: changed", "(18 bytes)")


def test_a_missing_file_is_named(run: Path):
    (run / SCORES).unlink()
    assert_fault(run, f"{SCORES}: missing")


def test_a_file_too_many_is_named(run: Path):
    (run / "results/figures/old").mkdir(parents=True)
    (run / "results/figures/old/coverage.pdf").write_bytes(b"old")
    assert_fault(run, "results/figures/old/coverage.pdf: not of the recorded run")


def test_every_fault_is_told_at_once(run: Path):
    (run / SCORES).unlink()
    (run / TABLE).write_text("")
    assert_fault(run, SCORES, TABLE, "2 faults")


def test_any_flipped_byte_of_the_checksums_is_found(run: Path):
    original = (run / CHECKSUMS).read_bytes()
    for position in range(0, len(original), 37):
        data = bytearray(original)
        data[position] ^= 1
        (run / CHECKSUMS).write_bytes(data)
        assert verify(run).returncode == 1, position


def test_language_models_have_a_record_beside_that_of_the_whole_run_which_counts(run: Path):
    own = "results/studies/toy/language_models.csv"
    (run / own).write_text("model\n")
    lines = checksum_lines([own, SCORES])
    write_text(lines.replace(lines.split("\n")[0][:64], "0" * 64), LANGUAGE_CHECKSUMS)
    result = verify(run)
    assert result.returncode == 0, result.stderr
    assert "All 4 results" in result.stdout
    (run / CHECKSUMS).unlink()
    assert_fault(run, SCORES, TABLE)


def test_without_checksums_it_says_how_to_get_them(run: Path):
    (run / CHECKSUMS).unlink()
    assert_fault(run, "make run writes it")


def test_a_changed_model_is_named_and_an_absent_one_is_no_fault(run: Path):
    (run / "results/models/first/vectors").write_text("Vectors")
    assert_fault(run, "results/models/first/vectors: changed since the run")
    (run / "results/models/first/vectors").unlink()
    assert verify(run).returncode == 0
