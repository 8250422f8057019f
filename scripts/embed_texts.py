"""Embed the words or sentences of queries with a language model, which is opened once."""

from pathlib import Path
from typing import Any

from fairflow.files.atomic import write_json
from fairflow.files.jobs import run
from fairflow.language_models.errors import NOT_FINITE, LanguageModelError
from fairflow.language_models.slices.answers import EmbeddedTexts
from fairflow.language_models.slices.slices import write_embeddings
from fairflow.queries.lookup import Lookup
from fairflow.queries.query_file import read_query

READING = ("pooling", "layer", "unit_length", "context_templates")
ADVICE = "make audit MODEL=PATH POOLING=mean, or --config audit=PATH audit_pooling=mean"


def embed_texts(
    path_to_folder: str,
    threads: int,
    paths_to_query: list[str],
    jobs: list[dict[str, Any]],
    paths_to_embeddings: list[str],
    path_to_facts: str | None = None,
) -> None:
    """`path_to_facts` of an audit alone, for which the model has to be whole."""
    from fairflow.language_models.inference.embed_query import embed_query
    from fairflow.language_models.inference.embed_texts import kept_vectors
    from fairflow.language_models.inference.language_model import load_language_model

    model = load_language_model(path_to_folder, jobs[0]["device"], threads, **jobs[0]["loading"])
    reading, facts, embedded = {key: jobs[0][key] for key in READING}, {}, []
    # Queries share most of their words, and those of equal targets their random words.
    with kept_vectors():
        if path_to_facts:
            reading, facts = described(model, reading)
        for path, how in zip(paths_to_query, jobs, strict=True):
            asked = {key: how[key] for key in ("token_budget", "random_words", "seed", "language")}
            query, lookup = read_query(path), Lookup(**how["lookup"])
            embedded.append(embed_query(model, query, lookup, **asked, **reading))
            if path_to_facts:
                check_whole(embedded[-1], path_to_folder, Path(path).stem)
    for texts, path in zip(embedded, paths_to_embeddings, strict=True):
        write_embeddings(texts, path)
    if path_to_facts:
        write_json(facts, path_to_facts)


def described(model: Any, reading: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """How an audited model is read, by the mean where nothing says it, and its facts."""
    from fairflow.language_models.inference.embed_texts import pooling_of
    from fairflow.language_models.inference.model_facts import model_facts

    try:
        said = pooling_of(model, reading["pooling"], reading["unit_length"], or_mean=True)
    except LanguageModelError as error:
        raise LanguageModelError(f"{error}. In an audit, set it with {ADVICE}") from error
    reading = {**reading, "pooling": said.pooling}
    return reading, model_facts(model, **reading) | {"pooling_source": said.stated_by}


def check_whole(embedded: EmbeddedTexts, path_to_folder: str, query: str) -> None:
    if broken := embedded.statuses.count(NOT_FINITE):
        raise LanguageModelError(
            f"{path_to_folder} is broken: the vectors of {broken} of {len(embedded.texts)} words "
            f"of {query} are NaN or infinite. Fetch its weights again"
        )


if __name__ == "__main__":
    run(snakemake, embed_texts)
