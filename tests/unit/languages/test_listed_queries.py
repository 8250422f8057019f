"""What `fairflow list` counts of queries in other languages."""

import json
import re

from fairflow.command.parser import main


def test_all_entries_of_a_kind_are_counted_with_those_in_other_languages(in_the_clone, capsys):
    main(["list", "--format", "json"])
    counts = {one["name"]: one["says"] for one in json.loads(capsys.readouterr().out)}
    every, others = map(int, re.findall(r"\d+", counts["queries"]))
    main(["list", "queries", "--format", "json"])
    listed = json.loads(capsys.readouterr().out)
    in_files = [re.match(r"(\d+) in [\w-]+; 'fairflow list", one["says"]) for one in listed]
    assert others == sum(int(found[1]) for found in in_files if found)
    assert every == others + in_files.count(None)
