"""Log-probabilities of the tokens of texts, in whatever context their metric asks for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

import numpy as np

from fairflow.language_models.errors import Invalid, not_finite
from fairflow.language_models.inference.language_model import LanguageModel
from fairflow.language_models.inference.network_rows import log_probabilities
from fairflow.language_models.inference.tokens import TokenizedText, Tokens
from fairflow.language_models.items.item import CAUSAL, TokenRequest
from fairflow.language_models.slices.answers import ScoredText

# A scored token: its position in the text, a row of ids, and the place in it that is read.
Wanted = tuple[int, Sequence[int], int]


def wanted_tokens(
    request: TokenRequest,
    text: TokenizedText,
    tokens: Tokens,
    shared: Collection[int] | None,
    context: TokenizedText | None = None,
) -> Iterable[Wanted]:
    """What a request needs.

    Parameters
    ----------
    shared : positions of the tokens that the request's partner has too.
    context : the tokens of the request's context by itself.

    Raises
    ------
    Invalid : the text cannot be scored, for the reason given; also raised during iteration.
    """
    tokens.check(text, extra=1 if request.variant == "causal" else 0)
    variant = request.variant
    if variant.startswith(("posterior", "prior")):
        return _of_a_slot(request, text, tokens.mask_id)
    if variant == "prefix":
        return _of_a_prefix(request, text, tokens.mask_id)
    if variant == "continuation":
        return _of_a_continuation(text, context, tokens)
    kept = {position for span in request.kept for position in text.within(span)}
    scored = [
        position
        for position in text.inner
        if position not in kept and (request.scope == "all" or position in shared)
    ]
    if not scored:
        raise Invalid("empty", f"nothing is left to score in {text.text!r}")
    if variant in ("causal", "causal_start_once"):
        return _of_a_causal_model(text, scored, tokens.start_id(), variant == "causal")
    if variant == "unmasked":
        return ((position, text.ids, position) for position in scored)
    mask = (tokens.mask_id,)
    return ((at, text.ids[:at] + mask + text.ids[at + 1 :], at) for at in scored)


def shared_positions(text: TokenizedText, partner: TokenizedText) -> frozenset[int]:
    """Positions of the inner tokens of a text that its partner has too, in the same order.

    Ids are aligned as in the code of Nangia et al. (2020): difflib on the sequences of ids with
    specials, both written as strings.
    """
    first, second = ([str(token) for token in one.ids] for one in (text, partner))
    blocks = SequenceMatcher(None, first, second).get_matching_blocks()
    matched = {block.a + i for block in blocks for i in range(block.size)}
    return frozenset(matched & set(text.inner))


def _of_a_slot(request: TokenRequest, text: TokenizedText, mask_id: int) -> Iterator[Wanted]:
    word, is_prior = text.within(request.word), request.variant.startswith("prior")
    fill = text.within(request.fill) if request.fill is not None else []
    hidden = fill if request.variant == "prior_fill_pieces" else fill[:1]
    masked = {*word, *(hidden if is_prior else ())}
    dropped = {*word, *(fill if is_prior else ())}
    row, slot_of = [], {}
    for position, token in enumerate(text.ids):
        if position in masked:
            slot_of[position] = len(row)
            row.append(mask_id)
        elif position not in dropped:
            row.append(token)
    for position in word:
        yield position, row, slot_of[position]


def _of_a_prefix(request: TokenRequest, text: TokenizedText, mask_id: int) -> Iterator[Wanted]:
    word = text.within(request.word)
    hidden = [text.within(span) for span in request.hidden]
    masks = {copy[0]: mask_id for copy in hidden}
    dropped = {position for copy in hidden for position in copy[1:]}

    def visible(positions: range) -> list[int]:
        return [masks.get(p, text.ids[p]) for p in positions if p not in dropped]

    before, after = visible(range(word[0])), visible(range(word[-1] + 1, len(text.ids)))
    for number, position in enumerate(word):
        revealed = [text.ids[p] for p in word[:number]]
        yield position, [*before, *revealed, mask_id, *after], len(before) + number


def _of_a_causal_model(
    text: TokenizedText, scored: Sequence[int], start: int, start_always: bool
) -> Iterator[Wanted]:
    inner = [text.ids[position] for position in text.inner]
    for position in scored:
        number = text.inner.index(position)
        if start_always:
            yield position, [start, *inner], number
        else:
            yield (position, inner, number - 1) if number else (position, [start], 0)


def _of_a_continuation(
    text: TokenizedText, context: TokenizedText, tokens: Tokens
) -> Iterator[Wanted]:
    """The tokens of the whole text after as many as the context alone has.

    Tokens that a tokenizer puts before a text stay there; without these and without context there
    is a start of text before it.
    """
    skipped = len(context.inner)
    scored = text.inner[skipped:]
    if not scored:
        raise Invalid("empty", f"nothing follows {context.text!r} in {text.text!r}")
    # Its last token is foretold and never read, so that answers of one token have a row in common.
    row = list(text.ids[: scored[-1]])
    started = 0 if scored[0] else 1
    if started:
        tokens.check(text, extra=1)
        row = [tokens.start_id(), *row]
    for position in scored:
        yield position, row, position + started - 1


def score_tokens(
    model: LanguageModel,
    requests: Sequence[TokenRequest],
    token_budget: int | None = None,
    attention: bool = False,
) -> list[ScoredText]:
    """Score texts; a text that cannot be scored says why.

    Equal rows are computed once, the head runs at the wanted positions only, and neither the
    order of the requests nor the budget matters to the result (the latter up to float32's
    rounding).

    Parameters
    ----------
    token_budget : positions per batch, padding counted; None takes the device's own.
    attention : give the attention paid to each token as well, for variant "unmasked".

    Raises
    ------
    LanguageModelError : a variant for masked models on a causal one, or the other way round.
    """
    for request in requests:
        kind = "causal" if request.variant in CAUSAL else "masked"
        model.require(kind, f"variant {request.variant!r}")
    if model.chat:
        requests = [_in_chat(model, request) for request in requests]
    named = (text for one in requests for text in (one.text, one.partner, one.context))
    distinct = list(dict.fromkeys(text for text in named if text is not None))
    encoded = {None: None} | dict(zip(distinct, model.tokens.encode(distinct), strict=True))
    asked, plans = {False: [], True: []}, []
    for request in requests:
        text, partner = encoded[request.text], encoded[request.partner]
        shared = None if partner is None else shared_positions(text, partner)
        paid = attention and request.variant == "unmasked"
        start = len(asked[paid])
        try:
            context = encoded[request.context]
            wanted = [*wanted_tokens(request, text, model.tokens, shared, context)]
            asked[paid] += [(tuple(row), slot, text.ids[at]) for at, row, slot in wanted]
            positions = tuple(at for at, _, _ in wanted)
        except Invalid as finding:
            positions = finding
        plans.append((request, text, shared, positions, paid, slice(start, len(asked[paid]))))
    answers = {
        paid: log_probabilities(model, own, token_budget, paid) if own else (None, None)
        for paid, own in asked.items()
    }
    return [
        _scored(*plan, *(None if all_ is None else all_[own] for all_ in answers[paid]))
        for *plan, paid, own in plans
    ]


def _in_chat(model: LanguageModel, request: TokenRequest) -> TokenRequest:
    """What follows a context, as the answer to it; other requests as they are."""
    if request.context is None:
        return request
    asked = model.asked(request.context)
    rest = request.text.removeprefix(request.context).lstrip()
    return replace(request, text=asked + rest, context=asked)


def _scored(
    request: TokenRequest,
    text: TokenizedText,
    shared: frozenset[int] | None,
    positions: tuple[int, ...] | Invalid,
    logp: np.ndarray | None,
    attention: np.ndarray | None,
) -> ScoredText:
    if not all(each is None or np.isfinite(each).all() for each in (logp, attention)):
        positions = not_finite("the probability of a token")
    identity = (request.text_id, request.variant, request.text, len(text.inner))
    if isinstance(positions, Invalid):
        return ScoredText(*identity, status=positions.status, reason=positions.reason)
    return ScoredText(
        *identity,
        positions=positions,
        words=tuple(text.words[p] for p in positions),
        token_ids=tuple(text.ids[p] for p in positions),
        tokens=tuple(text.tokens[p] for p in positions),
        logp=logp,
        shared=None if shared is None else tuple(p in shared for p in positions),
        attention=attention,
    )
