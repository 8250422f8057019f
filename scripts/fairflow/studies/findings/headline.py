"""The one answer to the question which model is more biased, reconciled from all tables.

A study asks this question several times: by several metrics, on several criteria, over several
specifications. The answer is made here alone; what each of these says is its evidence. A winner is
named only where some association of that model is significant: models of noise have an order, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fairflow.studies import ranking
from fairflow.studies.distinct_tests import beyond_chance
from fairflow.studies.findings import comparisons
from fairflow.studies.findings.associations import unseen_text
from fairflow.studies.findings.comparisons import LESS_BIASED, MORE_BIASED, Ranks, at_place
from fairflow.studies.findings.finding import Finding, Results
from fairflow.studies.findings.specifications import specification_sentences
from fairflow.studies.ranking import LESS, MORE, OPEN, OPPOSITE, PROBABLY_MORE, UNKNOWN
from fairflow.studies.wording import listed, percent_text

# Kinds of answers.
SETTLED, PROBABLE, DISAGREE = "settled", "probably, not settled", "metrics disagree"
NOT_DISTINGUISHABLE, NO_ASSOCIATION = "not distinguishable", "no significant association"
EQUAL, NOT_TESTED = "equal", "not tested"
# Begins the evidence on an order of models.
SHARE = "Share of resamples in which "
# Chance of a wrong winner on one of the criteria that are not the leading one.
FAMILY_ERROR = 0.05


@dataclass(frozen=True)
class Opinion:
    """What one metric says of two models on one criterion.

    Attributes
    ----------
    more : the model that it calls more biased, "" where it calls neither. is_plain : whether the
        verdict has no "probably". ahead : the model with more bias in most word resamples.
    share : of these word resamples.
    """

    metric: str
    criterion: str
    more: str
    is_plain: bool
    ahead: str
    share: float


@dataclass(frozen=True)
class Answer:
    """What all metrics together say of two models.

    Attributes
    ----------
    kind : one of the kinds above. more, less : the models, in the order of the answer where it
        names one. says, denies : metrics that name `more` on the leading criterion, and the others.
    on_criteria : other criterion -> the model that is clearly more biased there.
    opinions : all.
    """

    kind: str
    more: str
    less: str
    says: tuple[str, ...] = ()
    denies: tuple[str, ...] = ()
    on_criteria: Mapping[str, str] | None = None
    opinions: tuple[Opinion, ...] = ()

    @property
    def names_one(self) -> bool:
        """Whether it calls one of the models more biased."""
        return self.kind in (SETTLED, PROBABLE)

    def other(self, model: str) -> str:
        """The model that `model` is compared with."""
        return self.less if model == self.more else self.more

    def verdict(self, model: str) -> str:
        """Of `model` against the other one; the kind where neither is called more biased."""
        if not self.names_one:
            return self.kind
        more = MORE if self.kind == SETTLED else PROBABLY_MORE
        return more if model == self.more else OPPOSITE[more]


def headline(results: Results) -> Iterator[Finding]:
    """Which model of a study is more biased, or how its subject compares: at most one finding."""
    ranks = comparisons.ranks_of(results)
    if ranks is None:
        yield from _not_compared(results)
        return
    subject, models = results.subject, [*ranks.rows["model"]]
    if subject and subject not in models:
        sentence, answers = f"{results.labels[subject]} has no rank.", []
    elif subject:
        answers = [compare(ranks, subject, model) for model in models if model != subject]
        sentence = _of_subject(ranks, answers)
    elif len(models) == 2:
        answers = [compare(ranks, *reversed(models))]
        sentence = _of_two(ranks, answers[0])
    else:
        answers = [compare(ranks, *pair) for pair in _neighbours(models)]
        sentence = _of_several(ranks)
    kinds = {answer.kind for answer in answers}
    nothing = NO_ASSOCIATION in kinds and kinds <= {NO_ASSOCIATION, EQUAL}
    about = subject or (answers[0].more if len(models) == 2 else "")
    pairs = [(about or answer.more, answer) for answer in answers]
    against = [{"model": m, "other": a.other(m), "verdict": a.verdict(m)} for m, a in pairs]
    verdicts = {one["verdict"] for one in against} or {UNKNOWN}
    yield Finding(
        sentence,
        caution=unseen_text(results, results.headline.dropna(subset="p_bh")) if nothing else "",
        subject=about,
        verdict=verdicts.pop() if len(verdicts) == 1 and about else "",
        table="pairwise",
        leads=True,
        evidence=(*_evidence(ranks, answers), *_limits(results)),
        numbers={"comparisons": against},
    )


def _neighbours(models: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each model with the next less biased one, from the most biased on."""
    yield from zip(models[:0:-1], models[-2::-1], strict=True)


