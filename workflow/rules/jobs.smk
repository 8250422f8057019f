"""From the registry of jobs to rules: the inputs, parameters and path of a kind of file."""

from types import SimpleNamespace


def files_of(job):
    """The inputs of a job; only the list of the files in a language model's folder counts."""
    return {n: ancient(f) if n == "folder" else f for n, f in job.inputs.items()}


def job(kind, **known):
    """For rules: inputs, params and path of a kind of job, whose wildcards tell which one.

    The path is also given `of` some values of its wildcards alone.
    """
    made = lambda w: JOBS.of(kind, **{**dict(w.items()), **known})
    only = lambda names: {n: f"{{{n},{one_of(values)}}}" for n, values in names.items()}
    return SimpleNamespace(
        path=path_of(PLAN, kind, models=MODELS, **known),
        of=lambda **names: path_of(PLAN, kind, models=MODELS, **known, **only(names)),
        inputs=lambda w: files_of(made(w)),
        params={"how": lambda w: made(w).how, "code": lambda w: fingerprint(*made(w).modules)},
    )


words, items, slices = job("words"), job("items"), job("slices")
embeddings, tokens, completions = job("embeddings"), job("tokens"), job("completions")
scores, item_scores = job("scores"), job("item_scores")
converted, derivation, whole = job("convert"), job("derivation"), job("whole")
record, facts, manifest = job("record"), job("facts"), job("manifest")
corpus, trained, counts, draws = job("corpus"), job("trained"), job("counts"), job("draws")
differences = job("differences")
