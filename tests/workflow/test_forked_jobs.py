"""Jobs forked from a process that has imported what they need."""

import os
import pickle
import signal
import subprocess
import sys
import time
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from project import ENVIRONMENT, Project, make_project
from snakemake_executor_plugin_fairflow import forking
from snakemake_executor_plugin_fairflow.parent import Parent


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
        assert parent.run(script)[0] == 0
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
            ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -9),
            ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", -15),
            ("import os; os._exit(3)", 3),
        ],
    )
    def test_it_tells_how_a_script_ended(
        self, parent: Parent, tmp_path: Path, text: str, status: int
    ) -> None:
        assert parent.run(job(tmp_path / "one.py", text))[0] == status

    @pytest.mark.parametrize(
        "text",
        [
            "out = open(path, 'w'); out.write('all')",
            "out = open(path, 'w')\ndef write(text): out.write(text)\nwrite('all')",
            "import types, sys\nsys.modules['late'] = types.ModuleType('late')\n"
            "sys.modules['late'].out = open(path, 'w')\nsys.modules['late'].out.write('all')",
            "import threading, time\n"
            "def write(): time.sleep(0.3); open(path, 'w').write('all')\n"
            "threading.Thread(target=write).start()",
            "from concurrent.futures import ThreadPoolExecutor\nimport time\n"
            "def write(): time.sleep(0.3); open(path, 'w').write('all')\n"
            "ThreadPoolExecutor().submit(write)",
            "import multiprocessing, time\n"
            "def write(): time.sleep(0.3); open(path, 'w').write('all')\n"
            "multiprocessing.get_context('fork').Process(target=write).start()",
            "import atexit\natexit.register(lambda: open(path, 'w').write('all'))",
            "import logging, logging.handlers\n"
            "to = logging.handlers.MemoryHandler(9, target=logging.FileHandler(path))\n"
            "to.target.terminator = ''\nlogging.getLogger().addHandler(to)\n"
            "logging.warning('all')",
            "import weakref\nclass Held: pass\nheld = Held()\n"
            "weakref.finalize(held, lambda: open(path, 'w').write('all'))",
            "open(path, 'w').write('all')\nimport atexit\nraise SystemExit",
        ],
        ids=["file", "file in a circle", "file of a module", "thread", "pool", "process", "hook",
             "log", "finalizer", "none"],
    )  # fmt: skip
    def test_a_script_ends_as_python_ends_it(
        self, parent: Parent, tmp_path: Path, text: str
    ) -> None:
        path = tmp_path / "written"
        script = job(tmp_path / "one.py", f"path = {str(path)!r}\n{text}\n")
        for _ in range(2):
            path.unlink(missing_ok=True)
            assert parent.run(script)[0] == 0
            assert path.read_text() == "all"

    def test_a_traceback_shows_the_script_alone(
        self, parent: Parent, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        parent.run(job(tmp_path / "one.py", "def f():\n    1 / 0\nf()\n"))
        said = capfd.readouterr().err
        assert "ZeroDivisionError" in said
        assert "forking" not in said
        assert said.count("File") == 2

    def test_who_presses_control_c_is_shown_no_traceback(
        self, parent: Parent, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        text = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(9)"
        assert parent.run(job(tmp_path / "one.py", text))[0] == 130
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
            assert parent.run(job(tmp_path / "one.py", text))[0] == 0
        # The module is loaded already, as it was imported: no job sees what another made of it.
        assert (tmp_path / "said").read_text() == "False 1\nTrue 1\nTrue 1\n"

    def test_a_script_with_torch_is_not_prepared_for_beside_a_device(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        """What torch holds of the device would not be there in a fork."""
        monkeypatch.setitem(sys.modules, "torch", types.ModuleType("torch"))
        monkeypatch.setattr(forking, "CUDA", tmp_path / "none")
        assert "pytest" in forking.imported_since(set())
        monkeypatch.setattr(forking, "CUDA", tmp_path)
        assert forking.imported_since(set()) == []

    def test_one_that_was_killed_is_started_again(self, parent: Parent, tmp_path: Path) -> None:
        text = f"import os\nopen({str(tmp_path / 'number')!r}, 'w').write(str(os.getppid()))"
        script = job(tmp_path / "one.py", text)
        assert parent.run(script)[0] == 0
        first = int((tmp_path / "number").read_text())
        os.kill(first, signal.SIGKILL)
        assert parent.run(script)[0] == 0
        assert int((tmp_path / "number").read_text()) != first

    def test_it_ends_with_whoever_started_it(self, tmp_path: Path) -> None:
        (tmp_path / "one.py").write_text(
            f"import os\nopen({str(tmp_path / 'number')!r}, 'w').write(str(os.getppid()))"
        )
        starter = f"""
import os, pickle, signal, sys
from pathlib import Path
from snakemake_executor_plugin_fairflow.parent import Parent
script = {str(tmp_path / "one.py")!r}
job = {{"script": script, "snakemake": pickle.dumps(None), "environment": {{}}}}
Parent(Path({str(tmp_path)!r})).run(job)
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
    def test_scores_are_those_of_other_jobs_and_what_a_job_cost_is_written(
        self, fresh: Project, finished_once: Project
    ) -> None:
        fresh.run("--executor", "fairflow", "scores")
        assert fresh.contents("results/scores") == finished_once.contents("results/scores")
        files = [*(fresh.folder / "results/benchmarks/score_queries").rglob("*.tsv")]
        assert files
        for file in files:
            header, row = (line.split("\t") for line in file.read_text().splitlines())
            cost = dict(zip(header, row, strict=True))
            assert float(cost["max_rss"]) > 10
            assert float(cost["s"]) > 0
            assert float(cost["cpu_time"]) > 0

    def test_a_job_that_was_killed_says_so_with_the_signal(self, tmp_path: Path) -> None:
        project = make_project(tmp_path / "toy")
        start = "with running(snakemake) as job:"
        kill = f"{start}\n    __import__('os').kill(__import__('os').getpid(), 9)"
        project.edit("scripts/convert_model.py", start, kill)
        said = project.by_script(
            "run.sh",
            "--logger",
            "fairflow",
            "--executor",
            "fairflow",
            "results/models/first/vectors",
        )
        assert said.returncode == 1
        assert "SIGKILL" in said.stdout + said.stderr
        assert "memory" in said.stdout + said.stderr

    def test_a_script_that_fails_is_told_and_leaves_nothing(self, tmp_path: Path) -> None:
        project = make_project(tmp_path / "toy")
        (project.folder / "data/first.txt").write_text("cat 1 2\ndog 1 x\n")
        output = project.run("--executor", "fairflow", check=False)
        assert output.returncode == 1
        assert "first.txt" in output.stdout
        assert "'x'" in output.stdout
        assert "Error in rule convert_model" in output.stdout
        assert not [*(project.folder / "results/models").glob("*/index.sqlite.*")]
        logs = (project.folder / "results/logs/convert_model").glob("*.log")
        assert any("'x'" in log.read_text() for log in logs)
