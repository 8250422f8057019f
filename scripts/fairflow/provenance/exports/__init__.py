"""Results of a study in the forms that others read.

A new form is a function of an `ExportedStudy`, which gives path -> text, and an entry in `FORMS`.
"""

from fairflow.provenance.exports.documents import model_card
from fairflow.provenance.exports.platform_records import every_eval_ever

FORMS = {
    "every-eval-ever": every_eval_ever,
    "model-card": model_card,
}
