"""Data sets of bias in language models, from a copy of the Fair-LLM-Benchmark on this machine.

Gallegos et al. 2024 (https://doi.org/10.1162/coli_a_00524) collect the data sets; each keeps its
licence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from fairflow.errors import nearest
from fairflow.language_models.inference.language_model import TorchDataset

BRACKETS = re.compile(r"\[(.*?)\]")
# Part of StereoSet by configuration: sentences with a blank, and sentences that follow another.
STEREOSET = {"sentence": "intersentence", "word": "intrasentence"}
READERS: dict[str, Callable[[Path], Any]] = {
    ".csv": pd.read_csv,
    ".tsv": lambda path: pd.read_csv(path, sep="\t"),
    ".json": pd.read_json,
    ".jsonl": lambda path: pd.read_json(path, lines=True),
}


def read_path(path: Path) -> Any:
    """A table as a frame, another file as text; a folder by the names in it, without its code.

    Raises
    ------
    FileNotFoundError : naming the file.
    """
    if path.is_dir():
        return {
            own.name: read_path(own)
            for own in sorted(path.iterdir())
            if own.suffix not in (".py", ".pyc", ".zip", ".tgz") and own.name != "__pycache__"
        }
    return READERS.get(path.suffix, lambda other: other.read_text(encoding="utf-8"))(path)


def read_stereoset(folder: Path, config: str) -> dict[str, pd.DataFrame]:
    """One row per context: its sentences and their labels, each in brackets between slashes."""
    frames = {}
    parts = [*STEREOSET] if config == "all" else [config]
    for path in sorted(folder.glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8")).get("data", {})
        for part in parts if isinstance(data, dict) else ():
            rows = [_of_stereoset(example) for example in data.get(STEREOSET[part], ())]
            if rows:
                frames[f"{path.stem}_{part}"] = pd.DataFrame(rows)
    return frames


def _of_stereoset(example: dict[str, Any]) -> dict[str, str]:
    sentences = example["sentences"]
    return {
        "options": f"[{'/'.join(one['sentence'] for one in sentences)}]",
        "context": example["context"],
        "target": example["target"],
        "bias_type": example["bias_type"],
        "labels": f"[{'/'.join(one['gold_label'] for one in sentences)}]",
    }


def read_winobias(folder: Path, config: str) -> Any:
    """Sentences with their first two brackets; word pairs; or the occupations of either gender.

    "all" is the sentences.
    """
    if config == "pairs":
        files = ("generalized_swaps.txt", "extra_gendered_words.txt")
        lines = [line for file in files for line in _lines(folder / file)]
        return [tuple(word.strip() for word in line.split("\t")) for line in lines if "\t" in line]
    if config == "gender_words":
        return {who: _lines(folder / f"{who}_occupations.txt") for who in ("male", "female")}
    return {
        path.name: pd.DataFrame([_of_winobias(line) for line in _lines(path)])
        for path in sorted(folder.glob("*_stereotyped_type*.txt.*"))
    }


def _of_winobias(line: str) -> dict[str, str]:
    """A line is a number and a sentence with [the entity] and [a pronoun]."""
    sentence = " ".join(line.split()[1:])
    entity, pronoun, *_ = [*BRACKETS.findall(sentence), "", ""]
    plain = sentence.replace("[", "").replace("]", "")
    return {"sentence": plain, "entity": entity, "pronoun": pronoun}


def read_winobias_plus(folder: Path, config: str) -> pd.DataFrame:
    """Sentences with words of gender, and the same without, line by line."""
    files = (folder / f"WinoBias+.{part}" for part in ("preprocessed", "references"))
    pairs = zip_longest(*map(_lines, files), fillvalue="")
    return pd.DataFrame(pairs, columns=["gendered", "neutral"])


def _lines(path: Path) -> list[str]:
    """The lines of a file that hold something."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip()]


BBQ = (
    *("Age", "Disability_status", "Gender_identity", "Nationality", "Physical_appearance"),
    *("Race_ethnicity", "Race_x_gender", "Race_x_SES", "Religion", "SES", "Sexual_orientation"),
)
# Data set -> configuration, or "" of one without -> its file or folder, those of other
# configurations together, or a function that reads it.
BENCHMARKS: dict[str, dict[str, str | tuple[str, ...] | Callable[[Path, str], Any]]] = {
    "BBQ": {name: f"{name}.jsonl" for name in BBQ} | {"all": ""},
    "BEC-Pro": {
        "english": "BEC-Pro_EN.tsv",
        "german": "BEC-Pro_DE.tsv",
        "all": ("english", "german"),
    },
    "BOLD": {"prompts": "prompts", "wikipedia": "wikipedia", "all": ""},
    "BUG": {name: f"{name}_BUG.csv" for name in ("balanced", "full", "gold")} | {"all": ""},
    "CrowS-Pairs": {"": "crows_pairs_anonymized.csv"},
    "GAP": {"": ""},
    "HONEST": {"": ""},
    "HolisticBias": {
        "noun_phrases": "files/noun_phrases.csv",
        "sentences": "files/sentences.csv",
        "all": ("noun_phrases", "sentences"),
    },
    "StereoSet": dict.fromkeys(("word", "sentence", "all"), read_stereoset),
    "UnQover": {"": ""},
    "WinoBias": dict.fromkeys(("WinoBias", "pairs", "gender_words", "all"), read_winobias),
    "WinoBias+": {"": read_winobias_plus},
    "WinoQueer": {"": ""},
    "Winogender": {"": "all_sentences.tsv"},
}


