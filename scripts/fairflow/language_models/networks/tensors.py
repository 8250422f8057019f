"""torch's own types, for those that must hand them over and do not import torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch.utils.data import Dataset

Tensor = torch.Tensor
TorchDataset = Dataset


def tensor_of(values: np.ndarray) -> Tensor:
    """A tensor of the same shape, type and memory."""
    return torch.from_numpy(values)


def array_of(values: Any) -> np.ndarray:
    """The numbers of a tensor, wherever it is, or of anything that numpy takes."""
    return values.detach().cpu().numpy() if isinstance(values, Tensor) else np.asarray(values)
