"""Language models that come in files are planned, fetched and announced as static ones are."""

from dataclasses import replace
from pathlib import Path

import pytest
from shipped import SCHEMAS, faults_of

from fairflow.language_models.planned.views import in_plan
from fairflow.planning.configuration import shape_problems
from fairflow.planning.planner import announcement, make_plan
from fairflow.provenance.records import citations, model_entries, resolved_configuration

CHECKSUM = f"sha256:{'a' * 64}"
WHEEL = {"sources": [{"pypi": "pkg==1"}], "archive": "zip", "member": "pkg/model"}
PACKED = {"kind": "encoder", **WHEEL, "bytes": 83_500_000, "checksum": CHECKSUM}
LOCAL = {"kind": "encoder", "sources": [{"file": "/nowhere/model.zip"}], "archive": "zip"}
GGUF = {"kind": "causal", "sources": [{"file": "m.gguf"}], "format": "gguf"}
STUDY = {
    "title": "Mine",
    "models": ["word2vec-google-news-300-weat", "packed"],
    "metrics": ["weat"],
    "criteria": {"Words": ["weat_6"]},
    "aggregation": "avg",
}


def planned(configuration, entry=PACKED, study=STUDY, download="bundled"):
    main = configuration.main | {"studies": ["mine"], "download": download}
    models = configuration.further["language_models"] | {"packed": entry}
    further, studies = configuration.further | {"language_models": models}, {"mine": study}
    return make_plan(replace(configuration, main=main, further=further, studies=studies))


def test_its_file_is_a_download_that_others_may_share(configuration):
    plan = planned(configuration, PACKED)
    name = CHECKSUM.replace(":", "-")
    download = plan.downloads[name]
    assert (download.sources, download.size) == ([{"pypi": "pkg==1"}], 83_500_000)
    assert plan.models["packed"].file == f"results/downloads/{name}"
    assert in_plan(plan).to_make("sources")[-1] == "packed"


def test_what_makes_its_folder_does_not_depend_on_where_the_file_comes_from(configuration):
    mirror = PACKED | {"sources": [{"url": "http://host/pkg.whl"}], "label": "A model"}
    one, other = (planned(configuration, e).models["packed"] for e in (PACKED, mirror))
    assert one.definition == other.definition
    assert one.definition["packing"]["member"] == "pkg/model"
    checked = PACKED | {"checksums": {"config.json": CHECKSUM}}
    assert planned(configuration, checked).models["packed"].definition != one.definition


def test_records_citations_and_announcement_tell_of_it_as_of_static_ones(
    configuration, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    cited = PACKED | {"citation": "Doe, J. (2020). A Model. ACL 2020", "licence": "MIT"}
    plan = planned(configuration, cited)
    row = model_entries(plan)[-1]
    assert row["sources"] == "pypi:pkg==1"
    assert (row["licence"], row["checksum"], row["member"]) == ("MIT", CHECKSUM, "pkg/model")
    assert citations(plan)["model packed"] == cited["citation"]
    assert resolved_configuration(plan)["language_models"]["packed"]["sources"] == ["pypi:pkg==1"]
    assert "  pkg-1.whl: 84 MB" in announcement(plan, tmp_path)
    manifest = tmp_path / "results/language_models/packed/manifest.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text("{}")
    assert "pkg-1.whl" not in announcement(plan, tmp_path)


def test_a_file_of_the_users_that_is_not_there_is_told_with_how_to_get_it(configuration):
    (problem,) = faults_of(planned, configuration, LOCAL | {"obtain": "Ask Jane for it."})
    assert "packed.sources: there is no file /nowhere/model.zip: Ask Jane for it." in problem
    assert planned(configuration, LOCAL, STUDY | {"models": STUDY["models"][:1]})


def test_a_gguf_file_needs_no_archive_and_may_have_a_checksum_in_one(configuration, tmp_path):
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    entry = GGUF | {"sources": [{"file": str(tmp_path / "m.gguf")}]}
    model = planned(configuration, entry).models["packed"]
    assert model.definition == {"kind": "causal", "format": "gguf", "packing": {}}
    assert model.file == str(tmp_path / "m.gguf")
    packed = (
        GGUF
        | WHEEL
        | {
            "checksum": CHECKSUM,
            "member": "pkg/m.gguf",
            "member_checksum": CHECKSUM,
        }
    )
    definition = planned(configuration, packed).models["packed"].definition
    assert definition["packing"] == {
        "archive": "zip",
        "member": "pkg/m.gguf",
        "checksum": CHECKSUM,
        "file_checksum": CHECKSUM,
    }


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (GGUF | {"archive": "zip"}, "the key 'member' is missing"),
        (
            {"kind": "causal", "folder": "x", "format": "gguf"},
            "'sources' is a dependency of 'format'",
        ),
        (
            {"kind": "causal", **WHEEL, "member_bytes": 1},
            "'format' is a dependency of 'member_bytes'",
        ),
        (
            {"kind": "encoder", "folder": "x", "member": "y"},
            "'sources' is a dependency of 'member'",
        ),
        ({"kind": "encoder", **WHEEL, "folder": "x"}, "expected a kind, and one of folder"),
        (
            {"kind": "encoder", **WHEEL, "sources": [{"pypi": "pkg"}]},
            "expected one of url (with parts",
        ),
        (
            {"kind": "encoder", "folder": "x", "checksums": {"a": CHECKSUM}},
            "expected hub or sources, to which checksums belong",
        ),
        (
            GGUF | {"kind": "masked"},
            "one.kind: 'masked' is not allowed here: no mask token can be read",
        ),
        (PACKED | {"chat_template": True}, "expected false, as only causal models chat"),
        ({"kind": "causal", "answers": {"q": "x"}}, "expected answers, the kind of given"),
    ],
)
def test_keys_that_do_not_belong_together_are_refused(entry, sentence):
    problems = shape_problems({"one": entry}, "language_models", Path("l.yaml"), SCHEMAS)
    assert any(sentence in problem for problem in problems), problems


def test_a_model_that_is_asked_in_its_chat_template_or_in_other_numbers_says_so(
    configuration, tmp_path
):
    file = tmp_path / "m.gguf"
    file.write_bytes(b"GGUF")
    own = GGUF | {"sources": [{"file": str(file)}]}
    plain = planned(configuration, own)
    entry = own | {"label": "Mine", "chat_template": True, "dtype": "bfloat16"}
    plan = planned(configuration, entry)
    model = plan.models["packed"]
    assert model.label == "Mine (chat template, bfloat16)"
    assert model.definition == plain.models["packed"].definition
    assert model.stated["chat_template"] is True
    assert (model.stated["dtype"], model.loading["device_map"]) == ("bfloat16", None)
    assert plain.models["packed"].loading == {
        "dtype": "float32", "device_map": None, "chat_template": None,
    }  # fmt: skip
    never = planned(configuration, own | {"label": "Mine", "chat_template": False})
    assert never.models["packed"].label == "Mine (no chat template)"
    record = next(one for one in model_entries(plan) if one["name"] == "packed")
    assert (record["chat_template"], record["dtype"]) == (True, "bfloat16")
