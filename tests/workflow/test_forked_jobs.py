"""Jobs forked from a process that has imported what they need.

That their results are those of jobs in separate processes is tested with a run in another
folder (test_module.py) and with one job of each rule with torch (test_language_models.py).
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
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


# Snakemake, which prints at its end how often its scheduler has looked for jobs to start.
COUNTED = """
import atexit, runpy, sys, threading, types
from snakemake.scheduling import job_scheduler

passes = []

class Semaphore(threading.Semaphore):
    def acquire(self):
        passes.append(1)
        return super().acquire()

counted = types.SimpleNamespace(**{**vars(threading), "Semaphore": Semaphore})
job_scheduler.threading = counted
atexit.register(lambda: print("passes", len(passes)))
sys.argv = ["snakemake", *sys.argv[1:]]
runpy.run_module("snakemake", run_name="__main__")
"""
JOBS = """
rule all:
    input: expand("out/{number}", number=range(40))

rule one:
    output: touch("out/{number}")
    shell: "sleep 0.1"
"""


def passes(folder: Path, *options: str) -> int:
    """How often the scheduler looks for jobs to start in a run of 41 jobs and 5 seconds."""
    (folder / "Snakefile").write_text(JOBS)
    command = (sys.executable, "-c", COUNTED, "--cores", "1", "--executor", "fairflow", *options)
    environment = ENVIRONMENT | {"PYTHONPATH": str(Path(forking.__file__).parents[1])}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return int(done.stdout.rpartition("passes ")[2])


def test_the_scheduler_passes_about_once_for_each_job(tmp_path: Path) -> None:
    assert passes(tmp_path) < 60


def test_a_rate_limit_that_a_user_sets_stays(tmp_path: Path) -> None:
    assert passes(tmp_path, "--max-jobs-per-timespan", "90/1s") > 60


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

    def test_a_file_that_cannot_be_written_at_the_end_is_an_error(
        self, parent: Parent, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        text = "import sys, types\nsys.modules['late'] = late = types.ModuleType('late')\n"
        text += "late.out = open('/dev/full', 'w')\nlate.out.write('all')"
        assert parent.run(job(tmp_path / "one.py", text))[0] == 1
        assert "No space left on device" in capfd.readouterr().err

    def test_what_a_module_does_at_the_end_is_done_once_by_whoever_imported_it(
        self, parent: Parent, tmp_path: Path
    ) -> None:
        (tmp_path / "needed.py").write_text(
            f"""
import atexit, os, tempfile
ended = {str(tmp_path / "ended")!r}
atexit.register(lambda: open(ended, "a").write(f"{{os.getpid()}}\\n"))
held = tempfile.TemporaryDirectory(dir={str(tmp_path)!r})
"""
        )
        there = f"open({str(tmp_path / 'there')!r}, 'a').write(f'{{os.path.isdir(held.name)}} ')"
        script = job(tmp_path / "one.py", f"import os\nfrom needed import held\n{there}\n")
        for _ in range(3):
            assert parent.run(script)[0] == 0
        forked_from = parent._process.pid
        parent.close()
        # The first job imported it itself, for the others the process that they are copies of.
        numbers = (tmp_path / "ended").read_text().split()
        assert len(numbers) == 2
        assert numbers[1] == str(forked_from)
        assert (tmp_path / "there").read_text() == "True True True "

    def test_what_is_imported_may_start_a_process(self, parent: Parent, tmp_path: Path) -> None:
        text = "import subprocess, time\nsubprocess.Popen(['true'])\ntime.sleep(0.3)\nwhole = 1\n"
        (tmp_path / "needed.py").write_text(text)
        said = f"open({str(tmp_path / 'said')!r}, 'a').write(f\"{{'needed' in sys.modules}} \")"
        script = job(tmp_path / "one.py", f"import sys\n{said}\nimport needed\n")
        for _ in range(3):
            assert parent.run(script)[0] == 0
        assert (tmp_path / "said").read_text() == "False True True "

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

    def test_control_c_does_not_hit_the_process_that_is_forked(
        self, parent: Parent, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        parent._start()
        number = parent._process.pid
        for _ in range(20):
            os.kill(number, signal.SIGINT)
            time.sleep(0.05)
        assert parent.run(job(tmp_path / "one.py", "pass"))[0] == 0
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
            assert parent.run(job(tmp_path / "one.py", text))[0] == 0
        # The module is loaded already, as it was imported: no job sees what another made of it.
        assert (tmp_path / "said").read_text() == "False 1\nTrue 1\nTrue 1\n"

    def test_what_two_scripts_imported_is_there_when_a_third_runs(
        self, parent: Parent, tmp_path: Path
    ) -> None:
        (tmp_path / "needed.py").write_text("")
        (tmp_path / "rare.py").write_text("")
        text = f"""
