"""The command `fairflow export`: a study's results in the forms that others read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from fairflow.command.project import meant, project_here
from fairflow.errors import FairflowError, nearest
from fairflow.files.atomic import write_text
from fairflow.files.configuration_files import shipped_schemas

# The form whose file is in the folder of the run, because its paths start there.
_IN_PLACE = "codecheck"


def export(study: str, form: str, to: str | None = None, dataset: str = "") -> list[str]:
    """Write the files of a form; a line on each file, and on each model without one.

    Parameters
    ----------
    form : of `fairflow.provenance.exports.FORMS`. to : a folder; results/exports/STUDY/FORM by
        default. dataset : see `ExportedStudy`.

    Raises
    ------
    FairflowError : no such form or study, no results, or a file is there with other contents.
    """
    # Late, because they import pandas.
    from fairflow.provenance.exports import FORMS
    from fairflow.provenance.exports.finished_study import finished_study
    from fairflow.studies.wording import counted, shortened

    if form not in FORMS:
        raise FairflowError(f"there is no form {form!r}. {nearest(form, FORMS)}")
    project = project_here(checked=False)
    audits = [path.parent.name for path in Path("results/audit").glob("*/settings.json")]
    name = meant("study", study, [*project.files("studies"), *audits])
    exported = finished_study(project.main, project.folder, shipped_schemas(), name, dataset)
    texts = FORMS[form](exported)
    usual = Path() if form == _IN_PLACE else Path("results/exports", name, form)
    folder = usual if to is None else Path(to)
    paths = {folder / path: text for path, text in texts.items()}
    for path, text in paths.items():
        # Files of the default folder are ours.
        if path.exists() and (to or form == _IN_PLACE) and path.read_text("utf-8") != text:
            raise FairflowError(
                f"{path} is there with other contents: remove it, or name another folder with --to"
            )
    for path, text in paths.items():
        write_text(text, path)
    lines = [f"wrote {path}" for path in paths]
    for model, facts in exported.models.items() if form != _IN_PLACE else ():
        reasons = Counter(shortened(why) for _, why in exported.left_out(model))
        for why, count in reasons.items():
            lines.append(f"{facts['label']}: {counted(count, 'score')} not exported: {why}")
    return lines
