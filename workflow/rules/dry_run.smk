"""A dry run shows the table of its jobs once, after their list."""

import logging

from snakemake_interface_logger_plugins.common import LogEvent


class AllButTheFirstTable:
    """A filter of log records."""

    tables = 0

    def filter(self, record):
        if getattr(record, "event", None) != LogEvent.RUN_INFO:
            return True
        self.tables += 1
        return self.tables > 1


if workflow.output_settings.dryrun:
    logging.getLogger("snakemake.logging").addFilter(AllButTheFirstTable())
