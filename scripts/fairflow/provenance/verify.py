"""python -m fairflow.provenance.verify [FOLDER]: are all results what the run recorded?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from fairflow.errors import FairflowError
from fairflow.provenance.checksums import faults, recorded_results
from fairflow.provenance.converted_models import model_faults


def main() -> int:
    """0 when every result is as recorded; 1, and one line on each fault, otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=".", type=Path, help="of the project")
    folder = parser.parse_args().folder
    try:
        found = [*faults(folder), *model_faults(folder)]
        count = len(recorded_results(folder))
    except FairflowError as error:
        found, count = [str(error)], 0
    for fault in found:
        print(fault, file=sys.stderr)
    if found:
        files = "1 fault" if len(found) == 1 else f"{len(found)} faults"
        print(f"{files}: the results are not those of the recorded run.", file=sys.stderr)
        return 1
    print(f"All {count} results are as results/provenance records them.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