def compare(ranks: Ranks, model: str, other: str) -> Answer:
    """The answer for two models.

    It is settled where every metric on the leading criterion says so plainly and none on any
    criterion contradicts; probable where some metric says so and none the opposite.
    """
    opinions = tuple(_opinions(ranks, model, other))
    here = [one for one in opinions if one.criterion == ranks.criterion]
    elsewhere = [one for one in opinions if one.criterion != ranks.criterion]
    clear = {o.criterion: o.more for o in elsewhere if _is_clear(o, len(elsewhere))}
    of_rank = dict(zip(ranks.rows["model"], ranks.rows["rank"], strict=True))
    if of_rank[model] == of_rank[other] and len({o.more for o in here} - {""}) == 0:
        # Without opinions: ties count half, so that each would be "larger" in 50% of resamples.
        return Answer(EQUAL, model, other, on_criteria={})
    if not here or all(math.isnan(one.share) for one in here):
        more, less = sorted((model, other), key=of_rank.__getitem__, reverse=True)
        return Answer(NOT_TESTED, more, less, opinions=opinions, on_criteria={})
    significant, tested = _significant_models(ranks.results)
    if tested and not significant & {model, other}:
        return Answer(NO_ASSOCIATION, model, other, opinions=opinions, on_criteria={})
    clear = {criterion: more for criterion, more in clear.items() if more in significant}
    named = {one.more for one in here if one.more}
    if len(named) == 2:
        says = tuple(one.metric for one in here if one.more == model)
        denies = tuple(one.metric for one in here if one.more == other)
        return Answer(DISAGREE, model, other, says, denies, clear, opinions)
    if not named or (tested and not named & significant):
        return Answer(NOT_DISTINGUISHABLE, model, other, (), (), clear, opinions)
    (more,) = named
    less = other if more == model else model
    says = tuple(one.metric for one in here if one.more)
    denies = tuple(one.metric for one in here if not one.more)
    contradicted = less in clear.values()
    plain = tested and all(one.more and one.is_plain for one in here) and not contradicted
    return Answer(SETTLED if plain else PROBABLE, more, less, says, denies, clear, opinions)


def _is_clear(opinion: Opinion, number: int) -> bool:
    """Whether a criterion names a model, corrected for the number of criteria."""
    return bool(opinion.more) and opinion.is_plain and opinion.share >= 1 - FAMILY_ERROR / number


def _opinions(ranks: Ranks, model: str, other: str) -> Iterator[Opinion]:
    pairs = ranks.results.table("pairwise")
    if pairs.empty:
        return
    metrics = dict.fromkeys([ranks.metric, *pairs["metric"]])
    rows = pairs[(pairs["model"] == model) & (pairs["other"] == other)]
    for metric in metrics:
        for row in rows[rows["metric"] == metric].to_dict("records"):
            verdict = row["verdict"]
            more = model if verdict in MORE_BIASED else other if verdict in LESS_BIASED else ""
            share, plain = float(row["p_fairer"]), verdict in (MORE, LESS)
            ahead = (other, share) if share > 0.5 else (model, 1 - share)
            yield Opinion(str(metric), str(row["criterion"]), more, plain, *ahead)


def _significant_models(results: Results) -> tuple[set[str], bool]:
    """The models that have a significant association by some metric, and whether any was tested."""
    rows = results.headline
    if "p_bh" not in rows:
        return set(), False
    found: set[str] = set()
    tested = False
    for (model, _), of_model in rows.groupby(["model", "metric"], sort=False):
        every, clear = beyond_chance(of_model)
        tested |= len(every) > 0
        found |= {str(model)} if len(clear) else set()
    return found, tested


