"""Everything of a project that is not as its run recorded it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

from fairflow.errors import FairflowError
from fairflow.planning.configuration import read_configuration, read_yaml
from fairflow.planning.configuration_folder import configuration_folder
from fairflow.planning.plan import Plan
from fairflow.planning.planner import make_plan
from fairflow.planning.result_files import not_remade
from fairflow.provenance import checksums
from fairflow.provenance.converted_models import model_faults
from fairflow.provenance.fault import Fault
from fairflow.provenance.network_files import network_faults
from fairflow.provenance.project_files import workflow_faults
from fairflow.provenance.source_files import source_faults

CONFIGURATION = "config/config.yaml"
# The folder of the Snakefile, in which a run need not lie.
WORKFLOW = Path(__file__).parents[3]


def project_faults(folder: Path) -> list[Fault]:
    """What is missing, changed or not of the run: results, models, downloads, a user's vectors.

    Files that a project need not have, such as models in an unpacked archive, are no fault.
    """
    with chdir(folder):
        main = read_yaml(Path(CONFIGURATION)) if os.path.isfile(CONFIGURATION) else {}
        try:
            plan = _plan(main) if main else None
        except FairflowError as error:
            return [Fault(str(error), by_hand=True), *checksums.faults(Path())]
        return list(_faults(plan, main.get("models_dir", "results/models")))


def _faults(plan: Plan | None, store: str) -> Iterator[Fault]:
    archived = plan is not None and plan.archived
    yield from checksums.faults(Path(), kept=not_remade(plan) if archived else ())
    if archived:
        yield from workflow_faults()
    yield from model_faults(store, plan)
    yield from network_faults()
    if plan is not None:
        yield from source_faults(plan, store)


def _plan(main: dict[str, object]) -> Plan:
    folder = configuration_folder(main, WORKFLOW)
    schemas = WORKFLOW / "workflow" / "schemas"
    return make_plan(read_configuration(main=main, folder=folder, schemas=schemas))
