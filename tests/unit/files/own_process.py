"""A separate Python process, which finds the library and the helpers of tests."""

import os
import signal
import subprocess
import sys


def output_of(code, *arguments, killed=False, cwd=None, **environment):
    """What the code prints; the process ends well, or kills itself."""
    ended = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | environment,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == (-signal.SIGKILL if killed else 0), ended.stderr
    return ended.stdout
