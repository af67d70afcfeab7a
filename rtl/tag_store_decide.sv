// One transaction of tag_store on the row of its set [li, 4.1, 4.2]: combinational. The terms are
// explained in rtl/tag_store.sv and docs/blocks/tag_store.md. A FLUSH changes no row.
//
// rtl/tag_store_look_up.sv computes what follows from the row alone. An entry is in use when it is
// valid or waits; an entry that waits and is not valid is dead. Ways and positions are one-hot masks
// here.
`default_nettype none

module tag_store_decide #(
  parameter integer TagW         = 37,
  parameter integer TagWays      = 8,
  parameter integer DataWays     = 4,
  parameter integer RcW          = 6,
  parameter integer Threshold    = 2,
  parameter integer AllocationRc = 1,
  parameter integer CompareAbove = 0,
  parameter integer AgeTwice     = 0,
  parameter integer Replacement  = 0,
  parameter integer RrpvW        = 2,
  parameter integer SignatureW   = 8,
  parameter integer CounterW     = 3,
`include "tag_store_row.svh"
) (
  input  wire logic [2:0]                       op_i,
  input  wire logic [TagW-1:0]                  tag_i,
  input  wire logic [PositionW-1:0]             position_i,
  input  wire logic                             may_miss_i,
  input  wire logic                             may_bypass_i,
  input  wire logic                             conventional_i,
  input  wire logic [SignatureW-1:0]            signature_i,
  input  wire logic [CounterW-1:0]              doubt_i,  // of this signature

  // Outputs of tag_store_look_up.
  input  wire logic [TagWays-1:0]               match_i,
  input  wire logic [TagWays*DataWays-1:0]      owns_i,
  input  wire logic [TagWays-1:0]               smallest_i,
  input  wire logic [TagWays-1:0]               lowest_smallest_i,
  input  wire logic                             has_victim_i,
  input  wire logic [DataWays-1:0]              victim_i,

  // The row before and after; changes_o: the row is written.
  input  wire logic [RowW-1:0]                  row_i,
  output logic                                  changes_o,
  output logic      [RowW-1:0]                  row_o,

  // The update of SHiP's counters, when the decision takes effect.
  output logic                                  learns_o,
  output logic      [SignatureW-1:0]            learn_signature_o,
  output logic                                  learn_doubts_o,

  // The answer.
  output logic      [2:0]                       outcome_o,
  output logic      [1:0]                       reason_o,
  output logic      [PositionW-1:0]             position_o,
  output logic                                  evicted_o,
  output logic      [TagW-1:0]                  evicted_tag_o,
  output logic      [PositionW-1:0]             evicted_position_o,
  output logic                                  dead_o,
  output logic                                  dropped_o,
  output logic                                  error_o,
  output logic      [RcW-1:0]                   answer_rc_o,
  output logic                                  replaced_o,
  output logic                                  tie_o,
  output logic                                  saturated_o,
  output logic                                  aged_o,
  output logic                                  emptied_o,
  output logic                                  distant_o
);

