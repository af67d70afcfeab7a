#!/usr/bin/env bash
# Proves the assertions of tb/cores_sampling_sva.sv, which determine every response, for every stream of
# requests and waits: to a number of cycles from reset; and for all time by induction with the invariant
# of tb/cores_sampling_invariant.svh, for a few sizes. Shows that wrong designs are refuted.
# Usage: formal-cores_sampling.sh CYCLES [quick]             quick: the smallest size only
#        formal-cores_sampling.sh mutants FILE.il VALUE...   all mutants of a netlist, by induction
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=cores_sampling
parameters=(Sms Warps MissW IssueW Threshold Hot Samples Entries KernelW)
files=""
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    mutants "${@:2}"
    exit
fi
smallest=(1 1 1 1 25 1 1 1 1)
two=(2 3 1 2 25 1 1 2 1)
all_assertions "${smallest[@]}"
bounded rtl/cores_sampling.sv "$1" "${two[@]}"
report $? "proven:  cores_sampling: $1 cycles from reset, any requests and waits: its assertions"

refuted 8 a_ended "is_report \&\& reports_q == LastSm" "is_report \&\& reports_q == {SmW{1'b0}}" "a period that ends with SM 0" "${two[@]}"
refuted 8 "a_heats or a_cools" "missed > allowed \&\& !streams" "missed >= allowed \&\& !streams" "a period that is hot at the threshold" "${smallest[@]}"
refuted 8 "a_heats or a_cools" "closed > Half" "closed >= Half" "half of the L1s that are most" "${two[@]}"
refuted 8 a_heats "found_hot == HotEnough ? HotEnough : found_hot + 1'b1" "found_hot + 1'b1" "a hot count that wraps" 1 1 1 1 25 1 1 1 1
refuted 8 a_hot "kernel   = is_kernel ? request_kernel_q : kernel_q" "kernel   = kernel_q" "a kernel that begins with another's count" "${smallest[@]}"
refuted 9 a_samples "HotEnough \&\& !idle" "HotEnough" "sampling while an SM has no warps" "${smallest[@]}"
refuted 9 a_decides "total > best_q" "total >= best_q" "the larger limit of two SMs that issue as much" "${two[@]}"
refuted 9 a_goes_on "reach < AllWarps" "1'b0" "one round only" "${two[@]}"
refuted 9 "a_drops or a_samples" "samples \&\& (streams || idle)" "samples \&\& streams" "sampling that goes on without warps" "${smallest[@]}"
refuted 9 "a_limited or a_decides" "Limited:  limit_o <= decides ? best_limit : found_limit" "Limited:  limit_o <= found_limit" "a limit that comes later" "${smallest[@]}"

sizes=("${smallest[*]}")
[ "${2:-}" = quick ] || sizes+=("${two[*]}" "2 2 1 2 10 2 2 2 2" "3 4 2 2 12 1 2 2 1")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    induction rtl/cores_sampling.sv "${size[@]}"
    report $? "proven:  cores_sampling: for all time, by induction: ${size[0]} SMs, ${size[1]} warps, misses of ${size[2]} bits, instructions of ${size[3]}, threshold ${size[4]}, ${size[5]} hot periods, ${size[6]} samples, ${size[7]} entries, kernels of ${size[8]} bits"
done
# A fault that shows only after more cycles from reset than the bound is refuted by induction.
wrong "{Entries{next_q\[NextW-1\]}} | ~" "~" &&
    bounded "$scratch/wrong.sv" 6 "${two[@]}"
report $? "not seen: cores_sampling: a full table that counts as empty, 6 cycles from reset"
fails induction "$scratch/wrong.sv" "${two[@]}"
report $? "refuted: cores_sampling: by induction: a full table that counts as empty"
exit "$failed"
