"""Which environment an audit needs: `python -m fairflow.planning.audit_environment PATH [FORMAT]`.

Prints workflow, or language-models of a network, which is run with torch.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from fairflow.errors import FairflowError
from fairflow.vectors.recognition import recognise


def environment(path: str, vector_format: str | None = None) -> str:
    """The environment in which the model at a path can be audited.

    Raises
    ------
    FairflowError : no model is recognised there.
    """
    found = recognise(path, vector_format)
    return "language-models" if found.is_network else "workflow"


def main(arguments: Sequence[str]) -> int:
    """Print it; 1 and the reason on the standard error where there is none."""
    try:
        print(environment(*arguments))
    except FairflowError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
