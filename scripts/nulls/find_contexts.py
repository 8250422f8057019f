"""Find sentences with the words of a study."""

from pathlib import Path

from fairflow.corpora.documents import Document, read_documents
from fairflow.files.checked_files import write_sealed
from fairflow.files.jobs import running
from fairflow.nulls.contexts import contexts_of, read_sets, words_of

with running(snakemake) as job:
    how = job.params.how
    words = words_of(read_sets(job.input.words, how["queries"]).values())
    read = read_documents(Path(job.input.source), how["texts"]["definition"])
    texts = (one.text for one in read if isinstance(one, Document))
    write_sealed(contexts_of(texts, words, how["most"], how["seed"]), job.output.contexts)