`include "tag_store_constants.svh"
  localparam integer IsShip = (Replacement == 2) ? 1 : 0;
  localparam [TagWays-1:0] LowestWay = 1;
  localparam [DataWays-1:0] LowestLine = 1;
  localparam [FreeW-1:0] AllFree = DataWays[FreeW-1:0], OneLine = 1;
  localparam [RcW:0] Above = (CompareAbove != 0) ? 1 : 0, Due = Threshold[RcW:0] + Above;
  localparam [RcW-1:0] First = AllocationRc[RcW-1:0], One = 1;

  logic [TagWays-1:0]             valid, waiting, committed, next_valid, next_waiting, next_committed;
  logic [TagWays*TagW-1:0]        tags, next_tags;
  logic [TagWays*RcW-1:0]         rcs, next_rcs;
  logic [TagWays*PositionW-1:0]   positions, next_positions;
  logic [FreeW-1:0]               kept_free_line, next_free_line;
  logic [DataWays*PositionW-1:0]  ranks, next_ranks;
  logic [DataWays*RrpvW-1:0]      rrpvs, next_rrpvs;
  logic [DataWays*SignatureW-1:0] signatures, next_signatures;
  logic [DataWays-1:0]            reused, next_reused;
  assign {ranks, valid, waiting, tags, rcs, committed, positions, kept_free_line, rrpvs, signatures,
          reused} = row_i;
  assign row_o = {next_ranks, next_valid, next_waiting, next_tags, next_rcs, next_committed,
                  next_positions, next_free_line, next_rrpvs, next_signatures, next_reused};

  logic is_probe, is_fill, is_write, is_invalidate;
  assign is_probe      = op_i == PROBE;
  assign is_fill       = op_i == FILL;
  assign is_write      = op_i == WRITE;
  assign is_invalidate = op_i == INVALIDATE;

  // The entry that matches, and its data line.
  logic [TagWays-1:0]  in_use;
  logic [DataWays-1:0] asked_line;
  // verilator coverage_off
  logic [DataWays*PositionW-1:0] numbers;  // the number of each position: constants, which never toggle
  // verilator coverage_on
  assign in_use = valid | waiting;
  genvar g, p;
  generate
    for (p = 0; p < DataWays; p = p + 1) begin : gen_asked
      assign asked_line[p] = position_i == p[PositionW-1:0];
      assign numbers[p*PositionW+:PositionW] = p[PositionW-1:0];
    end
  endgenerate

  logic [DataWays-1:0] owned, matched_line;
  logic [RcW-1:0]      matched_rc;
  always_comb begin : look_up
    integer i;
    owned        = {DataWays{1'b0}};
    matched_line = {DataWays{1'b0}};
    matched_rc   = {RcW{1'b0}};
    for (i = 0; i < TagWays; i = i + 1) begin
      owned        = owned | owns_i[i*DataWays+:DataWays];
      matched_line = matched_line | (owns_i[i*DataWays+:DataWays] & {DataWays{match_i[i]}});
      matched_rc   = matched_rc | (rcs[i*RcW+:RcW] & {RcW{match_i[i]}});
    end
  end
  logic found, found_valid, found_waiting, found_line;
  assign found         = |match_i;
  assign found_valid   = |(match_i & valid);
  assign found_waiting = |(match_i & waiting);
  assign found_line    = |matched_line;

  // Free_Line is maintained while an entry is valid; after a FLUSH only entries that wait own lines.
  logic [FreeW-1:0] free_line, free_beside_waiting;
  always_comb begin : count_free
    integer i;
    free_beside_waiting = AllFree;
    for (i = 0; i < TagWays; i = i + 1) begin
      if (waiting[i]) free_beside_waiting = free_beside_waiting - OneLine;
    end
  end
  assign free_line = (valid == {TagWays{1'b0}}) ? free_beside_waiting : kept_free_line;

  // The entry that a new line takes: the lowest free entry, else the candidate of the smallest RC.
  logic [TagWays-1:0] lowest_free, taken;
  logic               has_free_entry;
  assign has_free_entry = in_use != {TagWays{1'b1}};
  assign lowest_free    = ~in_use & (in_use + LowestWay);
  assign taken = has_free_entry ? lowest_free : lowest_smallest_i;

  // LfuAny: the data line that the taken entry gives up.
  logic [DataWays-1:0] given_up;
  always_comb begin : give_up
    integer i;
    given_up = {DataWays{1'b0}};
    for (i = 0; i < TagWays; i = i + 1) begin
      given_up = given_up | (owns_i[i*DataWays+:DataWays] & {DataWays{!found && taken[i]}});
    end
  end

  // The data line that a miss takes: the lowest free line, else the victim, which does not wait.
  logic [DataWays-1:0] free_mask, miss_line;
  logic                has_free_line, has_line;
  assign free_mask     = ~owned | given_up;
  assign has_free_line = free_line != {FreeW{1'b0}} || |given_up;
  assign has_line      = has_free_line || has_victim_i;
  assign miss_line     = has_free_line ? free_mask & (~free_mask + LowestLine) : victim_i;

  // Outcome of a PROBE.
  logic           counts, full_rc, is_due, allocates, bypasses, takes, probe_hits, uses;
  logic [RcW-1:0] new_rc;
  assign full_rc = &matched_rc;
  assign counts  = !found || !found_line;  // cases 1 and 3 of PROBE in docs/blocks/tag_store.md
  assign new_rc  = !found ? First : (full_rc ? matched_rc : matched_rc + 1'b1);
  // RC >= Threshold is written as RC + 1 > Threshold, so that Threshold 0 gives no constant comparison.
  assign is_due  = {1'b0, new_rc} + 1'b1 > (conventional_i ? Above : Due);
  always_comb begin
    outcome_o = HIT;
    reason_o  = FAIL_LINE;
    if (is_probe) begin
      if (counts && is_due) begin
        outcome_o = MISS;
        if (!has_line || !may_miss_i) outcome_o = RESERVATION_FAIL;
        if (has_line && !may_miss_i) reason_o = FAIL_MISS;
      end else if (counts) begin
        outcome_o = may_bypass_i ? BYPASS : RESERVATION_FAIL;
        if (!may_bypass_i) reason_o = FAIL_BYPASS;
      end else if (found_waiting) begin
        outcome_o = may_miss_i ? HIT_PENDING : RESERVATION_FAIL;
        if (!may_miss_i) reason_o = FAIL_MISS;
      end
    end
  end
  assign allocates  = is_probe && outcome_o == MISS;
  assign bypasses   = is_probe && outcome_o == BYPASS;
  assign probe_hits = is_probe && !counts && outcome_o != RESERVATION_FAIL;
  assign uses       = probe_hits && found_valid;
  assign takes      = (allocates || bypasses) && !found;

  // The entries and data lines that each action applies to.
  logic [TagWays-1:0]  subject, taking, gaining, losing, freed;
  logic [DataWays-1:0] victim_line;
  logic                evicts_victim, gives_up, evicts_match, dies, fills;
  assign evicts_victim = allocates && !has_free_line;
  assign gives_up      = takes && |given_up;
  assign evicts_match  = (is_write || is_invalidate) && found_line && !found_waiting;
  assign dies          = (is_write || is_invalidate) && found_valid && found_waiting;
  assign fills         = is_fill && found_waiting && |(matched_line & asked_line);
  assign victim_line   = ({DataWays{evicts_victim}} & victim_i) |
                         ({DataWays{gives_up}} & given_up) |
                         ({DataWays{evicts_match}} & matched_line);
  assign subject       = {TagWays{allocates || bypasses}} & (found ? match_i : taken);
  assign taking        = {TagWays{takes}} & taken;
  assign gaining       = {TagWays{allocates}} & subject;
  assign freed         = {TagWays{(is_invalidate && found_valid) || (is_write && dies)}} & match_i;

  logic [TagWays-1:0] evicted;  // entries whose data line is evicted
  always_comb begin : evict
    integer i;
    for (i = 0; i < TagWays; i = i + 1) begin
      evicted[i] = valid[i] && |(owns_i[i*DataWays+:DataWays] & victim_line);
    end
  end
  assign losing = evicted & ~taking;

  // Ageing.
  logic               ages, ages_by_2;
  logic [TagWays-1:0] older, aged, emptied;
  assign ages      = allocates || gives_up || (is_write && evicts_match);
  assign ages_by_2 = AgeTwice != 0 && allocates && evicted_o;
  assign older     = {TagWays{ages}} & valid & ~subject & ~losing;
  generate
    for (g = 0; g < TagWays; g = g + 1) begin : gen_next
      logic [RcW-1:0] rc, less;
      assign rc      = rcs[g*RcW+:RcW];
      assign aged[g] = older[g] && rc != {RcW{1'b0}};
      always_comb begin
        less = rc;
        if (rc != {RcW{1'b0}}) less = rc - One;
        if (ages_by_2 && less != {RcW{1'b0}}) less = less - One;
      end
      assign emptied[g] = aged[g] && less == {RcW{1'b0}};
      assign next_rcs[g*RcW+:RcW] =
          subject[g] ? new_rc : (losing[g] ? {RcW{1'b0}} : (older[g] ? less : rc));
      assign next_tags[g*TagW+:TagW] = taking[g] ? tag_i : tags[g*TagW+:TagW];
      assign next_positions[g*PositionW+:PositionW] =
          gaining[g] ? position_o : positions[g*PositionW+:PositionW];
    end
  endgenerate

  assign next_valid     = (valid | taking) & ~freed;
  assign next_waiting   = (waiting | gaining) & ~({TagWays{fills}} & match_i);
  assign next_committed = (committed & ~taking & ~losing) | gaining;

  logic line_more, line_less;
  assign line_more   = gives_up || evicts_match || (fills && !found_valid);
  assign line_less   = allocates && has_free_line;
  always_comb begin
    next_free_line = free_line;
    if (line_more && !line_less) next_free_line = free_line + OneLine;
    if (line_less && !line_more) next_free_line = free_line - OneLine;
  end

  // Replacement of data lines. The ways in use of its row are the data lines that a valid entry owns.
  logic [DataWays-1:0] touched_line, taken_line;
  logic                distant;
  assign touched_line = {DataWays{uses}} & matched_line;
  assign taken_line   = {DataWays{allocates}} & miss_line;
  assign distant_o    = |taken_line && distant;
  replacement_row #(
    .Ways      (DataWays),
    .RrpvW     (RrpvW),
    .SignatureW(SignatureW),
    .CounterW  (CounterW),
    .IsShip    (IsShip)
  ) u_lines (
    .ranks_i          (ranks),
    .rrpvs_i          (rrpvs),
    .signatures_i     (signatures),
    .reused_i         (reused),
    .ranks_o          (next_ranks),
    .rrpvs_o          (next_rrpvs),
    .signatures_o     (next_signatures),
    .reused_o         (next_reused),
    .chosen_i         (taken_line | touched_line),
    .touches_i        (|touched_line),
    .evicts_i         (evicts_victim),
    .brings_i         (|taken_line),
    .leaves_i         (victim_line | ({DataWays{dies}} & matched_line) | touched_line),
    .signature_i      (signature_i),
    .doubt_i          (doubt_i),
    .distant_o        (distant),
    .learns_o         (learns_o),
    .learn_signature_o(learn_signature_o),
    .learn_doubts_o   (learn_doubts_o)
  );
  assign changes_o = allocates || bypasses || uses || evicts_match || dies || fills ||
                     freed != {TagWays{1'b0}};

  // The answer.
  logic [DataWays-1:0] answer_line;
  assign answer_line = ({DataWays{allocates}} & miss_line) |
                       ({DataWays{probe_hits || fills}} & matched_line);
  always_comb begin : answer
    integer i;
    position_o = {PositionW{1'b0}};
    evicted_position_o = {PositionW{1'b0}};
    evicted_tag_o = {TagW{1'b0}};
    for (i = 0; i < DataWays; i = i + 1) begin
      position_o =
          position_o | (numbers[i*PositionW+:PositionW] & {PositionW{answer_line[i]}});
      evicted_position_o =
          evicted_position_o | (numbers[i*PositionW+:PositionW] & {PositionW{victim_line[i]}});
    end
    for (i = 0; i < TagWays; i = i + 1) begin
      evicted_tag_o = evicted_tag_o | (tags[i*TagW+:TagW] & {TagW{evicted[i]}});
    end
  end
  assign evicted_o   = |victim_line;
  assign dead_o      = dies || (probe_hits && !found_valid);
  assign dropped_o   = fills && !found_valid;
  assign error_o     = is_fill && !fills;
  assign answer_rc_o = (allocates || bypasses) ? new_rc : (uses ? matched_rc : {RcW{1'b0}});
  assign replaced_o  = takes && !has_free_entry;
  assign tie_o       = replaced_o && |(smallest_i & ~lowest_smallest_i);
  assign saturated_o = (allocates || bypasses) && found && full_rc;
  assign aged_o      = |aged;
  assign emptied_o   = |emptied;

endmodule

`default_nettype wire
