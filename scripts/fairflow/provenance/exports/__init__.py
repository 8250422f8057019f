"""Results of a study in the forms that others read: one file of this folder for each form.

A new form is a file with a function of an `ExportedStudy`, and an entry in `FORMS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fairflow.provenance.exports.codecheck import codecheck
from fairflow.provenance.exports.eval_results import eval_results
from fairflow.provenance.exports.every_eval_ever import every_eval_ever
from fairflow.provenance.exports.exported_study import ExportedStudy
from fairflow.provenance.exports.lm_eval_results import lm_eval_results
from fairflow.provenance.exports.model_card import model_card

# Each gives path -> text, of every file of a form.
FORMS: Mapping[str, Callable[[ExportedStudy], dict[str, str]]] = {
    "every-eval-ever": every_eval_ever,
    "eval-results": eval_results,
    "lm-eval": lm_eval_results,
    "model-card": model_card,
    "codecheck": codecheck,
}
