"""Time FairLangProc's metrics; runs in its own environment: run_fairlangproc.py JOBS RESULTS."""

import functools
import json
import resource
import sys

import torch
from cost import fastest
from FairLangProc.metrics import AUL, CPS, LPBS, BertWEAT
from tqdm import tqdm
from transformers import BertForMaskedLM, PreTrainedTokenizerFast

SPECIAL = {f"{name.lower()}_token": f"[{name}]" for name in ("PAD", "UNK", "CLS", "SEP", "MASK")}


def main():
    """Time each job once or more often; write the smallest CPU times and the peak of memory."""
    with open(sys.argv[1], encoding="utf-8") as file:
        todo = json.load(file)
    torch.set_num_threads(todo["threads"])
    tqdm.__init__ = functools.partialmethod(tqdm.__init__, disable=True)
    folder = todo["model"]
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=f"{folder}/tokenizer.json", **SPECIAL)
    model = BertForMaskedLM.from_pretrained(folder).eval()
    weat = BertWEAT(model.bert, tokenizer, device="cpu")
    embeddings = torch.tensor(todo["weat"])
    # One sentence at a time, as the package cannot take sentences of unequal length.
    work = {
        "cps": lambda: [
            CPS(model, tokenizer, [sentence], [word])
            for sentence, word in zip(todo["sentences"], todo["targets"], strict=True)
        ],
        "aul": lambda: [AUL(model, tokenizer, [sentence]) for sentence in todo["sentences"]],
        "lpbs_shared": lambda: LPBS(model, tokenizer, *todo["lpbs_shared"]),
        "lpbs_distinct": lambda: LPBS(model, tokenizer, *todo["lpbs_distinct"]),
        "embeddings": lambda: weat.get_embeddings(todo["texts"]),
        "p_value": lambda: weat.p_value(*embeddings, n_perm=todo["permutations"]),
    }
    with torch.no_grad():
        times = {name: fastest(work[name], todo["runs"][name])["cpu"] for name in todo["jobs"]}
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump([times, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024], file)


if __name__ == "__main__":
    main()
