"""python -m fairflow.provenance.verify [FOLDER]: are all results what the run recorded?

With --repair it removes the others, and prints, a line each, the files that the workflow has to
make in addition to its usual results.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir, suppress
from pathlib import Path
from typing import Any

from fairflow.capabilities import additions
from fairflow.errors import DownloadError, FairflowError
from fairflow.files.atomic import read_json
from fairflow.files.checksums import Checksum, departure, recorded, sha256, sum_of
from fairflow.planning.catalogue import DOWNLOADS
from fairflow.planning.configuration import configuration_folder, read_configuration, read_yaml
from fairflow.planning.model_jobs import MODEL_RECORDS
from fairflow.planning.models import CONVERTED, DERIVATION
from fairflow.planning.plan import Plan
from fairflow.planning.planner import make_plan
from fairflow.planning.result_files import not_remade
from fairflow.provenance import checksums
from fairflow.provenance.archive import workflow_faults
from fairflow.provenance.checksums import AGAIN, ChecksumFault, recorded_results
from fairflow.provenance.model_record import index_sha256


def _contents(path: Path) -> dict[str, Any]:
    """Those of a JSON file; none of one that is missing or cannot be read, which is a result."""
    with suppress(OSError, ValueError):
        contents = read_json(path)
        return contents if isinstance(contents, dict) else {}
    return {}


def model_faults(store: str, plan: Plan | None) -> Iterator[ChecksumFault]:
    """Each converted model that differs from the one that the run read.

    A missing model is no fault: results can be rebuilt and read without it.

    Parameters
    ----------
    store : the folder of converted models.
    """
    others = (name for one in additions("plan") for name in one.derived(plan)) if plan else ()
    made_here = {*plan.stores, *others} if plan else set()
    for record in sorted(Path(MODEL_RECORDS).glob("*.json")):
        model, facts = record.stem, _contents(record)
        # A derived model has only this file.
        names = {"derivation": DERIVATION} if "derivation_sha256" in facts else CONVERTED
        files = tuple(f"{store}/{model}/{file}" for file in names.values())
        # No result needs a model that the configuration does not have any more.
        unused = plan and model not in made_here
        if unused or not facts or not any(map(os.path.isfile, files)):
            continue
        for path, name in zip(files, names, strict=True):
            if what := _departure(path, name, facts.get(f"{name}_sha256")):
                text = f"{path}: {what}; make repair makes the model again"
                yield ChecksumFault(text, remove=files, ask=files[:1])
                break


def _departure(path: str, name: str, expected: str | None) -> str | None:
    if name != "index" or not os.path.isfile(path):
        return departure(Path(path), expected, "changed since the run")
    try:
        return None if index_sha256(path) == expected else "changed since the run"
    except (sqlite3.Error, UnicodeError) as error:
        return f"damaged ({error})"


def network_faults() -> Iterator[ChecksumFault]:
    """Each file of a model that is no table which is not as when it was made or fetched.

    A model that is not here is no fault; nor is a list that cannot be read, which is a result.
    """
    for manifest in sorted(Path("results").glob("*/*/manifest.json")):
        model = manifest.with_name("model")
        listed = _contents(manifest).get("files", {}) if model.is_dir() else {}
        for name, expected in listed.items():
            if what := departure(model / name, expected, "changed"):
                yield ChecksumFault(
                    f"{model / name}: {what}; {AGAIN}", remove=(manifest.as_posix(),)
                )


def source_faults(plan: Plan, store: str) -> Iterator[ChecksumFault]:
    """Each download and each file of the user's from which other results would come now.

    One that is not here is no fault: it is fetched when it is needed.
    """
    for name, download in plan.downloads.items():
        path = f"{DOWNLOADS}/{name}"
        if os.path.isfile(path) and (difference := _difference(Path(path), download.checksum)):
            text = f"{path}: {difference}; make repair downloads it again"
            yield ChecksumFault(text, remove=(path,), ask=(path,))
    for record in sorted(Path(MODEL_RECORDS).glob("*.json")):
        model, facts = record.stem, _contents(record)
        if model not in plan.convertible:
            continue
        files = {plan.models[model].file: facts.get("source_sha256")}
        files |= {path: facts.get("words_sha256") for path in plan.table(model).word_files}
        yield from _changed(files, model, plan.table(model).own_files(store))
    for model, manifest in (pair for one in additions("plan") for pair in one.unpacked(plan)):
        expected = _contents(Path(manifest)).get("source_sha256")
        yield from _changed({plan.models[model].file: expected}, model, (manifest,))


def _changed(
    files: Mapping[str, str | None], model: str, made: tuple[str, ...]
) -> Iterator[ChecksumFault]:
    """Each file of the user, given with its sha256, that changed since `made` was made from it."""
    for path, expected in files.items():
        of_user = expected and not path.startswith(f"{DOWNLOADS}/") and os.path.isfile(path)
        if of_user and sha256(path) != expected:
            yield ChecksumFault(
                f"{path}: changed since {model} was converted; put it back, or make repair "
                "converts the changed file and computes what depends on it",
                remove=made,
                ask=made[:1],
            )


def _difference(path: Path, promised: str | None) -> str:
    try:
        expected = Checksum.parse(promised) if promised else recorded(path)
    except DownloadError as error:
        return str(error)
    if expected is None or (digits := sum_of(path, expected.kind)) == expected.hexadecimal:
        return ""
    return f"changed: {expected.kind} {digits}, expected {expected.hexadecimal}"


CONFIGURATION = "config/config.yaml"
# The folder of the Snakefile, in which a run need not lie.
WORKFLOW = Path(__file__).parents[3]


def project_faults(folder: Path) -> list[ChecksumFault]:
    """Missing, changed and foreign files: results, models, downloads, a user's vectors.

    Files that a project need not have, such as models in an unpacked archive, are no fault.
    """
    with chdir(folder):
        main = read_yaml(Path(CONFIGURATION)) if os.path.isfile(CONFIGURATION) else {}
        schemas, plan = WORKFLOW / "workflow" / "schemas", None
        try:
            if main:
                where = configuration_folder(main, WORKFLOW)
                plan = make_plan(read_configuration(main, where, schemas))
        except FairflowError as error:
            return [ChecksumFault(str(error), by_hand=True), *checksums.faults(Path())]
        store = main.get("models_dir", "results/models")
        archived = plan if plan and plan.archived else None
        found = [*checksums.faults(Path(), kept=not_remade(archived) if archived else ())]
        found += workflow_faults() if archived else ()
        found += [*model_faults(store, plan), *network_faults()]
        return [*found, *(source_faults(plan, store) if plan else ())]


def repair(folder: Path, faults: Sequence[ChecksumFault]) -> list[str]:
    """Remove what departs from the records of a run; the files to ask for by name.

    Raises
    ------
    FairflowError : a file cannot be removed, or something has to be repaired by hand before.
    """
    if by_hand := [fault.text for fault in faults if fault.by_hand]:
        raise FairflowError("\n".join([*by_hand, "Nothing was repaired: see to this first."]))
    for path in dict.fromkeys(path for fault in faults for path in fault.remove):
        try:
            if (folder / path).is_dir():
                shutil.rmtree(folder / path)
            else:
                (folder / path).unlink(missing_ok=True)
        except OSError as error:
            raise FairflowError(f"{path} cannot be removed: {error.strerror}") from error
    return list(dict.fromkeys(path for fault in faults for path in fault.ask))


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when every result is as recorded, or can be made again; else 1 and a line on each fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default=".", type=Path, help="of the project")
    parser.add_argument("--repair", action="store_true", help="remove what is not as recorded")
    asked = parser.parse_args(arguments)
    try:
        faults = project_faults(asked.folder)
        if asked.repair:
            print(*repair(asked.folder, faults), sep="\n")
            return 0
    except FairflowError as error:
        print(error, file=sys.stderr)
        return 1
    for fault in faults:
        print(fault.text, file=sys.stderr)
    if faults:
        files = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        print(f"{files}: the results are not those of the recorded run.", file=sys.stderr)
        return 1
    count = len(recorded_results(asked.folder)[0])
    print(f"All {count} results are as results/provenance records them.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
