"""The file in which findings are kept."""

import math

import numpy as np
import pytest

from fairflow.errors import FairflowError
from fairflow.studies.benchmarks import Answers
from fairflow.studies.residual_bias import (
    Finding,
    ModelFindings,
    read_findings,
    undefined,
    write_findings,
)

ANSWERS = Answers(np.array([0, 3]), np.array([1.0, 2.0]), np.array([0.5, math.pi]))
FOUND = ModelFindings(
    "model",
    (
        Finding("clusters", runs=(0.9, 0.8), n=10, covered=5, total=6, chance=0.5),
        Finding("similarity", "RG65", answers=ANSWERS, note="a note"),
        Finding("explained_variance", value=0.25),
        *undefined(["direct_bias"], "no pair", total=3),
    ),
    {"words": 7},
)


def test_what_is_written_is_read(tmp_path):
    write_findings(FOUND, tmp_path / "file")
    read = read_findings(tmp_path / "file")
    assert (read.model, read.facts) == ("model", {"words": 7})
    for ours, theirs in zip(read.findings, FOUND.findings, strict=True):
        assert repr(ours).split("answers=")[0] == repr(theirs).split("answers=")[0]
        assert ours.is_undefined == theirs.is_undefined
    assert read.findings[1].answers.given.tolist() == [0.5, math.pi]
    assert [f.is_undefined for f in read.findings] == [False, False, False, True]


def test_equal_findings_are_equal_bytes(tmp_path):
    for name in ("a", "b"):
        write_findings(FOUND, tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_damaged_file_is_named(tmp_path):
    write_findings(FOUND, tmp_path / "file")
    data = (tmp_path / "file").read_bytes()
    (tmp_path / "file").write_bytes(data[:-20])
    with pytest.raises(FairflowError, match="file of findings"):
        read_findings(tmp_path / "file")
