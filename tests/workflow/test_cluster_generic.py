"""The profile for SGE, LSF and PBS, with stand-ins for their commands."""

import os
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from project import ROOT, SNAKEMAKE, Project, run

pytestmark = [
    pytest.mark.workflow,
    pytest.mark.skipif(
        find_spec("snakemake_executor_plugin_cluster_generic") is None,
        reason="the executor plugin is not installed: make .venv/cluster",
    ),
]

PROFILE = "workflow/profiles/cluster-generic"
CELL = "results/scores/first/weat/toy.parquet"
# Runs the last argument in the background, leaves its exit status in a file, and prints an id.
SUBMIT = """
echo "$0 $*" >>"$QUEUE/calls"
id=$(grep -c . "$QUEUE/calls")
for script; do :; done
(code=0; sh "$script" >"$QUEUE/$id.log" 2>&1 || code=$?; echo $code >"$QUEUE/$id") \\
    </dev/null >/dev/null 2>&1 &
"""
COMMANDS = {
    "sge": {
        "qsub": SUBMIT + "echo $id",
        "qstat": """
echo "job-ID prior name user state"
for log in "$QUEUE"/*.log; do
    id=$(basename "$log" .log)
    [ -e "$QUEUE/$id" ] || echo "  $id 0.5 fairflow me r 11/21/2026"
done
""",
        "qacct": '[ -e "$QUEUE/$2" ] && printf "failed 0\\nexit_status %s\\n" $(cat "$QUEUE/$2")',
    },
    "pbs": {
        "qsub": SUBMIT + "echo $id.server",
        "qstat": """
id=${3%.server}
echo "Job Id: $3"
if [ -e "$QUEUE/$id" ]; then
    printf "    job_state = F\\n    Exit_status = %s\\n" $(cat "$QUEUE/$id")
else
    echo "    job_state = R"
fi
""",
    },
    "lsf": {
        "bsub": SUBMIT + 'echo "Job <$id> is submitted to default queue <normal>."',
        "bjobs": """
if [ ! -e "$QUEUE/$4" ]; then echo RUN
elif [ "$(cat "$QUEUE/$4")" = 0 ]; then echo DONE
else echo EXIT
fi
""",
    },
}


def make_commands(scheduler: str, folder: Path) -> dict[str, str]:
    """Write the commands of a scheduler; the environment in which they are found."""
    (folder / "bin").mkdir()
    (folder / "queue").mkdir()
    for name, text in COMMANDS[scheduler].items():
        (folder / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / "bin" / name).chmod(0o755)
    return {
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "QUEUE": str(folder / "queue"),
        "SCHEDULER": scheduler,
    }


@pytest.mark.parametrize("scheduler", COMMANDS)
@pytest.mark.parametrize(("script", "end"), [("exit 0", "success"), ("exit 3", "failed")])
def test_a_job_runs_and_then_has_ended_well_or_not(
    scheduler: str, script: str, end: str, tmp_path: Path
):
    environment = make_commands(scheduler, tmp_path)
    (tmp_path / "job.sh").write_text(f"sleep 1\n{script}\n")

    def call(name: str, *arguments: str) -> str:
        command = [ROOT / PROFILE / scheduler / name, *arguments]
        result = subprocess.run(
            command,
            cwd=tmp_path,
            env=os.environ | environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return result.stdout.strip()

    job = call("submit.sh", "2", "1400", "3", "-q long", str(tmp_path / "job.sh"))
    assert call("status.sh", job) == "running"
    (asked,) = (tmp_path / "queue/calls").read_text().splitlines()
    assert "-q long" in asked
    deadline = time.monotonic() + 30
    while (status := call("status.sh", job)) == "running":
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert status == end


def test_the_profile_submits_the_model_and_the_cell(
    fresh: Project, finished_once: Project, tmp_path: Path
):
    environment = make_commands("sge", tmp_path)
    snakemake = [*SNAKEMAKE, "--seconds-between-status-checks", "1"]
    command = ["workflow/run.sh", *snakemake, "--workflow-profile", PROFILE, CELL]
    ran = run(command, fresh.folder, **environment)
    assert ran.returncode == 0, ran.stdout
    conversion, cells = (tmp_path / "queue/calls").read_text().splitlines()
    assert "h_vmem=700M,h_rt=1200" in conversion
    assert "h_vmem=700M,h_rt=600" in cells
    assert (fresh.folder / CELL).read_bytes() == (finished_once.folder / CELL).read_bytes()
