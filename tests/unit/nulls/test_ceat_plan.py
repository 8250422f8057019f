"""What the key `contexts` of a study plans, and what is wrong with it."""

from dataclasses import replace

import pytest
from shipped import faults_of

from fairflow.planning.planner import make_plan
from fairflow.planning.registry import Jobs, path_of

STUDY = {
    "title": "Contexts",
    "models": ["all-minilm-l6-v2-bare", "glove-6B-50d"],
    "contexts": {"corpus": "state_of_the_union", "most": 20},
    "metrics": ["weat_es"],
    "criteria": {"Gender": ["weat_6", "weat_7"]},
    "aggregation": "abs_avg",
}


def planned(configuration, **keys):
    main = configuration.main | {"studies": ["mine"], "download": "all"}
    return make_plan(replace(configuration, main=main, studies={"mine": STUDY | keys}))


def test_the_language_models_of_a_study_read_the_contexts_of_its_queries(configuration):
    plan = planned(configuration)
    made = Jobs(plan).of("contexts", study="mine")
    assert made.how["queries"] == ["weat_6", "weat_7"]
    assert made.how["most"] == 20
    assert made.inputs["source"] in {f"results/downloads/{name}" for name in plan.downloads}
    file = path_of(plan, "contextual_associations", study="mine", model="all-minilm-l6-v2-bare")
    assert Jobs(plan).of("tables", study="mine").inputs["contextual_associations"] == [file]


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ({"contexts": {"corpus": "speeches", "most": 20}}, "unknown corpus 'speeches'"),
        ({"models": ["glove-6B-50d"]}, "models names no language model that can be run"),
        ({"metrics": ["mac"], "criteria": {"G": ["mac_religion"]}}, "criteria names no query of"),
    ],
)
def test_contexts_that_nobody_reads_are_a_fault(configuration, keys, fault):
    assert any(fault in one for one in faults_of(planned, configuration, **keys))
