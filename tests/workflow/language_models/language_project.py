"""The toy project with a study of language models: two in folders, and given completions."""

import json
import shutil
from pathlib import Path

import pandas as pd
import yaml

from fairflow.scores.ranked import ranked_rows
from project import ROOT, Project

QUERIES = Path(__file__).parent / "language_queries.yaml"
SWITCH = ("--config", "language_models=True")
TARGET = ("language_models", *SWITCH)
MODELS = {
    "small-masked": {"kind": "masked", "folder": "data/small-masked", "pooling": "mean"},
    "small-causal": {"kind": "causal", "folder": "data/small-causal"},
    "given": {"kind": "answers", "answers": {"people_prompts": "data/given.json"}},
}
STUDY = {
    "title": "Language models and vectors",
    "models": ["first", "small-masked", "small-causal", "given"],
    "metrics": [
        "weat",
        "lpbs",
        "cbs",
        "crows_pairs",
        "crows_pairs_likelihood",
        "aula",
        "stereoset",
        "representation",
        "honest",
    ],
    "criteria": {
        "Words": ["noise"],
        "Items": ["jobs_of_two", "people_pairs", "people_blanks", "people_prompts"],
    },
    "aggregation": "abs_avg",
    "figures": ["forest_plot", "item_scores", "bias_and_ability"],
}
TORCH_RULES = {"fetch_language_model", "embed_texts", "score_tokens", "complete_prompts"}


def write(path: Path, content: object) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(yaml.safe_dump(content, sort_keys=False))


def with_language_models(project: Project) -> Project:
    """The toy project with a study of language models."""
    config = project.folder / "config"
    shutil.copy(ROOT / "config/language_metrics.yaml", config)
    (config / "language_queries").mkdir(exist_ok=True)
    shutil.copy(QUERIES, config / "language_queries/demonstration.yaml")
    write(config / "language_models.yaml", MODELS)
    write(config / "studies/language.yaml", STUDY)
    main = (config / "config.yaml").read_text()
    if "language_studies" not in main:
        (config / "config.yaml").write_text(f"{main}language_studies: [language]\n")
    texts = {str(number): ["He is kind.", "She is stupid."] for number in range(14)}
    (project.folder / "data/given.json").write_text(json.dumps(texts))
    write_models(project)
    return project


def write_models(project: Project) -> None:
    """The folders of the two networks: pinned random weights, and room for a template."""
    from models import causal_model, masked_model

    for name, model in (("masked", masked_model(64)), ("causal", causal_model(64))):
        folder = project.folder / f"data/small-{name}"
        model.network.save_pretrained(folder)
        model.tokens.tokenizer.save_pretrained(folder)


def headline(project: Project) -> pd.DataFrame:
    """The ranked scores of the study by model, metric and query."""
    table = pd.read_parquet(project.folder / "results/studies/language/scores.parquet")
    return ranked_rows(table).set_index(["model", "metric", "query"])
