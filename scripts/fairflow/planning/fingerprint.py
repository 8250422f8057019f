"""Fingerprints of code, because Snakemake does not watch the modules that a script imports.

Fingerprints of an earlier run are read from a file as long as no line of the library and its
scripts has changed: parsing the whole library takes seconds, reading it takes milliseconds.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec, resolve_name
from pathlib import Path

from fairflow.capabilities import CAPABILITIES, files_of_capabilities
from fairflow.files.memory import Memory

_PACKAGE = "fairflow"
SCRIPTS = Path(__file__).parents[2]
# Endings of data files that a module reads from its own folder.
DATA = (".yaml", ".bib")
# Functions of `fairflow.capabilities` that import the modules of a name.
_ASKING = ("extensions", "additions", "entries")


@cache
def fingerprint(*modules: str) -> str:
    """12 hexadecimal digits of the code of modules and of all that they import from fairflow.

    A module may also be a path that ends in .py. A data file in the folder of a module of fairflow,
    or of that name in a capability, counts as code of the module that names it; so do the
    extensions that a module asks for. Comments, docstrings, layout and the types of
    arguments do not count.
    """
    seen: dict[str, str] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            code, imported = _code(name)
            seen[name] = code
            waiting += imported
    text = "\n".join(f"{name}\n{seen[name]}" for name in sorted(seen))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


@cache
def _code(name: str) -> tuple[str, tuple[str, ...]]:
    """Normalised source of a module, and the fairflow modules that it imports."""
    path, package = _place(name)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            documented = ast.get_docstring(node, clean=False) is not None
            node.body = node.body[1:] if documented else node.body
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
    code = [ast.dump(tree)]
    for node in ast.walk(tree):
        named = node.value if isinstance(node, ast.Constant) else None
        if package and isinstance(named, str) and named.endswith(DATA):
            beside = (path.parent / named, *files_of_capabilities(named))
            code += [file.read_text(encoding="utf-8") for file in beside if file.is_file()]
    return "\n".join(code), tuple(sorted(set(_imports(tree, package))))


def _place(name: str) -> tuple[Path, str | None]:
    """The file of a module and the package that its relative imports start from."""
    if name.endswith(".py"):
        return Path(name), None
    if path := _own_file(name):
        return path, name if path.name == "__init__.py" else name.rpartition(".")[0]
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"no module {name!r}")
    return Path(spec.origin), spec.parent


def _imports(tree: ast.Module, package: str | None) -> list[str]:
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package)
            names += [module, *(f"{module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in _ASKING:
            places = [str(one.value) for one in node.args if isinstance(one, ast.Constant)]
            names += [f"{_PACKAGE}.{one}.{place}" for place in places for one in CAPABILITIES]
    return [name for name in names if name != _PACKAGE and _own_file(name)]


@cache
def _own_file(name: str) -> Path | None:
    """The file of a module of this package, found without importing its package."""
    package, *parts = name.split(".")
    if package != _PACKAGE:
        return None
    path = Path(__file__).parents[1].joinpath(*parts)
    candidates = path.with_suffix(".py"), path / "__init__.py"
    return next((file for file in candidates if file.is_file()), None)


def remembering(
    fingerprint: Callable[..., str], memory: Path, code: Path = SCRIPTS, keep: bool = True
) -> Callable[..., str]:
    """The same function, which reads a file first and extends it when Python ends.

    Parameters
    ----------
    fingerprint : of names of modules. memory : the file; one that cannot be read or written, or
        is of other code or another Python, counts for nothing.
    code : the folder of all code that fingerprints are taken of. keep : whether to add to it.
    """
    known = Memory(memory, _state_of_code(code), keep)

    @cache
    def remembered(*modules: str) -> str:
        key = " ".join(map(_key, modules))
        if key not in known:
            known[key] = fingerprint(*modules)
        return known[key]

    return remembered


def _key(module: str) -> str:
    """The name of a module, with the contents of a module that is a file."""
    if not module.endswith(".py"):
        return module
    return f"{module} {hashlib.sha256(Path(module).read_bytes()).hexdigest()}"


def _state_of_code(code: Path) -> str:
    """A checksum of the modules and data in a folder, with their places, and Python's version."""
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(path for path in code.rglob("*.*") if path.suffix in (".py", *DATA)):
        contents = path.read_bytes()
        digest.update(f"{path.relative_to(code)} {len(contents)}\n".encode())
        digest.update(contents)
    return digest.hexdigest()
