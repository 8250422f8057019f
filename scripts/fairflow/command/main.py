"""Running a command; whatever goes wrong is told in a sentence."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from fairflow.command.parser import FAILED, parser
from fairflow.errors import FairflowError

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status: 0 if it did what was asked, 2 after a sentence on stderr."""
    asked = parser().parse_args(arguments)
    try:
        sys.stdout.write(asked.run(asked))
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has enough of it; Python would try once more at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return INTERRUPTED
    except (FairflowError, OSError) as error:
        print(f"fairflow: {error}", file=sys.stderr)
        return FAILED
    return 0
