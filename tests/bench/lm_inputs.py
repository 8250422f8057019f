"""What the benchmark of language-model metrics runs on: words, sentences, items, two models."""

import sys
from pathlib import Path

import numpy as np

from fairflow.language_models.items.text_data import bleached_sentences

TOKENIZERS = Path(__file__).parents[1] / "unit/language_models"
VOCABULARY, PERMUTATIONS = 30_522, 10_000


def words(number: int) -> list[str]:
    """Distinct pronounceable words."""
    syllables = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
    size = len(syllables)
    return [
        syllables[n % size] + syllables[n // size % size] + syllables[n // size**2]
        for n in range(number)
    ]


def sentences(number: int, lexicon: list[str], random: np.random.Generator) -> list[list[str]]:
    """Sentences as lists of distinct words, 19.5 on average, as those of a Bible with verses."""
    return [
        list(random.choice(lexicon, size=int(random.integers(8, 32)), replace=False))
        for _ in range(number)
    ]


def jobs(lexicon: list[str]) -> dict:
    """What both do."""
    random = np.random.default_rng(0)
    pairs = sentences(200, lexicon, random)
    # The second sentence of a pair differs in one word.
    both, targets = [], []
    for sentence in pairs:
        place = int(random.integers(len(sentence)))
        other = [*sentence]
        other[place] = next(word for word in lexicon[::-1] if word not in sentence)
        both += [" ".join(sentence) + ".", " ".join(other) + "."]
        targets += [sentence[place], other[place]]
    short = [f"[MASK] {lexicon[i]} {lexicon[i + 1]} [MASK]." for i in (0, 2, 4)]
    several = [
        f"[MASK] {' '.join(lexicon[20 * n : 20 * n + size])} [MASK]."
        for n, size in enumerate((4, 6, 9, 12))
    ]
    couples = [[lexicon[90 + 2 * i], lexicon[91 + 2 * i]] for i in range(4)]
    shared = [
        [several[i % 4] for i in range(200)],
        [couples[i // 4 % 4] for i in range(200)],
        [lexicon[100 + int(random.integers(30))] for i in range(200)],
        [0] * 200,
    ]
    distinct = [
        [short[i % 3] for i in range(200)],
        [couples[0]] * 200,
        [lexicon[200 + i] for i in range(200)],
        [0] * 200,
    ]
    return {
        "sentences": both,
        "targets": targets,
        "lpbs_shared": shared,
        "lpbs_distinct": distinct,
        "texts": list(bleached_sentences(lexicon[:150], "noun")),
        "weat": random.standard_normal((4, 5, 1, 256)).tolist(),
        "permutations": PERMUTATIONS,
    }


def make_model(folder: Path, lexicon: list[str], kind: str, **shape: int) -> None:
    """A BERT, kind masked, or a GPT-2, causal, of random weights, whose tokenizer has the lexicon.

    That of BERT has its words and many others, that of GPT-2 is learnt from it by pairs of bytes.
    """
    import torch
    import transformers

    sys.path.append(str(TOKENIZERS))
    from tiny_tokenizers import tiny_tokenizer

    transformers.utils.logging.disable_progress_bar()
    text = [" ".join(lexicon)]
    if kind == "masked":
        unused = [f"unused{a}{b}" for a in words(175) for b in words(175)]
        text = [" ".join(bleached_sentences(["a"], "noun")), *text, " ".join(lexicon + unused)]
    tokenizer = tiny_tokenizer(kind, text, VOCABULARY, 512)
    torch.manual_seed(0)
    if kind == "masked":
        config = transformers.BertConfig(vocab_size=VOCABULARY, **shape)
        network = transformers.BertForMaskedLM(config)
    else:
        ends = {f"{name}_token_id": tokenizer.eos_token_id for name in ("bos", "eos")}
        config = transformers.GPT2Config(vocab_size=VOCABULARY, n_positions=512, **shape, **ends)
        network = transformers.GPT2LMHeadModel(config)
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
