"""Where the files of a configuration lie."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def configuration_folder(main: Mapping[str, Any], workflow: Path) -> Path:
    """Where the files of a configuration lie.

    What its key `configuration` says; else config below the working folder, if models stand
    there; else config of the workflow itself.

    Parameters
    ----------
    main : contents of config.yaml. workflow : the folder of the Snakefile.
    """
    if "configuration" in main:
        return Path(main["configuration"])
    usual = Path("config")
    return usual if (usual / "models.yaml").is_file() else workflow / usual
