"""Snakemake's logger plugin `fairflow`: `--logger fairflow`, where this folder is on PYTHONPATH.

What a person reads goes to the terminal or the log: how far the run is, what failed, how it ended.
All that Snakemake and its jobs say goes into one file in results/logs/snakemake.
"""

from __future__ import annotations

import atexit
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from logging import LogRecord
from threading import current_thread, main_thread
from typing import Any, NoReturn

from snakemake_interface_logger_plugins.base import LogHandlerBase
from snakemake_interface_logger_plugins.settings import LogHandlerSettingsBase

from fairflow.progress.reporter import Reporter
from snakemake_logger_plugin_fairflow.records import tell


@dataclass
class LogHandlerSettings(LogHandlerSettingsBase):
    """What a command line may set: `--logger-fairflow-interval`."""

    interval: float | None = field(
        default=60.0,
        metadata={
            "help": "Seconds between two lines where the output is no terminal.",
            "env_var": False,
            "required": False,
            "type": float,
        },
    )


class LogHandler(LogHandlerBase):
    """Hands what Snakemake tells of its jobs to a `Reporter`."""

    def __post_init__(self) -> None:
        interval = getattr(self.settings, "interval", None) or LogHandlerSettings.interval
        self._reporter: Reporter | None = None
        self._on_interrupt(self._stop)
        if not self.common_settings.dryrun:
            self._reporter = Reporter(interval)
            # Interrupted in here, Snakemake does not know of this handler.
            atexit.register(self.close)
            # Last, for whoever reads it may press the key at once.
            self._reporter.plan()

    def _stop(self, *_signal: object) -> NoReturn:
        """Ctrl-C. The handler of asyncio only cancels a task, which may be done all the same."""
        if self._reporter:
            self._reporter.stop()
        if self._reporter is None or not self._reporter.has_begun:
            # Snakemake would show where in its planning it was.
            raise SystemExit(128 + signal.SIGINT)
        raise KeyboardInterrupt

    def _on_interrupt(self, handler: Callable[..., Any] | signal.Handlers) -> None:
        """Have Ctrl-C handled where there is something to tell."""
        if not self.common_settings.dryrun and current_thread() is main_thread():
            signal.signal(signal.SIGINT, handler)

    def emit(self, record: LogRecord) -> None:
        """Tell of one record; that of a dry run is shown as it is."""
        try:
            tell(self._reporter, record, self.format)
        except Exception:
            self.handleError(record)

    def close(self) -> None:
        """Tell how the run ended."""
        if self._reporter:
            self._reporter.close()
        # All is told: Ctrl-C now ends what is left of Snakemake without a traceback.
        self._on_interrupt(signal.SIG_DFL)
        super().close()

    # Snakemake shows nothing else on the terminal,
    writes_to_stream = True
    # names no file of this handler as its log,
    writes_to_file = False
    # lets every record through, whatever is to be quiet,
    has_filter = True
    # puts records in words as it does for its own log,
    has_formatter = False
    # and draws no graph.
    needs_rulegraph = False
