"""How long a text may be for a model, as its folder says, read without torch."""

from __future__ import annotations

from pathlib import Path

from fairflow.language_models.folders.model_folder import ModelFolderError, read_object

# Of the format of sentence-transformers (Reimers & Gurevych 2019), which cuts texts off there.
FILE, KEY = "sentence_bert_config.json", "max_seq_length"


def stated_length(folder: str | Path) -> int | None:
    """The pieces of the longest text that an encoder's authors let it read, None if unsaid.

    Raises
    ------
    ModelFolderError : the file says so and cannot be read.
    """
    path = Path(folder) / FILE
    if not path.is_file():
        return None
    stated = read_object(path).get(KEY)
    if stated is None:
        return None
    if not isinstance(stated, int) or isinstance(stated, bool) or stated < 1:
        raise ModelFolderError(f"{path}: {KEY} is {stated!r}, expected a number of pieces")
    return stated
