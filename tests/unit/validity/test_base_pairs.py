"""Agreement of base pairs: pairs that are equal, independent, or as published."""

from dataclasses import replace

import numpy as np
import pytest

from fairflow import Query
from fairflow.queries.lookup import Lookup
from fairflow.validity.base_pairs import pair_agreement, pair_swap
from fairflow.validity.evidence import BasePairs, Concept, Evidence, ModelWords

PAIRS = [("she", "he"), ("woman", "man"), ("girl", "boy")]


def evidence_of(model, words, pairs=PAIRS, known=None, lost=()):
    """The evidence of one model for base pairs; `lost` are looked up, too."""
    sets = {"first": [a for a, _ in pairs], "second": [b for _, b in pairs]}
    sets |= {"words": [*words, *lost], **(known or {})}
    look_up = Lookup(lost_vocabulary_threshold=1, zero_vectors="lost")
    found = ModelWords(model.look_up(Query(list(sets.values()), [], list(sets), []), look_up))
    base = BasePairs("base", "Pairs", "first", "second", "words", tuple(known or ()))
    concept = Concept("gender", "Gender", ("women", "men"), base_pairs=(base,))
    return Evidence({"gender": concept}, {"toy": found}, {}, {}, {})


def all_together(evidence):
    rows = pair_agreement(evidence)
    return rows[rows.pair == ""].set_index("value")


def random_words(n, dims=40, seed=0):
    rows = np.random.default_rng(seed).standard_normal((n, dims))
    return {f"w{i}": row for i, row in enumerate(rows)}


def test_pairs_of_one_direction_agree_fully(model_of):
    words = random_words(40)
    one, other = np.eye(40)[:2]
    # Each pair differs by a multiple of one axis.
    ends = {"she": one + other, "he": other - one, "woman": 2 * one, "man": -2 * one}
    ends |= {"girl": one + 3 * other, "boy": 3 * other - one}
    rows = all_together(evidence_of(model_of(**words, **ends), words))
    for value in ("difference of cosines", "RIPA"):
        row = rows.loc[value]
        assert (row.kappa, row.share_unanimous, row.n_pairs, row.n_words) == (1, 1, 3, 40)
        assert 0.7 < row.kappa_low < row.kappa_high == 1
        assert row.reason == ""


def test_random_pairs_agree_by_chance(model_of):
    kappas, covered = [], []
    for seed in range(40):
        words = random_words(106, seed=seed)
        names = [*words]
        pairs = [*zip(names[::2], names[1::2], strict=True)][:3]
        row = all_together(evidence_of(model_of(**words), names[6:], pairs)).loc["RIPA"]
        kappas.append(row.kappa)
        covered.append(row.kappa_low <= 0 <= row.kappa_high)
        # Of three independent sides all are equal in a quarter of cases.
        assert row.share_unanimous == pytest.approx(1 / 4, abs=0.2)
    assert np.mean(kappas) == pytest.approx(0, abs=0.05)
    # Pairs that point nearly the same way by chance are few among 40 dimensions.
    assert np.mean(covered) >= 0.6


def test_sides_by_pencil_and_paper(model_of):
    """Two pairs across each other: a word in one quadrant of four gets each combination."""
    quadrants = {f"w{i}": [(1, 1), (1, -1), (-1, 1), (-1, -1)][i % 4] for i in range(12)}
    ends = {"she": (1, 0), "he": (-1, 0), "woman": (0, 1), "man": (0, -1)}
    known = {"female": ["w0", "w1", "w4", "w5", "w8", "w9"], "male": ["w2", "w3", "w6", "w7"]}
    evidence = evidence_of(model_of(**quadrants, **ends), quadrants, PAIRS[:2], known)
    rows = pair_agreement(evidence).set_index(["value", "pair"])
    for value in ("difference of cosines", "RIPA"):
        every = rows.loc[value, ""]
        # Half of the words get one side, as by chance: P = 1/2, Pe = 1/2.
        assert (every.kappa, every.share_unanimous) == (pytest.approx(0), 0.5)
        # The first pair knows the sides; the second guesses: 5 of 10 right, as by chance.
        assert rows.loc[(value, "she/he"), ["kappa", "share_unanimous", "n_words"]].tolist() == [
            1,
            1,
            10,
        ]
        assert rows.loc[(value, "woman/man"), "kappa"] == pytest.approx(0)
        assert rows.loc[(value, "woman/man"), "share_unanimous"] == 0.5


