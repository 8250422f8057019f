"""Find sentences with the words of a study."""

from pathlib import Path

from fairflow.corpora.documents import Document, read_documents
from fairflow.files.checked_files import write_sealed
from fairflow.files.jobs import running
from fairflow.nulls.contexts import contexts_of, sets_of
from fairflow.queries.query_file import read_words

with running(snakemake) as job:
    how = job.params.how
    queries = {query: sets for file in job.input.words for query, sets in read_words(file).items()}
    sets = [words for query in how["queries"] for words in sets_of(queries[query]).values()]
    words = dict.fromkeys(word for own in sets for word in own)
    read = read_documents(Path(job.input.source), how["texts"]["definition"])
    texts = (one.text for one in read if isinstance(one, Document))
    write_sealed(contexts_of(texts, [*words], how["most"], how["seed"]), job.output.contexts)
