"""Bad files of vectors, and converted models that were damaged, in a run of the workflow."""

import os
import shutil
import sqlite3
from pathlib import Path

import pytest
import yaml
from bad_vector_files import CASES

from project import Project

pytestmark = pytest.mark.workflow

# Some of each format, those that once ended in a traceback, in silence or never.
CHOSEN = {
    ("glove-text", "b'1_0' for a number"),
    ("glove-text", "a tab after the word"),
    ("glove-text", "no number in line 5,001 of 10,000"),
    ("word2vec-text", "a count of 5,000 digits"),
    ("word2vec-text", "a vector more than promised"),
    ("word2vec-binary", "cut within a vector"),
    ("word2vec-binary", "dims of a billion"),
    ("fasttext-bin", "cut within a word"),
    ("fasttext-bin", "a matrix of 2^120 numbers"),
    ("npy", "a header of thousands of brackets"),
    ("npy", "words in latin-1"),
}


def test_each_is_told_in_its_sentence_and_leaves_nothing_behind(fresh: Project):
    cases = [case for case in CASES if tuple(case[:2]) in CHOSEN]
    assert len(cases) == len(CHOSEN)
    entries = {}
    for number, (vector_format, _, contents, _, words) in enumerate(cases):
        entry = {"sources": [{"file": f"data/bad-{number}"}], "format": vector_format}
        (fresh.folder / f"data/bad-{number}").write_bytes(contents)
        if words is not None:
            entry["words"] = f"data/words-{number}.txt"
            (fresh.folder / entry["words"]).write_bytes(words)
        entries[f"bad-{number}"] = entry
    (fresh.folder / "bad.yaml").write_text(yaml.safe_dump(entries))
    with open(fresh.folder / "config/config.yaml", "a") as file:
        file.write("model_catalogues: [bad.yaml]\n")
    targets = [f"results/models/{name}/card.json" for name in entries]
    output = fresh.run("--keep-going", *targets, check=False).stdout
    for number, (*_, sentence, _) in enumerate(cases):
        said = sentence.replace("words.txt", f"words-{number}.txt")
        names = (f"data/bad-{number}", f"data/words-{number}.txt")
        told = [line for line in output.splitlines() if said in line]
        assert any(name in line for line in told for name in names), f"{said}:\n{output}"
    assert "Traceback" not in output
    assert not [path for path in (fresh.folder / "results/models").rglob("*") if path.is_file()]


def exchange_offsets(index: Path) -> None:
    """Give the first two words each other's vector."""
    with sqlite3.connect(index) as connection:
        (one, first), (two, second) = connection.execute("SELECT word, offset FROM words LIMIT 2")
        update = "UPDATE words SET offset = ? WHERE word = ?"
        connection.executemany(update, [(second, one), (first, two)])
    connection.close()


def say_other_dims(card: Path) -> None:
    card.write_text(card.read_text().replace('"dims": 8', '"dims": 4'))


DAMAGE = {"first/index.sqlite": exchange_offsets, "second/card.json": say_other_dims}


def test_damaged_models_are_not_used_and_the_advice_brings_the_scores_back(
    finished: Project, finished_once: Project
):
    models = finished.folder / "results/models"
    cells = [f"results/scores/{model}/weat/toy.parquet" for model in ("first", "second")]
    for name, damage in DAMAGE.items():
        date = (models / name).stat()
        damage(models / name)
        # Without a new date, by which Snakemake would see it.
        os.utime(models / name, ns=(date.st_atime_ns, date.st_mtime_ns))
        shutil.rmtree(finished.folder / "results/slices" / Path(name).parent)
    for cell in cells:
        (finished.folder / cell).unlink()
    output = finished.run("--keep-going", *cells, check=False).stdout
    for name in DAMAGE:
        folder = f"results/models/{Path(name).parent}"
        assert f"results/models/{name}" in output
        assert f"Remove the folder {folder}; the next run makes the model again" in output
        shutil.rmtree(finished.folder / folder)
    assert "Traceback" not in output
    assert not any((finished.folder / cell).exists() for cell in cells)
    finished.run(*cells)
    for cell in cells:
        assert (finished.folder / cell).read_bytes() == (finished_once.folder / cell).read_bytes()
