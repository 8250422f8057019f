"""Results of a study in the forms that others read.

A new form is a function of an `ExportedStudy`, which gives path -> text, and an entry in `FORMS`.
"""

from fairflow.provenance.exports.documents import codecheck, model_card
from fairflow.provenance.exports.platform_records import eval_results, every_eval_ever, lm_eval

FORMS = {
    "every-eval-ever": every_eval_ever,
    "eval-results": eval_results,
    "lm-eval": lm_eval,
    "model-card": model_card,
    "codecheck": codecheck,
}
