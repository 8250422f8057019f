"""The table of rooms in ARCHITECTURE.md, out of the contracts and the imports themselves.

Run as `python tests/unit/document_rooms.py`.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import grimp

from fairflow.capabilities import CAPABILITIES

ROOT = Path(__file__).parents[2]
LIBRARY = ROOT / "scripts/fairflow"
PAGE = ROOT / "ARCHITECTURE.md"
START, END = "<!-- rooms: make docs writes this table -->\n", "<!-- end of rooms -->\n"


def rooms() -> Iterator[str]:
    """The rooms from the top of the layers to their ground, inner rooms behind theirs."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = {
        contract["containers"][0].removeprefix("fairflow").removeprefix("."): [
            name for layer in contract["layers"] for name in re.findall(r"\w+", layer)
        ]
        for contract in settings["tool"]["importlinter"]["contracts"]
        if contract["type"] == "layers"
    }
    for name in layers[""]:
        if (LIBRARY / name).is_dir():
            yield name
            # The rooms of a capability are its own business.
            for inner in layers.get(name, ()) if name not in CAPABILITIES else ():
                if (LIBRARY / name / inner).is_dir():
                    yield f"{name}/{inner}"


def sentence(room: str) -> str:
    """What the room says of itself."""
    tree = ast.parse((LIBRARY / room / "__init__.py").read_text(encoding="utf-8"))
    return " ".join(ast.get_docstring(tree).split("\n\n")[0].split())


def asked(room: str, listed: list[str], graph: grimp.ImportGraph) -> list[str]:
    """The rooms that the modules of a room import, in the order of the page."""
    package = f"fairflow.{room.replace('/', '.')}"
    homes = {
        _home(imported, listed)
        for module in (package, *graph.find_descendants(package))
        for imported in graph.find_modules_directly_imported_by(module)
        if _home(module, listed) == room
    }
    # The modules of a house outside its inner rooms are errors, which every room may import.
    houses = {name.rpartition("/")[0] for name in listed}
    return [name for name in listed if name in homes - houses - {room}]


def _home(module: str, listed: list[str]) -> str | None:
    """The innermost listed room of a module."""
    path = module.removeprefix("fairflow.").replace(".", "/")
    homes = [name for name in listed if path == name or path.startswith(f"{name}/")]
    return max(homes, key=len, default=None)


def table() -> str:
    """A row per room: what lives there, and whom it asks."""
    listed = list(rooms())
    graph = grimp.build_graph("fairflow", cache_dir=None)
    rows = [
        f"| `{room}` | {sentence(room)} | {', '.join(asked(room, listed, graph)) or '-'} |"
        for room in listed
    ]
    return "\n".join(["| room | what lives there | asks |", "| --- | --- | --- |", *rows, ""])


def page() -> str:
    """ARCHITECTURE.md with the table as it should be."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    return before + START + table() + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
