"""A test of a peer fails on our layer only if it is listed with a reason; `make oracle` runs it."""

import pytest
import yaml

from .live.peer_tests import PEERS, listed_tests, problems
from .pinned import ROOT

LISTED = {"test_a.py::test_one": "reason", "test_b.py::test_other": "reason"}


def test_a_failure_that_is_listed_is_no_problem():
    assert problems({"test_a.py::test_one": False, "test_a.py::test_two": True}, LISTED) == []


def test_a_failure_that_is_not_listed_is_named():
    (sentence,) = problems({"test_c.py::test_three": False}, LISTED)
    assert sentence == "test_c.py::test_three fails and is not in peer_tests.yaml"


@pytest.mark.parametrize("passed", [{"test_a.py::test_one": True}, {"test_a.py::test_two": True}])
def test_a_listed_test_that_passes_or_is_gone_is_named(passed):
    (sentence,) = problems(passed, LISTED)
    assert sentence == "test_a.py::test_one is in peer_tests.yaml and does not fail"


def test_the_page_counts_the_tests_that_are_not_listed():
    page = (ROOT / "workflow/site/pages/wefe.md").read_text("utf-8")
    assert f"of the 103 in its repository {103 - len(listed_tests('wefe'))} pass" in page


@pytest.mark.parametrize("peer", PEERS)
def test_a_defect_that_a_reason_names_is_in_the_list_of_defects(peer):
    defects = yaml.safe_load((ROOT / "tests/oracle/defects.yaml").read_text("utf-8"))
    reasons = set(listed_tests(peer).values())
    named = {one.partition(".")[0] for one in reasons if one[0] == "D" and one[1].isdigit()}
    assert named <= defects.keys()
