"""Worlds whose truth is known, and how often what is said of them is false, or missed.

Words have random directions. Each association is planted in one direction: the words of the
first targets and the first attributes lean to one side of it, those of the second to the other.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import laboratory
import numpy as np
import pandas as pd
from laboratory import Model, Query
from shipped import plan_of

from fairflow.planning import study_jobs  # noqa: F401  # It registers the job.
from fairflow.planning.registry import Jobs
from fairflow.studies.aggregation import OVERALL

CONTROLS, OTHERS = ("weat_1", "weat_2"), 600
# Its words are in no other query: sets that differ otherwise are, by chance, nearer to any others.
ALONE = "weat_6"
UNEVEN = np.arange(1, 301) ** -0.5
DOSES = (0, 0.25, 0.5, 1, 2)
UP = {"more biased", "larger", "above", "more", "turned"}
# What a kind says where it says something.
POSITIVE = {
    "association": {"significant"},
    "comparison": {"more biased", "less biased"},
    "debiased": {"smaller", "larger"},
    "items": {"above", "below", "differs"},
    "intersection": {"more", "fewer"},
    "swap": {"turned"},
}


def published(root, study):
    """The queries of a study and the two controls as numbers of words, and groups of queries.

    Those with the thousands of words of a lexicon would take most of the time, and are left out.
    """
    plan = plan_of(study)
    criteria = {q: name for name, of in plan.studies[study].criteria.items() for q in of}
    rows, queries = {}, {}
    for key in dict.fromkeys((*CONTROLS, *criteria)):
        words = [plan.word_sets[ref].get("words", ()) for ref in plan.queries[key].references]
        if all(words) and len(words) == 4:
            sets = [tuple(rows.setdefault(str(w).lower(), len(rows)) for w in of) for of in words]
            queries[key] = Query("" if key in CONTROLS else criteria[key], tuple(sets))
    return queries, Jobs(plan).of("tables", study=study).how["comparison"]["query_groups"]


def pair_of_queries():
    """Two queries of 16 words a set, and the controls."""
    start, sizes = 0, dict.fromkeys(CONTROLS, 25) | {"first": 16, "second": 16}
    queries = {}
    for key, size in sizes.items():
        sets = tuple(tuple(range(start + size * n, start + size * (n + 1))) for n in range(4))
        queries[key], start = Query("" if key in CONTROLS else "Two", sets), start + 4 * size
    return queries, {}


def number_of_words(queries):
    return 1 + max(max(of) for query in queries.values() for of in query.sets)


def noise(random, n, kind="50"):
    """Vectors of length 1 in 50 or 300 dimensions; with a spectrum and a mean as real ones have."""
    vectors = random.normal(size=(n, 50 if kind == "50" else 300))
    vectors *= UNEVEN if kind == "uneven" else 1
    return vectors / np.linalg.norm(vectors, axis=1).mean()


def planted(random, queries, sizes, kind="50", vectors=None):
    """A model in which queries have associations of about these effect sizes.

    Parameters
    ----------
    sizes : query -> effect size; the controls have 1.8.
    """
    made = noise(random, number_of_words(queries), kind) if vectors is None else vectors
    spread = (made.var(axis=0) ** 2).sum() ** 0.5
    directions, leaning = {}, np.zeros_like(made)
    for key, size in (dict.fromkeys(CONTROLS, 1.8) | sizes).items():
        first, second, *attributes = map(list, queries[key].sets)
        within = spread * math.sqrt(sum(1 / len(of) for of in attributes))
        # In units of the spread within sets: d = ratio / sqrt(1 + ratio ** 2 / 4).
        ratio = size / math.sqrt(max(1 - size**2 / 4, 0.05))
        # Queries that share targets have one direction. Targets lean little: sets that lie far
        # apart are, by chance, nearer to any attributes.
        known = [directions[word] for word in first if word in directions]
        drawn = None if known else random.normal(size=made.shape[1]) * made.std(axis=0)
        far = math.sqrt(0.04 + (ratio * spread) ** 2 / 2)
        direction = known[0] if known else far * drawn / np.linalg.norm(drawn)
        directions |= dict.fromkeys(first, direction)
        leaning[first], leaning[second] = direction, -direction
        far = np.linalg.norm(direction)
        lean = ratio * within / math.sqrt(max(16 * far**2 - 4 * (ratio * spread) ** 2, 0.1))
        for of, sign in zip(attributes, (1, -1), strict=True):
            leaning[of] += sign * lean * direction / far
    mean = 0.2 * (kind == "uneven")
    return Model(made + leaning + mean, noise(random, OTHERS, kind) + mean)


class Made(NamedTuple):
    """What is said of a world, and what is true of it.

    Attributes
    ----------
    sizes : model -> query -> size of the association that is planted; of groups of two contrasts
        query -> group -> sign.
    bias : model -> criterion -> how biased it is, in any unit; models are equal without it.
    sign : of what changed, or of what a score of items is.
    """

    claims: tuple
    sizes: dict = {}
    bias: dict = {}
    sign: int = 0


def _said(asked, random, models, sizes, ratings=None):
    queries, groups = asked
    bias = {name: {} for name in models}
    # Of poorer models nothing is true: their smaller associations are no less bias.
    for name, of in sizes.items() if ratings is None else ():
        for criterion in {OVERALL, *(query.criterion for query in queries.values())}:
            own = [key for key, q in queries.items() if criterion in (OVERALL, q.criterion)]
            bias[name][criterion] = np.mean([abs(of.get(key, 0)) for key in own])
    said = laboratory.said(models, queries, groups, int(random.integers(2**31)), ratings)
    return Made(said.claims, sizes, bias)


def of_words(*models, rated=False):
    """Models of noise, with what is planted in them.

    Parameters
    ----------
    models : kind of the noise, and the size of all associations, or query -> size.
    rated : whether people's ratings agree with the cosines of the first model, by about .66.
    """

    def make(asked, random):
        every = [key for key, query in asked[0].items() if query.criterion]
        sizes = [of if isinstance(of, dict) else dict.fromkeys(every, of) for _, of in models]
        made = [
            planted(random, asked[0], {key: size for key, size in of.items() if size}, kind)
            for (kind, _), of in zip(models, sizes, strict=True)
        ]
        ratings = ratings_of(made[0], random) if rated else None
        names = "abc"[: len(made)]
        named = (dict(zip(names, of, strict=True)) for of in (made, sizes))
        return _said(asked, random, *named, ratings)

    return make


def ratings_of(model, random):
    cosines = laboratory.similarities(model)
    return cosines + random.normal(size=len(cosines)) * 1.14 * cosines.std()


def noise_of(kind):
    """Three models of noise; not even the controls are planted."""

    def make(asked, random):
        n = number_of_words(asked[0])
        models = {x: Model(noise(random, n, kind), noise(random, OTHERS, kind)) for x in "abc"}
        return _said(asked, random, models, {})

    return make


def doses(asked, random):
    """A model, and the same with noise in doses: none is less biased, as each is poorer."""
    sizes = {key: 0.9 for key, query in asked[0].items() if query.criterion}
    model, models = planted(random, asked[0], sizes, "uneven"), {}
    for dose in DOSES:
        spread = dose * model.others.std(axis=0)
        models[str(dose)] = Model(*(of + spread * random.normal(size=of.shape) for of in model))
    return _said(asked, random, models, dict.fromkeys(models, sizes), ratings_of(model, random))


def same(asked, random):
    """One model twice."""
    sizes = {key: 1 for key, query in asked[0].items() if query.criterion}
    models = dict.fromkeys("ab", planted(random, asked[0], sizes))
    return _said(asked, random, models, dict.fromkeys(models, sizes))


def apart(asked, random):
    """The targets of a true association, asked with attributes that have nothing to do with them.

    Their vectors lie apart, so that they are, by chance, nearer to some words than to others.
    """
    first, second = (asked[0][key] for key in ("first", "second"))
    other = second._replace(sets=(*first.sets[:2], *second.sets[2:]))
    return of_words(("50", {"first": 1.8}))((asked[0] | {"second": other}, {}), random)


def debiased(after, sign):
    """A model before and after: all associations of 1 have another size; half the noise is new."""

    def make(asked, random):
        n, queries = number_of_words(asked[0]), asked[0]
        common, seed = noise(random, n), int(random.integers(2**31))
        before, changed = (
            planted(
                np.random.default_rng(seed),
                queries,
                {key: size for key, query in queries.items() if query.criterion},
                vectors=(common + noise(random, n)) / 2**0.5,
            ).vectors
            for size in (1, after)
        )
        of_topics = {key: query for key, query in queries.items() if query.criterion}
        claims = laboratory.changed(before, changed, of_topics).claims
        return Made([one for one in claims if one.kind == "debiased"], sign=sign)

    return make


def items(clusters, lean):
    """A benchmark: 8 items a cluster, which lean alike to either side; all of them by `lean`."""

    def make(asked, random):
        leaning = random.normal(lean, 0.7, (clusters, 1)) + random.normal(size=(clusters, 8))
        return Made(laboratory.of_items(50 * np.sign(leaning)).claims, sign=int(np.sign(lean)))

    return make


def groups(n_words, per_word, planted=0, turned=False, kind="50"):
    """Words between two contrasts, by two lists of names; the second may be reversed."""

    def make(asked, random):
        # Late: only these worlds need that capability.
        from crossed_worlds import claims_and_truth

        how = kind, n_words, per_word, planted, turned
        return Made(*claims_and_truth(random, *how), sign=int(turned))

    return make


class World(NamedTuple):
    """Attributes: name, in words. make : (queries and groups, random) -> `Made`."""

    name: str
    make: Callable
    study: str = "weat_replication"


CASES, TWO = "case_study", "two"
THREE = ("50", 0), ("300", 0), ("uneven", 0)
BESIDE = ("uneven", 0.9)
WORLDS = (
    World("Noise, 50 dimensions", noise_of("50")),
    World("Noise, 300 dimensions", noise_of("300")),
    World("Noise with the spectrum of real vectors", noise_of("uneven")),
    World("Only the sanity checks planted in noise", of_words(*THREE)),
    World("Only the sanity checks planted, 18 queries", of_words(*THREE), CASES),
    World("Noise with one association of 1", of_words(("50", 0), ("50", {ALONE: 1}))),
    World("Noise next to a real model", of_words(BESIDE, ("50", 0), rated=True)),
    World(
        "Noise with one association of 2, next to a real model",
        of_words(BESIDE, ("50", {ALONE: 2}), rated=True),
    ),
    World("A real model with noise in five doses", doses),
    World("Two models with equal associations of .5", of_words(("50", 0.5), ("50", 0.5))),
    World("Two models with equal associations of 1", of_words(("50", 1), ("50", 1))),
    World(
        "Two models with equal associations of 1, 18 queries", of_words(("50", 1), ("50", 1)), CASES
    ),
    World(
        "Two models with equal associations of 1, real spectrum",
        of_words(("uneven", 1), ("uneven", 1)),
    ),
    World("One model twice", same),
    World("Associations of 1 and of .5", of_words(("50", 1), ("50", 0.5))),
    World("Associations of 1.5 and of .5", of_words(("50", 1.5), ("50", 0.5))),
    World("Associations of 1.5 and of .5, 18 queries", of_words(("50", 1.5), ("50", 0.5)), CASES),
    World(
        "Associations of 1.5 and -1.5 against two of .3",
        of_words(("50", {"first": 1.5, "second": -1.5}), ("50", 0.3)),
        TWO,
    ),
    World("Debiased, nothing changed", debiased(1, 0)),
    World("Debiased, all signs reversed", debiased(-1, 0)),
    World("Debiased, associations of 1 removed", debiased(0, -1)),
    *(World(f"Fair items in {n} clusters", items(n, 0)) for n in (3, 5, 9, 21)),
    *(World(f"Biased items in {n} clusters", items(n, 0.7)) for n in (3, 5, 9, 21)),
    World("230 words in random directions", groups(230, 4)),
    World("230 words in random directions, real spectrum", groups(230, 4, kind="uneven")),
    World("40 words in random directions", groups(40, 10)),
    World("A tenth of 230 words planted in one group", groups(230, 4, 0.1)),
    World("A third of 230 words planted in one group", groups(230, 4, 1 / 3)),
    World("The same, and a list with its sets exchanged", groups(230, 4, 1 / 3, turned=True)),
)

# The test of an association is of the target words, given the words of the attributes.
LIMITS = (World("Two groups that differ in one thing, asked for another", apart, TWO),)


def judged(claim, made):
    """Whether there is something to find, whether it is said, and whether what is said is false."""
    positive = claim.verdict in POSITIVE[claim.kind]
    if claim.kind == "association":
        truth = bool(made.sizes.get(claim.subject, {}).get(claim.query))
        return truth, positive and truth, positive and not truth
    sign = made.sign
    if claim.kind == "comparison":
        both = (made.bias[name].get(claim.criterion, 0) for name in (claim.subject, claim.against))
        sign = np.sign(np.subtract(*both))
    if claim.kind == "intersection":
        sign = made.sizes[claim.query].get(claim.facts["group"], 0)
    right = positive and sign == (1 if claim.verdict in UP else -1)
    return bool(sign), right, positive and not right


def judged_claims(world, root, studies):
    """The claims on a world in studies of these numbers: study, family, kind, truth, found, false.

    p-values of associations are adjusted for each model, those of groups for each query.
    """
    asked = pair_of_queries() if world.study == TWO else published(root, world.study)
    rows = []
    for number in studies:
        made = world.make(asked, np.random.default_rng([number, *world.name.encode()]))
        # Claims on metrics have no subject.
        claims = [one for one in made.claims if one.kind in POSITIVE and one.subject]
        for one in claims:
            family = {"association": one.subject, "intersection": one.query}.get(one.kind, "")
            rows.append((number, family, one.kind, *judged(one, made)))
    return pd.DataFrame(rows, columns=["study", "family", "kind", "truth", "found", "false"])


def counted(name, claims, studies):
    """A row for each kind: how much of what is said is false, and how much of the truth is said.

    Parameters
    ----------
    claims : of `judged_claims`. studies : how many there are.

    Returns
    -------
    false_claims : their share of all where nothing is true. false_share : the mean, over families
        with any claim, of the false share of what is said; 0 where nothing is. If nothing is true
        it is the share of families with any false claim.
    """
    for kind in POSITIVE:
        rows = claims[claims["kind"] == kind]
        # In noise, whose controls fail, nothing is said of associations.
        if len(rows) or (claims.empty and kind == "association"):
            nothing = int((~rows["truth"].astype(bool)).sum())
            yield {
                "kind": kind, "world": name, "studies": studies, "nothing_to_find": nothing,
                "false_claims": rows["false"].sum() / (nothing or len(rows) or 1),
                "false_share": _false_share(rows),
                "to_find": len(rows) - nothing,
                "found": rows.loc[rows["truth"].astype(bool), "found"].mean(),
            }  # fmt: skip


def _false_share(rows):
    sums = rows.groupby(["study", "family"])[["found", "false"]].sum().astype(float)
    shares = sums["false"] / (sums["found"] + sums["false"]).clip(lower=1)
    return shares.mean() if len(shares) else 0.0


def too_often(table):
    """The rows of a table with more false claims than 5 % and two standard errors.

    Those of `LIMITS` are left out.
    """
    table = table[~table["world"].isin([world.name for world in LIMITS])]
    most = 0.05 + 2 * np.sqrt(0.05 * 0.95 / table["studies"])
    return table[(table["false_claims"] > most) | (table["false_share"] > most)]
