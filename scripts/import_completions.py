"""Take completions that were made elsewhere: a JSON file, prompt id -> texts."""

from fairflow.errors import FairflowError
from fairflow.files.atomic import read_json
from fairflow.files.jobs import log_to
from fairflow.language_models.items.item_set import read_items
from fairflow.language_models.slices.answers import given_completions
from fairflow.language_models.slices.slices import write_completions

if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        path = snakemake.input.texts
        texts = read_json(path)
        items = read_items(snakemake.input.item_set)
        unknown = sorted(texts.keys() - {*items.item_ids, *items.left_out})
        if unknown:
            raise FairflowError(f"{path}: the query has no prompt {', '.join(unknown[:5])}")
        asked = {prompt: texts[prompt] for prompt in texts if prompt not in items.left_out}
        write_completions(given_completions(asked), snakemake.output.completions)
