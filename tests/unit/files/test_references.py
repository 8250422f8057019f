"""Citations name publications of references.bib by their keys: in words, and as BibTeX."""

import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
import yaml

from fairflow.errors import ConfigurationError
from fairflow.files.references import cited, full_citation, references
from fairflow.provenance.records import bibliography, software_entry
from fairflow.queries.query_file import read_property

ROOT = Path(__file__).parents[3]
SOFTWARE = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
WEAT = (
    "Caliskan, A., Bryson, J. J., & Narayanan, A. (2017). Semantics derived automatically from "
    "language corpora contain human-like biases. Science, 356(6334), 183-186. "
    "https://doi.org/10.1126/science.aal4230"
)
OF_METHODS = ("fairflow.metrics", "fairflow.transforms", "fairflow.language_models.metrics")
# Not publications: these words stay as they are.
WORDS = ("fairflow's own selection", "the authors' notebook", "Explosion fastText Vectors")


@pytest.mark.parametrize(
    ("citation", "expected"),
    [
        ("caliskan2017semantics", WEAT),
        ("caliskan2017semantics (its supplement)", f"{WEAT} (its supplement)"),
        ("caliskan2017semantics; the notebook", f"{WEAT}; the notebook"),
        ("liang2022holistic", "Liang, P., Bommasani, R., Lee, T., et al. (2022). Holistic "
         "Evaluation of Language Models. arXiv:2211.09110"),
        ("dev2019attenuating", "Dev, S., & Phillips, J. M. (2019). Attenuating Bias in Word "
         "Vectors. AISTATS 2019, PMLR 89, 879-887. https://proceedings.mlr.press/v89/dev19a.html"),
        ("our own pairs; a trial", "our own pairs; a trial"),
        ("", ""),
        (None, None),
    ],
)  # fmt: skip
def test_a_citation_is_told_in_words(citation, expected):
    assert full_citation(citation) == expected


def test_publications_are_written_once_with_what_they_are_cited_for():
    citations = {"metric WEAT": "caliskan2017semantics", "query weat_1": "caliskan2017semantics"}
    (entry,) = bibliography(citations | {"word set a:b": "caliskan2017semantics (supplement)"})
    assert entry.startswith("@article{caliskan2017semantics,\n  author = {Caliskan, A. and ")
    assert "  note = {supplement},\n" in entry
    assert "  keywords = {metric WEAT, query weat\\_1, word set a:b},\n" in entry


def test_words_become_a_note_with_a_key_of_their_own():
    text = "Doe, J. (2001). 100% of {sets} & more_words"
    ((note, _),) = cited(text)
    assert re.fullmatch("doe-[0-9a-f]{6}", note.key)
    assert note.fields == {"note": r"Doe, J. (2001). 100\% of \{sets\} \& more\_words"}
    assert cited(f"  {text}\n")[0][0].key == note.key != cited("another")[0][0].key


def test_keys_of_ones_own_come_from_the_project(tmp_path, monkeypatch):
    (tmp_path / "config").mkdir()
    own = tmp_path / "config/references.bib"
    own.write_text("@misc{me,\n  author = {Me, A.},\n  year = {2026},\n  title = {{Mine}},\n}\n")
    monkeypatch.chdir(tmp_path)
    assert full_citation("me") == "Me, A. (2026). Mine"
    assert "caliskan2017semantics" in references()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("@misc{me, author = {Me}}\n", "'@misc{me, author = {Me}}' begins no entry"),
        ("@misc{me,\n  title = {Mine},\n}\n", "me: it has no author, year"),
    ],
)
def test_an_entry_that_cannot_be_read_is_an_error(tmp_path, monkeypatch, text, problem):
    (tmp_path / "config").mkdir()
    (tmp_path / "config/references.bib").write_text(text)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigurationError, match=re.escape(problem)):
        references()


def every_citation() -> dict[str, str]:
    """Of the whole configuration and of all metrics and transforms, used or not."""
    found = {}
    of_methods = (ROOT / "scripts/fairflow").rglob("methods.yaml")
    for path in (*sorted((ROOT / "config").rglob("*.yaml")), *of_methods):
        contents = yaml.safe_load(path.read_text(encoding="utf-8"))
        found |= {f"{path} {i}": text for i, text in enumerate(texts_in(contents))}
    for path in sorted((ROOT / "config/properties").glob("*.csv")):
        found[str(path)] = read_property(path).citation
    for package in OF_METHODS:
        for module in iter_modules(import_module(package).__path__):
            defined = vars(import_module(f"{package}.{module.name}")).values()
            texts = [vars(one).get("citation") for one in defined if isinstance(one, type)]
            found |= {f"{module.name} {i}": text for i, text in enumerate(texts) if text}
    return {use: text for use, text in found.items() if isinstance(text, str)}


def texts_in(contents) -> list[str]:
    if isinstance(contents, list):
        return [text for each in contents for text in texts_in(each)]
    if not isinstance(contents, dict):
        return []
    below = [text for each in contents.values() for text in texts_in(each)]
    own = [contents[key] for key in ("citation", "source") if key in contents]
    return [text for text in own if isinstance(text, str)] + below


def test_every_citation_of_the_project_names_a_publication_and_each_is_named():
    citations = every_citation()
    assert len(citations) > 100
    named = {one.key for text in citations.values() for one, _ in cited(text)}
    words = [text for text in citations.values() if cited(text)[0][0].key not in references()]
    assert [text for text in words if not text.startswith(WORDS)] == []
    assert references().keys() - named == set()


def test_the_publications_make_valid_bibtex():
    bibtexparser = pytest.importorskip("bibtexparser")
    text = "\n".join([*bibliography(every_citation()), software_entry(SOFTWARE)])
    library = bibtexparser.parse_string(text)
    assert library.failed_blocks == []
    assert len(library.entries) > 60
    for entry in library.entries:
        names = {field.key for field in entry.fields}
        assert {"author", "year", "title"} <= names or "note" in names
        assert ", and" not in entry.fields_dict.get("author", entry.fields[0]).value


def test_the_software_is_cited_too():
    entry = software_entry(SOFTWARE)
    assert entry.startswith("@misc{fairflow,\n  author = {")
    assert f"  year = {{{SOFTWARE['date-released'].isoformat()[:4]}}},\n" in entry
