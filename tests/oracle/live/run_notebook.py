"""Run a notebook of cells in a Python file, and write down what it found. Knows no package.

python run_notebook.py NOTEBOOK PACKAGE RESULTS. Cells begin with "# %%". The word "wefe" becomes
PACKAGE first. RESULTS is JSON: {"values": the dictionary `values` that the notebook leaves, tables
as {"index", "columns", "data"}; "shown": what the last line of each cell shows}.
"""

import ast
import json
import logging
import re
import sys
import warnings
from pathlib import Path
from typing import Any


def run_notebook(text: str) -> dict[str, Any]:
    """`values` and what each cell shows."""
    names: dict[str, Any] = {"__name__": "notebook"}
    cells = re.split(r"^# %%.*$", text, flags=re.MULTILINE)[1:]
    shown = [kind_of(run_cell(cell, names)) for cell in cells]
    return {"values": plain(names["values"]), "shown": shown}


def run_cell(cell: str, names: dict[str, Any]) -> Any:
    """Run a cell; the value of its last line if that is an expression."""
    tree = ast.parse(cell)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), names)
    return last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)


def kind_of(value: Any) -> str:
    """What a notebook shows of a value."""
    if value is None:
        return "nothing"
    if hasattr(value, "write_image"):
        picture = any(hasattr(value, f"_repr_{kind}_") for kind in ("mimebundle", "png", "svg"))
        return "picture" if picture else "text"
    return "table" if hasattr(value, "_repr_html_") else "text"


def plain(value: Any) -> Any:
    """A value for JSON: tables as dictionaries, numpy's numbers as Python's."""
    if hasattr(value, "to_numpy"):
        table = {"index": list(value.index), "columns": list(value.columns)}
        return {**table, "data": plain(value.to_numpy().tolist())}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.item() if hasattr(value, "item") else value


def main(notebook: str, package: str, results: str) -> None:
    """Run one notebook."""
    logging.disable()
    warnings.simplefilter("ignore")
    text = re.sub(r"\bwefe\b", package, Path(notebook).read_text("utf-8"))
    Path(results).write_text(json.dumps(run_notebook(text)))


if __name__ == "__main__":
    main(*sys.argv[1:])
