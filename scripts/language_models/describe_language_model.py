"""Write down what a reader of a score has to know of its language model."""

from fairflow.files.atomic import write_json
from fairflow.files.jobs import running

with running(snakemake) as job:
    from fairflow.language_models.inference.embed_texts import audited_reading
    from fairflow.language_models.inference.language_model import load_language_model
    from fairflow.language_models.inference.model_facts import model_facts

    how, told = job.params.how, {}
    model = load_language_model(job.input.folder, "cpu", job.threads, **how["loading"])
    reading = how["reading"]
    if how["audited"]:
        reading, told["pooling_source"] = audited_reading(model, reading)
    write_json(model_facts(model, **reading) | told, job.output.facts)
