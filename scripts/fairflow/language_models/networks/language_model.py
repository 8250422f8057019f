"""LanguageModel: a model of transformers and its tokenizer, from a local folder."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
import transformers

from fairflow.language_models.errors import LanguageModelError
from fairflow.language_models.folders.model_folder import kind_of_architecture
from fairflow.language_models.folders.stated_length import stated_length
from fairflow.language_models.networks.packed_linears import packed_linears
from fairflow.language_models.networks.text_pieces import Pieces

DEVICES = ("auto", "cpu", "cuda", "mps")
KINDS = ("masked", "causal", "encoder")


@dataclass(frozen=True)
class LanguageModel:
    """A model that is ready to run.

    Attributes
    ----------
    network : with its head, if it has one.
    body : the part that gives hidden states.
    kind : "masked", "causal" or "encoder" (no head).
    pieces : the tokenizer.
    folder : that it was loaded from, or None.
    """

    network: Any
    body: Any
    kind: str
    pieces: Pieces
    folder: Path | None = None

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.network.parameters()).device

    @property
    def pad_id(self) -> int:
        """What fills a batch up; the attention mask keeps it from mattering."""
        pad = self.pieces.tokenizer.pad_token_id
        return 0 if pad is None else pad

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
    folder: str | Path, device: str = "auto", threads: int | None = None
) -> LanguageModel:
    """Load a model and its tokenizer from a folder, without network, in float32 and eval mode.

    The kind is read from the architecture that config.json names.

    Parameters
    ----------
    device : "auto" takes cuda, then mps, then the cpu.
    threads : of torch on the cpu; None leaves them.

    Raises
    ------
    LanguageModelError : no such folder, a device that is not there, weights that lack parts.
    """
    folder = Path(folder)
    transformers.utils.logging.disable_progress_bar()
    # Its table of weights that are not needed belongs in the log of a job, not on the terminal.
    transformers.utils.logging.disable_default_handler()
    transformers.utils.logging.enable_propagation()
    if not (folder / "config.json").is_file():
        raise LanguageModelError(f"{folder} is no folder of a model: config.json is missing")
    if threads is not None:
        torch.set_num_threads(threads)
    where = chosen_device(device)
    config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
    kind = kind_of_architecture((config.architectures or [""])[0])
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    network, info = _loader(kind).from_pretrained(
        folder,
        local_files_only=True,
        dtype=torch.float32,
        output_loading_info=True,
        **({"add_pooling_layer": False} if kind == "encoder" and _may_pool(config) else {}),
    )
    missing = sorted(info["missing_keys"])
    if missing:
        raise LanguageModelError(
            f"{folder}: the weights of a {type(network).__name__} lack {', '.join(missing[:5])}"
        )
    return replace(prepared(network.to(where), tokenizer, stated_length(folder)), folder=folder)


def prepared(network: Any, tokenizer: Any, longest: int | None = None) -> LanguageModel:
    """A network and tokenizer that are loaded already; the network stays as it is.

    Parameters
    ----------
    longest : pieces of the longest text that its authors let it read, where they say so; never
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
        network, network.base_model, kind, Pieces(tokenizer, min(bounds, default=None))
    )


def positions(network: Any) -> int | None:
    """How many pieces the model can take, None when its configuration sets no bound.

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
    if device not in DEVICES:
        raise LanguageModelError(f"device must be one of {', '.join(DEVICES)}, got {device!r}")
    there = {
        "cuda": torch.cuda.is_available(),
        "mps": torch.backends.mps.is_available(),
        "cpu": True,
    }
    if device == "auto":
        device = next(name for name, is_there in there.items() if is_there)
    if not there[device]:
        raise LanguageModelError(f"device {device!r} is not there; use 'auto' or 'cpu'")
    if device == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
    return torch.device(device)


@contextmanager
def evaluating(language_model: LanguageModel) -> Iterator[None]:
    """Eval mode and no gradients inside the block; afterwards every part is as it was."""
    training = [part for part in language_model.network.modules() if part.training]
    language_model.network.eval()
    try:
        with torch.inference_mode(), packed_linears(language_model.network):
            yield
    finally:
        for part in training:
            part.training = True


def _loader(kind: str) -> Any:
    return {
        "masked": transformers.AutoModelForMaskedLM,
        "causal": transformers.AutoModelForCausalLM,
        "encoder": transformers.AutoModel,
    }[kind]


def _may_pool(config: Any) -> bool:
    """Whether the model's class would add a pooler, with random weights if there are none."""
    network_class = getattr(transformers, (config.architectures or [""])[0], None)
    return (
        network_class is not None
        and "add_pooling_layer" in inspect.signature(network_class).parameters
    )
