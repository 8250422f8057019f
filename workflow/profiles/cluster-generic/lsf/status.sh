#!/bin/sh
# status.sh ID: prints running, success or failed.
set -eu
case $(bjobs -noheader -o stat "$1") in
DONE*) echo success ;;
EXIT* | ZOMBI*) echo failed ;;
*) echo running ;;
esac
