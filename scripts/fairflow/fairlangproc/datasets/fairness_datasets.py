"""Data sets of bias in language models, from a copy of the Fair-LLM-Benchmark on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from fairflow.errors import nearest
from fairflow.fairlangproc.datasets.benchmarks import BENCHMARKS
from fairflow.language_models.networks.tensors import TorchDataset

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
        benchmark = BENCHMARKS[dataset]
        if benchmark.configs and config is None:
            return _print(f"Available configurations for {dataset}:", benchmark.configs)
        if benchmark.configs and config not in benchmark.configs:
            message = f"{dataset} has no configuration {config!r}"
            raise ValueError(f"{message}. {nearest(config, benchmark.configs)}")
        folder = self.benchmark_path / dataset / "data"
        try:
            return benchmark.read(folder, config or "")
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
