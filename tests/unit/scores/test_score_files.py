"""From words or answers to scores: an edit computes what it changes, and no more."""

import copy
from dataclasses import asdict

import numpy as np
import pytest

from fairflow.queries.query_file import write_words
from fairflow.scores.score_files import keep_word_scores
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.uncertainty import Statistics
from fairflow.vectors.convert import convert
from fairflow.vectors.slice_files import keep_store_slices
from fairflow.vectors.word_frequency import OWN_ORDER, WordFrequency, write_word_frequency

QUERIES = ("first", "second", "third")
FEW = Statistics(exact_up_to=10, permutations=99, resamples=50, joint_draws=20, random_sets=10)
ORDER = {"variant": WordVariant("weat", "weat", "weat").definition, "queries": [*QUERIES]}
ORDER |= {"tested": ["first"], "seed": 7, "statistics": asdict(FEW)}


class Words:
    """Three queries of words on a table of 600 vectors, their slices and their scores."""

    def __init__(self, folder):
        self._folder = folder
        rows = np.random.default_rng(1).normal(size=(600, 3)).round(3)
        lines = (f"w{n} {' '.join(map(str, row))}\n" for n, row in enumerate(rows.tolist()))
        (folder / "source").write_text("".join(lines))
        self._store = {name: str(folder / name) for name in ("vectors", "index", "card")}
        convert(folder / "source", "glove-text", **self._store)
        write_word_frequency(WordFrequency(OWN_ORDER), folder / "order.json")
        self.words = {}
        for at, query in enumerate(QUERIES):
            sets = [[f"w{40 * at + 5 * k + n}" for n in range(5)] for k in range(4)]
            self.words[query] = {
                "targets": dict(zip("XY", sets[:2], strict=True)),
                "attributes": dict(zip("AB", sets[2:], strict=True)),
            }
        self.lookups = {"as_written": {}}
        self.random = {"random": ["first"], "random_words": 40, "seed": 7}
        self.record, self.code, self.scoring = "{}", "code", copy.deepcopy(ORDER)

    def run(self, name="results"):
        """How many slices and cells a run computes; its files are in `self.files`."""
        results = self._folder / name / "results"
        self.files = [results / kind / "m.parquet" for kind in ("slices", "scores")]
        slices, scores = self.files
        (self._folder / "record.json").write_text(self.record)
        write_words(self.words, self._folder / "words.json")
        names = (self._folder / name for name in ("record.json", "order.json", "words.json"))
        record, order, words = map(str, names)
        how = {"model": "m", "queries": dict.fromkeys(QUERIES, "as_written"), "prefix": None}
        how |= {"lookups": self.lookups, "most_are_found": False, **self.random}
        store = self._store | {"derivations": []}
        looked_up = keep_store_slices(slices, store, record, [order], words, how, self.code)
        return looked_up, keep_word_scores(scores, [slices], "m", "weat", self.scoring, self.code)

    def edit_of_a_word(self):
        self.words["second"]["targets"]["X"][0] = "w599"

    def edit_of_the_lookup(self):
        self.lookups["as_written"] = {"lost_vocabulary_threshold": 0.5}

    def edit_of_what_says_the_same(self):
        self.record = '{"note": "The same vectors."}'

    def edit_of_the_random_words(self):
        self.random["seed"] = 8

    def edit_of_a_parameter(self):
        self.scoring["variant"] |= {"parameters": {"convention": "wefe"}}

    def edit_of_the_seed(self):
        self.scoring["seed"] = 8

    def edit_of_what_is_tested(self):
        self.scoring["tested"] = ["first", "third"]

    def edit_of_a_statistic(self):
        self.scoring["statistics"]["resamples"] = 60

    def edit_of_the_code(self):
        self.code = "other code"


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    words = Words(tmp_path_factory.mktemp("words"))
    assert words.run() == (3, 3)
    assert words.run() == (0, 0)
    return words


@pytest.mark.parametrize(
    ("edit", "computed"),
    [
        (Words.edit_of_a_word, (1, 1)),
        # The account of a look-up tells it.
        (Words.edit_of_the_lookup, (3, 3)),
        (Words.edit_of_what_says_the_same, (3, 0)),
        (Words.edit_of_the_random_words, (1, 1)),
        (Words.edit_of_a_parameter, (0, 3)),
        (Words.edit_of_the_seed, (0, 3)),
        (Words.edit_of_what_is_tested, (0, 1)),
        (Words.edit_of_a_statistic, (0, 1)),
        (Words.edit_of_the_code, (3, 3)),
    ],
)
def test_an_edit_computes_what_it_changes_and_gives_the_bytes_of_new_files(
    prepared, edit, computed
):
    prepared.run()
    words = copy.deepcopy(prepared)
    edit(words)
    assert words.run() == computed
    edited = [path.read_bytes() for path in words.files]
    words.run(f"new_{edit.__name__}")
    assert [path.read_bytes() for path in words.files] == edited
