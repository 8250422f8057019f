#!/bin/sh
# The command fairflow of a clone: make installs it as .venv/bin/fairflow. The library of the clone in
# which it is called comes first (fairflow.pth in .venv); elsewhere that of the clone with this .venv.
bin=$(dirname "$0")
exec "$bin/python" -P -c 'import os, sys
sys.path.append(os.path.abspath(sys.argv.pop(1)))
from fairflow.command.parser import main
sys.exit(main())' "$(dirname "$(dirname "$bin")")/scripts" "$@"
