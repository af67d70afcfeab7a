// Decoupled LFU tag store [li, 4.1, 4.2]: the tags of an L1 that gives a line a data line only when
// its reference count reaches Threshold.
//
//   op_i        takes                                does
//   PROBE       line_i, may_miss_i, may_bypass_i,    HIT, HIT_PENDING; MISS: takes a data line;
//               conventional_i, signature_i          BYPASS: counts; RESERVATION_FAIL: nothing
//   FILL        line_i, position_i                   makes the waiting line present; drops a dead one
//   WRITE       line_i                               evicts the data line; a waiting line becomes dead
//   INVALIDATE  line_i                               frees the entry; a waiting line becomes dead
//   FLUSH                                            frees all entries; waiting lines become dead
//
// Three pipeline stages: the request and its set, whose row the SRAM reads; the look-up and the decision,
// which writes the row back; the response, with an evicted line's address. One request per cycle,
// responses in order, three cycles later at the earliest. A response waits until response_ready_i.
// Only the decision (rtl/tag_store_decide.sv) changes state. The row that it writes is forwarded to the
// next request if that is for the same set, since its row is read in that cycle; a FLUSH is forwarded to
// any next request (rtl/tag_store_rows.sv). SHiP's counters are in rtl/ship_table.sv.
//
// With ProbeStage the look-up is a stage of its own [li, 6.5: "1 additional cycle for the extended
// tag-store probe"], and the decision works on registers. A request waits in the look-up stage while the
// request in the decision is for the same set or a FLUSH; it then takes the row that was written.
// C model: cmodel/blocks/tag_store.c; checkers: tb/tag_store_sva.sv; page: docs/blocks/tag_store.md.
`default_nettype none

module tag_store #(
  parameter integer            LineW        = 42,  // line-address bits
  parameter integer            IndexW       = 5,   // log2 of the number of sets
  parameter [IndexW:0]         Polynomial   = 37,  // set_index: ipoly(Polynomial); 0: Matrix
  parameter [IndexW*LineW-1:0] Matrix       = 0,
  parameter integer            TagWays      = 8,   // tag entries of a set, 2 to 32
  parameter integer            DataWays     = 4,   // data lines of a set, 1 to TagWays - 1
  parameter integer            RcW          = 6,   // bits of a reference count
  parameter integer            Threshold    = 2,
  parameter integer            AllocationRc = 1,   // reference count of a new entry
  parameter integer            CompareAbove = 0,   // a data line is due at RC >= Threshold; 1: >
  parameter integer            AgeTwice     = 0,   // 1: allocation with eviction ages by 2
  parameter integer            LfuAny       = 0,   // 1: entries with a data line are candidates too
  parameter integer            Replacement  = 0,   // of data lines: 0 LRU, 1 SRRIP, 2 SHiP
  parameter integer            RrpvW        = 2,   // bits of a re-reference prediction value
  parameter integer            SignatureW   = 8,
  parameter integer            CounterW     = 3,   // bits of a counter of SHiP's table
  parameter integer            ProbeStage   = 0,   // 1: the look-up is a stage of its own
  localparam integer           TagW         = LineW - IndexW,
`include "tag_store_row.svh"
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  input  wire logic                  request_valid_i,
  output logic                       request_ready_o,
  input  wire logic [2:0]            op_i,
  input  wire logic [LineW-1:0]      line_i,
  input  wire logic [PositionW-1:0]  position_i,
  input  wire logic                  may_miss_i,
  input  wire logic                  may_bypass_i,
  input  wire logic                  conventional_i,
  input  wire logic [SignatureW-1:0] signature_i,

  output logic                       response_valid_o,
  input  wire logic                  response_ready_i,
  output logic      [2:0]            outcome_o,
  output logic      [1:0]            reason_o,
  output logic      [IndexW-1:0]     index_o,
  output logic      [PositionW-1:0]  position_o,
  output logic                       evicted_o,
  output logic      [LineW-1:0]      evicted_line_o,
  output logic      [PositionW-1:0]  evicted_position_o,
  output logic                       dead_o,
  output logic                       dropped_o,
  output logic                       error_o,
  output logic      [RcW-1:0]        rc_o,
  output logic                       replaced_o,
  output logic                       tie_o,
  output logic                       saturated_o,
  output logic                       aged_o,
  output logic                       emptied_o,
  output logic                       distant_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (IndexW < 1 || IndexW > 10) IndexW_must_be_1_to_10 u_wrong ();
    if (LineW <= IndexW || LineW > 64) LineW_must_be_above_IndexW_and_at_most_64 u_wrong ();
    if (Polynomial != 0 && !Polynomial[IndexW]) Polynomial_must_have_bit_IndexW u_wrong ();
    if (TagWays < 2 || TagWays > 32) TagWays_must_be_2_to_32 u_wrong ();
    if (DataWays < 1 || DataWays >= TagWays) DataWays_must_be_1_to_TagWays_less_1 u_wrong ();
    if (RcW < 1 || RcW > 8) RcW_must_be_1_to_8 u_wrong ();
    if (Threshold < 0 || Threshold >= 1 << RcW) Threshold_must_be_a_reference_count u_wrong ();
    if (AllocationRc < 0 || AllocationRc >= 1 << RcW) AllocationRc_must_be_a_reference_count u_wrong ();
    if (CompareAbove < 0 || CompareAbove > 1) CompareAbove_must_be_0_or_1 u_wrong ();
    if (AgeTwice < 0 || AgeTwice > 1) AgeTwice_must_be_0_or_1 u_wrong ();
    if (LfuAny < 0 || LfuAny > 1) LfuAny_must_be_0_or_1 u_wrong ();
    if (Replacement < 0 || Replacement > 2) Replacement_must_be_0_to_2 u_wrong ();
    if (RrpvW < 1 || RrpvW > 4) RrpvW_must_be_1_to_4 u_wrong ();
    if (SignatureW < 1 || SignatureW > 14) SignatureW_must_be_1_to_14 u_wrong ();
    if (CounterW < 1 || CounterW > 4) CounterW_must_be_1_to_4 u_wrong ();
    if (ProbeStage < 0 || ProbeStage > 1) ProbeStage_must_be_0_or_1 u_wrong ();
  endgenerate

