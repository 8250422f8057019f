"""Which format the vectors at a path have, told by their content."""

from fairflow.vectors.recognition.recognise import GGUF, NAMES, NETWORK, Recognised, recognise
from fairflow.vectors.recognition.unknown import UnknownFormat

__all__ = ["GGUF", "NAMES", "NETWORK", "Recognised", "UnknownFormat", "recognise"]
