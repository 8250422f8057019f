"""The words of a query that two models hold, so that the same words are measured in both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fairflow.queries.lookup import SetLookup
from fairflow.vectors.query_vectors import QueryVectors


def words_in_both(
    first: QueryVectors, second: QueryVectors
) -> tuple[QueryVectors, QueryVectors, list[str]]:
    """The slices of two models without the words that one of them alone holds, and these words.

    Such a word counts as lost in both, so that a query that loses too many is undefined.
    """
    found = [
        [(here is not None, there is not None) for here, there in zip(*forms, strict=True)]
        for forms in ((a.form_of, b.form_of) for a, b in _accounts(first, second))
    ]
    only_one = dict.fromkeys(
        word
        for account, of_set in zip(first.accounts, found, strict=True)
        for word, (here, there) in zip(account.words, of_set, strict=True)
        if here != there
    )
    if not only_one:
        return first, second, []
    kept = [[here and there for here, there in of_set] for of_set in found]
    return _restricted(first, kept), _restricted(second, kept), list(only_one)


def _accounts(first: QueryVectors, second: QueryVectors) -> Iterator[tuple[SetLookup, SetLookup]]:
    return zip(first.accounts, second.accounts, strict=True)


def _restricted(slice_: QueryVectors, kept: Sequence[Sequence[bool]]) -> QueryVectors:
    accounts = [_of_kept(*of_set) for of_set in zip(slice_.accounts, kept, strict=True)]
    n_targets, n_sets = len(slice_.targets), len(slice_.targets) + len(slice_.attributes)
    # Where the declared pairs are the targets themselves they have no account among these.
    pairs = accounts[n_sets] if len(accounts) > n_sets else slice_.pairs
    return replace(
        slice_,
        targets=tuple(accounts[:n_targets]),
        attributes=tuple(accounts[n_targets:n_sets]),
        pairs=pairs,
    )


def _of_kept(account: SetLookup, kept: Sequence[bool]) -> SetLookup:
    """The account of a set had the other words not been found."""
    form_of = [form if keep else None for form, keep in zip(account.form_of, kept, strict=True)]
    found = {form: place for form, place in account.found.items() if kept[place]}
    for place, form in enumerate(form_of):
        if form is not None:
            # A form that a word left out had brought in is now that of the next.
            found.setdefault(form, place)
    return replace(
        account,
        found=found,
        form_of=form_of,
        preprocessors={form: account.preprocessors[form] for form in found},
        n_found=len(form_of) - form_of.count(None),
        lost=[word for word, form in zip(account.words, form_of, strict=True) if form is None],
        duplicated=[
            word
            for place, (word, form) in enumerate(zip(account.words, form_of, strict=True))
            if form is not None and place not in found.values()
        ],
    )
