"""A project as one compressed file, equal bytes for equal contents, and which files it holds."""

from __future__ import annotations

import hashlib
import lzma
import tarfile
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from fairflow.errors import FairflowError
from fairflow.files.atomic import atomic_path
from fairflow.files.checksums import departure
from fairflow.provenance.checksums import UNPACK, ChecksumFault, checksum_lines

# Whoever packs, and when: 1 January 1980, which every format of archives can hold.
_MOMENT = 315532800
# The slices of a model share most of their vectors, which a window of 32 MiB finds: a quarter of
# the size that the 32 kB of gzip give. Packing takes about 250 MB of memory, unpacking 32 MB.
_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 1, "dict_size": 32 << 20}]
_CATALOGUES = "config/model_catalogues"
# Of the machine, not of the study.
_LOCAL_KEYS = ("models_dir", "mirrors")


def archived_settings(main: Mapping[str, Any]) -> dict[str, bytes]:
    """Path -> contents of the settings that an archive holds in place of the project's own.

    Parameters
    ----------
    main : contents of config.yaml, with what the command line changed.
    """
    settings = {key: value for key, value in main.items() if key not in _LOCAL_KEYS}
    files = {}
    catalogues = [Path(path) for path in settings.get("model_catalogues", ())]
    if catalogues:
        names = [f"{_CATALOGUES}/{i}-{path.name}" for i, path in enumerate(catalogues, start=1)]
        if not set(map(str, catalogues)) <= set(names):
            files = {n: path.read_bytes() for n, path in zip(names, catalogues, strict=True)}
            settings["model_catalogues"] = names
    text = yaml.safe_dump(settings | {"archive": True}, sort_keys=False, allow_unicode=True)
    head = (
        "# yaml-language-server: $schema=../workflow/schemas/config.schema.yaml\n"
        "# Every key is explained in config/README.md; an unknown key is refused.\n"
    )
    return files | {"config/config.yaml": (head + text).encode()}


def own_files(paths: Iterable[str]) -> list[str]:
    """Files of the user's that the configuration points to.

    Raises
    ------
    FairflowError : one lies outside the folder of the project, so that no archive can hold it.
    """
    files = sorted({PurePosixPath(path).as_posix() for path in paths})
    for file in files:
        if file.startswith("/") or ".." in PurePosixPath(file).parts:
            raise FairflowError(
                f"config: {file} lies outside the project: copy it into the project, so that the "
                "archive can hold it"
            )
    return files


def pack(
    folder: str, paths: Iterable[str], contents: Mapping[str, bytes], target: str | Path
) -> None:
    """Write a tar.xz of files, sorted by name, without owners, dates and permissions.

    Parameters
    ----------
    folder : the one folder in the archive. paths : files, by their place in the project.
    contents : files that are not taken from the project, or in place of it: name -> bytes.
    """
    names = sorted({*paths, *contents})
    with (
        atomic_path(target) as temporary,
        lzma.open(temporary, "wb", filters=_FILTERS) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for name in names:
            entry = tarfile.TarInfo(f"{folder}/{name}")
            # Snakemake computes results again that are not newer than the code they come from.
            entry.mtime = _MOMENT + name.startswith("results/")
            entry.mode = 0o755 if name.endswith(".sh") else 0o644
            data = contents.get(name)
            entry.size = Path(name).stat().st_size if data is None else len(data)
            with open(name, "rb") if data is None else BytesIO(data) as file:
                archive.addfile(entry, file)


# In an archive: the sha256 of each file of the workflow, as sha256sum writes it.
WORKFLOW_CHECKSUMS = "workflow.sha256"

DOCUMENTS = (
    *("Snakefile", "Makefile", "README.md", "LICENSE", "CITATION.cff", "Dockerfile"),
    "pyproject.toml",
)
FOLDERS = {
    "config": "Studies, models, metrics, queries and word sets",
    "envs": "Locked versions of the packages",
    "scripts": "The scripts of the rules and the library fairflow",
    "workflow": "The rules, schemas, profiles and captions",
}
# Files of tools among the files that people write.
_NOT_WRITTEN = (".pyc", "~", ".egg-info")


def documents(folder: Path) -> list[str]:
    """Those of the single files that a project has."""
    return [name for name in DOCUMENTS if (folder / name).is_file()]


def workflow_files(folder: Path) -> list[str]:
    """Documents and every file of the folders, hidden and compiled files left out; sorted."""
    found = (p for name in FOLDERS for p in (folder / name).rglob("*") if p.is_file())
    places = (path.relative_to(folder) for path in found)
    return sorted([*documents(folder), *(p.as_posix() for p in places if not _is_left_out(p))])


def _is_left_out(place: Path) -> bool:
    return any(
        part.startswith((".", "__pycache__")) or part.endswith(_NOT_WRITTEN) for part in place.parts
    )


def workflow_checksums(paths: Iterable[str], contents: Mapping[str, bytes]) -> bytes:
    """The contents of `WORKFLOW_CHECKSUMS`.

    Parameters
    ----------
    contents : files that replace the project's own in the archive: path -> bytes.
    """
    sums = {path: hashlib.sha256(data).hexdigest() for path, data in contents.items()}
    return checksum_lines(paths, sums).encode()


def workflow_faults() -> Iterator[ChecksumFault]:
    """Each file of the workflow that is not as it was packed, in the folder of an archive."""
    path = Path(WORKFLOW_CHECKSUMS)
    if not path.is_file():
        yield ChecksumFault(f"{path}: missing; {UNPACK}", by_hand=True)
        return
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        digest, _, name = line.partition("  ")
        if what := departure(Path(name), digest, "changed since the archive was packed"):
            yield ChecksumFault(f"{name}: {what}; {UNPACK}", by_hand=True)
