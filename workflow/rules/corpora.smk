"""From texts to word vectors of their subcorpora, and to scores of further samples of documents."""


rule read_corpus:
    """Read the texts of {wildcards.corpus}."""
    input:
        unpack(corpus_job.inputs),
    output:
        **{name: f"results/corpora/{{corpus}}/{file}" for name, file in CORPUS_FILES.items()},
    params:
        **corpus_job.params,
    script:
        "../../scripts/read_corpus.py"


rule train_vectors:
    """Make the word vectors of {wildcards.model}."""
    input:
        unpack(trained_job.inputs),
    output:
        vectors="results/trained/{model}.bin",
    wildcard_constraints:
        model=one_of(PLAN.trained),
    params:
        **trained_job.params,
    script:
        "../../scripts/train_vectors.py"


rule count_cooccurrences:
    """Count the words of {wildcards.study} in {wildcards.subcorpus}."""
    input:
        unpack(counts_job.inputs),
    output:
        counts="results/cooccurrences/{study}/{subcorpus}.npz",
    params:
        **counts_job.params,
    script:
        "../../scripts/count_cooccurrences.py"


rule score_draws:
    """Score further samples of {wildcards.model} ({wildcards.batch})."""
    input:
        unpack(draws_job.inputs),
    output:
        draws="results/draws/{study}/{model}/{batch}.parquet",
    wildcard_constraints:
        model=one_of(PLAN.trained),
    params:
        **draws_job.params,
    script:
        "../../scripts/score_draws.py"


rule tabulate_corpus:
    """Tabulate how the scores of {wildcards.study} differ between subcorpora."""
    input:
        unpack(study_job["tabulate_corpus"].inputs),
        scores="results/studies/{study}/scores.parquet",
    output:
        tables_of("tabulate_corpus"),
    wildcard_constraints:
        study=one_of([study.name for study in PLAN.studies.values() if study.corpus]),
    params:
        **study_job["tabulate_corpus"].params,
    script:
        "../../scripts/tabulate_corpus.py"