`include "tag_store_constants.svh"
  localparam integer IsShip = (Replacement == 2) ? 1 : 0;

  // Without ProbeStage: the stages of three_stages. With ProbeStage one more stage precedes them: it
  // reads the rows, and the first stage of three_stages is the look-up, which waits for the row.
  logic reads, enters, waits, decide_valid_q, decide_moves, fire;  // fire: a decision takes effect
  logic staged_valid, staged_ready;
  generate
    if (ProbeStage == 0) begin : gen_three
      assign staged_valid    = request_valid_i;
      assign request_ready_o = staged_ready;
      assign reads           = enters;
    end else begin : gen_four
      logic request_valid_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) request_valid_q <= 1'b0;
        else if (request_ready_o) request_valid_q <= request_valid_i;
      end
      assign staged_valid    = request_valid_q;
      assign request_ready_o = staged_ready || !request_valid_q;
      assign reads           = request_valid_q && staged_ready;
    end
  endgenerate
  three_stages u_stages (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .request_valid_i (staged_valid),
    .request_ready_o (staged_ready),
    .hold_i          (ProbeStage != 0 && waits),
    .enters_o        (enters),
    .decide_valid_o  (decide_valid_q),
    .decide_moves_o  (decide_moves),
    .response_valid_o(response_valid_o),
    .response_ready_i(response_ready_i)
  );
  assign fire = decide_valid_q && decide_moves;

  // Stage 1: the request, and its set.
  logic [2:0]            request_op_q;
  logic [LineW-1:0]      request_line_q;
  logic [PositionW-1:0]  request_position_q;
  logic                  request_may_miss_q, request_may_bypass_q, request_conventional_q;
  logic [SignatureW-1:0] request_signature_q;
  always_ff @(posedge clk_i) begin
    if (request_valid_i && request_ready_o) begin
      request_op_q           <= op_i;
      request_line_q         <= line_i;
      request_position_q     <= position_i;
      request_may_miss_q     <= may_miss_i;
      request_may_bypass_q   <= may_bypass_i;
      request_conventional_q <= conventional_i;
      request_signature_q    <= signature_i;
    end
  end

  logic [IndexW-1:0] request_index, evicted_index_q;
  logic [TagW-1:0]   evicted_tag_q;
  logic [LineW-1:0]  inverse_line;
  set_index_network #(
    .LineW     (LineW),
    .IndexW    (IndexW),
    .Polynomial(Polynomial),
    .Matrix    (Matrix)
  ) u_network (
    .line_i         (request_line_q),
    .index_o        (request_index),
    .inverse_tag_i  (evicted_tag_q),
    .inverse_index_i(evicted_index_q),
    .inverse_line_o (inverse_line)
  );

  // Stage 2: the request with its set's row. Without ProbeStage the decision is in this stage.
  logic [2:0]            probe_op_q, op_q;
  logic [TagW-1:0]       probe_tag_q, tag_q;
  logic [IndexW-1:0]     probe_index_q, index_q;
  logic [PositionW-1:0]  probe_position_q, position_q;
  logic                  probe_may_miss_q, probe_may_bypass_q, probe_conventional_q;
  logic                  may_miss_q, may_bypass_q, conventional_q, is_flush;
  logic [SignatureW-1:0] probe_signature_q, signature_q;
  assign is_flush = op_q >= FLUSH;
  assign waits    = decide_valid_q && (is_flush || index_q == probe_index_q);
  always_ff @(posedge clk_i) begin
    if (reads) begin
      probe_op_q           <= request_op_q;
      probe_tag_q          <= request_line_q[LineW-1:IndexW];
      probe_index_q        <= request_index;
      probe_position_q     <= request_position_q;
      probe_may_miss_q     <= request_may_miss_q;
      probe_may_bypass_q   <= request_may_bypass_q;
      probe_conventional_q <= request_conventional_q;
      probe_signature_q    <= request_signature_q;
    end
  end

  // The memory holds the fields that the replacement policy uses, bits High to Low of a row: the ranks
  // under LRU only, the RRPVs under SRRIP and SHiP, signatures and reused under SHiP. The others are 0.
  localparam integer RanksW = DataWays * PositionW, ShipW = DataWays * (SignatureW + 1);
  localparam integer High = RowW - 1 - ((Replacement == 0) ? 0 : RanksW);
  localparam integer Low =
      (Replacement == 0) ? DataWays * RrpvW + ShipW : ((Replacement == 1) ? ShipW : 0);
  logic              changes;
  logic [High-Low:0] stored;
  logic [RowW-1:0]   probe_row, row, next_row;
  // verilator coverage_off
  logic              unused_fields;
  // verilator coverage_on
  assign unused_fields = &next_row;
  always_comb begin
    probe_row           = {RowW{1'b0}};
    probe_row[High:Low] = stored;
  end
  tag_store_rows #(
    .IndexW    (IndexW),
    .Width     (High - Low + 1),
    .Ways      (TagWays),
    .ValidAt   (RowW - RanksW - TagWays - Low),
    .ProbeStage(ProbeStage)
  ) u_rows (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .read_i       (reads),
    .read_index_i (request_index),
    .row_o        (stored),
    .flush_i      (fire && is_flush),
    .write_i      (fire && changes),
    .write_index_i(index_q),
    .row_i        (next_row[High:Low])
  );

  logic [TagWays-1:0]          probe_match, probe_smallest, probe_lowest_smallest;
  logic [TagWays-1:0]          match, smallest, lowest_smallest;
  logic [TagWays*DataWays-1:0] probe_owns, owns;
  logic                        probe_has_victim, has_victim;
  logic [DataWays-1:0]         probe_victim, victim;
  tag_store_look_up #(
    .TagW       (TagW),
    .TagWays    (TagWays),
    .DataWays   (DataWays),
    .RcW        (RcW),
    .LfuAny     (LfuAny),
    .Replacement(Replacement),
    .RrpvW      (RrpvW),
    .SignatureW (SignatureW)
  ) u_look_up (
    .tag_i            (probe_tag_q),
    .row_i            (probe_row),
    .match_o          (probe_match),
    .owns_o           (probe_owns),
    .smallest_o       (probe_smallest),
    .lowest_smallest_o(probe_lowest_smallest),
    .has_victim_o     (probe_has_victim),
    .victim_o         (probe_victim)
  );

  localparam integer RequestW = 3 + TagW + IndexW + PositionW + 3 + SignatureW;
  localparam integer LookUpW = TagWays * (3 + DataWays) + 1 + DataWays;
  tag_store_probe #(
    .ProbeStage(ProbeStage),
    .Width     (RequestW + RowW + LookUpW)
  ) u_probe (
    .clk_i   (clk_i),
    .enters_i(enters),
    .probe_i ({probe_op_q, probe_tag_q, probe_index_q, probe_position_q, probe_may_miss_q,
               probe_may_bypass_q, probe_conventional_q, probe_signature_q, probe_row, probe_match,
               probe_owns, probe_smallest, probe_lowest_smallest, probe_has_victim, probe_victim}),
    .decide_o({op_q, tag_q, index_q, position_q, may_miss_q, may_bypass_q, conventional_q,
               signature_q, row, match, owns, smallest, lowest_smallest, has_victim, victim})
  );

  // SHiP's counter is read with the request that goes to the decision.
  logic [SignatureW-1:0] next_signature;
  assign next_signature = (ProbeStage == 0) ? request_signature_q : probe_signature_q;
  logic                  learns, learn_doubts;
  logic [SignatureW-1:0] learn_signature;
  logic [CounterW-1:0]   doubt;
  ship_table #(
    .SignatureW(SignatureW),
    .CounterW  (CounterW),
    .IsUsed    (IsShip)
  ) u_table (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .enters_i           (enters),
    .request_signature_i(next_signature),
    .decide_valid_i     (decide_valid_q),
    .signature_i        (signature_q),
    .doubt_o            (doubt),
    .learns_i           (fire && learns),
    .learn_signature_i  (learn_signature),
    .learn_doubts_i     (learn_doubts)
  );

  logic [2:0]           outcome;
  logic [1:0]           reason;
  logic [PositionW-1:0] position, evicted_position;
  logic [TagW-1:0]      evicted_tag;
  logic [RcW-1:0]       rc;
  logic                 evicted, dead, dropped, error, replaced, tie, saturated, aged, emptied;
  logic                 distant;
  tag_store_decide #(
    .TagW        (TagW),
    .TagWays     (TagWays),
    .DataWays    (DataWays),
    .RcW         (RcW),
    .Threshold   (Threshold),
    .AllocationRc(AllocationRc),
    .CompareAbove(CompareAbove),
    .AgeTwice    (AgeTwice),
    .Replacement (Replacement),
    .RrpvW       (RrpvW),
    .SignatureW  (SignatureW),
    .CounterW    (CounterW)
  ) u_decide (
    .op_i              (op_q),
    .tag_i             (tag_q),
    .position_i        (position_q),
    .may_miss_i        (may_miss_q),
    .may_bypass_i      (may_bypass_q),
    .conventional_i    (conventional_q),
    .signature_i       (signature_q),
    .doubt_i           (doubt),
    .match_i           (match),
    .owns_i            (owns),
    .smallest_i        (smallest),
    .lowest_smallest_i (lowest_smallest),
    .has_victim_i      (has_victim),
    .victim_i          (victim),
    .row_i             (row),
    .changes_o         (changes),
    .row_o             (next_row),
    .learns_o          (learns),
    .learn_signature_o (learn_signature),
    .learn_doubts_o    (learn_doubts),
    .outcome_o         (outcome),
    .reason_o          (reason),
    .position_o        (position),
    .evicted_o         (evicted),
    .evicted_tag_o     (evicted_tag),
    .evicted_position_o(evicted_position),
    .dead_o            (dead),
    .dropped_o         (dropped),
    .error_o           (error),
    .answer_rc_o       (rc),
    .replaced_o        (replaced),
    .tie_o             (tie),
    .saturated_o       (saturated),
    .aged_o            (aged),
    .emptied_o         (emptied),
    .distant_o         (distant)
  );

  // The last stage: the response.
  always_ff @(posedge clk_i) begin
    if (fire) begin
      outcome_o          <= outcome;
      reason_o           <= reason;
      index_o            <= is_flush ? {IndexW{1'b0}} : index_q;
      position_o         <= position;
      evicted_o          <= evicted;
      evicted_index_q    <= index_q;
      evicted_tag_q      <= evicted_tag;
      evicted_position_o <= evicted_position;
      dead_o             <= dead;
      dropped_o          <= dropped;
      error_o            <= error;
      rc_o               <= rc;
      replaced_o         <= replaced;
      tie_o              <= tie;
      saturated_o        <= saturated;
      aged_o             <= aged;
      emptied_o          <= emptied;
      distant_o          <= distant;
    end
  end
  assign evicted_line_o = evicted_o ? inverse_line : {LineW{1'b0}};

endmodule

`default_nettype wire
