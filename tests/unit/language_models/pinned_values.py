"""Values of the pinned models by the plain formulas, one sentence at a time in double precision.

python tests/cluster/language_models/pinned_values.py, with scripts on the path, writes them anew.
"""

import json
from pathlib import Path

import numpy as np
from models import causal_model, full_logp, masked_model

PATH = Path(__file__).parents[2] / "data/language_models.json"
SENTENCES = ["The receptionist is a very good woman.", "He got terrible results here."]
KEPT = ["woman", "results"]
PAIR = ["The actress did a good job.", "The actor did a good job."]
SLOTS = [["he", "she", "nurse"], ["john", "mary", "receptionist"]]


def masked_logp(model, text):
    """Each inner token masked alone."""
    ids, mask = model.tokens.tokenizer(text)["input_ids"], model.tokens.mask_id
    places = range(1, len(ids) - 1)
    return {p: full_logp(model, [*ids[:p], mask, *ids[p + 1 :]])[p, ids[p]] for p in places}


def lpbs(model, first, second, fill):
    """Of "X is a FILL." with targets of one token each."""
    mask = model.tokens.mask_id
    given = model.tokens.tokenizer(f"he is a {fill}.")["input_ids"]
    given[1] = mask
    before = [*given[:4], mask, *given[-2:]]
    posterior, prior = full_logp(model, given)[1], full_logp(model, before)[1]
    ids = model.tokens.tokenizer.convert_tokens_to_ids([first, second])
    ratios = [posterior[token] - prior[token] for token in ids]
    return ratios[0] - ratios[1]


def values():
    """Every value."""
    model, gpt2 = masked_model(), causal_model()
    tokenizer = model.tokens.tokenizer
    unmasked, kept = [], []
    for text, word in zip(SENTENCES, KEPT, strict=True):
        ids = tokenizer(text)["input_ids"]
        unmasked.append(full_logp(model, ids)[range(len(ids)), ids][1:-1].mean())
        (place,) = (p for p, token in enumerate(ids) if tokenizer.decode([token]) == word)
        kept.append(sum(v for p, v in masked_logp(model, text).items() if p != place))
    causal = []
    for text in SENTENCES:
        ids = [gpt2.tokens.start_id(), *gpt2.tokens.tokenizer(text)["input_ids"]]
        causal.append(full_logp(gpt2, ids)[range(len(ids) - 1), ids[1:]].sum())
    return {
        "pll": [sum(masked_logp(model, text).values()) for text in SENTENCES],
        "cps": kept,
        "aul": unmasked,
        "lpbs": [lpbs(model, *slot) for slot in SLOTS],
        "pair": [sum(v for p, v in masked_logp(model, t).items() if p != 2) for t in PAIR],
        "causal": causal,
    }


def main():
    """Write the file."""
    found = {name: np.round(own, 8).tolist() for name, own in values().items()}
    PATH.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
