"""The claims of nulls: published methods, groups of two contrasts, and words in contexts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from fairflow.nulls import CROSSED, METHODS
from fairflow.nulls import ceat_claims as ceat
from fairflow.nulls import group_claims as groups
from fairflow.nulls import method_claims as methods
from fairflow.studies.claims.claim import Claim, Results
from fairflow.studies.claims.extension import ClaimsOf, Labels, TableRow

ROWS = {
    methods.METHOD: methods.method_row,
    groups.GROUP: groups.group_row,
    ceat.IN_CONTEXTS: ceat.context_row,
}
CLAIMS = groups.group_claims, groups.swap_claims, ceat.context_claims
ANSWERS = methods.method_answer, groups.group_answer, ceat.context_answer


class ClaimsOfNulls(ClaimsOf):
    """Each kind has its own module; the first that a study has answers its question."""

    heads = {
        methods.METHOD: methods.HEAD,
        groups.GROUP: groups.HEAD,
        ceat.IN_CONTEXTS: ceat.HEAD,
    }
    noted = {groups.SWAP: groups.SWAPS}
    together = {methods.METHOD: (methods.METHOD,)}
    most_rows = 40

    def claims(self, results: Results) -> Iterator[Claim]:
        """Those of each kind."""
        yield from methods.method_claims(results.table(METHODS))
        for claims in CLAIMS:
            yield from claims(results)

    def judges_alone(self, results: Results) -> bool:
        """Where methods are tried, or shares alone measured, which are no associations."""
        table = results.table(CROSSED)
        alone = len(table) > 0 and {*results.headline["metric"]} <= {*table["metric"]}
        return alone or len(results.table(METHODS)) > 0

    def row(self, claim: Claim, labels: Labels) -> TableRow:
        """A claim as a row of the table of its kind."""
        return ROWS[claim.kind](claim, labels)

    def answer(self, of: Mapping[str, Sequence[Claim]], labels: Labels) -> str:
        """That of the first kind that a study has."""
        return next(filter(None, (told(of) for told in ANSWERS)), "")

    def clauses(self, claim: Claim) -> Mapping[str, str]:
        """Parts of sentences on words in contexts."""
        return ceat.context_clauses(claim)


EXTENSION = ClaimsOfNulls()
