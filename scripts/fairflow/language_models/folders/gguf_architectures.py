"""How networks of a few architectures lie in a GGUF file, and what they are to transformers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

INSTEAD = "bring this model as a folder with safetensors, or by its hub id (`folder` or `hub`)"

# Name in a layer of the file -> name in a layer of transformers, and the shape in terms of
# `fairflow.language_models.folders.gguf_network`.
LAYER = {
    "attn_norm.weight": ("input_layernorm.weight", ("hidden",)),
    "attn_q.weight": ("self_attn.q_proj.weight", ("queries", "hidden")),
    "attn_k.weight": ("self_attn.k_proj.weight", ("keys", "hidden")),
    "attn_v.weight": ("self_attn.v_proj.weight", ("keys", "hidden")),
    "attn_output.weight": ("self_attn.o_proj.weight", ("hidden", "queries")),
    "ffn_norm.weight": ("post_attention_layernorm.weight", ("hidden",)),
    "ffn_gate.weight": ("mlp.gate_proj.weight", ("inner", "hidden")),
    "ffn_up.weight": ("mlp.up_proj.weight", ("inner", "hidden")),
    "ffn_down.weight": ("mlp.down_proj.weight", ("hidden", "inner")),
}
BIASES = {
    "attn_q.bias": ("self_attn.q_proj.bias", ("queries",)),
    "attn_k.bias": ("self_attn.k_proj.bias", ("keys",)),
    "attn_v.bias": ("self_attn.v_proj.bias", ("keys",)),
}
WHOLE = {
    "token_embd.weight": ("model.embed_tokens.weight", ("vocabulary", "hidden")),
    "output_norm.weight": ("model.norm.weight", ("hidden",)),
}
# Without it the embeddings are the head as well.
HEAD = {"output.weight": ("lm_head.weight", ("vocabulary", "hidden"))}


@dataclass(frozen=True)
class Architecture:
    """How a network lies in a GGUF file.

    Attributes
    ----------
    model_type, network : of transformers.
    layer : as `LAYER`.
    turned : tensor of a layer -> size whose heads it has, where the file keeps the two halves of a
        head, which rotary positions turn together, row by row instead of one after the other.
    """

    model_type: str
    network: str
    layer: Mapping[str, tuple[str, tuple[str, ...]]]
    turned: Mapping[str, str]


ARCHITECTURES = {
    "llama": Architecture(
        "llama", "LlamaForCausalLM", LAYER, {"attn_q.weight": "heads", "attn_k.weight": "key_heads"}
    ),
    "qwen2": Architecture("qwen2", "Qwen2ForCausalLM", LAYER | BIASES, {}),
}
# What a file may say of its network: anything else would change what the network computes.
SAID = frozenset(
    {
        "block_count",
        "context_length",
        "embedding_length",
        "feed_forward_length",
        "vocab_size",
        "attention.head_count",
        "attention.head_count_kv",
        "attention.key_length",
        "attention.value_length",
        "attention.layer_norm_rms_epsilon",
        "rope.dimension_count",
        "rope.freq_base",
    }
)
