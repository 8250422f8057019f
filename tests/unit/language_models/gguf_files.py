"""Small .gguf files, written with the library `gguf`, and their tokenizer, implemented naively.

Needs torch, transformers, gguf and regex.
"""

import functools
from itertools import pairwise

import numpy as np

TEXTS = (
    "the nurse said that he had 12 bananas",
    "the rain in the inn had thin hair",
    "that hat is in the attic, is it",
)
SPLITS = {
    "gpt-2": r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    "llama-bpe": (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
    "qwen2": (
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
        r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    ),
}
SMALL = {
    "vocab_size": 320,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 64,
    "rms_norm_eps": 1e-5,
    "rope_theta": 5000.0,
    "bos_token_id": 0,
    "eos_token_id": 1,
    "pad_token_id": 1,
}
NAMES = {
    "model.embed_tokens.weight": "token_embd.weight",
    "model.norm.weight": "output_norm.weight",
    "lm_head.weight": "output.weight",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "model.layers": "blk",
}


@functools.cache
def alphabet():
    """The letter that stands for each byte (Radford et al. 2019): itself if it can be seen."""
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    unseen = [byte for byte in range(256) if byte not in seen]
    return {byte: chr(byte) for byte in seen} | {b: chr(256 + n) for n, b in enumerate(unseen)}


def spelled(text):
    return "".join(alphabet()[byte] for byte in text.encode())


@functools.cache
def vocabulary(size=SMALL["vocab_size"]):
    """(tokens, pairs that are merged): two of control, the bytes, then the commonest pairs."""
    merges, tokens = [], ["<|begin|>", "<|end|>", *alphabet().values()]
    words = [list(spelled(f" {word}")) for text in TEXTS for word in text.split(" ")]
    while len(tokens) < size:
        pairs = [pair for word in words for pair in pairwise(word)]
        pair = max(sorted(set(pairs)), key=pairs.count, default=None)
        if pair is None:
            tokens.append(f"unused{len(tokens)}")
            continue
        merges.append(pair)
        tokens.append("".join(pair))
        words = [merged(word, pair) for word in words]
    return tokens, [" ".join(pair) for pair in merges]


def merged(word, pair):
    """A word with every occurrence of a pair as one token."""
    made = []
    for token in word:
        if made and (made[-1], token) == pair:
            made[-1] += token
        else:
            made.append(token)
    return made


def naive_tokens(text, tokens, merges, pre):
    """What byte pair encoding gives by its definition, one merge at a time, best pair first."""
    import regex

    if pre == "smollm":
        parts = [
            p for cut in regex.split(r"(\p{N})", text) for p in regex.findall(SPLITS["gpt-2"], cut)
        ]
    else:
        parts = regex.findall(SPLITS[pre], text)
    assert "".join(parts) == text
    ranks = {tuple(merge.split(" ")): rank for rank, merge in enumerate(merges)}
    made = []
    for part in map(spelled, parts):
        word = [part] if pre == "llama-bpe" and part in tokens else list(part)
        while pairs := [p for p in pairwise(word) if p in ranks]:
            word = merged(word, min(pairs, key=ranks.__getitem__))
        made += word
    return made


def network(architecture="llama", tied=True):
    """A small random network with different weights."""
    import torch
    import transformers

    classes = {"llama": "Llama", "qwen2": "Qwen2"}
    config = getattr(transformers, f"{classes[architecture]}Config")(
        **SMALL, tie_word_embeddings=tied
    )
    made = getattr(transformers, f"{classes[architecture]}ForCausalLM")(config).eval()
    random = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for weights in made.parameters():
            weights.copy_(torch.randn(weights.shape, generator=random) * 0.3)
    return made


def stored_name(name):
    for there, here in NAMES.items():
        name = name.replace(there, here)
    return name


def interleaved(rows, heads):
    """The rows of a projection as GGUF keeps them for llama: the halves of a head by turns."""
    halves = rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rows.shape[1:])
    return halves.swapaxes(1, 2).reshape(rows.shape)


def write_gguf(path, made, kind="Q8_0", architecture="llama", pre="smollm", change=None, add=None):
    """Write a network and give the numbers of its weights after they were quantised to `kind`.

    Parameters
    ----------
    change : function of the tensors {name: (numbers, kind)} in the file, which may edit them.
    add : function of the writer, which is called last.
    """
    import gguf
    from gguf.quants import dequantize, quantize

    state = {name: weights.numpy() for name, weights in made.state_dict().items()}
    if made.config.tie_word_embeddings:
        del state["lm_head.weight"]
    tensors, exact = {}, {}
    for name, weights in state.items():
        own = gguf.GGMLQuantizationType[kind if weights.ndim == 2 else "F32"]
        exact[name] = dequantize(quantize(weights, own), own)
        short = stored_name(name)
        if architecture == "llama" and ("attn_q" in short or "attn_k" in short):
            weights = interleaved(weights, weights.shape[0] // made.config.head_dim)
        tensors[short] = (quantize(weights, own), own)
    if change:
        change(tensors)
    writer = gguf.GGUFWriter(path, architecture)
    write_metadata(writer, pre)
    if add:
        add(writer)
    for name, (numbers, own) in tensors.items():
        plain = numbers.dtype in (np.float16, np.float32)
        writer.add_tensor(name, numbers, raw_dtype=None if plain else own)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return exact


def write_metadata(writer, pre):
    tokens, merges = vocabulary()
    writer.add_block_count(SMALL["num_hidden_layers"])
    writer.add_context_length(SMALL["max_position_embeddings"])
    writer.add_embedding_length(SMALL["hidden_size"])
    writer.add_feed_forward_length(SMALL["intermediate_size"])
    writer.add_head_count(SMALL["num_attention_heads"])
    writer.add_head_count_kv(SMALL["num_key_value_heads"])
    writer.add_layer_norm_rms_eps(SMALL["rms_norm_eps"])
    writer.add_rope_freq_base(SMALL["rope_theta"])
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list(tokens)
    writer.add_token_types([3, 3, *[1] * (len(tokens) - 2)])
    writer.add_token_merges(merges)
    writer.add_bos_token_id(SMALL["bos_token_id"])
    writer.add_eos_token_id(SMALL["eos_token_id"])
    writer.add_pad_token_id(SMALL["pad_token_id"])
