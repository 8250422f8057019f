"""`python -m fairflow` is the command `fairflow`."""

from fairflow.command.main import main

if __name__ == "__main__":
    raise SystemExit(main())
