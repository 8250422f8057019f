"""What converted models and words come from, compared with what it was when it was used."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from fairflow.errors import DownloadError
from fairflow.files.atomic import sha256
from fairflow.files.downloads.checksums import Checksum, recorded, sum_of
from fairflow.planning.catalogue import DOWNLOADS
from fairflow.planning.language_model import PACKED
from fairflow.planning.plan import Plan
from fairflow.planning.result_files import manifest_file
from fairflow.provenance.converted_models import model_records
from fairflow.provenance.fault import Fault


def source_faults(plan: Plan, store: str) -> Iterator[Fault]:
    """Each download and each file of the user's from which other results would come now.

    One that is not here is no fault: it is fetched when it is needed.
    """
    for name, download in plan.downloads.items():
        path = f"{DOWNLOADS}/{name}"
        if os.path.isfile(path) and (difference := _difference(Path(path), download.checksum)):
            text = f"{path}: {difference}; make mend fetches it again"
            yield Fault(text, remove=(path,), ask=(path,))
    for model, facts in model_records().items():
        if model not in plan.convertible:
            continue
        files = {plan.models[model].file: facts.get("source_sha256")}
        files |= {path: facts.get("words_sha256") for path in plan.models[model].word_files}
        yield from _changed(files, model, plan.models[model].own_files(store))
    for model in plan.to_make(PACKED):
        manifest = manifest_file(model)
        expected = _told_of_source(Path(manifest))
        yield from _changed({plan.models[model].file: expected}, model, (manifest,))


def _told_of_source(manifest: Path) -> str | None:
    """The sha256 of the file that a language model was unpacked from.

    None where there is no list of its files, or one that cannot be read, which is a result.
    """
    try:
        return json.loads(manifest.read_text(encoding="utf-8")).get("source_sha256")
    except (OSError, ValueError, AttributeError):
        return None


def _changed(files: Mapping[str, str | None], model: str, made: tuple[str, ...]) -> Iterator[Fault]:
    """Each file of the user's, given with its sha256, that is not what `made` was made of."""
    for path, expected in files.items():
        of_user = expected and not path.startswith(f"{DOWNLOADS}/") and os.path.isfile(path)
        if of_user and sha256(path) != expected:
            yield Fault(
                f"{path}: changed since {model} was converted; put back what it was, or make mend "
                "converts it as it is now and computes what depends on it",
                remove=made,
                ask=made[:1],
            )


def _difference(path: Path, promised: str | None) -> str:
    try:
        expected = Checksum.parse(promised) if promised else recorded(path)
    except DownloadError as error:
        return str(error)
    if expected is None:
        return ""
    digits = sum_of(path, expected.kind)
    if digits == expected.hexadecimal:
        return ""
    return f"changed: {expected.kind} {digits}, expected {expected.hexadecimal}"
