# each_recorded_run COMMAND...: COMMAND with the targets and settings of each recorded run (of all
# results, and of language models alone), and with the files in $asked.

# In the folder of the given snakemake or python.
python=$(dirname "$(command -v "$1")")/python
asked=
asked_of_whole=
forced_whole=
forced_language=
target_of_whole=all
target_of_language=language_models
records=results/provenance
whole_run=$(find $records -name checksums.sha256 2>/dev/null || true)
language_run=$(find $records -name checksums-lm.sha256 2>/dev/null || true)
# Settings of a run's command line, such as make paper's download, by the record of that run.
settings_in() {
    sed -n -e 's/^  "download": "\(.*\)".*/download=\1/p' \
        -e 's/^  "language_models": true.*/language_models=True/p' \
        -e 's/^  "ledger": true.*/ledger=True/p' \
        -e 's/^  "items": "\{0,1\}\([a-z0-9]*\)"\{0,1\}$/items=\1/p' \
        "$1" 2>/dev/null | grep -v '=null$' || true
}
settings=$(settings_in $records/configuration.json)
language_settings=$(settings_in $records/settings-lm.json | grep '^items=' || true)

each_recorded_run() {
    # A line is an argument: names of files may contain spaces, and the shell expands no * in them.
    set -f
    IFS='
'
    if [ -n "$whole_run" ]; then
        "$@" $forced_whole --config $settings -- $target_of_whole $asked_of_whole $asked
    fi
    if [ -n "$language_run" ]; then
        "$@" $forced_language --config language_models=True $language_settings -- $target_of_language $asked
    fi
}
