"""`fairflow corpus` says what texts hold, and writes entries that can be planned."""

import csv
import json
import re
import shlex
import zipfile
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from shipped import plan_of

from fairflow.command.parser import main
from fairflow.corpora.corpus import Corpus
from fairflow.corpora.corpus_report import (
    LEAST_DATED,
    MOST_BY_DATE,
    guessed_cluster,
    guessed_divisions,
)
from fairflow.files.configuration_files import read_yaml

ROOT = Path(__file__).parents[3]
# Every third speaker speaks of a woman's family and a man's career, the others vice versa.
LINES = {"North": "her family and home , his work and office", "South": "his child , her job"}
YEARS = range(1800, 1860)


def party(year: int) -> str:
    return "South" if year % 3 else "North"


def text(year: int) -> str:
    return f"in {LINES[party(year)]} . " * (1 + year % 4) + f"number{'x' * (year - 1799)}"


def table(path: Path, column: str = "text", **columns: str) -> Path:
    """A CSV of the texts; further columns as formats of the year."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["day", "party", column, *columns])
        for year in YEARS:
            more = [form.format(year) for form in columns.values()]
            rows.writerow([f"{year}-07-01", party(year), text(year), *more])
    return path


def folder(path: Path, encoding: str = "utf-8", name: str = "{}-speech.txt") -> Path:
    path.mkdir()
    for year in YEARS:
        (path / name.format(year)).write_text(text(year), encoding=encoding)
    return path


def said(capsys: pytest.CaptureFixture[str], *arguments: object, status: int = 0) -> str:
    assert main(["corpus", *map(str, arguments)]) == status
    printed = capsys.readouterr()
    return printed.err if status else printed.out


def entry(name: str) -> dict:
    return yaml.safe_load(Path("config/corpora.yaml").read_text(encoding="utf-8"))[name]


def test_the_entries_are_planned_with_a_model_for_each_subcorpus(project, capsys):
    last = said(capsys, table(project / "My speeches.csv")).splitlines()[-1]
    plan = plan_of("my_speeches", Path("config"))
    parts = "1800_1824", "1825_1859", "party_north", "party_south"
    assert plan.studies["my_speeches"].aggregation == "abs_avg"
    assert [*plan.studies["my_speeches"].models] == [f"my_speeches-{part}-pmi" for part in parts]
    assert entry("my_speeches")["sources"] == [{"file": "My speeches.csv"}]
    assert shlex.split(last)[-1] == "studies=[my_speeches]"
    assert not Path("results").exists()


def made(kind: str) -> tuple[Path, dict]:
    """The texts in some form, and what must be found about them."""
    if kind == "csv":
        return table(Path("a.csv")), {"text": "text", "date": "day"}
    if kind == "longest column":
        return table(Path("a.csv"), "words", id="{}"), {"text": "words", "date": "day"}
    if kind == "jsonl":
        rows = ({"year": n, "party": party(n), "Content": text(n)} for n in YEARS)
        Path("a.jsonl").write_text("\n".join(map(json.dumps, rows)))
        return Path("a.jsonl"), {"text": "Content", "date": "year"}
    if kind == "zip with a table":
        with zipfile.ZipFile("a.zip", "w") as file:
            file.write(table(Path("a.csv")), "some/a.csv")
        return Path("a.zip"), {"texts": "some/a.csv", "text": "text", "date": "day"}
    path = folder(Path("a"), name="{}.txt")
    if kind == "metadata":
        table(path / "of texts.csv", "words", file="{}.txt")
        return path, {"metadata": {"file": "of texts.csv", "key": "file"}, "date": "day"}
    Path("a/notes.json").write_text("{\n}")
    return path, {"date": "date"}


KINDS = "csv", "longest column", "jsonl", "zip with a table", "metadata", "file names"


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_texts_are_found_in_every_form(kind, project, capsys):
    path, expected = made(kind)
    printed = said(capsys, path)
    of_texts = entry("a")
    assert {key: of_texts[key] for key in expected} == expected
    n_tokens = sum(len(re.findall("[a-z]+", text(year))) for year in YEARS)
    assert "60 documents, from 18" in printed
    assert f"{n_tokens:,} tokens" in printed
    assert of_texts["divisions"]["quarter_centuries"] == {"date": [1800, 1825, 1860]}
    fields = {division.get("field") for division in of_texts["divisions"].values()}
    assert fields == ({None} if kind == "file names" else {None, "party"})


def test_words_are_counted_in_each_subcorpus(project, capsys):
    printed = said(capsys, table(project / "a.csv"), "--query", "weat:7", "women_men_family_career")
    (line,) = (line for line in printed.splitlines() if re.match(r"party +South .*of 20\)", line))
    n_texts = sum(1 + year % 4 for year in YEARS if party(year) == "South")
    assert re.split(r"  +", line)[2:-1] == [
        "40", f"{sum(len(re.findall('[a-z]+', text(y))) for y in YEARS if party(y) == 'South'):,}",
        *(f"{n_texts} (1 of {of})" for of in (20, 20, 12, 12)),
    ]  # fmt: skip
    of_words = re.findall(r"^  South: (.*), \d+ words not at all$", printed, re.MULTILINE)
    assert of_words[1] == f"her {n_texts}, his {n_texts}, child {n_texts}, job {n_texts}"
    assert entry("a")["divisions"].keys() == {"quarter_centuries", "party"}


def test_sets_that_lose_too_many_words_are_named_with_the_look_up_that_helps(project, capsys):
    printed = said(capsys, table(project / "a.csv"), "--query", "weat:7")
    (line,) = (line for line in printed.splitlines() if line.startswith("  South: Male terms, "))
    assert "without male, man, boy" in line
    assert "lookup: small_corpus in the\nfile of the query" in printed
    assert "metrics: [weat_es]" in Path("config/studies/a.yaml").read_text()


def test_nothing_is_overwritten_and_comments_are_kept(project, capsys):
    catalogue, path = Path("config/corpora.yaml"), table(project / "a.csv")
    catalogue.write_text(
        "# mine\nb:\n  # why\n  sources: [{file: b}]\na:\n  sources: [{file: c}]\n"
    )
    before = catalogue.read_text()
    refused = said(capsys, path, status=2)
    assert "a is the name of other texts in config/corpora.yaml" in refused
    assert "choose another name with --name NAME" in refused
    assert catalogue.read_text() == before
    said(capsys, path, "--name", "other")
    assert catalogue.read_text().startswith(before)
    assert read_yaml(catalogue).keys() == {"b", "a", "other"}


def test_texts_that_have_an_entry_are_read_as_it_says_and_it_stays(project, capsys):
    said(capsys, path := table(project / "new.csv"))
    catalogue = Path("config/corpora.yaml")
    old, new = "[1800, 1825, 1860]", "[1800, 1840, 1860]"
    catalogue.write_text(edited := catalogue.read_text().replace(old, new))
    printed = said(capsys, path)
    assert re.search(r"^quarter_centuries +1840–1859 +20 ", printed, re.MULTILINE)  # noqa: RUF001
    assert printed.endswith("read as new in config/corpora.yaml. Nothing was written.\n")
    assert catalogue.read_text() == edited


def test_a_dry_run_shows_the_entries_and_writes_nothing(project, capsys):
    before = {*project.rglob("*"), table(project / "a.csv")}
    printed = said(capsys, "a.csv", "--dry-run")
    assert {*project.rglob("*")} == before
    assert "# config/corpora.yaml\na:\n  sources:\n  - {file: a.csv}" in printed
    assert printed.endswith("Without --dry-run, the same command writes these entries.\n")


def test_the_encoding_that_it_advises_works(project, capsys):
    path = folder(Path("a"))
    (path / "1850-speech.txt").write_text("señor", encoding="latin-1")
    advice = said(capsys, path, status=2)
    encoding = re.search(r"declare encoding: (\S+) \(key or option\);", advice)
    assert "60 documents" in said(capsys, path, "--encoding", encoding[1])


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"a.pdf": "%PDF"},
            "found .pdf (1). pdftotext FILE.pdf writes the text of a PDF to FILE.txt",
        ),
        ({}, "found no file"),
        ({"a.csv": "id,n\n1,2\n"}, "none has 40 characters on average; found id, n"),
        ({"a.csv": "text\n"}, "found no row"),
    ],
)
def test_what_is_no_text_is_refused_with_what_there_is(files, expected, project, capsys):
    Path("a").mkdir()
    for name, content in files.items():
        Path("a", name).write_text(content)
    assert expected in said(capsys, "a", status=2)
    assert not Path("config/studies/a.yaml").exists()


LONG = [f"her family and home , {'his work and office ' * 2} number {n}" for n in range(30)]
# The first line of a table, a format of the others, a key with its value, and what is said.
GUESSED = {
    "two texts": (
        "texts,note",
        '"{1}",{2}',
        "text",
        "texts",
        "30 documents",
    ),
    "days": ("date,text", '{0}/07/1950,"{1}"', "date", None, "or, with date_order, 05/12/1853"),
    "two digits": ("date,text", '05-12-20,"{1}"', "date", None, "No field is a date"),
    "missing": ("party,text\nNA,NA", 'NA,"{1}"', "divisions", None, "its text is NA, as a missing"),
}


@pytest.mark.parametrize("kind", GUESSED)
def test_a_guess_about_a_table_is_told_with_what_else_could_be_meant(kind, project, capsys):
    first, form, key, value, told = GUESSED[kind]
    more = [(n + 1, one, "x" * 99 * (n % 2)) for n, one in enumerate(LONG)]
    Path("a.csv").write_text("\n".join([first, *(form.format(*each) for each in more)]))
    assert told in said(capsys, "a.csv")
    assert entry("a").get(key) == value


def test_dates_in_names_of_files_are_taken_despite_a_stray_file(project, capsys):
    path = folder(Path("a"), name="d{}_2001.txt")
    (path / "README.txt").write_text("about these texts")
    printed = said(capsys, path)
    assert "Kept, with a name that names does not match: 1 (README.txt)" in printed
    assert "from 1800 to 1859" in printed


def test_the_name_of_texts_changes_no_number(project, capsys):
    path = table(Path("a.csv"))
    tables = [said(capsys, path, "--dry-run", "--name", name).split("# config")[0] for name in "bc"]
    assert tables[0] == tables[1]


def test_foreign_texts_give_no_orders_to_a_terminal_and_need_not_be_whole(project, capsys):
    rows = [{"text": one + " \ud83d", "k\ud83d": "\x1b[31mred"} for one in LONG]
    Path("a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    printed = said(capsys, "a.jsonl")
    assert "  k?: \\x1b[31mred (30)" in printed
    assert "\x1b" not in printed


def corpus(years: list[float], fields: dict[str, list[str]]) -> Corpus:
    bounds = np.arange(len(years) + 1)
    return Corpus(bounds[:-1], bounds, ["word"], fields, np.array(years, float), {})


@given(st.lists(st.integers(1700, 2030).map(float), max_size=400), st.integers(1, 12))
def test_every_subcorpus_by_date_has_enough_documents(years, repeated):
    divisions = guessed_divisions(corpus(years * repeated, {}))
    for limits in (division["date"] for division in divisions.values()):
        numbers = np.histogram(years * repeated, limits)[0]
        assert numbers.min() >= LEAST_DATED
        assert numbers.sum() == len(years) * repeated
        assert 2 <= len(numbers) <= MOST_BY_DATE


def test_the_finest_division_that_holds_enough_is_proposed():
    names = {
        step: [*guessed_divisions(corpus([*np.arange(1900, 2000, 1 / density)], {}))]
        for step, density in {"decades": 2, "quarter_centuries": 1}.items()
    }
    assert names == {name: [name] for name in names}
    assert [*guessed_divisions(corpus([*np.arange(1990, 2000, 1 / 20)], {}))] == ["years"]


def test_authors_are_clusters_and_the_screen_says_so(project, capsys):
    def printed(name: str, author: str) -> str:
        return said(capsys, table(project / f"{name}.csv", author=author))

    assert "cluster: author; its 60 values" not in printed("own", "{}")
    path = table(project / "a.csv", Speaker="{0:.2e}")
    told = said(capsys, path)
    assert entry("a")["cluster"] == "Speaker"
    assert "cluster: Speaker; its 7 values are drawn with all their documents" in told
    assert "cluster" not in entry("own")


def test_authors_that_are_compared_are_no_clusters():
    fields = {"author": ["a", "b"] * 30, "other": ["c"] * 60}
    assert guessed_cluster(corpus([np.nan] * 60, fields), {"d": {"field": "author"}}) is None
    found = guessed_cluster(corpus([np.nan] * 60, fields), {"d": {"field": "other"}})
    assert found[0] == "author"


def test_fields_divide_if_few_values_cover_most_documents_and_can_be_names():
    n = 60
    fields = {
        "party": ["a", "b", "b"] * 20,
        "a-b": ["a b", "a-b", "b"] * 20,
        "author": [f"author {number}" for number in range(n)],
        "rare": ["x"] * 51 + ["y"] * 9,
        "mostly empty": ["x"] * 12 + ["y"] * 12 + [""] * 36,
        "same": ["x"] * n,
        "year": ["1900", "1901"] * 30,
    }
    found = guessed_divisions(corpus([np.nan] * n, fields))
    assert found == {"party": {"field": "party", "values": ["a", "b"]}}
