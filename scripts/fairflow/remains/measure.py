"""All tests on one model: Gonen & Goldberg's, Bolukbasi's, word similarity and analogies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fairflow.remains.benchmark_files import ANALOGIES, Benchmark
from fairflow.remains.findings import FEWEST, Finding, ModelFindings, undefined
from fairflow.remains.limited_model import LimitedModel, limited_model
from fairflow.remains.of_directions import visible_findings
from fairflow.remains.of_sides import hidden_findings
from fairflow.remains.settings import Settings
from fairflow.remains.usefulness import analogy_answers, similarity_answers
from fairflow.vectors.word_rows import WordRows


def model_findings(
    name: str,
    model: WordRows,
    before: WordRows,
    settings: Settings,
    benchmarks: Mapping[str, Benchmark],
) -> ModelFindings:
    """What every test says of a model; one that cannot be made says why.

    Parameters
    ----------
    before : the model whose vectors tell which way words lean, and which words are looked at.
    benchmarks : by name.

    Raises
    ------
    FairflowError : the models have no word in common.
    """
    from threadpoolctl import threadpool_limits

    # Sums depend on how many threads share them.
    with threadpool_limits(1):
        limited = limited_model(model, before, settings)
        found = [
            *hidden_findings(limited, settings),
            *visible_findings(model, before, limited, settings),
            *use_findings(model, limited, benchmarks),
        ]
    facts = {"vocabulary": len(model), "words_looked_at": limited.first.looked_at}
    return ModelFindings(name, tuple(found), facts)


def use_findings(
    model: WordRows, limited: LimitedModel, benchmarks: Mapping[str, Benchmark]
) -> Iterator[Finding]:
    """Word similarity and analogies."""
    first = limited.first
    for name, benchmark in benchmarks.items():
        if benchmark.kind == ANALOGIES:
            answers = analogy_answers(first.words, first.directions, benchmark.items)
            note = f"answers are sought among {len(first.words)} words"
        else:
            answers = similarity_answers(model, benchmark.items, benchmark.scores)
            note = ""
        known = {"subject": name, "covered": len(answers.items), "total": len(benchmark.items)}
        if len(answers.items) < FEWEST:
            why = f"only {len(answers.items)} of its items have all words in the model"
            yield from undefined([benchmark.kind], why, **known)
            continue
        yield Finding(benchmark.kind, answers=answers, n=len(answers.items), note=note, **known)
