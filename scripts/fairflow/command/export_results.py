"""The command `fairflow export`: a study's results in the forms that others read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from fairflow.command.project import meant, project_here
from fairflow.errors import FairflowError, nearest
from fairflow.files.atomic import write_text
from fairflow.files.configuration_files import shipped_schemas
from fairflow.provenance.exports import FORMS
from fairflow.provenance.exports.exported_study import finished_study
from fairflow.studies.wording import counted, shortened


def export(study: str, form: str, to: str | None = None) -> Iterator[str]:
    """Write the files of a form; a line on each file, and on scores that it leaves out.

    Parameters
    ----------
    form : of `FORMS`. to : a folder; results/exports/STUDY/FORM by default.

    Raises
    ------
    FairflowError : no such form or study, no results, or a file is there with other contents.
    """
    if form not in FORMS:
        raise FairflowError(f"there is no form {form!r}. {nearest(form, FORMS)}")
    project = project_here(checked=False)
    audits = [path.parent.name for path in Path("results/audit").glob("*/settings.json")]
    name = meant("study", study, [*project.files("studies"), *audits])
    found = finished_study(project.main, project.folder, shipped_schemas(), name)
    folder = to or f"results/exports/{name}/{form}"
    texts = {Path(folder, path): text for path, text in FORMS[form](found).items()}
    for path, text in texts.items():
        # Files of the usual folder are ours.
        if to and path.exists() and path.read_text("utf-8") != text:
            raise FairflowError(
                f"{path} is there with other contents: remove it, or name another folder with --to"
            )
    for path, text in texts.items():
        write_text(text, path)
        yield f"wrote {path}"
    for model, reasons in found.left_out.items():
        for why, count in Counter(map(shortened, reasons.values())).items():
            label = found.models[model]["label"]
            yield f"{label}: {counted(count, 'score')} not exported: {why}"