def test_what_cannot_be_had_says_why(model_of):
    words = random_words(30)
    known = {"female": [*words][:6], "male": [*words][6:12]}
    ends = dict.fromkeys(("she", "he"), words["w1"]) | {"woman": words["w2"]}
    evidence = evidence_of(model_of(**words, **ends), words, PAIRS, known, lost=["absent"])
    rows = pair_agreement(evidence).set_index(["value", "pair"])
    assert rows.kappa.isna().all()
    assert rows.loc["difference of cosines"].reason.to_dict() == {
        "": "only 1 of 3 pairs are in the model",
        "she/he": "both words of a pair have the same vector: she",
        "woman/man": "not in the model: man",
        "girl/boy": "not in the model: girl, boy",
    }
    assert "vocabulary" in rows.loc[("neighbours", ""), "reason"]
    one = all_together(evidence_of(model_of(**words, **ends, man=words["w3"]), words, PAIRS[1:]))
    assert one.reason["RIPA"] == "only 1 of 2 pairs are in the model"
    more = {"man": words["w3"], "girl": words["w4"], "boy": words["w5"]}
    few = all_together(evidence_of(model_of(**words, **ends, **more), [*words][:9]))
    assert few.reason["RIPA"] == "only 9 words are in the model, at least 10 are needed"


@pytest.mark.parametrize("role", ["targets", "attributes"])
@pytest.mark.parametrize("forward", [True, False])
def test_a_pair_in_place_of_sets_keeps_the_direction_or_turns_it(model_of, role, forward):
    axis, other = np.eye(40)[:2]
    # The last pair is the wrong way round; "nobody" is not in the model.
    ends = {"she": axis, "he": -axis, "woman": axis + other, "man": other - axis}
    ends |= {"girl": -axis, "boy": axis, "rose": 2 * axis + other, "oak": other - 2 * axis}
    model = model_of(**ends)
    evidence = evidence_of(model, ["rose"], [*PAIRS, ("nobody", "somebody")])
    own = ("first", "second")[:: 1 if forward else -1]
    sides = [[["she", "woman"], ["he", "man"]][:: 1 if forward else -1], [["rose"], ["oak"]]]
    references = [own, ("flowers", "trees")]
    if role == "attributes":
        sides, references = sides[::-1], references[::-1]
    query = Query(*sides, *(["A", "B"], ["C", "D"]))
    concept = evidence.concepts["gender"]._replace(sets={"ours": ("first", "second")})
    evidence = replace(
        evidence,
        concepts={"gender": concept, "copy": concept._replace(name="copy", base_pairs=())},
        slices={("toy", "q"): model.look_up(query, Lookup())},
        sets={"q": tuple(references)},
    )
    (row,) = pair_swap(evidence).to_dict("records")
    assert [row[name] for name in ("concept", "role", "n", "n_kept")] == ["gender", role, 3, 2]


def test_ripa_and_cosines_disagree_where_the_words_of_a_pair_differ_in_length(model_of):
    # By cosines w is nearer to he; she is the longer word, and so is w's inner product with it.
    words = {f"w{i}": (0.5, 1) for i in range(5)} | {f"v{i}": (-1, -0.5) for i in range(5)}
    ends = {"she": (4, 0), "he": (0, 1)}
    known = {"female": [f"w{i}" for i in range(5)], "male": [f"v{i}" for i in range(5)]}
    evidence = evidence_of(model_of(**words, **ends), words, PAIRS[:1], known)
    rows = pair_agreement(evidence).set_index(["value", "pair"]).share_unanimous
    assert rows["RIPA", "she/he"] == 1
    assert rows["difference of cosines", "she/he"] == 0.5
