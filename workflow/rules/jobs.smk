"""From the registry of jobs to rules: the inputs, parameters and path of a kind of file.

What `scripts/fairflow/planning/*jobs.py` say of each kind; of an audit, words to scores are below
results/audit/models/PRESET. QUERIES is a file of queries.

kind         path                                              made from
words        results/words/QUERIES.json                        word sets, lexicons
convert      results/models/MODEL/vectors                      a download, a file, or trained
derivation   results/models/MODEL/derivation.npz               the models from which MODEL comes
whole        results/models/MODEL/vectors                      the same, and its derivation
record       results/provenance/models/MODEL.json              vectors or derivation
slices       results/slices/MODEL/QUERIES.parquet              words; vectors; record
scores       results/scores/MODEL/METRIC/QUERIES.parquet       slices
differences  results/differences/STUDY/MODEL.parquet           slices of MODEL and of the model before
tables       results/studies/STUDY/...                         scores, slices and whatever its kinds need
"""

from types import SimpleNamespace


def files_of(job):
    """The inputs of a job; of a folder, only the list of its files counts."""
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


words, slices, scores, differences = job("words"), job("slices"), job("scores"), job("differences")
converted, derivation, whole = job("convert"), job("derivation"), job("whole")
record = job("record")
