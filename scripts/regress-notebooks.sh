#!/usr/bin/env bash
# Executes the notebooks of python/notebooks/ with the package of the source folder; every cell must succeed, and each notebook must
# show pictures. Usage: regress-notebooks.sh BUILD
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "$1") scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export GOLDMEM=$build/goldmem GOLDMEM_LIBRARY=$build/libgoldmem.so PYTHONPATH=$PWD/python HOME=$scratch PYDEVD_DISABLE_FILE_VALIDATION=1
for notebook in python/notebooks/*.ipynb; do
    (cd "$scratch" && /usr/bin/python3 -m nbconvert --to notebook --execute --output-dir "$scratch" --log-level=ERROR "$OLDPWD/$notebook") || {
        echo "regress-notebooks: $notebook fails" >&2
        exit 1
    }
    pictures=$(jq '[.cells[].outputs[]?.data? | select(."image/svg+xml")] | length' "$scratch/$(basename "$notebook")")
    [ "$pictures" -gt 0 ] || {
        echo "regress-notebooks: $notebook has no picture" >&2
        exit 1
    }
    echo "$notebook: $pictures pictures"
done
