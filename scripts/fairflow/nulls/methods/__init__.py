"""Published methods and a world for each in which nothing is to be found."""

METHOD_NAMES: tuple[str, ...] = ()
