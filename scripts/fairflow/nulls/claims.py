"""The claims of nulls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fairflow.nulls import ceat_claims as ceat
from fairflow.studies.claims.claim import Claim, Results
from fairflow.studies.claims.extension import ClaimsOf, Labels, TableRow


class ClaimsOfNulls(ClaimsOf):
    """Claims on words in contexts."""

    heads = {ceat.IN_CONTEXTS: ceat.HEAD}

    def claims(self, results: Results) -> Iterator[Claim]:
        """See `context_claims`."""
        return ceat.context_claims(results)

    def row(self, claim: Claim, labels: Labels) -> TableRow:
        """A claim as a row of its table."""
        return ceat.context_row(claim, labels)

    def answer(self, of: Mapping[str, Sequence[Claim]], labels: Labels) -> str:
        """The answer of a study of words in contexts."""
        return ceat.context_answer(of)

    def clauses(self, claim: Claim) -> Mapping[str, str]:
        """Parts of its sentences."""
        return ceat.context_clauses(claim)


EXTENSION = ClaimsOfNulls()
