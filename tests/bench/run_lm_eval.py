"""Time lm-eval's likelihoods; runs in its own environment: run_lm_eval.py JOBS RESULTS."""

import json
import sys

import torch
from cost import fastest
from lm_eval.api.instance import Instance
from lm_eval.models.huggingface import HFLM
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast


def main():
    """Time the likelihoods of texts; write the smallest CPU time, and the likelihoods."""
    with open(sys.argv[1], encoding="utf-8") as file:
        todo = json.load(file)
    torch.set_num_threads(todo["threads"])
    folder, end = todo["model"], todo["end"]
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=f"{folder}/tokenizer.json", bos_token=end, eos_token=end
    )
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    asked = HFLM(model, tokenizer=tokenizer, batch_size=todo["batch"])
    # Nothing stands before a text but the start of texts.
    texts = [
        Instance("loglikelihood", {}, ("", text), number)
        for number, text in enumerate(todo["sentences"])
    ]
    found = []
    cost = fastest(
        lambda: found.append(asked.loglikelihood(texts, disable_tqdm=True)), todo["runs"]
    )
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump([cost["cpu"], [value for value, _ in found[-1]]], file)


if __name__ == "__main__":
    main()
