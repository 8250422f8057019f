"""The oracle of language models comes out of the workflow."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest
from language_project import STUDY, TARGET, headline, with_language_models, write

from fairflow.language_models.cells.item_score_files import read_item_scores
from project import ROOT, make_project

pytestmark = [pytest.mark.torch, pytest.mark.workflow]

REFERENCE = ROOT.parent / "shared/reference"
ORACLE = REFERENCE / "lm-oracle.json"


def oracle_queries(oracle: dict) -> dict:
    """Cases of the oracle as a user writes them."""
    queries = {
        f"lpbs_{number}": {
            "kind": "slot",
            "templates": [
                case["sentence"]
                .replace("[MASK]", ("{target}", "{fill}")[case["mask_index"]], 1)
                .replace("[MASK]", ("{fill}", "{target}")[case["mask_index"]], 1)
            ],
            "groups": {f"g{i}": [word] for i, word in enumerate(case["targets"])},
            "fills": [case["fill"]],
        }
        for number, case in enumerate(oracle["lpbs"][:3])
    }
    names = {"more": "sent_more", "less": "sent_less", "direction": "stereo_antistereo"}
    queries["crows"] = {
        "kind": "pair",
        "pairs": [
            {ours: item[theirs] for ours, theirs in names.items()}
            for item in oracle["crows_pairs"]["items"]
        ],
    }
    queries["kept_words"] = {
        "kind": "sentence",
        "sentences": [
            {"text": case["sentence"], "kept": [case["target"]]} for case in oracle["cps"]
        ],
    }
    return queries


@pytest.mark.skipif(not ORACLE.is_file(), reason="the shared oracle is not next to the checkout")
def test_the_oracle_comes_out_of_the_workflow(tmp_path: Path):
    oracle = json.loads(ORACLE.read_text("utf-8"))
    project = with_language_models(make_project(tmp_path / "oracle"))
    config = project.folder / "config"
    shutil.copytree(REFERENCE / "lm/tiny-bert", project.folder / "data/tiny-bert")
    write(config / "language_models.yaml", {"bert": {"kind": "masked", "folder": "data/tiny-bert"}})
    queries = oracle_queries(oracle)
    write(config / "language_queries/demonstration.yaml", {"queries": queries})
    study = STUDY | {
        "models": ["bert"],
        "metrics": ["lpbs", "crows_pairs", "aul", "cps"],
        "criteria": {"Oracle": list(queries)},
    }
    write(config / "studies/language.yaml", study)
    project.run(*TARGET)
    scores = headline(project)["value"]
    for number, case in enumerate(oracle["lpbs"][:3]):
        expected = case["expected"]["masks/one"]["score"]
        assert scores["bert", "lpbs", f"lpbs_{number}"] == pytest.approx(expected, abs=5e-4)
    for metric, summary in (("crows_pairs", "summary_cps"), ("aul", "summary_aul")):
        summed = oracle["crows_pairs"][summary]
        # A tie counts half in preference, and for the other side in metric_score.
        ties = summed["neutral"] / len(oracle["crows_pairs"]["items"])
        expected = summed["metric_score"] + 50 * ties - 50
        assert scores["bert", metric, "crows"] == pytest.approx(expected)
    values = read_item_scores(
        [project.folder / "results/item_scores/bert/cps/demonstration.parquet"]
    )
    for case, row in zip(oracle["cps"], values["bert", "cps", "kept_words"], strict=True):
        if case["expected"]["target_found"]:
            assert row["sum"] == pytest.approx(case["expected"]["sum"], abs=5e-4)
        else:
            assert row["status"] == "target_absent"
    invalid = pd.read_csv(project.folder / "results/studies/language/items.csv")
    assert set(invalid["status"]) <= {"target_absent", "unknown", "multi_token"}
