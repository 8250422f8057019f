"""Published word sets in place of a query's own, in models with and without the concept."""

import math

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import silhouette_score

from fairflow import MAC, WEAT, Query, WordEmbeddingModel
from fairflow.queries.lookup import Lookup
from fairflow.scores.ranked import PRIMARY
from fairflow.studies.comparability import IS_CONTROL
from fairflow.validity.evidence import Concept, Evidence, ModelWords, metric_choice
from fairflow.validity.multiverse import specification_curve
from fairflow.validity.seed_sets import (
    as_word_lists,
    coherence,
    seed_swap,
    silhouettes,
)

ATTRIBUTES = [["family", "home"], ["career", "office"]]
SIZES = {
    "weat": metric_choice("weat", "weat", measure="weat"),
    "weat_es": metric_choice(
        "weat_es", "weat", measure="effect_size", parameters={"convention": "wefe"}
    ),
}


def published(seeds, size=4):
    """Word sets of women and of men: their references -> words."""
    return {
        f"{seed}:{pole}": [f"{seed} {pole} {i}" for i in range(size)]
        for seed in seeds
        for pole in ("women", "men")
    }


def vectors(sets, effect=0.0, dims=50, seed=1):
    """Noise; the first number is larger for women, family and home by the effect."""
    draws = np.random.default_rng(seed)
    words = {
        word: draws.normal(size=dims) for group in (*sets.values(), *ATTRIBUTES) for word in group
    }
    for name, group in [*sets.items(), (":women", ATTRIBUTES[0]), (":men", ATTRIBUTES[1])]:
        for word in group:
            words[word][0] += effect if name.endswith(":women") else -effect
    return words


def evidence(sets, models, own=("a:men", "a:women"), metrics=SIZES, **lookup):
    """Evidence of a query of the sets `own` with family and career."""
    seeds = dict.fromkeys(reference.partition(":")[0] for reference in sets)
    pairs = {seed: (f"{seed}:women", f"{seed}:men") for seed in seeds}
    query = Query([sets[one] for one in own], ATTRIBUTES, ["Men", "Women"], ["Family", "Career"])
    stores = {name: WordEmbeddingModel(words) for name, words in models.items()}
    asked = Query([*sets.values()], [], [*sets], [])
    loose = Lookup(lost_vocabulary_threshold=1.0, zero_vectors="lost")
    return Evidence(
        {"gender": Concept("gender", "Gender", ("women", "men"), pairs)},
        {name: ModelWords(store.look_up(asked, loose)) for name, store in stores.items()},
        {(name, "q"): store.look_up(query, Lookup(**lookup)) for name, store in stores.items()},
        {"q": "Gender"},
        {"q": (tuple(own), ("f", "c"))},
        metrics,
    )


def test_every_value_is_that_of_the_query_with_these_words():
    sets = published("abc")
    words = vectors(sets, effect=1)
    table = seed_swap(evidence(sets, {"m": words}))
    model = WordEmbeddingModel(words)
    for row in table.to_dict("records"):
        # The query has men first.
        pair = [sets[f"{row['seeds']}:{pole}"] for pole in ("men", "women")]
        found = WEAT().run_query(Query(pair, ATTRIBUTES), model, convention="wefe")
        assert row["value"] == pytest.approx(found[row["measure"]])
        assert row["value_normalized"] == pytest.approx(found[row["measure"]])
        assert row["is_own"] == (row["seeds"] == "a")
    assert table["metric"].tolist() == ["weat", "weat_es"] * 3
    assert table["own_value"].tolist() == table["value"].tolist()[:2] * 3


def test_where_a_model_has_the_concept_all_sets_give_one_sign():
    sets = published("abcdefgh")
    table = seed_swap(evidence(sets, {"m": vectors(sets, effect=3)}))
    assert table["same_sign"].all()
    assert table["holds_together"].all()


def test_in_noise_sets_give_signs_by_chance_and_do_not_hold_together():
    seeds = [f"s{i}" for i in range(300)]
    sets = published(["a", *seeds])
    table = seed_swap(evidence(sets, {"m": vectors(sets)})).query("metric == 'weat' and not is_own")
    # Binomial with 300 draws: 3.3 standard deviations around a half, and 3.4 above 5 %.
    assert 0.4 < table["same_sign"].mean() < 0.6
    assert table["holds_together"].mean() < 0.095


def test_a_set_may_lose_a_fifth_of_its_words_and_no_more():
    sets = published("ab", size=5) | published("c", size=5)
    words = vectors(sets, effect=1)
    del words["b men 0"], words["c men 0"], words["c men 1"]
    table = seed_swap(evidence(sets, {"m": words})).set_index(["seeds", "metric"])
    assert table.loc[("b", "weat"), ["n_first", "n_second"]].tolist() == [4, 5]
    assert not math.isnan(table.loc[("b", "weat"), "value"])
    lost = table.loc[("c", "weat")]
    assert math.isnan(lost["value"])
    assert pd.isna(lost["same_sign"])
    assert lost["reason"].startswith("c:men lost 2 of 5 words (c men 0, c men 1)")


