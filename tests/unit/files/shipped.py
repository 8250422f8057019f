"""The configuration that comes with fairflow, its plans, and what is wrong with another one."""

from pathlib import Path

import pytest

from fairflow.errors import ConfigurationError
from fairflow.files.configuration_files import read_yaml
from fairflow.planning.configuration import read_configuration
from fairflow.planning.planner import make_plan

ROOT = Path(__file__).parents[3]
CONFIG, SCHEMAS = ROOT / "config", ROOT / "workflow/schemas"


def shipped(folder=CONFIG, **main):
    """It, or that of another folder, with these settings."""
    return read_configuration(read_yaml(folder / "config.yaml") | main, folder, SCHEMAS)


def plan_of(study, folder=CONFIG, **main):
    """Of this study alone."""
    return make_plan(shipped(folder, studies=[study], **main))


def faults_of(plan, *arguments, **options):
    """The sentences on what cannot be planned."""
    with pytest.raises(ConfigurationError) as error:
        plan(*arguments, **options)
    return list(error.value.problems)
