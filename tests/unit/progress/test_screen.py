"""Where the lines of a run go."""

from __future__ import annotations

import io

from fairflow.progress.reporter import ERASE, RED, Screen


class Terminal(io.StringIO):
    """A stream that says it is a terminal, of an encoding."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def shown(stream: io.StringIO, **environment: str) -> str:
    screen = Screen(stream, environment)
    screen.change("1 of 2")
    screen.say("Failed: it\n  rule it", RED)
    screen.change("2 of 2")
    screen.change("2 of 2")
    screen.change("")
    return stream.getvalue()


def test_on_a_terminal_a_line_changes_below_those_that_stay():
    assert shown(Terminal(), TERM="xterm", NO_COLOR="1") == (
        f"{ERASE}1 of 2{ERASE}Failed: it\n  rule it\n1 of 2{ERASE}2 of 2{ERASE}"
    )


def test_the_first_line_of_an_error_has_a_colour():
    assert f"{RED}Failed: it\033[0m\n  rule it\n" in shown(Terminal(), TERM="xterm")


def test_a_log_and_a_dumb_terminal_show_what_stays_and_no_colours():
    for stream, term in ((io.StringIO(), "xterm"), (Terminal(), "dumb"), (Terminal(), "")):
        assert shown(stream, TERM=term) == "Failed: it\n  rule it\n"


def test_a_terminal_of_few_letters_shows_question_marks_for_the_others():
    class Ascii(Terminal):
        encoding = "ascii"

    stream = Ascii()
    screen = Screen(stream, {"TERM": "xterm"})
    screen.change(f"Score Füße{screen.ellipsis}")
    assert stream.getvalue() == f"{ERASE}Score F??e..."


def test_a_terminal_that_was_closed_stops_nothing():
    stream = Terminal()
    screen = Screen(stream, {"TERM": "xterm"})
    stream.close()
    screen.change("1 of 2")
    screen.say("Failed")
