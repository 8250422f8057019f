"""An audit of a language model, in files or of the hub, as of vectors."""

import json
from types import ModuleType

import pandas as pd
import pytest

from fairflow.language_models import LANGUAGE
from fairflow.scores.ranked import ranked_rows
from fairflow.studies.tables import study_tables
from hub_server import hub_of
from project import Project, make_project
from test_audit import PRESETS, audited, report_of

pytestmark = pytest.mark.workflow


@pytest.fixture(scope="module")
def networks(torch: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with a sentence encoder, a masked and a causal model, and a GGUF, all tiny."""
    from gguf_files import network, write_gguf
    from models import causal_model, masked_model

    folder = tmp_path_factory.mktemp("networks")
    masked, causal = masked_model(), causal_model()
    for name, model, part in (
        ("masked", masked, masked.network),
        ("causal", causal, causal.network),
        ("encoder", masked, masked.network.bert),
    ):
        part.save_pretrained(folder / name)
        model.tokens.tokenizer.save_pretrained(folder / name)
    said = {"pooling_mode_mean_tokens": True}
    (folder / "encoder/1_Pooling").mkdir()
    (folder / "encoder/1_Pooling/config.json").write_text(json.dumps(said))
    write_gguf(folder / "small.gguf", network(), "F16")
    project = make_project(folder / "project")
    (project.folder / "config/presets.yaml").write_text(PRESETS)
    return project


@pytest.mark.parametrize("name", ["encoder", "masked", "causal", "small.gguf"])
def test_a_language_model_is_audited_as_vectors_are(networks: Project, name: str):
    lines = audited(networks, path=f"../{name}")
    report = report_of(networks, lines)
    assert name in report.read_text()
    tables = networks.folder / "results/studies" / report.parent.name
    promised = {file for table in study_tables(None, LANGUAGE) for file in table.files}
    assert promised | {"conclusions.md"} == {path.name for path in tables.iterdir()}
    scores = pd.read_parquet(tables / "scores.parquet")
    own = ranked_rows(scores[scores["model"] == report.parent.name])
    assert [*own["status"]] == ["ok"] * len(own)
    assert len(own) > 0


def test_a_model_of_the_hub_is_audited_as_its_folder_is(
    networks: Project, tmp_path, monkeypatch: pytest.MonkeyPatch
):
    folder = networks.folder.parent / "encoder"
    commit = "0123456789abcdef" * 2 + "01234567"
    with hub_of(folder, "org/encoder", commit, monkeypatch, tmp_path):
        audited(networks, "audit_name=ours", path=f"hf:org/encoder@{commit}")
        audited(networks, "audit_name=local", path=str(folder))
    ours, local = (
        pd.read_parquet(networks.folder / f"results/studies/{name}/scores.parquet")
        for name in ("ours", "local")
    )
    # The random splits of RNSB are seeded with the name of the model.
    values = [
        scores.loc[(scores["model"] == name) & (scores["metric"] != "rnsb"), "value"].tolist()
        for name, scores in (("ours", ours), ("local", local))
    ]
    assert values[0] == pytest.approx(values[1], abs=1e-6)
    assert len(values[0]) > 0
