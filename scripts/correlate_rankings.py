"""Correlate the rankings of every two metrics."""

from fairflow.logs import log_to
from fairflow.ranking import correlate_rankings
from fairflow.tables import read_table, write_table

if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        ranking = read_table(str(snakemake.input))
        write_table(correlate_rankings(ranking), str(snakemake.output))
