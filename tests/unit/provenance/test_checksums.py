"""make verify: a flipped byte, a missing, truncated or additional file, and nothing else."""

import hashlib
import json
import shutil
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from fairflow.files.atomic import write_json, write_text
from fairflow.planning.model_jobs import MODEL_RECORDS
from fairflow.provenance.checksums import CHECKSUMS, checksum_lines
from fairflow.provenance.model_record import converted, derived
from fairflow.provenance.verify import main as verify_main
from fairflow.transforms.normalised import Normalised
from fairflow.vectors.convert import convert
from fairflow.vectors.derivation import derive

ROOT = Path(__file__).parents[3]
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
    (tmp_path / "first.txt").write_text("cat 1 2\ndog 3 4\n")
    files = [str(store / name) for name in ("vectors", "index.sqlite", "card.json")]
    record = f"{MODEL_RECORDS}/first.json"
    write_json(converted(*files, convert("first.txt", "glove-text", *files)), record)
    write_text(checksum_lines([SCORES, TABLE, record]), CHECKSUMS)
    return tmp_path


class Said(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def repair_main(arguments: list[str]) -> int:
    return verify_main(["--repair", *arguments])


def said_by(main: Callable[[list[str]], int], folder: Path) -> Said:
    """What a command of the package says about a folder."""
    with redirect_stdout(StringIO()) as stdout, redirect_stderr(StringIO()) as stderr:
        code = main([str(folder)])
    return Said(code, stdout.getvalue(), stderr.getvalue())


def verify(folder: Path) -> Said:
    return said_by(verify_main, folder)


def repair(folder: Path) -> list[str]:
    """What repairing asks the workflow for."""
    result = said_by(repair_main, folder)
    assert result.returncode == 0, result.stderr
    return result.stdout.split()


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


def test_a_missing_file_is_named(run: Path):
    (run / SCORES).unlink()
    assert_fault(run, f"{SCORES}: missing")


def test_a_file_too_many_is_named(run: Path):
    (run / "results/figures/old").mkdir(parents=True)
    (run / "results/figures/old/coverage.pdf").write_bytes(b"old")
    assert_fault(run, "results/figures/old/coverage.pdf: not of the recorded run")


def test_any_flipped_byte_of_the_checksums_is_found(run: Path):
    original = (run / CHECKSUMS).read_bytes()
    for position in range(0, len(original), 37):
        data = bytearray(original)
        data[position] ^= 1
        (run / CHECKSUMS).write_bytes(data)
        assert verify(run).returncode == 1, position


@pytest.mark.parametrize("name", ["vectors", "index.sqlite", "card.json"])
@pytest.mark.parametrize("damage", ["changed", "truncated", "missing"])
def test_a_file_of_a_converted_model_is_named_and_all_of_it_made_again(
    run: Path, name: str, damage: str
):
    path = run / "results/models/first" / name
    if damage == "missing":
        path.unlink()
    elif damage == "truncated":
        path.write_bytes(path.read_bytes()[:-3000])
    else:
        data = path.read_bytes()
        path.write_bytes(data.replace(b"dog", b"dig") if b"dog" in data else data + b" ")
    repairs = "make repair makes the model again"
    assert_fault(run, f"results/models/first/{name}: ", repairs, "1 fault")
    assert repair(run) == ["results/models/first/vectors"]
    assert list((run / "results/models/first").iterdir()) == []


@pytest.mark.parametrize("damage", ["changed", "missing"])
def test_a_derivation_is_compared_with_its_record_and_made_again(run: Path, damage: str):
    store, origin = "results/models/unit", "results/models/first"
    base = [f"{origin}/{name}" for name in ("vectors", "index.sqlite", "card.json")]
    derive(Normalised(), f"{store}/derivation.npz", *base)
    record = json.loads(Path(f"{MODEL_RECORDS}/first.json").read_text())
    write_json(derived(f"{store}/derivation.npz", record), f"{MODEL_RECORDS}/unit.json")
    files = [SCORES, TABLE, f"{MODEL_RECORDS}/first.json", f"{MODEL_RECORDS}/unit.json"]
    write_text(checksum_lines(files), CHECKSUMS)
    # The whole model, which somebody may have had written, is nothing of the run.
    Path(store, "vectors").write_text("")
    assert verify(run).returncode == 0
    if damage == "changed":
        Path(store, "derivation.npz").write_bytes(b"PK")
        assert_fault(run, f"{store}/derivation.npz: changed since the run", "1 fault")
        assert repair(run) == [f"{store}/derivation.npz"]
    else:
        # As a model that is not here: it is made when it is needed.
        shutil.rmtree(store)
        assert verify(run).returncode == 0


def test_repairing_removes_what_changed_and_nothing_else(run: Path):
    (run / SCORES).write_text("")
    (run / "results/figures").mkdir()
    (run / "results/figures/notes.txt").write_text("mine")
    assert_fault(run, f"{SCORES}: changed", "results/figures/notes.txt removes it", "2 faults")
    assert repair(run) == []
    assert not (run / SCORES).exists()
    assert (run / CHECKSUMS).exists()
    assert (run / TABLE).exists()
    assert (run / "results/figures/notes.txt").exists()


@pytest.mark.parametrize(
    "named",
    ["/ABSOLUTE/thesis.tex", "../thesis.tex", "config/notes.yaml", "results/../config/notes.yaml",
     "results//notes.yaml", "results", "results/studies"],
)  # fmt: skip
def test_a_record_that_names_a_file_outside_the_results_is_refused_and_nothing_removed(
    run: Path, named: str
):
    named = named.replace("/ABSOLUTE", str(run.parent))
    for path in (run.parent / "thesis.tex", run / "config/notes.yaml"):
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine")
    (run / SCORES).write_text("changed")
    with open(run / CHECKSUMS, "a") as record:
        record.write(f"{'0' * 64}  {named}\n")
    mine = [run.parent / "thesis.tex", *filter(Path.is_file, run.rglob("*"))]
    sentence = f"{CHECKSUMS}, line 4: names {named}, expected a file below results; remove the line"
    assert_fault(run, sentence)
    said = said_by(repair_main, run)
    assert said.returncode == 1
    assert sentence in said.stderr
    assert all(path.is_file() for path in mine)


def test_a_file_behind_a_link_that_leads_out_of_the_results_is_not_removed(run: Path):
    outside = run / "outside"
    outside.mkdir()
    (outside / "thesis.tex").write_text("mine")
    (run / "results/studies/link").symlink_to(outside)
    named = "results/studies/link/thesis.tex"
    with open(run / CHECKSUMS, "a") as record:
        record.write(f"{'0' * 64}  {named}\n")
    assert_fault(run, f"{named}: changed", "a link leads out of results, so remove it by hand")
    assert said_by(repair_main, run).returncode == 1
    assert (outside / "thesis.tex").exists()


@pytest.mark.parametrize(
    ("record", "path", "removed"),
    [
        ("results/provenance/checksums-report.sha256", "results/report.html", True),
        ("results/provenance/checksums-paper.sha256", "results/paper/article.tex", True),
        ("results/audit/mine-1/checksums.sha256", "results/audit/mine-1/summary.txt", True),
        ("results/audit/mine-1/checksums.sha256", "results/audit/models/a/slices/b/c.npz", True),
        ("results/audit/mine-1/checksums.sha256", "results/audit/mine-1/settings.json", False),
    ],
)
def test_what_was_made_of_a_run_has_a_record_of_its_own_that_is_made_with_it(
    run: Path, record: str, path: str, removed: bool
):
    for name in (path, record):
        (run / name).parent.mkdir(parents=True, exist_ok=True)
    (run / path).write_text("made")
    write_text(checksum_lines([path]), record)
    assert "All 4 results" in verify(run).stdout
    (run / path).write_text("changed")
    assert_fault(run, f"{path}: changed", "1 fault")
    assert repair(run) == ([record] if removed else [])
    assert (run / path).exists() == (run / record).exists() != removed
    assert (run / TABLE).exists()


def test_a_changed_file_of_a_language_model_is_named(run: Path):
    model = run / "results/language_models/small/model"
    model.mkdir(parents=True)
    (model / "weights").write_bytes(b"weights")
    manifest = run / "results/language_models/small/manifest.json"
    files = {"weights": hashlib.sha256(b"weights").hexdigest()}
    manifest.write_text(json.dumps({"source": {"folder": "small"}, "files": files}))
    assert verify(run).returncode == 0
    (model / "weights").write_bytes(b"weighty")
    assert_fault(run, "results/language_models/small/model/weights: changed", "1 fault")
    repair(run)
    assert not manifest.exists()
