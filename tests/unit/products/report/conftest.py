"""What tests of the page share, with those of capabilities, too."""

from planted_page import figure, make_page, make_small_page, text  # noqa: F401
