"""Functions that import torch when they are called, as those who run no model need not have it."""

from importlib import import_module

ROOM = "fairflow.language_models.inference"


def late(module, name):
    def called(*arguments, **options):
        return getattr(import_module(f"{ROOM}.{module}"), name)(*arguments, **options)

    return called


complete_prompts = late("complete_prompts", "complete_prompts")
embed_texts = late("embed_texts", "embed_texts")
load_language_model = late("language_model", "load_language_model")
model_facts = late("model_facts", "model_facts")
pooling_of = late("embed_texts", "pooling_of")
prepared = late("language_model", "prepared_model")
score_tokens = late("score_tokens", "score_tokens")
