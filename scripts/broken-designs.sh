#!/usr/bin/env bash
# Runs designs with one fault each in lockstep: every one must be caught. tests/cosim/broken.txt lists them: a
# line "NAME BLOCK FILE OPTIONS", then, indented, the sed script that breaks rtl/FILE.
# Usage: broken-designs.sh [NAME...]   (default: all)
set -uo pipefail
list=tests/cosim/broken.txt
transactions=${TRANSACTIONS:-1000000}
failed=0

# Builds and runs one design. Prints one line; returns 1 if it passes, or is no other than the original.
run_one() {
    local name=$1 block=$2 file=$3 options=$4 script=$5 folder=build/cosim/broken/$1 rtl=() status=0
    mkdir -p "$folder"
    sed "$script" "rtl/$file" >"$folder/$file"
    if cmp -s "rtl/$file" "$folder/$file"; then
        echo "$name: the script changes nothing in rtl/$file"
        return 1
    fi
    if [ "$file" != "$block.sv" ]; then rtl=("rtl/$block.sv"); fi
    if ! scripts/cosim-build.sh "broken-$name" "$block" "$block" "$options" "${rtl[*]} $folder/$file" \
        "build/obj/cosim/stimulus/$block.o" "" "-Wno-fatal" >"$folder/log" 2>&1; then
        echo "$name: does not build: $folder/log"
        return 1
    fi
    build/goldmem-cosim "$block" --build "build/cosim/broken-$name.so" --transactions "$transactions" \
        --bundle "$folder/failure" >"$folder/log" 2>&1 || status=$?
    rm -rf "build/cosim/broken-$name.d" "build/cosim/broken-$name.so"
    if [ $status -ne 1 ] && [ $status -ne 3 ]; then
        echo "$name: not caught, status $status: $(tail -1 "$folder/log")"
        return 1
    fi
    echo "$name: caught: $(head -1 "$folder/log" | sed 's/ (.*) at/ at/')"
}

while read -r name block file options; do
    case $name in "" | "#"*) continue ;; esac
    read -r script
    if [ $# -eq 0 ] || [[ " $* " == *" $name "* ]]; then
        run_one "$name" "$block" "$file" "$options" "$script" </dev/null || failed=1
    fi
done <"$list"
exit $failed
