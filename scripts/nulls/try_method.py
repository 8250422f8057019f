"""Try a published method in worlds whose truth is known."""

import pandas as pd

from fairflow.files.jobs import running
from fairflow.files.tables import write_table
from fairflow.nulls.methods import try_method

with running(snakemake) as job:
    write_table(pd.DataFrame(try_method(**job.params.how)), job.output.rows)
