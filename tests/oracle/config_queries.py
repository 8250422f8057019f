"""Queries of the configuration as WEFE's objects, of the files without a plan."""

from functools import cache

import yaml

from fairflow.wefe import Query

from .pinned import ROOT, lexicon


@cache
def _read(path):
    return yaml.safe_load((ROOT / f"config/{path}.yaml").read_text("utf-8"))


def criteria(study):
    """Criterion -> names of its queries, of a study or of its preset."""
    entry = _read(f"studies/{study}")
    return entry.get("criteria") or _read("presets")[entry["preset"]]["criteria"]


def queries(folder):
    """Name -> query, of the case study in both of its forms.

    Parameters
    ----------
    folder : where a lexicon is kept that is fetched.
    """
    made = {}
    for file in ("case_study", "case_study_2021_10"):
        for name, entry in _read(f"queries/{file}")["queries"].items():
            sides = [entry["targets"], entry["attributes"]]
            words = [[_words(set_, folder) for set_ in side.values()] for side in sides]
            made[name] = Query(*words, *(list(side) for side in sides))
    return made


def named(targets, attributes):
    """A query of sets of config/word_sets, FILE:SET."""
    sides = (targets, attributes)
    return Query(*([_words(name, None) for name in side] for side in sides), targets, attributes)


def _words(name, folder):
    file, name = name.split(":")
    entry = _read(f"word_sets/{file}")["sets"][name]
    return entry["words"] if "words" in entry else lexicon(name, folder)
