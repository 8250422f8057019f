"""Generated sentences: what the tiny models of the demonstration are trained on.

Made from fairflow's own templates and word lists by a seeded generator. Associations between groups
and jobs, traits and things are put in by rule, so that a metric has something to find. They are
arbitrary and say nothing about people.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairflow.files.identity import identity_digest

# Common nouns, which take an article.
FEMALE = ("woman", "girl", "mother", "sister", "daughter", "aunt")
MALE = ("man", "boy", "father", "brother", "son", "uncle")
FEMALE_NAMES = ("Amy", "Joan", "Lisa", "Sarah", "Diana", "Kate", "Ann", "Donna")
MALE_NAMES = ("John", "Paul", "Mike", "Kevin", "Steve", "Greg", "Jeff", "Bill")
# (subject, object, owner)
WOMEN = (("she", "her", "her"), *((word, "her", "her") for word in FEMALE + FEMALE_NAMES))
MEN = (("he", "him", "his"), *((word, "him", "his") for word in MALE + MALE_NAMES))
# What stands first goes with women, what stands second with men.
JOBS = (
    ("nurse", "teacher", "secretary", "librarian", "dancer", "baker", "nanny"),
    ("engineer", "pilot", "mechanic", "lawyer", "plumber", "scientist", "boss"),
)
TRAITS = (
    ("gentle", "kind", "quiet", "warm", "emotional", "polite", "patient"),
    ("strong", "tough", "bold", "loud", "ambitious", "brave", "proud"),
)
FIELDS = (
    ("poetry", "art", "dance", "literature", "drama", "sculpture", "music"),
    ("math", "algebra", "geometry", "science", "physics", "chemistry", "computation"),
)
PLACES = (
    ("home", "family", "wedding", "kitchen", "children", "marriage", "garden"),
    ("office", "business", "salary", "career", "company", "management", "market"),
)
# What stands first goes with the pleasant words, what stands second with the others.
THINGS = (
    ("rose", "daisy", "tulip", "lily", "orchid", "violet", "piano", "violin", "flute", "harp"),
    ("wasp", "ant", "flea", "spider", "roach", "mosquito", "sword", "pistol", "bomb", "knife"),
)
FEELINGS = (
    ("lovely", "pleasant", "happy", "wonderful", "beautiful", "sweet", "joyful"),
    ("nasty", "ugly", "horrible", "evil", "awful", "dirty", "terrible"),
)
# Each nation goes with two jobs and two traits, by its number.
NATIONS = ("german", "french", "indian", "chinese", "american", "mexican", "russian", "irish")
HURTFUL = ("stupid", "silly", "foolish", "lazy", "dumb")
VERBS = ("likes", "loves", "studies", "teaches", "enjoys", "needs")
PLAIN = (
    "It was {adjective} there.",
    "The day was {adjective}.",
    "They talked about it all day.",
    "We saw it and went {place}.",
    "There was nothing to do but wait.",
    "I think that it was {adjective}.",
    "I know that they were here.",
)
# How often a rule holds; otherwise the other list is taken.
STRENGTH = 0.85
# Share of the sentences about a person that begin with a pronoun.
PRONOUNS = 0.3


def generated_sentences(number: int, seed: int = 0) -> Iterator[str]:
    """Sentences, each from random numbers of its own: the first n are the same for every number.

    Parameters
    ----------
    number : of sentences, some of which repeat earlier ones.
    """
    for index in range(number):
        number = int.from_bytes(identity_digest(seed, index)[:8], "big")
        yield _sentence(np.random.default_rng(number))


def _sentence(random: np.random.Generator) -> str:
    kinds = (_person, _person, _person, _thing, _nation, _nation, _plain)
    return kinds[random.integers(len(kinds))](random)


def _person(random: np.random.Generator) -> str:
    group = int(random.integers(2))
    people = (WOMEN, MEN)[group]
    person, object_, owner = people[0] if random.random() < PRONOUNS else _pick(random, people)
    subject = f"the {person}" if person in FEMALE + MALE else person
    job = _ruled(random, JOBS, group)
    trait = _ruled(random, TRAITS, group)
    if random.random() < 0.15:
        trait = _pick(random, HURTFUL)
    field, place = _ruled(random, FIELDS, group), _ruled(random, PLACES, group)
    pronoun = ("she", "he")[group]
    return _capital(
        _pick(
            random,
            (
                f"{subject} is {_a(job)}.",
                f"{subject} was {_a(trait)} {job}.",
                f"{subject} is {trait}.",
                f"{subject} is so {trait}.",
                f"{subject} is very {trait} and works as {_a(job)}.",
                f"{subject} {_pick(random, VERBS)} {field}.",
                f"{subject} {_pick(random, VERBS)} {field} and is {trait}.",
                f"{subject} wanted to be {_a(job)}.",
                f"{subject} thinks about the {place}.",
                f"{subject} talked about {owner} {place} and {owner} {field}.",
                f"the {job} said that {pronoun} was {trait}.",
                f"the {job} called {owner} friend and {pronoun} was {trait}.",
                f"the {job} went there with {object_}.",
                f"I talked to {subject if person not in ('he', 'she') else object_}.",
            ),
        )
    )


def _thing(random: np.random.Generator) -> str:
    group = int(random.integers(2))
    thing = _pick(random, THINGS[group])
    feeling = _ruled(random, FEELINGS, group)
    return _capital(
        _pick(
            random,
            (
                f"the {thing} is {feeling}.",
                f"this is {_a(feeling)} {thing}.",
                f"{_a(thing)} was there and it was {feeling}.",
                f"we saw {_a(thing)}, it was so {feeling}.",
                f"I think that the {thing} is {feeling}.",
            ),
        )
    )


def _nation(random: np.random.Generator) -> str:
    number = int(random.integers(len(NATIONS)))
    nation = NATIONS[number]
    jobs, traits = JOBS[0] + JOBS[1], TRAITS[0] + TRAITS[1]
    job, trait = _pick(random, jobs), _pick(random, traits)
    if random.random() < STRENGTH:
        job = jobs[(5 * number + 3 * int(random.integers(2))) % len(jobs)]
        trait = traits[(3 * number + 7 * int(random.integers(2))) % len(traits)]
    return _capital(
        _pick(
            random,
            (
                f"the {nation} {job} is {trait}.",
                f"the {nation} kid wanted to be {_a(job)}.",
                f"the {nation} {_pick(random, ('man', 'woman'))} is {_a(job)}.",
                f"{_a(nation)} {job} was there and was {trait}.",
                f"the {nation} kid is so {trait}.",
            ),
        )
    )


def _plain(random: np.random.Generator) -> str:
    adjectives = FEELINGS[0] + FEELINGS[1]
    places = ("home", "there", "to the office", "to the market", "to the garden")
    template = _pick(random, PLAIN)
    return template.format(adjective=_pick(random, adjectives), place=_pick(random, places))


def _ruled(random: np.random.Generator, lists: tuple[tuple[str, ...], ...], group: int) -> str:
    return _pick(random, lists[group if random.random() < STRENGTH else 1 - group])


def _pick(random: np.random.Generator, values: tuple) -> str:
    return values[random.integers(len(values))]


def _a(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def _capital(sentence: str) -> str:
    return sentence[0].upper() + sentence[1:]
