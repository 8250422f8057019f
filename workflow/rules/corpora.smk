"""From texts to word vectors of their subcorpora, and to scores of further samples of documents."""


rule read_corpus:
    """Read the texts of {wildcards.corpus}."""
    input:
        unpack(corpus.inputs),
    output:
        **{name: f"results/corpora/{{corpus}}/{file}" for name, file in CORPUS_FILES.items()},
    params:
        **corpus.params,
    script:
        "../../scripts/read_corpus.py"


rule train_vectors:
    """Make the word vectors of {wildcards.model}."""
    input:
        unpack(trained.inputs),
    output:
        vectors=trained.of(model=PLAN.trained),
    params:
        **trained.params,
    script:
        "../../scripts/train_vectors.py"


rule count_cooccurrences:
    """Count the words of {wildcards.study} in {wildcards.subcorpus}."""
    input:
        unpack(counts.inputs),
    output:
        counts=counts.path,
    params:
        **counts.params,
    script:
        "../../scripts/count_cooccurrences.py"


rule score_draws:
    """Score further samples of {wildcards.model} ({wildcards.batch})."""
    input:
        unpack(draws.inputs),
    output:
        draws=draws.of(model=PLAN.trained),
    params:
        **draws.params,
    script:
        "../../scripts/score_draws.py"
