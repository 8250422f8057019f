"""The command as it is run: its output, its exit status and its errors of one sentence."""

import csv
import io
import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from own_process import output_of

from fairflow.command.parser import main, parser
from fairflow.command.project import meant
from fairflow.errors import FairflowError

ROOT = Path(__file__).parents[3]


@pytest.mark.usefixtures("in_the_clone")
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("models", "glove-6B-50d"),
        ("queries", "weat_6"),
        ("metrics", "weat_es"),
        ("figures", "forest_plot"),
        ("presets", "caliskan2017"),
        ("word-sets", "weat:math"),
        ("word-sets", "norm_words:glasgow"),
        ("lookups", "as_written"),
        ("studies", "case_study"),
    ],
)
def test_a_list_has_one_line_for_each(kind, name, capsys):
    assert main(["list", kind]) == 0
    lines = capsys.readouterr().out.splitlines()
    (line,) = [line for line in lines if line.split()[0] == name]
    assert len(line.split()) > 1
    assert len({line.split()[0] for line in lines}) == len(lines)


def test_a_list_holds_only_lines_with_every_word_that_is_given(capsys):
    main(["list", "queries", "GENDER", "career"])
    assert capsys.readouterr().out == (
        "gender_1  Male terms and Female terms with Career and Family (case_study)\n"
    )


@pytest.mark.usefixtures("in_the_clone")
def test_lists_are_printed_as_csv_and_json_too(capsys):
    main(["list", "lookups", "title", "--format", "csv"])
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    main(["list", "lookups", "title", "--format", "json"])
    assert json.loads(capsys.readouterr().out) == [row]
    assert row["name"] == "as_written_then_titlecase"


@pytest.mark.usefixtures("in_the_clone")
def test_a_query_is_shown_with_the_words_and_source_of_each_set(capsys):
    assert main(["show", "query", "weat:6", "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["query"] == "weat_6"
    assert shown["targets"]["Male names"]["words"][:2] == ["John", "Paul"]
    assert "Nosek" in shown["attributes"]["Career"]["source"]
    assert "Caliskan" in shown["citation"]
    assert main(["show", "query", "weat:6"]) == 0
    assert "words: [Amy, Joan, Lisa," in capsys.readouterr().out


@pytest.mark.usefixtures("in_the_clone")
@pytest.mark.parametrize(
    ("kind", "name", "part"),
    [
        ("model", "word2vec-google-news-300-weat-hsr", "transform: half_sibling_regression"),
        ("metric", "WEAT-ES", "effect_size = (mean of s over the first"),
        ("preset", "wefe_1.0", "repeats: 100 with seeds"),
        ("word-set", "weat_math", "queries: [gender_2, weat_7"),
    ],
)
def test_whatever_has_a_name_is_shown(kind, name, part, capsys):
    assert main(["show", kind, name]) == 0
    assert part in capsys.readouterr().out


@pytest.mark.usefixtures("in_the_clone")
@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (
            ["show", "query", "gendr_1"],
            ["no query 'gendr_1'", "Did you mean 'gender_1'", "list queri"],
        ),
        (["show", "metric", "xyz"], ["no metric 'xyz'", "Valid: "]),
        (["list", "queries", "zzz"], ["none of the", "'zzz'"]),
    ],
)
def test_what_is_unknown_is_told_in_one_sentence_with_what_is_near(arguments, parts, capsys):
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("fairflow: ")
    assert printed.err.count("\n") == 1
    assert [part for part in parts if part not in printed.err] == []


def test_a_project_of_its_own_is_listed_and_its_faults_are_told(project, capsys):
    metrics = project / "config/metrics.yaml"
    metrics.write_text("mine:\n  metric: weat\n  label: Peculiar\n  measure: weat\n")
    assert main(["list", "metrics", "peculiar"]) == 0
    assert capsys.readouterr().out == "mine  Peculiar\n"
    metrics.write_text("mine: weat\n")
    assert main(["list", "metrics"]) == 2
    assert "config/metrics.yaml: mine: found 'weat'" in capsys.readouterr().err


