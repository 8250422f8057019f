"""Tokenizers of the tiny models: word tokens in lower case, or byte-level pairs."""

import re
import string
from collections import Counter
from collections.abc import Sequence
from typing import Any

import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from tokenizers.trainers import BpeTrainer

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
END = "<|endoftext|>"


def tiny_tokenizer(kind: str, sentences: Sequence[str], vocabulary: int, positions: int) -> Any:
    """A fast tokenizer of transformers for a masked (BERT) or a causal (GPT-2) model.

    Parameters
    ----------
    vocabulary : tokens, at most. positions : the model's.
    """
    if kind == "masked":
        return _word_tokens(sentences, vocabulary, positions)
    return _byte_pairs(sentences, vocabulary, positions)


def _word_tokens(sentences: Sequence[str], vocabulary: int, positions: int) -> Any:
    """Special tokens, every letter, digit and sign alone, then whole words by frequency.

    Counted rather than trained, so that it is known which words have several tokens: those that are
    in no sentence.
    """
    counts = Counter(
        word for sentence in sentences for word in re.findall(r"[a-z]+", sentence.lower())
    )
    letters = [*string.ascii_lowercase, *string.digits, *string.punctuation]
    endings = ["##" + letter for letter in string.ascii_lowercase + string.digits]
    words = sorted(set(counts) - set(letters), key=lambda word: (-counts[word], word))
    tokens = [*SPECIAL, *letters, *endings, *words][:vocabulary]
    ids = {token: number for number, token in enumerate(tokens)}
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", ids["[CLS]"]), ("[SEP]", ids["[SEP]"])],
    )
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=positions,
        **dict(zip(names, SPECIAL, strict=True)),
    )


def _byte_pairs(sentences: Sequence[str], vocabulary: int, positions: int) -> Any:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    trainer = BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(sentences, trainer)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        model_max_length=positions,
        bos_token=END,
        eos_token=END,
    )
