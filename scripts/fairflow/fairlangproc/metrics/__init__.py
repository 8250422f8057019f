"""The metrics of FairLangProc by name."""

from fairflow.fairlangproc.metrics.embedding import WEAT, BertWEAT
from fairflow.fairlangproc.metrics.generated_text import HONEST, DemRep, StereoAsoc
from fairflow.fairlangproc.metrics.probability import AUL, CBS, CPS, LPBS

__all__ = ["AUL", "CBS", "CPS", "HONEST", "LPBS", "WEAT", "BertWEAT", "DemRep", "StereoAsoc"]
