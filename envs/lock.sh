#!/bin/sh
# lock.sh PIP_COMPILE: locks what each .in file here names, with hashes, and writes the same pins
# into the conda environments of the rules.
set -eu
cd "$(dirname "$0")"

pins() {
    sed -n 's/^\([a-z][^ ]*==[^ ]*\) .*/\1/p' "$1"
}

# The pins that are read become a conda environment.
conda_environment() {
    printf '%s\n' 'channels: [conda-forge, nodefaults]' \
        dependencies: '  - python=3.11' '  - pip' '  - pip:'
    sed 's/^/      - /'
}

# A lock names no package index: each user's pip has its own setting.
for name in requirements requirements-cluster requirements-dev requirements-lm requirements-site; do
    "$1" --quiet --generate-hashes --strip-extras --no-emit-index-url --no-emit-trusted-host \
        --no-emit-find-links --output-file "$name.txt" "$name.in"
done

pins requirements.txt | conda_environment >fairflow.yaml
{ echo torch==2.13.0; pins requirements-lm.txt; } | conda_environment >language-models.yaml
