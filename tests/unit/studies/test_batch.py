"""`fairflow.run_queries` by conventions of the papers; `test_utils.py` of `wefe` has the rest."""

from gensim.models import KeyedVectors

from fairflow import WEAT, Query, run_queries
from fairflow.vectors.word_embedding_model import WordEmbeddingModel

ROWS = {
    "he": [1, 0.2],
    "him": [1, 0],
    "she": [0.1, 1],
    "her": [0, 1],
    "work": [1, 0],
    "home": [0, 1],
}
QUERY = Query([["he", "him"], ["she", "her"]], [["work"], ["home"]], ["M", "F"], ["W", "H"])


def test_vectors_of_gensim_are_a_model_and_each_number_is_that_of_run_query():
    keyed = KeyedVectors(2)
    keyed.add_vectors([*ROWS], [*ROWS.values()])
    effect_size = {"return_effect_size": True}
    models = [keyed, WordEmbeddingModel(ROWS, "same")]
    table = run_queries(WEAT, [QUERY], models, metric_params=effect_size)
    expected = WEAT().run_query(QUERY, ROWS)["effect_size"]
    assert table[QUERY.query_name].to_dict() == {"Unnamed model": expected, "same": expected}
