"""Every result tells what became of the words, and why a value is missing."""

import pytest

from fairflow import ECT, MAC, RIPA, RND, RNSB, WEAT, Query

PAIRS = [(WEAT, 2), (RND, 1), (RNSB, 2), (MAC, 2), (ECT, 1), (RIPA, 1)]
METRICS = [metric for metric, _ in PAIRS]


@pytest.fixture
def model(model_of):
    return model_of(east=[1, 0], north=[0, 1], flat=[2, 1], steep=[1, 2], low=[3, 1], far=[5, 1])


def query(metric, *targets):
    attributes = [["east", "flat"], ["north", "steep"]]
    return Query([list(words) for words in targets], attributes[: dict(PAIRS)[metric]])


@pytest.mark.parametrize("metric", METRICS)
def test_the_audit_names_words_lost_repeated_and_shared(metric, model):
    asked = query(metric, ["east", "east", "lost", "low", "far"], ["north", "low", "steep", "flat"])
    parameters = {"holdout": False} if metric is RNSB else {}
    result = metric().run_query(asked, model, **parameters)
    first, second = result["audit"][:2]
    assert (first["lost"], first["duplicated"], first["shared"]) == (["lost"], ["east"], ["low"])
    assert (second["lost"], second["duplicated"], second["shared"]) == ([], [], ["low"])
    assert first["n_found"] + len(first["lost"]) == len(first["words"])
    assert result["status"] == "ok"
