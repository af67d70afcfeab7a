#!/usr/bin/env bash
# Proves the assertions of tb/locality_score_sva.sv, which determine every response, for every stream of requests
# and waits: to a number of cycles from reset; and for all time by induction with the invariant of
# tb/locality_score_invariant.svh, for a few sizes. Shows that wrong designs are refuted.
# Usage: formal-locality_score.sh CYCLES [quick]             quick: the smallest size only
#        formal-locality_score.sh mutants FILE.il VALUE...   all mutants of a netlist, by induction
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=locality_score
parameters=(Warps ScoreW Base Throttle HitW IssuedW)
files=""
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    mutants "${@:2}"
    exit
fi
smallest=(2 2 1 1 2 2)
all_assertions "${smallest[@]}"
bounded rtl/locality_score.sv "$1" "${smallest[@]}"
report $? "proven:  locality_score: $1 cycles from reset, any requests and waits: its assertions"

sizes=("${smallest[*]}")
[ "${2:-}" = quick ] || sizes+=("1 2 1 1 1 1" "3 2 1 2 2 3" "2 4 3 2 2 3")
for size in "${sizes[@]}"; do
    read -ra size <<<"$size"
    induction rtl/locality_score.sv "${size[@]}"
    report $? "proven:  locality_score: for all time, by induction: ${size[0]} warps, scores of ${size[1]} bits, base ${size[2]}, throttle ${size[3]}, counts of ${size[4]} and ${size[5]} bits"
done

while IFS="@" read -r from to what; do
    wrong "$from" "$to" && fails induction "$scratch/wrong.sv" "${smallest[@]}"
    report $? "refuted: locality_score: by induction: $what"
done <<'END'
end else if (divides_q) begin@end else begin@a quotient that goes on while the answer waits
score_here <= score@score_here < score@a HIT behind the warps with its score
filled_d\[p\] \&\& sum < cutoff@filled_d[p] \&\& sum <= cutoff@a warp too many that may issue
beyond_q ? TopScore : quotient_q@quotient_q@a quotient without its upper bits
is_start || detected < BaseScore ? BaseScore@is_start ? BaseScore@a score below the base
full ? issued_q >> 1 : issued_q@issued_q@instructions that are not halved
issued_sum\[IssuedW\] ? {IssuedW{1'b1}} :@1'b0 ? {IssuedW{1'b1}} :@instructions that wrap
leaves \&\& from\[g\] ? warp_q@named[g] ? warp_q@a list with a warp twice
END
exit "$failed"
