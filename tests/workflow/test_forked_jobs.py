"""Jobs forked from a process that has imported what they need."""

from __future__ import annotations

import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
import types
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from project import ENVIRONMENT, Project, make_project
from snakemake_executor_plugin_fairflow import forking
from snakemake_executor_plugin_fairflow.parent import Parent

# What a run tells of itself: when it was, how long it took.
OF_THE_RUN = re.compile(r"results/(benchmarks|logs|provenance)/")


@pytest.fixture
def parent(tmp_path: Path) -> Iterator[Parent]:
    parent = Parent(tmp_path)
    yield parent
    parent.close()


def job(path: Path, text: str, given: object = None) -> dict[str, object]:
    path.write_text(text)
    return {
        "script": str(path),
        "snakemake": pickle.dumps(given),
        "environment": {"TMPDIR": str(path.parent)},
    }


def unwatched(number: int) -> nullcontext:
    return nullcontext()


class TestParent:
    def test_a_script_is_main_and_is_given_what_snakemake_gives_it(
        self, parent: Parent, tmp_path: Path
    ) -> None:
        text = f"""
import os, sys
assert __name__ == "__main__"
open({str(tmp_path / "said")!r}, "w").write(f"{{snakemake}} {{os.environ['TMPDIR']}} {{sys.argv}}")
"""
        script = job(tmp_path / "one.py", text, given="words")
        assert parent.run(script, unwatched) == 0
        said = (tmp_path / "said").read_text()
        assert said == f"words {tmp_path} {[script['script']]}"

    @pytest.mark.parametrize(
        ("text", "status"),
        [
            ("pass", 0),
            ("raise SystemExit", 0),
            ("raise SystemExit(3)", 3),
            ("raise SystemExit('in words')", 1),
            ("raise ValueError('wrong')", 1),
            ("this is no Python", 1),
            ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -1),
        ],
    )
    def test_it_tells_how_a_script_ended(
        self, parent: Parent, tmp_path: Path, text: str, status: int
    ) -> None:
        assert parent.run(job(tmp_path / "one.py", text), unwatched) == status

    def test_a_traceback_shows_the_script_alone(
        self, parent: Parent, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        parent.run(job(tmp_path / "one.py", "def f():\n    1 / 0\nf()\n"), unwatched)
        said = capfd.readouterr().err
        assert "ZeroDivisionError" in said
        assert "forking" not in said
        assert said.count("File") == 2

    def test_who_presses_control_c_is_shown_no_traceback(
        self, parent: Parent, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        text = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(9)"
        assert parent.run(job(tmp_path / "one.py", text), unwatched) == 130
        assert capfd.readouterr() == ("", "")

    def test_control_c_does_not_hit_the_process_that_is_forked(
        self, parent: Parent, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        parent._start()
        number = parent._process.pid
        for _ in range(20):
            os.kill(number, signal.SIGINT)
            time.sleep(0.05)
        assert parent.run(job(tmp_path / "one.py", "pass"), unwatched) == 0
        assert parent._process.pid == number
        assert capfd.readouterr() == ("", "")

    def test_what_a_script_imported_is_there_when_it_runs_again(
        self, parent: Parent, tmp_path: Path
    ) -> None:
        (tmp_path / "needed.py").write_text("times = []\n")
        text = f"""
import sys
with open({str(tmp_path / "said")!r}, "a") as file:
    file.write(f"{{'needed' in sys.modules}} ")
import needed
needed.times.append(1)
with open({str(tmp_path / "said")!r}, "a") as file:
    file.write(f"{{len(needed.times)}}\\n")
"""
        for _ in range(3):
            assert parent.run(job(tmp_path / "one.py", text), unwatched) == 0
        # The module is loaded already, as it was imported: no job sees what another made of it.
        assert (tmp_path / "said").read_text() == "False 1\nTrue 1\nTrue 1\n"

    def test_libraries_learn_how_many_threads_a_script_may_use(self, tmp_path: Path) -> None:
        parent = Parent(tmp_path, threads=3)
        text = f"""
import os
open({str(tmp_path / "said")!r}, "w").write(os.environ["OMP_NUM_THREADS"])
"""
        assert parent.run(job(tmp_path / "one.py", text), unwatched) == 0
        parent.close()
        assert (tmp_path / "said").read_text() == "3"

    def test_a_script_with_torch_is_not_prepared_for_beside_a_device(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """What torch holds of the device would not be there in a fork."""
        monkeypatch.setitem(sys.modules, "torch", types.ModuleType("torch"))
        monkeypatch.setattr(forking, "CUDA", tmp_path / "none")
        assert "pytest" in forking.imported_since(set())
        monkeypatch.setattr(forking, "CUDA", tmp_path)
        assert forking.imported_since(set()) == []

    def test_a_process_is_looked_at_before_its_script_begins(
        self, parent: Parent, tmp_path: Path
    ) -> None:
        begun = tmp_path / "begun"

        @contextmanager
        def watched(number: int) -> Iterator[None]:
            time.sleep(0.2)
            assert not begun.exists()
            assert number != os.getpid()
            os.kill(number, 0)
            yield

        script = job(tmp_path / "one.py", f"open({str(begun)!r}, 'w')")
        assert parent.run(script, watched) == 0
        assert begun.exists()

    def test_one_that_was_killed_is_started_again(self, parent: Parent, tmp_path: Path) -> None:
        text = f"import os\nopen({str(tmp_path / 'number')!r}, 'w').write(str(os.getppid()))"
        script = job(tmp_path / "one.py", text)
        assert parent.run(script, unwatched) == 0
        first = int((tmp_path / "number").read_text())
        os.kill(first, signal.SIGKILL)
        assert parent.run(script, unwatched) == 0
        assert int((tmp_path / "number").read_text()) != first

    def test_a_job_that_a_dying_one_took_is_begun_by_another(
        self, parent: Parent, tmp_path: Path
    ) -> None:
        script = job(tmp_path / "one.py", f"open({str(tmp_path / 'times')!r}, 'a').write('x')")
        assert parent.run(script, unwatched) == 0
        # It takes the message, and never answers.
        os.kill(parent._process.pid, signal.SIGSTOP)
        killer = threading.Timer(0.3, parent._process.kill)
        killer.start()
        assert parent.run(script, unwatched) == 0
        assert (tmp_path / "times").read_text() == "xx"

    def test_it_ends_with_whoever_started_it(self, tmp_path: Path) -> None:
        (tmp_path / "one.py").write_text(
            f"import os\nopen({str(tmp_path / 'number')!r}, 'w').write(str(os.getppid()))"
        )
        starter = f"""
import os, pickle, signal, sys
from contextlib import nullcontext
from pathlib import Path
from snakemake_executor_plugin_fairflow.parent import Parent
script = {str(tmp_path / "one.py")!r}
job = {{"script": script, "snakemake": pickle.dumps(None), "environment": {{}}}}
Parent(Path({str(tmp_path)!r})).run(job, lambda number: nullcontext())
os.kill(os.getpid(), signal.SIGKILL)
"""
        scripts = Path(__file__).parents[2] / "scripts"
        environment = ENVIRONMENT | {"PYTHONPATH": str(scripts)}
        subprocess.run([sys.executable, "-c", starter], env=environment, check=False)
        number = (tmp_path / "number").read_text()
        deadline = time.monotonic() + 10
        while Path("/proc", number).exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not Path("/proc", number).exists()


@pytest.mark.workflow
class TestExecutor:
    @pytest.fixture(scope="class")
    def forked(self, tmp_path_factory: pytest.TempPathFactory) -> Project:
        project = make_project(tmp_path_factory.mktemp("forked") / "toy")
        project.run()
        return project

    def test_the_bytes_are_those_of_jobs_in_processes_of_their_own(
        self, forked: Project, tmp_path: Path
    ) -> None:
        alone = make_project(tmp_path / "alone")
        alone.run("--executor", "local")
        results = [
            {name: content for name, content in p.contents("results").items() if not told(name)}
            for p in (forked, alone)
        ]
        assert len(results[0]) > 50
        assert results[0].keys() == results[1].keys()
        assert [name for name in results[0] if results[0][name] != results[1][name]] == []

    def test_what_a_job_cost_is_written(self, forked: Project) -> None:
        files = [*(forked.folder / "results/benchmarks/score_query").rglob("*.tsv")]
        assert files
        for file in files:
            header, row = (line.split("\t") for line in file.read_text().splitlines())
            cost = dict(zip(header, row, strict=True))
            assert float(cost["max_rss"]) > 10
            assert float(cost["s"]) > 0

    def test_a_script_that_fails_is_told_and_leaves_nothing(self, tmp_path: Path) -> None:
        project = make_project(tmp_path / "toy")
        (project.folder / "data/first.txt").write_text("cat 1 2\ndog 1 x\n")
        output = project.run(check=False)
        assert output.returncode == 1
        assert "first.txt" in output.stdout
        assert "'x'" in output.stdout
        assert "Error in rule convert_model" in output.stdout
        assert not [*(project.folder / "results/models").glob("*/index.sqlite.*")]
        logs = (project.folder / "results/logs/convert_model").glob("*.log")
        assert any("'x'" in log.read_text() for log in logs)


def told(name: str) -> bool:
    """Whether a file tells of the run itself."""
    return bool(OF_THE_RUN.match(name)) or name.endswith((".html", "README.md"))
