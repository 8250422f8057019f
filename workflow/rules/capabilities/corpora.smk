"""From texts to word vectors of their subcorpora, and to scores of further samples of documents.

kind     path                                       made from
corpus   results/corpora/CORPUS/...                 texts
trained  results/trained/MODEL.bin                  corpus
counts   results/cooccurrences/STUDY/SUBCORPUS.npz  corpus, words
draws    results/draws/STUDY/MODEL/BATCH.parquet    corpus, words, counts
"""

from fairflow.corpora import KIND
from fairflow.corpora.corpus import FILES
from fairflow.corpora.plan import corpora_of

corpus, trained, counts, draws = job("corpus"), job("trained"), job("counts"), job("draws")
OF_CORPORA = [study.parts[KIND] for study in PLAN.studies.values() if KIND in study.parts]
NAMES |= {
    "corpus": corpora_of(PLAN),
    "subcorpus": [part for one in OF_CORPORA for part in one.subcorpora],
    "batch": [batch for one in OF_CORPORA for _, batch in one.draws],
}


rule read_corpus:
    """Read the texts of {wildcards.corpus}."""
    input:
        unpack(corpus.inputs),
    output:
        **{name: f"results/corpora/{{corpus}}/{file}" for name, file in FILES.items()},
    params:
        **corpus.params,
    script:
        "../../../scripts/corpora/read_corpus.py"


rule train_vectors:
    """Make the word vectors of {wildcards.model}."""
    input:
        unpack(trained.inputs),
    output:
        vectors=trained.of(model=PLAN.trained),
    params:
        **trained.params,
    script:
        "../../../scripts/corpora/train_vectors.py"


rule count_cooccurrences:
    """Count the words of {wildcards.study} in {wildcards.subcorpus}."""
    input:
        unpack(counts.inputs),
    output:
        counts=counts.path,
    params:
        **counts.params,
    script:
        "../../../scripts/corpora/count_cooccurrences.py"


rule score_draws:
    """Score further samples of {wildcards.model} ({wildcards.batch})."""
    input:
        unpack(draws.inputs),
    output:
        draws=draws.of(model=PLAN.trained),
    params:
        **draws.params,
    script:
        "../../../scripts/corpora/score_draws.py"
