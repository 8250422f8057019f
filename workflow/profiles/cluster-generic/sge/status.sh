#!/bin/sh
# status.sh ID: prints running, success or failed. A job in neither list is about to be in one.
set -eu
case $(qstat | awk -v id="$1" '$1 == id { print $5 }') in
*E*) echo failed ;;
?*) echo running ;;
*)
    qacct -j "$1" 2>/dev/null | awk '
        $1 == "failed" && $2 != 0 { bad = 1 }
        $1 == "exit_status" { known = 1; if ($2 != 0) bad = 1 }
        END { print bad ? "failed" : known ? "success" : "running" }'
    ;;
esac