def _of_two(ranks: Ranks, answer: Answer) -> str:
    labels = ranks.results.labels
    more, less = labels[answer.more], labels[answer.less]
    where = ranks.where
    if answer.kind == EQUAL:
        return f"{more} and {less} have equal scores{_on_criteria(ranks, [answer])}."
    if answer.kind == NO_ASSOCIATION:
        return (
            f"No association in {more} or {less} is significant: which of them is more biased "
            "cannot be said."
        )
    if answer.kind == NOT_TESTED:
        return f"{more} has larger scores than {less}; whether by chance was not tested."
    if answer.kind == NOT_DISTINGUISHABLE:
        open_ = f"Not settled: {more} and {less} cannot be distinguished {where}"
        return f"{open_}{_on_criteria(ranks, [answer])}."
    if answer.kind == DISAGREE:
        says, denies = (listed(labels[m] for m in names) for names in (answer.says, answer.denies))
        best = f"{labels[ranks.metric]} compares best across models"
        return f"Not settled, metrics disagree: {more} by {says}, {less} by {denies}; {best}."
    if answer.kind == SETTLED:
        return f"{more} is more biased than {less} {where}{_on_criteria(ranks, [answer])}."
    return f"Probably {more}, not settled: {_says(ranks, answer)}{_on_criteria(ranks, [answer])}."


def _says(ranks: Ranks, answer: Answer) -> str:
    """'RND says so; effect size, which compares best across models, does not'."""
    labels = ranks.results.labels
    says = f"{listed(labels[m] for m in answer.says)} {_say(answer.says)} so {ranks.where}"
    if not answer.denies:
        return f"{says}, but not clearly"
    best = ", which compares best across models," if ranks.metric in answer.denies else ""
    denies = listed(labels[metric] for metric in answer.denies)
    return f"{says}; {denies}{best} {'does' if len(answer.denies) == 1 else 'do'} not"


def _say(names: Sequence[str]) -> str:
    return "says" if len(names) == 1 else "say"


def _on_criteria(ranks: Ranks, answers: Sequence[Answer]) -> str:
    """'; on Ethnicity A is more biased than B': what other criteria say clearly."""
    labels, subject, parts = ranks.results.labels, ranks.results.subject, list[str]()
    for answer in answers:
        agreed = answer.more if answer.names_one else ""
        where: dict[str, list[str]] = {}
        for criterion, more in (answer.on_criteria or {}).items():
            if more != agreed:
                where.setdefault(more, []).append(criterion)
        for more, criteria in where.items():
            less = answer.other(more)
            than = f" than {labels[less]}" if len(ranks.rows) > 2 else ""
            is_more = f"{labels[more]} is more biased{than}"
            if subject in (more, less):
                how, other = ("more", less) if subject == more else ("less", more)
                is_more = f"it is {how} biased than {labels[other]}"
            parts.append(f"on {listed(criteria)} {is_more}")
    return "".join(f"; {part}" for part in parts)


def _of_subject(ranks: Ranks, answers: Sequence[Answer]) -> str:
    """How the subject compares with each reference model."""
    labels, subject = ranks.results.labels, ranks.results.subject
    if {answer.kind for answer in answers} == {NO_ASSOCIATION}:
        names = [
            labels[subject],
            *(labels[name] for name in ranks.rows["model"] if name != subject),
        ]
        return f"No association in {listed(names)} is significant: their order says nothing."
    others_of: dict[str, list[str]] = {}
    for answer in sorted(answers, key=lambda one: not one.names_one):
        other = labels[answer.other(subject)]
        others_of.setdefault(_relation(answer, subject), []).append(other)
    parts = listed(f"{relation} {listed(others)}" for relation, others in others_of.items())
    return f"{labels[subject]} {parts} {ranks.where}{_on_criteria(ranks, answers)}."


def _relation(answer: Answer, subject: str) -> str:
    """How the subject compares with another model, as the words before the other's name."""
    if answer.names_one:
        return f"is {answer.verdict(subject)} than"
    return {
        EQUAL: "has the same scores as",
        NOT_TESTED: "was not tested against",
        DISAGREE: "is more biased by some metrics, less by others, than",
    }.get(answer.kind, "cannot be distinguished from")


def _of_several(ranks: Ranks) -> str:
    """Who is the most and the least biased of several models, as far as it is known."""
    results, models = ranks.results, [*ranks.rows["model"]]
    significant, tested = _significant_models(results)
    n = len(models)
    if tested and not significant & {*models}:
        return f"No association in {n} models is significant: who is more biased cannot be said."
    parts = [_extreme(ranks, "most"), _extreme(ranks, "least")]
    return f"Of {n} models {'; '.join(parts)}."


