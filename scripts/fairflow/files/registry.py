"""Classes that are registered by their file: `NAME.py` of a folder holds the class called NAME."""

from __future__ import annotations

import inspect
from functools import cached_property
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Generic, TypeVar

from fairflow.capabilities import extensions
from fairflow.errors import ConfigurationError, nearest

Base = TypeVar("Base")


class Registry(Generic[Base]):
    """The subclasses of a base class in a package, one per file, and a user's own.

    Parameters
    ----------
    package : its files are the registered names, except files that start with _ and the base's.
    base : what every registered class is derived from, as "module.Class": imported with the first
        of them, as a list of names needs no class.
    what : one of them in words, for errors.
    place : the folder of capabilities that has more of them, see `fairflow.capabilities`.
    """

    def __init__(self, package: str, base: str, what: str, place: str = "") -> None:
        self.package = package
        self.place = place
        self.what = what
        self._base = base
        self._files: dict[tuple[str, int], ModuleType] = {}

    @cached_property
    def base(self) -> type[Base]:
        """What every registered class is derived from."""
        module, _, name = self._base.rpartition(".")
        return getattr(import_module(module), name)

    @cached_property
    def _modules(self) -> dict[str, str]:
        """Name -> its module, in alphabetical order."""
        packages = [import_module(self.package), *(extensions(self.place) if self.place else ())]
        found = {
            module.name: f"{package.__name__}.{module.name}"
            for package in packages
            for module in iter_modules(package.__path__)
            if not module.name.startswith("_")
        }
        own = self._base.rpartition(".")[0]
        return {name: module for name, module in sorted(found.items()) if module != own}

    @property
    def names(self) -> tuple[str, ...]:
        """The files of the packages, in alphabetical order."""
        return tuple(self._modules)

    def module(self, name: str) -> str:
        """Where the code is: a module, or a file of the user's.

        Parameters
        ----------
        name : one of `names`, an importable module with dots, or a path that ends in .py.

        Raises
        ------
        ConfigurationError : the name is unknown; the nearest one is given.
        """
        if name.endswith(".py") and not Path(name).is_file():
            raise ConfigurationError([f"{self.what} {name!r}: there is no such file"])
        if not name.endswith(".py") and {"/", "\\"} & {*name}:
            raise ConfigurationError(
                [f"{self.what} {name!r}: a path must end in .py, the file of your class"]
            )
        if "." in name:
            return name
        if name not in self.names:
            raise ConfigurationError([f"unknown {self.what} {name!r}. {nearest(name, self.names)}"])
        return self._modules[name]

    def load(self, name: str) -> type[Base]:
        """The one class that the module of `name` defines.

        Raises
        ------
        ConfigurationError : no such module, an error in it, or not exactly one class.
        """
        name = self.module(name)
        try:
            module = self._load_file(name) if name.endswith(".py") else import_module(name)
        # Code of the user's may fail in any way; the configuration's author must see where.
        except Exception as error:
            problem = f"{self.what} {name!r}: {type(error).__name__}: {error}"
            raise ConfigurationError([problem]) from error
        defined = (v for v in vars(module).values() if inspect.isclass(v))
        own = [v for v in defined if v.__module__ == module.__name__]
        classes = [value for value in own if issubclass(value, self.base)]
        if len(classes) != 1:
            problem = f"{module.__name__} must define one subclass of {self.base.__name__}, "
            raise ConfigurationError([f"{problem}found {len(classes)}"])
        return classes[0]

    def class_called(self, name: str) -> type[Base]:
        """The class of this name: `__getattr__` of the package, so that users import it from there.

        Raises
        ------
        AttributeError : no file of the package has this name; the nearest name is given.
        """
        if name == self._base.rpartition(".")[2]:
            return self.base
        files = {file.replace("_", ""): file for file in self.names}
        if not name[:1].isupper() or name.lower() not in files:
            hint = f". {nearest(name.lower(), self.names)}" if name[:1].isupper() else ""
            raise AttributeError(f"module {self.package!r} has no attribute {name!r}{hint}")
        return self.load(files[name.lower()])

    def _load_file(self, path: str) -> ModuleType:
        """The module of a file, loaded again when the file is another one."""
        key = (str(Path(path).resolve()), Path(path).stat().st_mtime_ns)
        if key not in self._files:
            spec = spec_from_file_location(f"{self.package}.user.{Path(path).stem}", path)
            if spec is None or spec.loader is None:
                raise ImportError(f"{path} is no file of Python")
            module = module_from_spec(spec)
            spec.loader.exec_module(module)
            self._files[key] = module
        return self._files[key]
