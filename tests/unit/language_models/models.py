"""Tiny models with pinned random weights: the same numbers on every machine, nothing to train.

Tests import these where they use them: this module needs torch.
"""

import numpy as np
import torch
import transformers
from tiny_tokenizers import tiny_tokenizer

from fairflow.language_models.inference.language_model import prepared_model

TEXT = (
    "the a an is was he she him her and man woman nurse doctor engineer john mary anna chinese "
    "french kid good bad very kind strong actor actress did terrible job results got to be wanted "
    "here there This That Here He She The It person ."
)
SENTENCES = [TEXT, TEXT]


def pin(network, scale, seed=0):
    """Give a network weights from a seeded generator, so large that nothing is near uniform."""
    random = np.random.default_rng(seed)
    with torch.no_grad():
        for name, weights in sorted(network.named_parameters()):
            values = scale * random.standard_normal(tuple(weights.shape))
            weights.copy_(torch.from_numpy(values + ("norm" in name.lower() and "weight" in name)))
    return network.eval()


def masked_network(tokenizer, architecture="Bert", **options):
    """A masked model of two layers."""
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = getattr(transformers, f"{architecture}Config")(
        vocab_size=len(tokenizer),
        **shape | {"intermediate_size": 32, "max_position_embeddings": 32} | options,
    )
    return pin(getattr(transformers, f"{architecture}ForMaskedLM")(config), 0.3)


def masked_model(positions=32):
    """A BERT and its tokenizer; "receptionist" and other unlisted words have several tokens."""
    tokenizer = tiny_tokenizer("masked", SENTENCES, 400, positions)
    return prepared_model(masked_network(tokenizer, max_position_embeddings=positions), tokenizer)


def causal_model(positions=32):
    """A GPT-2 and its tokenizer."""
    tokenizer = tiny_tokenizer("causal", SENTENCES, 400, positions)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_embd=16, n_layer=2, n_head=2, n_positions=positions,
        bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id,
    )  # fmt: skip
    return prepared_model(pin(transformers.GPT2LMHeadModel(config), 0.3), tokenizer)


def ids_read(model, work):
    """How many ids the body is given in each batch while `work` is done."""
    sizes = []
    hook = model.body.register_forward_pre_hook(
        lambda _, __, options: sizes.append(options["input_ids"].numel()), with_kwargs=True
    )
    try:
        work()
    finally:
        hook.remove()
    return sizes


def full_logp(model, ids):
    """Log-probabilities of the whole network in double precision: (positions, vocabulary)."""
    network = model.network.double()
    with torch.inference_mode():
        logits = network(input_ids=torch.tensor([ids])).logits[0]
    network.float()
    return torch.log_softmax(logits, dim=-1).numpy()
