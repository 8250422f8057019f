"""codecheck.yml by https://codecheck.org.uk/spec/config/1.0/."""

from __future__ import annotations

import yaml

from fairflow.provenance.exports.documents import codecheck


def test_it_is_an_explicit_document_with_version_manifest_and_paper(planted):
    ((path, text),) = codecheck(planted).items()
    assert path == "codecheck.yml"
    assert text.startswith("%YAML 1.1\n---\n")
    contents = yaml.safe_load(text)
    assert contents["version"] == "https://codecheck.org.uk/spec/config/1.0/"
    (file,) = contents["manifest"]
    assert file["file"] == "results/studies/planted/scores.csv"
    assert file["comment"] == "Scores: what was measured"
    assert contents["paper"] == {
        "title": "A study: <i>planted</i>",
        "authors": [{"name": "Ada Lovelace", "ORCID": "0000-0002-1825-0097"}],
        "reference": "https://doi.org/10.1000/182",
    }
    assert "make run STUDY=planted" in contents["source"]
