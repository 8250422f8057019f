"""Write a figure to files that are byte-identical between runs."""

import os
from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from fairflow.products.figures.drawing import paper_style

# None leaves the entry out: dates and versions would differ between equal figures.
METADATA = {
    ".pdf": {"Creator": None, "Producer": None, "CreationDate": None},
    ".svg": {"Creator": None, "Date": None},
    ".png": {"Software": None},
}


def save_figure(figure: Figure, paths: Sequence[str | Path]) -> None:
    """Write the figure once per path (.pdf, .svg or .png at 300 dpi) and close it.

    Each file appears whole or not at all; equal figures give equal bytes.
    """
    try:
        for path in map(Path, paths):
            _write_whole(figure, path)
    finally:
        plt.close(figure)


def _write_whole(figure: Figure, path: Path) -> None:
    suffix = path.suffix.lower()
    if suffix not in METADATA:
        raise ValueError(f"{path}: a figure is written as one of {', '.join(METADATA)}")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with paper_style():
            figure.savefig(temporary, format=suffix[1:], dpi=300, metadata=METADATA[suffix])
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
