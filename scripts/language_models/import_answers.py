"""Take answers that were given elsewhere for the items of queries."""

from collections.abc import Iterator
from itertools import chain

from fairflow.files.checksums import sha256
from fairflow.files.jobs import running
from fairflow.files.kept import Rows, digest, keep_up_to_date
from fairflow.language_models.items.item_set import read_items
from fairflow.language_models.scoring.given_answers import answer_rows, taken
from fairflow.language_models.slices.slices import COMPLETION_SCHEMA, completion_rows

with running(snakemake) as job:
    model, given = job.wildcards.model, job.params.how["given"]
    sets = dict(zip(given, job.input.item_sets, strict=True))

    def compute(names: list[str]) -> Iterator[tuple[str, Rows]]:
        for name in names:
            query = name.partition("/")[0]
            how = dict(given[query])
            files, by_item = how.pop("files"), how.pop("by_item")
            rows = chain.from_iterable(answer_rows(path, **how) for path in files)
            found = completion_rows(*taken(read_items(sets[query]), query, rows, by_item))
            yield name, [{"model": model, "query": query, **row} for row in found]

    wanted = {
        f"{query}/given": digest(how, [*map(sha256, [sets[query], *how["files"]])], job.params.code)
        for query, how in given.items()
    }
    keep_up_to_date(job.output.completions, COMPLETION_SCHEMA, wanted, compute)
