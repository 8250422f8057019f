"""What tells a run from others: version, configuration, seed and scores."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from fairflow.command.project import project_here
from fairflow.files.configuration_files import shipped_schemas, version
from fairflow.planning.configuration import only, read_configuration
from fairflow.planning.planner import make_plan
from fairflow.provenance.records import run_identity


def plan_of(study: str, **settings):
    project = project_here()
    main = {**project.main, **only(study), **settings}
    return make_plan(read_configuration(main, project.folder, shipped_schemas()))


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    path = tmp_path / "scores.parquet"
    path.write_bytes(b"scores")
    return path


def test_it_has_the_version_the_seed_and_the_checksum_of_the_scores(scores, tmp_path):
    found = run_identity(plan_of("garg_2018"), scores, tmp_path)
    assert found["fairflow"] == version()
    assert found["seed"] == "2020"
    assert found["scores_sha256"] == hashlib.sha256(b"scores").hexdigest()
    assert "commit" not in found


def test_another_seed_is_another_configuration_and_the_same_one_is_not(scores, tmp_path):
    one, same, other = (
        run_identity(plan_of("garg_2018", **settings), scores, tmp_path)["configuration_sha256"]
        for settings in ({}, {}, {"seed": 7})
    )
    assert one == same != other
