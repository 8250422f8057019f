"""Citations become BibTeX: authors, year, title, place, and stable keys."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from fairflow.provenance.citations import bibtex, merged, parse_reference, references_of

ROOT = Path(__file__).parents[3]
SOFTWARE = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
WEAT = (
    "Caliskan, A., Bryson, J. J., & Narayanan, A. (2017). Semantics derived automatically from "
    "language corpora contain human-like biases. Science, 356(6334), 183-186. "
    "https://doi.org/10.1126/science.aal4230"
)


def test_an_article_is_taken_apart():
    reference = parse_reference(WEAT)
    assert reference.kind == "article"
    assert reference.key == "caliskan2017semantics"
    assert reference.fields == {
        "author": "Caliskan, A. and Bryson, J. J. and Narayanan, A.",
        "year": "2017",
        "title": "Semantics derived automatically from language corpora contain human-like biases",
        "journal": "Science",
        "volume": "356",
        "number": "6334",
        "pages": "183--186",
        "url": "https://doi.org/10.1126/science.aal4230",
        "doi": "10.1126/science.aal4230",
    }


@pytest.mark.parametrize(
    ("citation", "kind", "expected"),
    [
        (
            "Hu, M., & Liu, B. (2004). Mining and Summarizing Customer Reviews. KDD-2004, 168-177. "
            "https://doi.org/10.1145/1014052.1014073",
            "inproceedings",
            {"booktitle": "KDD-2004", "pages": "168--177", "author": "Hu, M. and Liu, B."},
        ),
        (
            "Bolukbasi, T., Chang, K.-W., & Zou, J. (2016). Man is to Computer Programmer as Woman "
            "is to Homemaker? Debiasing Word Embeddings. NIPS 2016, 4349-4357. "
            "https://arxiv.org/abs/1607.06520 (data repository tolga-b/debiaswe, MIT)",
            "inproceedings",
            {
                "author": "Bolukbasi, T. and Chang, K.-W. and Zou, J.",
                "title": "Man is to Computer Programmer as Woman is to Homemaker? Debiasing Word "
                "Embeddings",
                "note": "data repository tolga-b/debiaswe, MIT",
            },
        ),
        (
            "Carlson, R., Bauer, J., & Manning, C. (2025). A New Pair of GloVes. arXiv 2507.18103",
            "misc",
            {"title": "A New Pair of GloVes", "eprint": "2507.18103", "archiveprefix": "arXiv"},
        ),
        (
            "Mikolov, T., & Dean, J. (2013). Distributed Representations. NIPS 2013; subset of "
            "Bolukbasi et al. (2016)",
            "inproceedings",
            {"booktitle": "NIPS 2013", "note": "subset of Bolukbasi et al. (2016)"},
        ),
        (
            "Greenwald, A. G., & Schwartz, J. L. K. (1998). JPSP 74(6), 1464-1480",
            "article",
            {"journal": "JPSP", "volume": "74", "number": "6", "pages": "1464--1480"},
        ),
        (
            "Ethayarajh, Duvenaud & Hirst 2019, https://doi.org/10.18653/v1/P19-1166",
            "misc",
            {"author": "Ethayarajh and Duvenaud and Hirst", "doi": "10.18653/v1/P19-1166"},
        ),
        ("made up for the tests", "misc", {"note": "made up for the tests"}),
    ],
)
def test_other_forms_keep_what_they_say(citation: str, kind: str, expected: dict):
    reference = parse_reference(citation)
    assert reference.kind == kind
    assert expected.items() <= reference.fields.items()


def test_citations_of_one_publication_become_its_fullest_entry():
    short = parse_reference("Caliskan et al. 2017, https://doi.org/10.1126/science.aal4230")
    assert merged([short, parse_reference(WEAT)]) == [parse_reference(WEAT)]


def test_two_publications_with_one_key_get_a_letter():
    citations = [f"Caliskan, A. (2017). Semantics of {x}. X 2017, 1-2" for x in ("cats", "dogs")]
    keys = [reference.key for reference in merged(map(parse_reference, citations))]
    assert keys == ["caliskan2017semantics", "caliskan2017semanticsb"]


def every_citation() -> dict[str, str]:
    """Of the whole configuration, used or not."""
    found = {}
    for path in sorted((ROOT / "config").rglob("*.yaml")):
        contents = yaml.safe_load(path.read_text(encoding="utf-8"))
        if isinstance(contents, list):
            contents = dict(enumerate(contents))
        for number, entry in enumerate([contents, *contents.values(), *_sets(contents)]):
            for key in ("citation", "source"):
                if isinstance(entry, dict) and key in entry:
                    found[f"{path.stem} {number} {key}"] = entry[key]
    return found


def _sets(contents: dict) -> list[dict]:
    return list(contents.get("sets", {}).values())


def test_every_citation_of_the_project_makes_valid_bibtex():
    bibtexparser = pytest.importorskip("bibtexparser")
    citations = every_citation()
    assert len(citations) > 40
    text = bibtex(references_of(citations, SOFTWARE))
    library = bibtexparser.parse_string(text)
    assert library.failed_blocks == []
    assert len(library.entries) > 15
    for entry in library.entries:
        names = {field.key for field in entry.fields}
        assert "year" in names or "note" in names
        assert "title" in names or "note" in names or "journal" in names


def test_special_characters_are_escaped_and_addresses_are_not():
    citation = "Doe, J. (2001). 100% of {sets} & more_words. Journal, 1(2), 3-4. https://x.org/a_b"
    text = bibtex([parse_reference(citation)])
    assert r"{{100\% of \{sets\} \& more\_words}}" in text
    assert "{https://x.org/a_b}" in text


def test_the_software_is_cited_too():
    (reference,) = references_of({}, SOFTWARE)
    assert reference.key == "fairflow"
    assert reference.fields["year"] == SOFTWARE["date-released"].isoformat()[:4]
