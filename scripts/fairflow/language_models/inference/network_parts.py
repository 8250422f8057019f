"""The two parts of a network: hidden states at wanted positions only, and the head on those."""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

import torch
from transformers.modeling_outputs import BaseModelOutputWithPastAndCrossAttentions

from fairflow.language_models.errors import LanguageModelError
from fairflow.language_models.inference.language_model import LanguageModel

logger = logging.getLogger(__name__)

# Rounding of float32, with room for sums in another order.
SAME = 1e-3
_outcomes: WeakKeyDictionary[torch.nn.Module, dict[str, bool]] = WeakKeyDictionary()


class _Hidden(torch.nn.Module):
    """Replaces a body whose hidden states are known."""

    states: torch.Tensor | None = None

    def forward(self, *_: Any, **__: Any) -> BaseModelOutputWithPastAndCrossAttentions:
        return BaseModelOutputWithPastAndCrossAttentions(last_hidden_state=self.states)


def states_at(
    model: LanguageModel,
    ids: torch.Tensor,
    lengths: torch.Tensor,
    lines: torch.Tensor,
    positions: torch.Tensor,
    attention: bool = False,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Hidden states of the last layer at (line, position): (wanted, hidden).

    And the attention paid to each: the mean over layers, heads and queries; None unless
    `attention`.

    Raises
    ------
    LanguageModelError : `attention` of a network that returns no attention weights.
    """
    asked = {"input_ids": ids, "attention_mask": attention_mask(ids, lengths)}
    if not attention:
        return model.body(**asked)[0][lines, positions], None
    output = model.body(**asked, output_attentions=True)
    layers = getattr(output, "attentions", None)
    if not layers or any(layer is None for layer in layers):
        raise LanguageModelError(
            f"{type(model.network).__name__} gives no attention weights, which AULA needs "
            "(`weighted: true`); use AUL (`weighted: false`) for this model"
        )
    return output[0][lines, positions], mean_attention(layers, lengths)[lines, positions]


class Head:
    """Logits of single hidden states.

    The network runs with a stand-in for its body, so that every architecture's own head is used;
    the network itself is not touched. Raises nothing: `fits` says whether that works.
    """

    def __init__(self, model: LanguageModel) -> None:
        network = model.network
        self._hidden = _Hidden()
        self._network = copy.copy(network)
        self._network._modules = dict(network._modules)
        self._network._modules[network.base_model_prefix] = self._hidden
        self._device = model.device

    def logits(self, states: torch.Tensor) -> torch.Tensor:
        """(n, hidden) -> (n, vocabulary)."""
        self._hidden.states = states[None]
        ids = torch.zeros((1, len(states)), dtype=torch.long, device=self._device)
        return self._network(input_ids=ids).logits[0]

    def fits(self, model: LanguageModel) -> bool:
        """Whether these logits are those of the whole network, on two short rows."""
        trial = _trial(model)
        return tried(
            model,
            "logits of some positions",
            lambda: self.logits(states_at(model, *trial)[0]),
            lambda: _whole(model.network, trial),
        )


def attention_mask(ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor | None:
    """(rows, longest), 1 for tokens and 0 for padding; None where nothing is padded."""
    if bool((lengths == ids.shape[1]).all()):
        return None
    return (torch.arange(ids.shape[1], device=ids.device) < lengths[:, None]).long()


def mean_attention(layers: tuple[torch.Tensor, ...], lengths: torch.Tensor) -> torch.Tensor:
    """Attention paid to each position, mean over layers, heads and queries: (rows, longest)."""
    total = 0
    for layer in layers:  # (rows, heads, queries, keys)
        per_query = layer.float().mean(dim=1)
        asked = torch.arange(layer.shape[2], device=layer.device) < lengths[:, None]
        total = total + (per_query * asked[:, :, None]).sum(dim=1) / lengths[:, None]
    return total / len(layers)


def tried(
    model: LanguageModel,
    what: str,
    ours: Callable[[], torch.Tensor],
    expected: Callable[[], torch.Tensor],
) -> bool:
    """Whether something can be had in a shorter way, which is tried once per network.

    With gradients off, as a cache that gradients flow through cannot be copied: what is tried
    would fail for that alone.
    """
    outcomes = _outcomes.setdefault(model.network, {})
    if what not in outcomes:
        with torch.inference_mode():
            wanted = expected()
            try:
                found = ours()
                same = found.shape == wanted.shape and torch.allclose(found, wanted, atol=SAME)
            except (RuntimeError, IndexError, TypeError, ValueError, AttributeError) as error:
                logger.info("%s cannot be had without the whole: %s", what, error)
                same = False
        outcomes[what] = same
    return outcomes[what]


def _whole(part: torch.nn.Module, trial: tuple[torch.Tensor, ...]) -> torch.Tensor:
    """What a network gives at (line, position), computed for all positions."""
    ids, lengths, lines, positions = trial
    return part(input_ids=ids, attention_mask=attention_mask(ids, lengths))[0][lines, positions]


def _trial(model: LanguageModel) -> tuple[torch.Tensor, ...]:
    """Two short rows of different length with a position of each."""
    device = model.device
    ids = torch.tensor([[5, 3, 4, 2], [2, 4, 5, model.pad_id]], device=device)
    lengths = torch.tensor([4, 3], device=device)
    return ids, lengths, torch.tensor([0, 1, 1], device=device), torch.tensor([2, 0, 1]).to(device)
