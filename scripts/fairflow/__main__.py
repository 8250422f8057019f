"""`python -m fairflow` is the command `fairflow`."""

from fairflow.command.parser import main

if __name__ == "__main__":
    raise SystemExit(main())