def test_whoever_reads_only_the_first_line_hears_of_no_broken_pipe():
    with subprocess.Popen(
        [sys.executable, "-m", "fairflow", "list", "word-sets"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


def test_listing_loads_no_numpy_no_pandas_and_no_schema_checker():
    asked = (
        "import sys; from fairflow.command.parser import main, parser; main(['list', 'metrics']);"
        "print([m for m in ('numpy', 'pandas', 'jsonschema', 'pyarrow') if m in sys.modules])"
    )
    assert output_of(asked, cwd=ROOT).splitlines()[-1] == "[]"


@pytest.mark.usefixtures("in_the_clone")
def test_a_preset_is_listed_with_the_number_of_its_queries(capsys):
    main(["list", "presets", "audit"])
    assert "queries: 37, by weat_es" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new"),
    [(["--every-measure"], "--all-measures"), (["--statistics", "none"], "--no-statistics")],
)
def test_an_option_of_an_older_version_is_refused_with_its_new_name(old, new, capsys):
    with pytest.raises(SystemExit):
        main(["score", "vectors.txt", *old])
    assert f"Since version 0.2, {old[0]} is {new}" in capsys.readouterr().err


def test_the_script_of_a_clone_runs_the_command_from_any_folder(tmp_path):
    bin_folder = tmp_path / "clone/.venv/bin"
    bin_folder.mkdir(parents=True)
    shutil.copy(ROOT / "workflow/fairflow.sh", bin_folder / "fairflow")
    (bin_folder / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (bin_folder / "python").chmod(0o755)
    for name in ("scripts", "config", "workflow"):
        (tmp_path / "clone" / name).symlink_to(ROOT / name)
    command = [str(bin_folder / "fairflow"), "list", "queries", "gender", "career"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("gender_1 ")


NAMES = ["weat_5", "weat_5_16", "weat_6", "gender_1", "wefe-1.0", "glove.6B.50d", "glove-6B-50d"]


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("weat_6", "weat_6"),
        ("weat:6", "weat_6"),
        ("WEAT-6", "weat_6"),
        ("weat:5", "weat_5"),
        ("wefe 1.0", "wefe-1.0"),
        # To the letter before any likeness.
        ("glove.6B.50d", "glove.6B.50d"),
    ],
)
def test_signs_and_case_do_not_matter(given, name):
    assert meant("query", given, NAMES) == name


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("weat_16", "Did you mean 'weat_"),
        ("gender", "gender_1"),
        ("glove_6b_50d", "Did you mean glove.6B.50d or glove-6B-50d?"),
        ("religion", "Valid: gender_1, "),
    ],
)
def test_what_is_none_of_them_or_several_is_told_with_near_ones(given, hint):
    with pytest.raises(FairflowError) as error:
        meant("query", given, NAMES)
    assert f"there is no query {given!r}" in str(error.value)
    assert hint in str(error.value)


def examples() -> dict[str, list[list[str]]]:
    """Command -> the examples of its help, as arguments."""
    (commands,) = (one for one in parser()._actions if one.choices)
    return {
        name: [
            shlex.split(line)[1:]
            for line in one.epilog.splitlines()
            if line.startswith("  fairflow ")
        ]
        for name, one in commands.choices.items()
    }


@pytest.mark.parametrize(("name", "shown"), examples().items())
def test_the_help_of_a_command_has_examples_that_it_takes(name, shown):
    assert shown
    assert {parser().parse_args(arguments).run.__name__ for arguments in shown}
    assert {arguments[0] for arguments in shown} == {name}


@pytest.mark.usefixtures("in_the_clone")
@pytest.mark.parametrize("name", ["list", "show", "ask"])
def test_an_example_that_needs_no_model_runs(name, capsys):
    for arguments in examples().get(name, ()):
        assert main(arguments) == 0
        assert capsys.readouterr().out
