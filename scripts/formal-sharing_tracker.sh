#!/usr/bin/env bash
# Compares netlists of sharing_tracker with its RTL, register by register (tb/sharing_tracker_twin.sv): for
# all time, by induction, for a few sizes; and that wrong designs are refuted.
# Usage: formal-sharing_tracker.sh CYCLES [quick]             quick: fewer sizes
#        formal-sharing_tracker.sh mutants FILE.il VALUE...   do all mutants of a netlist answer as the RTL for all time?
# shellcheck disable=SC1091,SC2034,SC2154  # formal-block.sh reads and sets them
set -uo pipefail
block=sharing_tracker
parameters=(LineW IndexW Polynomial Matrix Ways WayW Cus CuW Pointers Slots CountW)
files="rtl/three_stages.sv rtl/lru_rank.sv rtl/set_index_network.sv rtl/sharing_tracker_decide.sv rtl/sram_1r1w.sv rtl/sram_1r1w_clear.sv"
source scripts/formal-block.sh
if [ "$1" = mutants ]; then
    twin "${@:2}" || not_alike
    exit
fi
exit "$failed"
