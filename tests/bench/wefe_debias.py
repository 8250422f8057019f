"""python wefe_debias.py MODEL SETS METHOD: WEFE's CPU seconds for a whole model, and peak memory.

Prints JSON; runs in the environment of WEFE. MODEL is binary word2vec format.
"""

import json
import logging
import resource
import sys
import time

from gensim.models import KeyedVectors
from wefe.debias.half_sibling_regression import HalfSiblingRegression
from wefe.debias.hard_debias import HardDebias
from wefe.debias.multiclass_hard_debias import MulticlassHardDebias
from wefe.word_embedding_model import WordEmbeddingModel

logging.disable(logging.CRITICAL)
path, sets, method = sys.argv[1:]
with open(sets, encoding="utf-8") as file:
    words = json.load(file)
pairs, equalise, specific = (words[name] for name in ("pairs", "equalise", "specific"))
model = WordEmbeddingModel(KeyedVectors.load_word2vec_format(path, binary=True), "model")
start = time.process_time()
if method == "hard_debias":
    fitted = HardDebias().fit(model, definitional_pairs=pairs, equalize_pairs=equalise)
elif method == "multiclass_hard_debias":
    fitted = MulticlassHardDebias().fit(model, definitional_sets=pairs, equalize_sets=equalise)
else:
    fitted = HalfSiblingRegression().fit(model, definitional_words=specific)
ignore = {} if method == "half_sibling_regression" else {"ignore": specific}
fitted.transform(model, copy=False, **ignore)
seconds = time.process_time() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"debias": seconds, "megabytes": peak}))
