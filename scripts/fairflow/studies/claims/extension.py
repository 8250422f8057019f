"""What a capability claims of a study: its module `claims` has one, called EXTENSION."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from fairflow.studies.claims.claim import Claim, Gate, Results
from fairflow.studies.claims.grid import GridRow

Labels = Mapping[str, str]


class TableRow(NamedTuple):
    """A row of the table of a page.

    Attributes
    ----------
    cells : texts. strength : of the verdict: 1 where something was found, 0 otherwise.
    """

    cells: tuple[str, ...]
    strength: int = 0


class ClaimsOf:
    """The claims of a capability; by default it makes none.

    Their words are in `words.yaml` of its folder, see `fairflow.studies.claims.words`.

    Attributes
    ----------
    heads : kind of claims that a page shows as its table -> the heads of the columns.
    together : kind of `heads` -> the kinds that are the rows of its table, in the order of claims.
    noted : kind of claims whose sentences are below the table -> the verdicts that are worth it.
    most_rows : of a table of kinds together.
    """

    heads: Mapping[str, tuple[str, ...]] = {}
    together: Mapping[str, tuple[str, ...]] = {}
    noted: Mapping[str, tuple[str, ...]] = {}
    most_rows: int = 12

    def claims(self, results: Results) -> Iterable[Claim]:
        """The claims on a study."""
        return ()

    def notes(self, results: Results) -> Iterable[Claim]:
        """Claims on how scores came about, and on what was not measured."""
        return ()

    def judges_alone(self, results: Results) -> bool:
        """Whether nothing else says of this study what is associated, and where more."""
        return False

    def facts(
        self, score: Mapping[str, Any], sets: Sequence[Sequence[str]], results: Results
    ) -> Mapping[str, Any]:
        """Further facts on an association: a signed score of two target sets and two others."""
        return {}

    def gates(self, results: Results, less: str, criterion: str) -> Iterable[Gate]:
        """What must hold of the less biased of two models, or else it is the poorer one."""
        return ()

    def checks(self, results: Results, models: Sequence[str]) -> Iterable[GridRow]:
        """What the scores of these models are worth."""
        return ()

    def tabled(self, claims: Sequence[Claim]) -> Sequence[Claim]:
        """Those claims of a kind of `heads` that a table shows."""
        return claims

    def row(self, claim: Claim, labels: Labels) -> TableRow:
        """A claim of `heads` as a row of the table."""
        raise NotImplementedError

    def answer(self, of: Mapping[str, Sequence[Claim]], labels: Labels) -> str:
        """The answer to the question of a study, by kind of claims; "" if these say nothing."""
        return ""

    def clauses(self, claim: Claim) -> Mapping[str, str]:
        """Further parts of sentences, by the names that templates have for them."""
        return {}

    def what(self, claim: Claim, name: str, labels: Labels) -> str:
        """What a claim of its kinds is about; "" of others."""
        return ""
