"""Find out whether the vectors of an audited model are those of another one, from their slices."""

from fairflow.files.atomic import write_json
from fairflow.files.jobs import run
from fairflow.vectors.query_vectors import read_slices, same_directions


def find_same_vectors(
    paths_to_slices: list[str],
    slices: list[list[str]],
    model: str,
    vectors: dict[str, str],
    path_to_names: str,
) -> None:
    """Write the models whose vectors those of a model are, and the name of the first's."""
    read, of_models = read_slices(paths_to_slices), {name: {} for name in vectors}
    for name, query in slices:
        of_models[name][query] = read[name, query]
    own = of_models.pop(model)
    equal = [name for name, theirs in of_models.items() if same_directions(own, theirs)]
    names = {model: vectors[equal[0]]} if equal else {}
    write_json({"equal": equal, "vectors": names}, path_to_names)


if __name__ == "__main__":
    run(snakemake, find_same_vectors)
