"""Errors that say where, what was found, what was expected and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

# Line breaks, control characters and halves of characters (of names that are not UTF-8), which no
# line of a text or table can hold.
UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_OBEYED = re.compile(r"\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
NAME_ADVICE = "its name is not UTF-8, or holds a line break or the like: rename it"
# How a text begins that a spreadsheet calculates.
FORMULA = ("=", "+", "-", "@")
# Keys of the configuration, and their values, that version 0.2 renamed: old -> new.
RENAMED = {
    "fetch": "download",
    "packages": "bundled",
    "side": "alternative",
    "right": "greater",
    "left": "less",
    "carriers": "context_templates",
    "unit": "cluster",
    "sequel": "continuation",
    "sequels": "continuations",
    "clustered": "n_clustered",
    "classified": "n_classified",
    "trained": "n_train",
    "neighbours": "n_neighbours",
    "runs": "n_runs",
    "starts": "n_init",
    "texts": "answers",
    "completions": "answers",
}
# Names (of keys, values, figures, tables, metrics, forms, commands) that version 0.2 has no more:
# old -> what to use instead, as a sentence.
REMOVED = {
    "critical_difference": "The figure rank_probabilities shows how clearly models differ.",
    "published_ranking_bars": "The figure published_comparison and ledger.csv have these numbers.",
    "published_correlation_heatmaps": "The table published and ledger.csv have these numbers.",
    "score_bars": "The figure forest_plot shows every score.",
    "lpbs_first_piece": "Use lpbs, which has a mask for each token of a word.",
    "representation_helm": "Use representation, whose measure distance_per_term is the same.",
    "sentence_aul": "Use aul on pairs; fairflow.fairlangproc.metrics.AUL scores sentences.",
    "bbq_per_byte": "Use bbq.",
    "relative_decision": "Use word_association.",
    "bai_2025_decisions": "Use bai_2025.",
    **dict.fromkeys(
        ("gest", "bec_pro", "bec_pro_pairs", "likelihood_bias", "holistic_bias"),
        "Write pairs into a query, and use pair_likelihood.",
    ),
    **dict.fromkeys(
        ("gender_polarity", "polarity", "polarity_by_group", "bold"),
        "Write prompts into a query, and use representation.",
    ),
    **dict.fromkeys(
        ("decision_log_odds", "decisions_female", "decisions_answered_female", "discrim_eval"),
        "Write decisions into a query, and use decision_share.",
    ),
    **dict.fromkeys(("pair_agreement", "pair_swap"), "The table checks has its rows."),
    **dict.fromkeys(("aggregates", "rank_uncertainty"), "The table ranking has its columns."),
    "size_changes": "The table before_after has its rows, of the measure mean size.",
    "wording_scores": "The table category_scores has its rows, which name a wording.",
    "invalid_items": "The table items has its rows.",
    **dict.fromkeys(("corpus_trends", "corpus_words"), "The table corpus_scores has its rows."),
    "specification_summary": "The table specification_curve has every specification.",
    "length_sensitivity": "The column value_normalized of scores has the score at unit length.",
    **dict.fromkeys(
        ("residual_bias", "remains"),
        "Name the metrics hidden_bias, direct_bias, indirect_bias or explained_variance in the "
        "study: before_after.csv has their differences, quality.csv the benchmarks.",
    ),
}


def printable(text: str) -> str:
    """A text that no terminal obeys: its control characters are written as \\x1b and the like."""
    return _OBEYED.sub(lambda found: repr(found[0])[1:-1], text)


class FairflowError(Exception):
    """Any failure that the user can act on; its text is meant to be read."""

    def __str__(self) -> str:
        # Halves of characters cannot be printed.
        return printable(super().__str__().encode("utf-8", "backslashreplace").decode())


class ConfigurationError(FairflowError):
    """Everything wrong with a configuration, all at once.

    Parameters
    ----------
    problems : one sentence each, with file and key.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        count = f"{len(problems)} problem" + ("s" if len(problems) > 1 else "")
        super().__init__(f"{count} in the configuration:\n  - " + "\n  - ".join(problems))


class DownloadError(FairflowError):
    """A file could not be fetched, or is not the file that was promised."""


class VectorFormatError(FairflowError):
    """A file of vectors does not follow the format that its model entry names."""


class DegenerateError(FairflowError):
    """The metric's formula has no value for these vectors, for the reason given."""


def not_utf8(error: UnicodeDecodeError) -> str:
    """Where a file that was read as a whole is not UTF-8, to be put behind its name."""
    line = error.object.count(b"\n", 0, error.start) + 1
    return f", line {line}: not UTF-8 (byte {error.object[error.start]:#04x}): save it as UTF-8"


def nearest(name: object, valid: Iterable[object]) -> str:
    """'Did you mean X?' with the closest valid name, or the valid names when none is close.

    Of a name that version 0.2 changed, the new one; of one that it removed, what replaces it.
    """
    names = sorted(str(v) for v in valid)
    if (new := RENAMED.get(str(name))) in names:
        return f"Since version 0.2 its name is {new!r}."
    if instead := REMOVED.get(str(name)):
        return f"Version 0.2 has removed it. {instead}"
    close = get_close_matches(str(name), names, n=1, cutoff=0.6)
    if close:
        return f"Did you mean {close[0]!r}?"
    shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"Valid: {shown}." if names else "None is defined."
