"""python -m fairflow.provenance.mend [FOLDER]: remove what is not as the run recorded it.

Prints the files that the workflow has to be asked for besides its usual results, a line each.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from fairflow.errors import FairflowError
from fairflow.provenance.verify import project_faults


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when the workflow can make everything again; 1, and why not, otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=".", type=Path, help="of the project")
    try:
        asked = mend(parser.parse_args(arguments).folder)
    except FairflowError as error:
        print(error, file=sys.stderr)
        return 1
    print(*asked, sep="\n")
    return 0


def mend(folder: Path) -> list[str]:
    """Remove what departs from the records of a run; the files to ask for by name.

    Raises
    ------
    FairflowError : a file cannot be removed, or something has to be mended by hand before.
    """
    faults = project_faults(folder)
    if by_hand := [fault.text for fault in faults if fault.by_hand]:
        raise FairflowError("\n".join([*by_hand, "Nothing was mended: see to this first."]))
    for path in dict.fromkeys(path for fault in faults for path in fault.remove):
        try:
            if (folder / path).is_dir():
                shutil.rmtree(folder / path)
            else:
                (folder / path).unlink(missing_ok=True)
        except OSError as error:
            raise FairflowError(f"{path} cannot be removed: {error.strerror}") from error
    return list(dict.fromkeys(path for fault in faults for path in fault.ask))


if __name__ == "__main__":
    sys.exit(main())
