#!/bin/sh
# Installs the Debian packages that goldmem needs and that are missing. Usage: setup.sh run|test|regress
#   run:     packages that build and run the goldmem command
#   test:    also those of make test and make bench (linters, Verilator, Yosys, SystemC, ...)
#   regress: also those of the long checks (fuzzing, pictures, counts of instructions, Slurm, a browser)
set -eu

run_packages="gcc make pkg-config libc6-dev libzstd-dev liblzma-dev zlib1g-dev libyaml-dev libjansson-dev uthash-dev xz-utils"
test_packages="$run_packages g++ libcmocka-dev clang-format clang-tidy cppcheck
 verilator libsystemc-dev yosys iverilog z3 zstd gzip shellcheck python3 python3-yaml python3-jsonschema jq time"
regress_packages="$test_packages clang libclang-rt-14-dev gnuplot-nox valgrind lcov
 slurmctld slurmd slurm-client munge procps chromium debhelper lintian man-db zsh qflow-tech-osu018 dh-python
 python3-pandas jupyter-nbconvert python3-ipykernel"

case "${1:-}" in
run) packages=$run_packages ;;
test) packages=$test_packages ;;
regress) packages=$regress_packages ;;
*)
    echo "usage: setup.sh run|test|regress" >&2
    exit 2
    ;;
esac

missing=""
for package in $packages; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
        missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "goldmem: these packages are missing and apt-get is not here to install them:$missing" >&2
    exit 1
fi
if [ "$(id -u)" -eq 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    as_root="sudo"
else
    echo "goldmem: run as root, or with sudo available, to install:$missing" >&2
    exit 1
fi

echo "Installing:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086  # word splitting is what separates the package names
{ $as_root apt-get update -qq && $as_root apt-get install -y -qq --no-install-recommends $missing; } \
    >"$log" 2>&1 || {
    tail -n 5 "$log" >&2
    echo "goldmem: apt-get could not install:$missing" >&2
    exit 1
}