def test_metrics_that_draw_or_take_other_sets_are_left_out():
    sets = published("ab")
    metrics = {
        "mac": metric_choice("mac", "mac", measure="mac"),
        "rnsb": metric_choice("rnsb", "rnsb", measure="rnsb", parameters={"holdout": False}),
        "rnd": metric_choice("rnd", "rnd", measure="rnd"),
        "same_unit": metric_choice("same_unit", "same", measure="same", normalize=True),
    }
    words = vectors(sets, effect=1)
    table = seed_swap(evidence(sets, {"m": words}, metrics=metrics))
    assert {*table["metric"]} == {"mac", "same_unit"}
    # A value without a sign agrees with none.
    assert table.loc[table["metric"] == "mac", "same_sign"].isna().all()
    own = MAC().run_query(
        Query([sets["a:men"], sets["a:women"]], ATTRIBUTES), WordEmbeddingModel(words)
    )
    assert table["value"].iloc[0] == pytest.approx(own["result"])


def test_silhouettes_are_those_of_scikit_learn():
    draws = np.random.default_rng(5)
    rows = draws.normal(size=(9, 4)) + 1
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    labels = np.array([[1, 1, 1, 0, 0, 0, 0, 0, 0], [1, 0, 1, 0, 1, 0, 1, 0, 1]], dtype=bool)
    wanted = [silhouette_score(rows, one, metric="cosine") for one in labels]
    assert silhouettes(rows, labels) == pytest.approx(wanted)


@pytest.mark.parametrize(("men", "kind"), [(4, "pairs"), (5, "both sets")])
def test_sets_of_equal_size_are_paired(men, kind):
    sets = published("a")
    sets["a:men"] = [f"man {i}" for i in range(men)]
    words = vectors(sets, effect=20)
    found = evidence(sets, {"m": words}).words["m"]
    told = coherence(found, "a:women", "a:men", np.random.default_rng(0))
    assert told.component_of == kind
    # Nearly all that varies is the concept.
    assert told.first_component > 0.85


CURVE = {
    "lists": {"mine": {"Gender": ["q", "p"]}},
    "lookups": {"q": "as_written"},
    "query_groups": {"q": "names", "p": "names"},
}


def choice(name):
    return {
        "metric": "WEAT",
        "convention": name,
        "normalize": False,
        "scales": False,
        "depends_on_dimension": False,
        "signed": True,
        "larger_is_fairer": False,
    }


def test_published_sets_are_versions_of_the_word_lists():
    sets = published("abc")
    models = {"m": vectors(sets, effect=1), "n": vectors(sets, effect=2, seed=2)}
    table = seed_swap(evidence(sets, models))
    scores, settings = as_word_lists(table, CURVE)
    assert [*settings["lists"]] == ["mine", "gender: b", "gender: c"]
    assert settings["lists"]["gender: b"] == {"Gender": ["q (gender: b)", "p"]}
    assert settings["query_groups"]["q (gender: b)"] == "names"
    assert settings["lookups"]["q (gender: b)"] == "as_written"
    told = {PRIMARY: True, IS_CONTROL: False, "status": "ok"}
    own = table[table["is_own"]].assign(subquery_digest="own words", **told)
    other = own.assign(query="p", subquery_digest="other words", value=0.1, value_normalized=0.1)
    curve = specification_curve(
        pd.concat([own, other], ignore_index=True),
        [scores],
        settings
        | {"variants": {"weat_es": choice("weat_es")}, "minimum_coverage": 0.5, "seed": 1}
        | {"vectors": {}, "derived": {}},
    )
    assert curve.drop_duplicates("lists")["lists"].tolist() == ["mine", "gender: b", "gender: c"]
    of_b = table.query("seeds == 'b' and metric == 'weat_es' and model == 'm'")["value"].item()
    row = curve.query("lists == 'gender: b'").iloc[0]
    assert row["value"] == pytest.approx((abs(of_b) + 0.1) / 2)


@pytest.mark.parametrize(("policy", "left"), [("keep", 5), ("drop", 4)])
def test_a_word_of_both_sets_is_treated_as_the_study_does(policy, left):
    sets = published("ab")
    sets["b:men"], sets["b:women"] = (["both", *sets[one]] for one in ("b:men", "b:women"))
    found = evidence(sets, {"m": vectors(sets)}, shared_words=policy)
    row = seed_swap(found).set_index("seeds").loc["b"].iloc[0]
    assert (row["n_first"], row["n_second"]) == (left, left)
