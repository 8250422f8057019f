"""LanguageModel: a model of transformers and its tokenizer, from a local folder.

torch multiplies float32 matrices with MKL, which uses half of what an AMD processor can do; oneDNN
is two to three times as fast there, in the same precision, with weights packed once. torch has it
as an operator that its compiler uses; where that is not to be had, layers stay as they are.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import torch
import transformers
from torch.utils.data import Dataset

from fairflow.language_models.checkpoints.model_folder import (
    folder_problem,
    kind_of_architecture,
    read_max_length,
)
from fairflow.language_models.errors import LanguageModelError
from fairflow.language_models.inference.tokens import Tokens
from fairflow.language_models.slices.slices import ITEMS

# Layer -> (version and place of its weight, the packed weight).
_packed: WeakKeyDictionary[torch.nn.Linear, tuple[tuple[int, int], torch.Tensor]] = (
    WeakKeyDictionary()
)
# Layouts are made for about as many rows.
ROWS = 256


def _may_pack(layer: torch.nn.Module) -> bool:
    return (
        type(layer) is torch.nn.Linear
        and layer.weight.device.type == "cpu"
        and layer.weight.dtype == torch.float32
        and "forward" not in vars(layer)
        and torch.backends.mkldnn.is_available()
        and hasattr(torch.ops.mkldnn, "_linear_pointwise")
    )


def _forward(weight: torch.Tensor, bias: torch.Tensor | None, states: torch.Tensor) -> torch.Tensor:
    return torch.ops.mkldnn._linear_pointwise(states, weight, bias, "none", [], "")


def _weight(layer: torch.nn.Linear) -> torch.Tensor:
    # Tensors made in inference mode cannot be changed in place, and count no versions.
    version = 0 if layer.weight.is_inference() else layer.weight._version
    state = (version, layer.weight.data_ptr())
    kept = _packed.get(layer)
    if kept is None or kept[0] != state:
        packed = torch.ops.mkldnn._reorder_linear_weight(layer.weight.detach(), ROWS)
        kept = _packed[layer] = (state, packed)
    return kept[1]


# The date of templates that print the date of today, so that runs can be repeated.
DAY, DATE = datetime(2024, 7, 26), "26 Jul 2024"
CLOCK = re.compile(r"""strftime_now\(\s*(['"])(.*?)\1\s*\)""")
# Items per block for networks with at most this many parameters, and the smallest block.
SMALL, FEWEST = 5_000_000, 4
LOADERS = {
    "masked": transformers.AutoModelForMaskedLM,
    "causal": transformers.AutoModelForCausalLM,
    "encoder": transformers.AutoModel,
}


@dataclass(frozen=True)
class LanguageModel:
    """A model that is ready to run.

    Attributes
    ----------
    network : with its head, if it has one.
    body : the part that gives hidden states.
    kind : "masked", "causal" or "encoder" (no head).
    tokens : the tokenizer.
    folder : that it was loaded from, or None.
    chat : whether what it is asked is put into the chat template of the tokenizer; None for
        messages alone, if there is a template.
    """

    network: Any
    body: Any
    kind: str
    tokens: Tokens
    folder: Path | None = None
    chat: bool | None = None

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.network.parameters()).device

    @property
    def pad_id(self) -> int:
        """What fills a batch up; the attention mask keeps it from mattering."""
        pad = self.tokens.tokenizer.pad_token_id
        return 0 if pad is None else pad

    @property
    def items_together(self) -> int:
        """How many items are answered together: the larger a network, the fewer fill a device.

        It follows from the network alone, as what is computed together decides the rounding.
        """
        size = sum(weights.numel() for weights in self.network.parameters())
        return int(min(ITEMS, max(FEWEST, ITEMS * SMALL / size)))

    def in_chat(self, message: bool) -> bool:
        """Whether a text is put into the chat template: as `chat` says, else if it is a message."""
        has_one = bool(self.tokens.tokenizer.chat_template)
        return message and has_one if self.chat is None else self.chat

    @property
    def how_asked(self) -> str:
        """How texts to go on with and messages are put to a causal model, in words; else ""."""
        if self.kind != "causal":
            return ""
        template = str(self.tokens.tokenizer.chat_template or "")
        dated = any(name in template for name in ("strftime_now", "date_string"))
        chat = f"chat template{f' with the date {DATE}' if dated else ''}"
        text, message = (chat if self.in_chat(one) else "plain text" for one in (False, True))
        if text != message:
            return f"{text}; messages: {message}"
        return text if template else f"{text}, having no chat template"

    def asked(self, text: str, message: bool = False) -> str:
        """A text as the model is asked it: in its chat template, if it has to be.

        Parameters
        ----------
        message : whether it is a message to answer, and not a text to go on with.

        Raises
        ------
        LanguageModelError : a template that cannot be filled with it.
        """
        if not self.in_chat(message):
            return text
        tokenizer = self.tokens.tokenizer
        said = [{"role": "user", "content": text}]
        try:
            template = CLOCK.sub(
                lambda call: repr(DAY.strftime(call[2])), tokenizer.get_chat_template()
            )
            how = {"chat_template": template, "tokenize": False, "date_string": DATE}
            shown = tokenizer.apply_chat_template(said, add_generation_prompt=True, **how)
            if "strftime_now(" in template or text.strip() not in shown:
                raise ValueError("it tells the date of today, or leaves the message out")
        # A template is a program of its authors.
        except Exception as error:
            raise LanguageModelError(
                f"{self.folder}: its chat template cannot be filled with a message of the user "
                f"({error}): write chat_template: false in its entry, or correct the template"
            ) from error
        # Where the tokenizer puts a start in front of a text, that of the template is a second one.
        starts = tokenizer(text).input_ids[:1] == [tokenizer.bos_token_id]
        return shown.removeprefix(tokenizer.bos_token) if starts else shown

    def require(self, kind: str, what: str) -> None:
        """Refuse a model of another kind.

        Raises
        ------
        LanguageModelError : naming what was asked and what the model is.
        """
        if self.kind != kind:
            raise LanguageModelError(
                f"{what} needs a {kind} language model; {type(self.network).__name__} is "
                f"{'an' if self.kind == 'encoder' else 'a'} {self.kind} one"
            )


def load_language_model(
    folder: str | Path,
    device: str = "auto",
    threads: int | None = None,
    dtype: str = "float32",
    device_map: str | None = None,
    chat_template: bool | None = None,
) -> LanguageModel:
    """Load a model and its tokenizer from a folder, without network, in eval mode.

    The kind is read from the architecture that config.json names.

    Parameters
    ----------
    device : "auto" takes cuda, then mps, then the cpu.
    threads : of torch on the cpu; None leaves them.
    dtype : of the weights. device_map : how accelerate spreads them over devices, in place of
        `device`. chat_template : see `LanguageModel.asked`.

    Raises
    ------
    LanguageModelError : no such folder, a device or package that is not there, parts of the
        weights that are missing, no chat template though it is true.
    """
    folder = Path(folder)
    transformers.utils.logging.disable_progress_bar()
    # Its table of weights that are not needed belongs in the log of a job, not on the terminal.
    transformers.utils.logging.disable_default_handler()
    transformers.utils.logging.enable_propagation()
    if problem := folder_problem(folder, "encoder"):
        raise LanguageModelError(problem)
    if threads is not None:
        torch.set_num_threads(threads)
    where = chosen_device(device)
    config = _load(folder, "config.json", transformers.AutoConfig)
    kind = kind_of_architecture((config.architectures or [""])[0])
    tokenizer = _load(folder, "its tokenizer", transformers.AutoTokenizer)
    network, info = _load(
        folder,
        "a network of config.json with its weights",
        LOADERS[kind],
        dtype=getattr(torch, dtype),
        **({"device_map": device_map} if device_map else {}),
        output_loading_info=True,
        ignore_mismatched_sizes=True,
        **({"add_pooling_layer": False} if kind == "encoder" and _may_pool(config) else {}),
    )
    if problem := _misfit(network, info, tokenizer, chat_template):
        raise LanguageModelError(f"{folder}: {problem}")
    model = prepared_model(
        network if device_map else network.to(where), tokenizer, read_max_length(folder)
    )
    return replace(model, folder=folder, chat=chat_template)


def _misfit(network: Any, info: Mapping[str, Any], tokenizer: Any, chat: bool | None) -> str | None:
    """Why the parts of a model do not fit together, or None."""
    for name, found, expected in sorted(info["mismatched_keys"]):
        return f"{name} is {tuple(found)} in the weights, expected {tuple(expected)} by config.json"
    if missing := sorted(info["missing_keys"]):
        return f"the weights of a {type(network).__name__} lack {', '.join(missing[:5])}"
    tokens, rows = tokenizer.vocab_size, network.get_input_embeddings().weight.shape[0]
    if not 0 < tokens <= rows:
        return (
            f"its tokenizer has {tokens} tokens, expected 1 to {rows}, the rows of its "
            "embeddings: the tokenizer is missing, or of another model"
        )
    if chat and not tokenizer.chat_template:
        return (
            "chat_template is true in its entry, but neither tokenizer_config.json nor "
            "chat_template.jinja has one: leave the key out"
        )
    return None


def _load(folder: Path, what: str, loader: Any, **options: Any) -> Any:
    """What transformers makes of a folder; it has any error for a file that is not as expected.

    Raises
    ------
    LanguageModelError : with what it says.
    """
    try:
        return loader.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False, **options
        )
    except Exception as error:
        said = " ".join(str(error).split())
        raise LanguageModelError(
            f"{folder}: {what} cannot be loaded by transformers {transformers.__version__} "
            f"({type(error).__name__}: {said}). Expected a folder as save_pretrained writes it"
        ) from error


def prepared_model(network: Any, tokenizer: Any, longest: int | None = None) -> LanguageModel:
    """A network and tokenizer that are loaded already; the network stays as it is.

    Parameters
    ----------
    longest : tokens of the longest text that its authors let it read, where they say so; never
        more than it has positions.

    Raises
    ------
    LanguageModelError : a slow tokenizer.
    """
    name = type(network).__name__
    kind = kind_of_architecture(name)
    if kind == "masked" and tokenizer.mask_token_id is None:
        raise LanguageModelError(f"the tokenizer of {name} has no mask")
    bounds = [bound for bound in (positions(network), longest) if bound is not None]
    return LanguageModel(
        network, network.base_model, kind, Tokens(tokenizer, min(bounds, default=None))
    )


def positions(network: Any) -> int | None:
    """How many tokens the model can take, None when its configuration sets no bound.

    RoBERTa and its kin count positions from the padding index on, so they have fewer.
    """
    bound = getattr(network.config, "max_position_embeddings", None)
    table = getattr(getattr(network.base_model, "embeddings", None), "position_embeddings", None)
    offset = getattr(table, "padding_idx", None)
    return bound if bound is None or offset is None else bound - offset - 1


def chosen_device(device: str) -> torch.device:
    """The device of a name.

    Raises
    ------
    LanguageModelError : an unknown name, or no such device here.
    """
    there = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if device == "auto":
        device = next(name for name, is_there in there.items() if is_there)
    if not there.get(device):
        raise LanguageModelError(f"device {device!r} is not there; use 'auto' or 'cpu'")
    if device == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
    return torch.device(device)


@contextmanager
def evaluating(language_model: LanguageModel) -> Iterator[None]:
    """Eval mode and no gradients inside the block, with linear layers that run through oneDNN.

    Afterwards every part is as it was.
    """
    network = language_model.network
    training = [part for part in network.modules() if part.training]
    packed = [layer for layer in network.modules() if _may_pack(layer)]
    network.eval()
    try:
        with torch.inference_mode():
            for layer in packed:
                layer.forward = partial(_forward, _weight(layer), layer.bias)
            yield
    finally:
        for layer in packed:
            vars(layer).pop("forward", None)
        for part in training:
            part.training = True


def _may_pool(config: Any) -> bool:
    """Whether the model's class would add a pooler, perhaps with random weights."""
    network_class = getattr(transformers, (config.architectures or [""])[0], None)
    return (
        bool(network_class) and "add_pooling_layer" in inspect.signature(network_class).parameters
    )


Tensor = torch.Tensor
TorchDataset = Dataset


def tensor_of(values: np.ndarray) -> Tensor:
    """A tensor of the same shape, type and memory."""
    return torch.from_numpy(values)


def array_of(values: Any) -> np.ndarray:
    """The numbers of a tensor, wherever it is, or of anything that numpy takes."""
    return values.detach().cpu().numpy() if isinstance(values, Tensor) else np.asarray(values)