def _extreme(ranks: Ranks, what: str) -> str:
    labels, models = ranks.results.labels, [*ranks.rows["model"]]
    first = models[-1 if what == "most" else 0]
    answers = [compare(ranks, first, other) for other in models if other != first]
    ahead = [(a.more if what == "most" else a.less) == first and a.names_one for a in answers]
    if all(ahead):
        sure = "" if all(a.kind == SETTLED for a in answers) else "probably "
        return f"{labels[first]} is {sure}the {what} biased"
    rivals = [
        labels[a.less if a.more == first else a.more]
        for a, is_ahead in zip(answers, ahead, strict=True)
        if not is_ahead
    ]
    which = f"which of {listed([labels[first], *rivals])}" if any(ahead) else "which"
    return f"{which} is the {what} biased is not settled"


def _evidence(ranks: Ranks, answers: Sequence[Answer]) -> Iterator[str]:
    """In what share of word resamples each order is the same, by each metric."""
    labels = ranks.results.labels
    for answer in answers:
        than = f" than {labels[answer.less]}" if len(answers) > 1 else ""
        metrics_of: dict[str, list[str]] = {}
        for metric in dict.fromkeys(one.metric for one in answer.opinions):
            shares = listed(_shares(ranks, answer, metric))
            metrics_of.setdefault(shares, []).append(labels[metric])
        for shares, metrics in metrics_of.items():
            if shares:
                larger = f"a larger mean {listed(metrics)}{than}"
                if not than:
                    larger = f"the larger mean {listed(metrics)}"
                yield (f"{SHARE}{labels[answer.more]} has {larger}: {shares}.")
        yield from _over_queries(ranks, answer)
    for answer in answers[: comparisons.MOST_NAMED]:
        yield from specification_sentences(ranks.results, answer.more, answer.less)


def _shares(ranks: Ranks, answer: Answer, metric: str) -> list[str]:
    """'81% over all queries' and the like, the leading criterion first."""
    opinions = [one for one in answer.opinions if one.metric == metric]
    opinions = [one for one in opinions if not math.isnan(one.share)]
    opinions.sort(key=lambda one: one.criterion != ranks.criterion)
    parts = []
    for one in opinions:
        share = one.share if one.ahead == answer.more else 1 - one.share
        parts.append(f"{percent_text(share)} {comparisons.where_text(one.criterion)}")
    return parts


def _over_queries(ranks: Ranks, answer: Answer) -> Iterator[str]:
    """The test over queries, where there are enough of them."""
    place = ranks.criterion, ranks.metric, answer.more
    rows = at_place(ranks.results.table("pairwise"), *place)
    for row in rows[rows["other"] == answer.less].to_dict("records"):
        p = row.get("wilcoxon_holm", math.nan)
        if row.get("n_groups", 0) >= ranking.FEWEST_QUERIES and not math.isnan(p):
            yield f"Wilcoxon's test over queries: p = {p:.2g} after Holm."


def settled_text(results: Results, criterion: str, others: Sequence[str]) -> str:
    """'above word2vec (>99%), GloVe no': from which models the subject differs on a criterion.

    Parameters
    ----------
    others : the models that the subject is compared with.
    """
    ranks = comparisons.ranks_of(results)
    if ranks is None:
        return "not compared"
    subject, labels = results.subject, results.labels
    there = {*ranks.of(criterion)["model"]}
    clear, open_ = [], []
    for other in others:
        if {subject, other} <= there:
            answer = compare(ranks, subject, other)
            at = [one for one in answer.opinions if one.criterion == criterion]
            share = next((one.share for one in at if one.metric == ranks.metric), math.nan)
            named = (answer.on_criteria or {}).get(criterion, "")
            if criterion == ranks.criterion and answer.kind == SETTLED:
                named = answer.more
            if named:
                how = "above" if named == subject else "below"
                clear.append(f"{how} {labels[other]} ({percent_text(share)})")
            else:
                open_.append(labels[other])
    if not clear:
        return "no" if open_ else "not compared"
    others_no = {0: [], 1: [f"{name} no" for name in open_]}.get(len(open_), ["others no"])
    return ", ".join([*clear, *others_no])


def _limits(results: Results) -> Iterator[str]:
    """What is not compared, and why."""
    statements = comparisons.depends_on_vectors, comparisons.not_ranked, comparisons.same_vectors
    for statement in statements:
        yield from (one.sentence for one in statement(results))


def _not_compared(results: Results) -> Iterator[Finding]:
    """Why several models are not compared."""
    first, *others = [*_limits(results), ""]
    if first:
        yield Finding(first, verdict=OPEN, table="ranking", evidence=tuple(filter(None, others)))
