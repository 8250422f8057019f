"""Find out whether the vectors of an audited model are those of another one, from their slices."""

from fairflow.files.atomic import write_json
from fairflow.files.jobs import running
from fairflow.vectors.query_vectors import read_slices
from fairflow.vectors.same_vectors import same_directions

with running(snakemake) as job:
    how, model = job.params.how, job.params.how["model"]
    read, of_models = read_slices(job.input.slices), {name: {} for name in how["vectors"]}
    for name, query in how["slices"]:
        of_models[name][query] = read[name, query]
    own = of_models.pop(model)
    equal = [name for name, theirs in of_models.items() if same_directions(own, theirs)]
    names = {model: how["vectors"][equal[0]]} if equal else {}
    write_json({"equal": equal, "vectors": names}, job.output.names)