import sys
with open({str(tmp_path / "said")!r}, "a") as file:
    file.write(f"{{'needed' in sys.modules}} {{'rare' in sys.modules}}\\n")
import needed
"""
        for number, more in enumerate(("import rare", "", "", "")):
            script = job(tmp_path / f"number{number}.py", f"{text}{more}\n")
            assert parent.run(script)[0] == 0
        said = (tmp_path / "said").read_text().splitlines()
        assert said == ["False False", "False False", "True False", "True False"]

    def test_libraries_learn_how_many_threads_a_script_may_use(self, tmp_path: Path) -> None:
        parent = Parent(tmp_path, threads=3)
        text = f"""
import os
open({str(tmp_path / "said")!r}, "w").write(os.environ["OMP_NUM_THREADS"])
"""
        assert parent.run(job(tmp_path / "one.py", text))[0] == 0
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

    def test_what_a_script_used_is_known_with_that_of_its_processes(
        self, parent: Parent, tmp_path: Path
    ) -> None:
        text = "import time\nwhile time.process_time() < 0.2: held = bytearray(50_000_000)\n"
        twice = f"{text}import subprocess, sys\nsubprocess.run([sys.executable, '-c', {text!r}])"
        status, usage = parent.run(job(tmp_path / "one.py", twice))
        assert status == 0
        assert usage.ru_utime + usage.ru_stime >= 0.4
        assert usage.ru_maxrss > 50_000_000 / 1024

    def test_one_that_was_killed_is_started_again(self, parent: Parent, tmp_path: Path) -> None:
        text = f"import os\nopen({str(tmp_path / 'number')!r}, 'w').write(str(os.getppid()))"
        script = job(tmp_path / "one.py", text)
        assert parent.run(script)[0] == 0
        first = int((tmp_path / "number").read_text())
        os.kill(first, signal.SIGKILL)
        assert parent.run(script)[0] == 0
        assert int((tmp_path / "number").read_text()) != first

    def test_a_job_that_a_dying_one_took_is_begun_by_another(
        self, parent: Parent, tmp_path: Path
    ) -> None:
        script = job(tmp_path / "one.py", f"open({str(tmp_path / 'times')!r}, 'a').write('x')")
        assert parent.run(script)[0] == 0
        # It takes the message, and never answers.
        os.kill(parent._process.pid, signal.SIGSTOP)
        killer = threading.Timer(0.3, parent._process.kill)
        killer.start()
        assert parent.run(script)[0] == 0
        assert (tmp_path / "times").read_text() == "xx"

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
    def test_what_a_job_cost_is_written(self, finished_once: Project) -> None:
        files = [*(finished_once.folder / "results/benchmarks/score_query").rglob("*.tsv")]
        assert files
        for file in files:
            header, row = (line.split("\t") for line in file.read_text().splitlines())
            cost = dict(zip(header, row, strict=True))
            assert float(cost["max_rss"]) > 10
            assert float(cost["s"]) > 0
            assert float(cost["cpu_time"]) > 0

    @pytest.mark.parametrize("executor", ["fairflow", "local"])
    def test_a_job_that_was_killed_says_so_with_the_signal(
        self, tmp_path: Path, executor: str
    ) -> None:
        project = make_project(tmp_path / "toy")
        kill = "if __name__ == '__main__':\n    __import__('os').kill(__import__('os').getpid(), 9)"
        project.edit("scripts/convert_model.py", 'if __name__ == "__main__":', kill)
        said = project.by_script(
            "run.sh", "--logger", "fairflow", "--executor", executor, "results/models/first/vectors"
        )
        assert said.returncode == 1
        assert "SIGKILL" in said.stdout + said.stderr
        assert "memory" in said.stdout + said.stderr

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
