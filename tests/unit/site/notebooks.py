"""The notebooks of the site: runs each in a plain Python and writes what its cells show.

`make notebooks` writes the outputs; tests compare the committed ones with those of a new run.
"""

import base64
import io
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_output
from site_cells import run_cell

FOLDER = Path(__file__).parents[3] / "workflow/site/pages/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> NotebookNode:
    """A notebook with its outputs."""
    return nbformat.read(path, as_version=4)


def run(path: Path) -> NotebookNode:
    """The notebook with the outputs of this run."""
    notebook = read(path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    code = (cell for cell in notebook.cells if cell.cell_type == "code")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, cell in enumerate(code, 1):
            printed, value = run_cell(cell.source, f"{path.name}, cell {number}", 0, namespace)
            cell.execution_count = number
            cell.outputs = [*_outputs(printed, value, number)]
    return notebook


def shown(notebook: NotebookNode) -> list[str]:
    """What each code cell shows, as text."""
    return [
        "".join(output.get("text") or output.data["text/plain"] for output in cell.outputs)
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def _outputs(printed: str, value: Any, number: int) -> Iterator[NotebookNode]:
    if printed:
        yield new_output("stream", text=printed)
    if value is not None:
        data = {"text/plain": repr(value)}
        if html := getattr(value, "_repr_html_", lambda: None)():
            data["text/html"] = html
        if picture := _picture(value):
            data["image/png"] = base64.b64encode(picture).decode()
        yield new_output("execute_result", data=data, execution_count=number)


def _picture(value: Any) -> bytes | None:
    if hasattr(value, "_repr_png_"):
        return value._repr_png_()
    if hasattr(value, "savefig"):
        value.savefig(file := io.BytesIO(), dpi=80, bbox_inches="tight")
        return file.getvalue()
    return None


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:] or NOTEBOOKS):
        nbformat.write(run(path), path)
