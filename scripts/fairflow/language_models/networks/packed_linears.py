"""Linear layers through oneDNN on a CPU, with weights packed once.

torch multiplies float32 matrices with MKL, which uses half of what an AMD processor can do; oneDNN
is two to three times as fast there, in the same precision. torch has it as an operator that its
compiler uses; where that is not to be had, layers stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

import torch

# Layer -> (version and place of its weight, the packed weight).
_packed: WeakKeyDictionary[torch.nn.Linear, tuple[tuple[int, int], torch.Tensor]] = (
    WeakKeyDictionary()
)
# Layouts are made for about as many rows.
ROWS = 256


@contextmanager
def packed_linears(network: torch.nn.Module) -> Iterator[None]:
    """Inside the block the network's linear layers run through oneDNN; afterwards as before.

    To be used with gradients off.
    """
    changed = [layer for layer in network.modules() if _may_pack(layer)]
    for layer in changed:
        layer.forward = _forward(layer)
    try:
        yield
    finally:
        for layer in changed:
            del layer.forward


def _may_pack(layer: torch.nn.Module) -> bool:
    return (
        type(layer) is torch.nn.Linear
        and layer.weight.device.type == "cpu"
        and layer.weight.dtype == torch.float32
        and "forward" not in vars(layer)
        and torch.backends.mkldnn.is_available()
        and hasattr(torch.ops.mkldnn, "_linear_pointwise")
    )


def _forward(layer: torch.nn.Linear) -> Callable[[torch.Tensor], torch.Tensor]:
    weight, bias = _weight(layer), layer.bias

    def forward(states: torch.Tensor) -> torch.Tensor:
        return torch.ops.mkldnn._linear_pointwise(states, weight, bias, "none", [], "")

    return forward


def _weight(layer: torch.nn.Linear) -> torch.Tensor:
    # Tensors made in inference mode cannot be changed in place, and count no versions.
    version = 0 if layer.weight.is_inference() else layer.weight._version
    state = (version, layer.weight.data_ptr())
    kept = _packed.get(layer)
    if kept is None or kept[0] != state:
        packed = torch.ops.mkldnn._reorder_linear_weight(layer.weight.detach(), ROWS)
        kept = _packed[layer] = (state, packed)
    return kept[1]
