"""What must stay equal between files of the project."""

from __future__ import annotations

import re
from pathlib import Path
from statistics import median

import pytest
import yaml

from fairflow.planning.configuration_reference import reference

ROOT = Path(__file__).parents[2]
RULES = sorted((ROOT / "workflow/rules").glob("*.smk"))
TARGETS = {"scores", "rankings", "figures", "report", "paper"}
TARGETS |= {"language_results", "language_models"}


def rules() -> dict[str, str]:
    text = "\n".join(path.read_text() for path in RULES)
    blocks = re.split(r"^rule (\w+):\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(blocks[::2], blocks[1::2], strict=True))


def pins() -> set[str]:
    text = (ROOT / "envs/requirements.txt").read_text()
    return set(re.findall(r"^([a-z]\S*==\S+) ", text, flags=re.MULTILINE))


def test_configuration_reference_is_up_to_date():
    introduction = (ROOT / "config/introduction.md").read_text(encoding="utf-8")
    made = reference(introduction, ROOT / "workflow/schemas")
    assert (ROOT / "config/README.md").read_text(encoding="utf-8") == made, "run make docs"


def test_conda_environment_has_the_pins_of_the_lock():
    environment = yaml.safe_load((ROOT / "envs/fairflow.yaml").read_text())
    assert set(environment["dependencies"][-1]["pip"]) == pins()


def test_development_lock_agrees_with_the_lock():
    text = (ROOT / "envs/requirements-dev.txt").read_text()
    assert pins() <= set(re.findall(r"^([a-z]\S*==\S+) ", text, flags=re.MULTILINE))


def test_the_lock_holds_what_snakemakes_report_paints_scripts_with():
    # Snakemake imports it for --report alone, and does not name it among what it requires.
    assert "pygments" in {pin.split("==")[0] for pin in pins()}


def test_locks_hold_hashes_and_no_host():
    for path in (ROOT / "envs").glob("*.txt"):
        text = path.read_text()
        assert "--hash=sha256:" in text
        assert not re.search(r"://|--find-links|--(extra-)?index-url (?!\\)", text)


@pytest.mark.parametrize("rule", sorted(set(rules()) - TARGETS))
def test_a_rule_its_script_its_log_and_its_benchmark_share_one_name(rule: str):
    text = rules()[rule]
    assert f'"../../scripts/{rule}.py"' in text
    assert f'"results/logs/{rule}/' in text
    assert f'"results/benchmarks/{rule}/' in text
    assert (ROOT / f"scripts/{rule}.py").is_file()
    assert "message:" in text


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.name)
def test_a_file_of_rules_can_be_read_in_one_go(path: Path):
    assert len(path.read_text().splitlines()) <= 250


def test_half_of_the_rules_have_no_more_than_22_lines():
    text = "\n\n\n".join(path.read_text() for path in [*RULES, ROOT / "Snakefile"])
    blocks = [b.strip() for b in text.split("\n\n\n")]
    lengths = [len(b.splitlines()) for b in blocks if re.match(r"(use )?rule \w+", b)]
    assert median(lengths) <= 22


def test_a_model_a_metric_and_a_query_have_one_wildcard_each_whatever_their_kind():
    outputs = "".join(
        block.split("    output:\n")[1].split("    log:\n")[0]
        for block in rules().values()
        if "    output:\n" in block
    )
    # In an f-string the braces of a wildcard are doubled, single ones hold Python.
    plain = re.sub(r'f"[^"]*"', lambda text: re.sub(r"(?<!\{)\{\w+\}(?!\})", "", text[0]), outputs)
    wildcards = set(re.findall(r"\{(\w+)\}", plain))
    assert wildcards == {"model", "metric", "query", "study", "figure", "download", "run"}


def test_every_script_belongs_to_a_rule():
    scripts = {path.stem for path in (ROOT / "scripts").glob("*.py")}
    assert scripts == set(rules()) - TARGETS


def test_the_library_knows_nothing_of_snakemake():
    for path in (ROOT / "scripts/fairflow").rglob("*.py"):
        assert not re.search(r"^\s*(from|import) snakemake", path.read_text(), re.MULTILINE), path


def test_the_report_has_a_caption_for_every_file_it_shows():
    text = "".join(rules().values())
    captions = set(re.findall(r'caption="\.\./report/(\w+)\.rst"', text))
    captions |= set(re.findall(r'\btable\("(\w+)\.\w+"', text))
    assert len(captions) > 15
    assert captions <= {path.stem for path in (ROOT / "workflow/report").glob("*.rst")}


def test_every_template_is_an_input_of_the_report():
    templates = {
        path.name for path in (ROOT / "scripts/fairflow/products/report/templates").iterdir()
    }
    listed = re.findall(r'"([\w.]+\.(?:html|css|js))"', rules()["write_report"].split("output:")[0])
    assert set(listed) == templates
