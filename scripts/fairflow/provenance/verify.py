"""python -m fairflow.provenance.verify [FOLDER]: are all results what the run recorded?"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from fairflow.provenance.checksums import recorded_results
from fairflow.provenance.project_faults import project_faults


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when every result is as recorded; 1, and one line on each fault, otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=".", type=Path, help="of the project")
    folder = parser.parse_args(arguments).folder
    faults = project_faults(folder)
    for fault in faults:
        print(fault.text, file=sys.stderr)
    if faults:
        files = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        print(f"{files}: the results are not those of the recorded run.", file=sys.stderr)
        return 1
    count = len(recorded_results(folder)[0])
    print(f"All {count} results are as results/provenance records them.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
