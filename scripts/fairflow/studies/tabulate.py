"""All tables of a study, from scores and slices to the conclusions, in the order in which they need
each other. A table is read as it is written, so that its next reader has the same values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from fairflow.capabilities import entries
from fairflow.files.tables import read_scores
from fairflow.studies import tables
from fairflow.studies.before_after import before_after, size_changes
from fairflow.studies.claims.claim import Results
from fairflow.studies.claims.study_claims import stated, write_stated
from fairflow.studies.columns import read_table, write_tables
from fairflow.studies.model_comparison import compared_models
from fairflow.studies.quality import quality, read_findings
from fairflow.studies.score_table import gathered_scores
from fairflow.vectors.query_vectors import as_found, read_slices

Files = Mapping[str, Sequence[str]]
How = Mapping[str, Any]


def tabulate_study(read: Files, how: Mapping[str, How], written: Sequence[str]) -> None:
    """Write every table of a study.

    Parameters
    ----------
    read : the files of each kind. how : part of the tables -> its settings, as `study_jobs` of the
        room planning makes them.
    written : the paths of the tables; names of files say which table it is.
    """
    Tabulation(read, how, written).write()


class Tabulation:
    """The tables of a study while they are made.

    Attributes
    ----------
    read : the files of each kind. slices : model and query -> its slice.
    """

    def __init__(self, read: Files, how: Mapping[str, How], written: Sequence[str]) -> None:
        self.read, self._how = read, how
        self._paths = {Path(path).name: path for path in written}
        self.slices = read_slices(read["slices"])

    def write(self) -> None:
        """Write them, each after those that it is made from."""
        parts = {
            "scores": self._scores,
            tables.COMPARING: self._before_after,
            "comparison": self._comparison,
        }
        of_capabilities = entries("tables", "MAKERS")
        for name, how in self._how.items():
            if name != "conclusions":
                own = of_capabilities.get(name)
                made = own(self, how) if own else parts[name](how)
                stems = {Path(one).stem for one in made}
                paths = [path for path in self._paths.values() if Path(path).stem in stems]
                write_tables(made, paths)
        self._conclusions(self._how["conclusions"])

    def table(self, file: str) -> pd.DataFrame:
        """A table that was written before."""
        return read_table(self._paths[file])

    def _scores(self, how: How) -> dict[str, pd.DataFrame]:
        stored = read_scores(self.read["scores"])
        vectors = ((*key, self.slices[key]) for key in map(tuple, how["slices"]))
        return gathered_scores(stored, vectors, as_found(how, self.read["found"]))

    def _comparison(self, how: How) -> dict[str, pd.DataFrame]:
        # Numbers of further tables are of interest only next to published ones.
        asked = self._how if self.read["published"] else ()
        of_kinds = entries("tables", "NUMBERS").items()
        further = [number for kind, of in of_kinds if kind in asked for number in of(self)]
        made = compared_models(
            self.table("scores.parquet"),
            self.read["published"],
            self.read["ranked"],
            as_found(how, self.read["found"]),
            further,
        )
        found = map(read_findings, self.read["findings"])
        made["quality.csv"] = quality(found, how["benchmarks"], how["level"], how["seed"])
        return made

    def _before_after(self, how: How) -> dict[str, pd.DataFrame]:
        scores, pairs = self.table("scores.parquet"), read_scores(self.read["differences"])
        signs = how["directions"]
        compared = before_after(scores, pairs, how["before"], how["after"], signs, how["scaling"])
        sizes = size_changes(compared, pairs, signs, how["level"], how["overlaps"])
        return {"before_after": pd.concat([compared, sizes]) if len(sizes) else compared}

    def _conclusions(self, how: How) -> None:
        frames = {name: self.table(file) for name, file in how["tables"].items()}
        results = Results(frames, **as_found(how["asked"], self.read["found"]))
        files = {"claims": "claims.csv", "data": "claims.json", "conclusions": "conclusions.md"}
        paths = {name: self._paths[file] for name, file in files.items()}
        write_stated(stated(how["title"], results), **paths)
