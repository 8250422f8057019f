"""From the registry of jobs to rules: the inputs, parameters and path of a kind of file.

What `scripts/fairflow/planning/*jobs.py` say of each kind; of an audit, words to scores are below
results/audit/models/PRESET. QUERIES is a file of queries.

kind         path                                              made from
words        results/words/QUERIES.json                        word sets, lexicons
items        results/items/QUERY.json                          files of items
convert      results/models/MODEL/vectors                      a download, a file, or trained
derivation   results/models/MODEL/derivation.npz               the models from which MODEL comes
whole        results/models/MODEL/vectors                      the same, and its derivation
record       results/provenance/models/MODEL.json                vectors or derivation
manifest     results/language_models/MODEL/manifest.json       a folder, a hub, or a download
facts        results/language_models/MODEL/facts.json          the files of the model
slices       results/slices/MODEL/QUERIES.parquet              words; vectors or embeddings; record
embeddings   results/embeddings/MODEL/QUERIES.parquet          words, the files of the model
tokens       results/tokens/MODEL/QUERIES.parquet              items, the files of the model
completions  results/completions/MODEL/QUERIES.parquet         items, the files of the model or of answers
scores       results/scores/MODEL/METRIC/QUERIES.parquet       slices; or items, tokens or completions
item_scores  results/item_scores/MODEL/METRIC/QUERIES.parquet  the same, by the same job
differences  results/differences/STUDY/MODEL.parquet           slices of MODEL and of the model before
tables       results/studies/STUDY/...                         scores, slices and whatever its kinds need
"""

from types import SimpleNamespace


def files_of(job):
    """The inputs of a job; only the list of the files in a language model's folder counts."""
    return {n: ancient(f) if n == "folder" else f for n, f in job.inputs.items()}


def job(kind, **known):
    """For rules: inputs, params and path of a kind of job, whose wildcards tell which one.

    `of(model=NAMES)` is the path for these models alone.
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
differences = job("differences")
