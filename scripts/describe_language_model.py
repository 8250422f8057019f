"""Write down what a reader of a score has to know of its language model."""

from fairflow.files.atomic import write_json
from fairflow.files.jobs import log_to

if __name__ == "__main__":
    how = dict(snakemake.params.how)
    with log_to(str(snakemake.log)):
        from fairflow.language_models.inference.language_model import load_language_model
        from fairflow.language_models.inference.model_facts import model_facts

        loading = how.pop("loading")
        model = load_language_model(snakemake.input.folder, "cpu", snakemake.threads, **loading)
        facts = model_facts(model, **how)
        write_json(facts, snakemake.output.facts)