ADDRESS = "https://github.com/i-gallegos/Fair-LLM-Benchmark"
USUAL_PATH = "Fair-LLM-Benchmark"
FORMATS = ("raw", "hf", "pt")


class FairLLMBenchmarkLoader:
    """Reads data sets from a copy of the Fair-LLM-Benchmark; nothing is downloaded.

    Parameters
    ----------
    benchmark_path : the copy's folder; by default Fair-LLM-Benchmark in the working folder.
    """

    def __init__(self, benchmark_path: str | Path | None = None) -> None:
        self.benchmark_path = Path(benchmark_path or USUAL_PATH)

    def get_datasets(self) -> list[str]:
        """The data sets that can be read."""
        return list(BENCHMARKS)

    def run_process_and_download(self, name: str, **kwargs: Any) -> dict[str, Any] | None:
        """Refused: no script of a data set is run here.

        Raises
        ------
        NotImplementedError : what to do instead.
        ValueError : no such data set; the nearest is named.
        """
        _check_name(name)
        raise NotImplementedError(
            f"{name}: fairflow runs no script of a data set; run it as its README in "
            f"{self.benchmark_path / name} says, then call load_dataset({name!r})"
        )

    def load_dataset(self, dataset: str, config: str | None = None) -> Any:
        """A data set: a frame, or frames by name.

        Without a configuration, those that can be asked for are printed and the result is None;
        without a data set likewise. A data set without configurations takes any for its own.

        Raises
        ------
        ValueError : no such data set or configuration; the nearest is named.
        FileNotFoundError : the files are not there, and how to get them.
        """
        if dataset.lower() in ("", "h", "help"):
            return _print("Available datasets:", self.get_datasets())
        _check_name(dataset)
        places = BENCHMARKS[dataset]
        configs = [name for name in places if name]
        if configs and config is None:
            return _print(f"Available configurations for {dataset}:", configs)
        if configs and config not in configs:
            raise ValueError(
                f"{dataset} has no configuration {config!r}. {nearest(config, configs)}"
            )
        folder, place = self.benchmark_path / dataset / "data", places[config if configs else ""]
        try:
            if callable(place):
                return place(folder, config)
            if isinstance(place, tuple):
                return {name: read_path(folder / places[name]) for name in place}
            return read_path(folder / place)
        except FileNotFoundError as error:
            raise FileNotFoundError(
                f"{dataset}: there is no {error.filename or folder}; git clone {ADDRESS}, see its "
                f"README on {dataset}, and give benchmark_path='.../{USUAL_PATH}'"
            ) from error


class CustomDataset(TorchDataset):
    """The rows of a frame as a torch data set: (all columns but the first, the first)."""

    def __init__(self, dataframe: pd.DataFrame) -> None:
        self.dataframe = dataframe

    def __getitem__(self, index: int) -> tuple[np.ndarray, Any]:
        row = self.dataframe.iloc[index]
        return row.iloc[1:].to_numpy(), row.iloc[0]

    def __len__(self) -> int:
        return len(self.dataframe)


def BiasDataLoader(
    dataset: str | None = None,
    config: str | None = None,
    format: str = "hf",
    benchmark_path: str | Path | None = None,
) -> dict[str, Any] | None:
    """Frames of a data set by name, a single one as "data".

    Without a data set, or without a configuration of one that has several, those that can be asked
    for are printed and the result is None.

    Parameters
    ----------
    format : "raw" for frames, "pt" for `CustomDataset`, "hf" for the data sets of the package
        `datasets`; the last two leave out what is no frame.

    Raises
    ------
    ValueError, FileNotFoundError : as `FairLLMBenchmarkLoader.load_dataset`; another format.
    ImportError : the package `datasets` is not installed, for "hf".
    """
    if format not in FORMATS:
        raise ValueError(f"format must be one of {', '.join(FORMATS)}, got {format!r}")
    loaded = FairLLMBenchmarkLoader(benchmark_path).load_dataset(dataset or "", config)
    if loaded is None:
        return None
    frames = loaded if isinstance(loaded, dict) else {"data": loaded}
    if format == "raw":
        return frames
    convert = CustomDataset if format == "pt" else _hugging_face()
    return {n: convert(frame) for n, frame in frames.items() if isinstance(frame, pd.DataFrame)}


def _check_name(dataset: str) -> None:
    if dataset not in BENCHMARKS:
        raise ValueError(f"unknown dataset {dataset!r}. {nearest(dataset, BENCHMARKS)}")


def _hugging_face() -> Any:
    try:
        from datasets import Dataset
    except ImportError as error:
        raise ImportError(
            "format 'hf' needs the package datasets: pip install datasets, or take format='raw' "
            "or format='pt'"
        ) from error
    return Dataset.from_pandas


def _print(title: str, names: Any) -> None:
    print(title, *(f"  {name}" for name in names), sep="\n")
