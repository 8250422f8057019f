"""Score further samples of a subcorpus: documents drawn anew, other seeds, shuffled tokens."""

from functools import partial

from fairflow.corpora.cooccurrence import SubcorpusCounts
from fairflow.corpora.corpus import FILES
from fairflow.corpora.drawn_scores import SCHEMA, drawn_rows, read_queries
from fairflow.corpora.embeddings import Training
from fairflow.corpora.sample import Sample
from fairflow.files.jobs import running
from fairflow.files.parquet import write_parquet_rows
from fairflow.scores.word_variant import WordVariant

with running(snakemake) as job:
    how, own = job.params.how, Training(**job.params.how["training"])
    if job.input.counts:
        vectors_of = partial(own.reweighted, SubcorpusCounts.read(*job.input.counts))
    else:
        files = {name: job.input[name] for name in FILES}
        vectors_of = partial(own.vectors, Sample.open(files, **how["part"]))
    queries = read_queries(job.input.words, how["lookups"])
    variants = {name: WordVariant(name, **told) for name, told in how["variants"].items()}
    asked = queries, variants, how["computed"], own.seed, own.name
    write_parquet_rows([*drawn_rows(how["draws"], vectors_of, *asked)], SCHEMA, job.output.draws)
