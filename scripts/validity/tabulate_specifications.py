"""Compare every two models of a study in every specification that could be defended."""

from fairflow.files.jobs import running
from fairflow.studies.columns import read_table, write_tables
from fairflow.validity.multiverse import specification_curve, with_absent
from fairflow.validity.seed_sets import as_word_lists

with running(snakemake) as job:
    settings, others = job.params.how["settings"], [*map(read_table, job.input.others)]
    for path in job.input.swapped:
        published, settings = as_word_lists(read_table(path), settings)
        others.append(published)
    curve = specification_curve(read_table(job.input.scores), others, settings)
    write_tables({"specification_curve": with_absent(curve, job.params.how["absent"])}, job.output)
