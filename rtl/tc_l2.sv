// L2 side of Temporal Coherence [singh, 6.2, 6.3, Table 2 (right)]: for each slot of a bank the latest
// lease that it has given on the slot's line, the line's readers and their owner. Answers loads with a
// lease, and writes with the time by which no L1 uses an older copy (GWCT). Tags, data, merging and
// memory are outside.
//
//   op_i      takes                                         does
//   GETS      slot_i, sm_i, no_lease_i, now_i, life_i       extends the lease; DATA
//   GETX      slot_i, now_i                                 ACK, or ACK_G with a GWCT
//   UPGR      slot_i, sm_i, timestamp_i, now_i              ACK, ACK_G with a lease, or DATA_G with one
//   ATOMIC    slot_i, now_i                                 DATA, or DATA_G with a GWCT
//   INSTALL   slot_i, kept_i, kept_lease_i, write_i         begins a line, with a kept lease if there is one
//   EVICT     slot_i, now_i                                 keep_o and the lease, if unexpired
//   ROLLOVER                                                forgets all leases
//
// Three pipeline stages: the request, whose row the SRAMs read; the decision, which writes the row
// back; the response. One request per cycle, responses in order, three cycles later at the earliest.
// A response waits until response_ready_i. Only the decision changes state. The row that it writes is
// forwarded to the next request if that is for the same slot, since its row is read in that cycle; a
// ROLLOVER is forwarded to any next request, as a row of zeros.
// C model: cmodel/blocks/tc_l2.c; checkers: tb/tc_l2_sva.sv; page: docs/blocks/tc_l2.md.
`default_nettype none

module tc_l2 #(
  parameter integer  Slots   = 1024,  // sets times ways of the bank
  parameter integer  Sms     = 16,    // SMs
  parameter integer  TimeW   = 32,    // bits of a timestamp
  parameter integer  Strong  = 0,     // 1: TC-Strong, 0: TC-Weak
  parameter integer  Printed = 0,     // rules of the printed table: 1 REFETCH, 2 MISS, 4 EXPIRED, or a sum
  parameter integer  Visible = 0,     // 1: a line keeps the GWCT of its writes
  localparam integer SlotW   = (Slots < 3) ? 1 : $clog2(Slots),
  localparam integer SmW     = (Sms < 3) ? 1 : $clog2(Sms)
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  input  wire logic             request_valid_i,
  output logic                  request_ready_o,
  input  wire logic [2:0]       op_i,
  input  wire logic [SlotW-1:0] slot_i,
  input  wire logic [SmW-1:0]   sm_i,
  input  wire logic             no_lease_i,
  input  wire logic [TimeW-1:0] timestamp_i,
  input  wire logic [TimeW-1:0] now_i,
  input  wire logic [TimeW-1:0] life_i,
  input  wire logic             kept_i,
  input  wire logic [TimeW-1:0] kept_lease_i,
  input  wire logic             write_i,

  output logic                  response_valid_o,
  input  wire logic             response_ready_i,
  output logic      [2:0]       answer_o,
  output logic                  lease_given_o,
  output logic      [TimeW-1:0] lease_o,
  output logic      [TimeW-1:0] gwct_o,
  output logic      [TimeW-1:0] visible_o,
  output logic      [1:0]       was_o,
  output logic                  is_private_o,
  output logic      [TimeW-1:0] earliest_o,
  output logic                  keep_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (Slots < 1 || Slots > 65536) Slots_must_be_1_to_65536 u_wrong ();
    if (Sms < 1 || Sms > 1024) Sms_must_be_1_to_1024 u_wrong ();
    if (TimeW < 2 || TimeW > 32) TimeW_must_be_2_to_32 u_wrong ();
    if (Strong < 0 || Strong > 1) Strong_must_be_0_or_1 u_wrong ();
    if (Printed < 0 || Printed > 7) Printed_must_be_0_to_7 u_wrong ();
    if (Visible < 0 || Visible > 1) Visible_must_be_0_or_1 u_wrong ();
  endgenerate

`include "tc_l2_constants.svh"
  localparam IsStrong = Strong != 0, HasVisible = Visible != 0;
  localparam Refetch = Printed[0], Miss = Printed[1], Expired = Printed[2];
  localparam [TimeW-1:0] Last = {TimeW{1'b1}}, One = 1;

  logic enters, decide_valid_q, decide_moves, fire;  // fire: a decision takes effect
  three_stages u_stages (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .request_valid_i (request_valid_i),
    .request_ready_o (request_ready_o),
    .hold_i          (1'b0),
    .enters_o        (enters),
    .decide_valid_o  (decide_valid_q),
    .decide_moves_o  (decide_moves),
    .response_valid_o(response_valid_o),
    .response_ready_i(response_ready_i)
  );
  assign fire = decide_valid_q && decide_moves;

  // Stage 1: the request.
  logic [2:0]       request_op_q;
  logic [SlotW-1:0] request_slot_q;
  logic [SmW-1:0]   request_sm_q;
  logic             request_no_lease_q, request_kept_q, request_write_q;
  logic [TimeW-1:0] request_timestamp_q, request_now_q, request_life_q, request_kept_lease_q;
  always_ff @(posedge clk_i) begin
    if (request_valid_i && request_ready_o) begin
      request_op_q         <= op_i;
      request_slot_q       <= slot_i;
      request_sm_q         <= sm_i;
      request_no_lease_q   <= no_lease_i;
      request_timestamp_q  <= timestamp_i;
      request_now_q        <= now_i;
      request_life_q       <= life_i;
      request_kept_q       <= kept_i;
      request_kept_lease_q <= kept_lease_i;
      request_write_q      <= write_i;
    end
  end

  // Stage 2: the request with its slot's row.
  logic [2:0]       op_q;
  logic [SlotW-1:0] slot_q;
  logic [SmW-1:0]   sm_q;
  logic             no_lease_q, kept_q, for_write_q;
  logic [TimeW-1:0] timestamp_q, now_q, life_q, kept_lease_q;
  logic             is_rollover;
  assign is_rollover = op_q >= ROLLOVER;
  always_ff @(posedge clk_i) begin
    if (enters) begin
      op_q         <= request_op_q;
      slot_q       <= request_slot_q;
      sm_q         <= request_sm_q;
      no_lease_q   <= request_no_lease_q;
      timestamp_q  <= request_timestamp_q;
      now_q        <= request_now_q;
      life_q       <= request_life_q;
      kept_q       <= request_kept_q;
      kept_lease_q <= request_kept_lease_q;
      for_write_q  <= request_write_q;
    end
  end

  // The memories: a row for each slot, written together, so that their row_live flops are equal. The
  // concatenation of a row's fields is forwarded.
  localparam integer RowW = 3 + SmW + 2 * TimeW;
  logic [1:0]       sram_readers, readers, next_readers;
  logic             sram_owned, owned, next_owned;
  logic [SmW-1:0]   sram_owner, owner, next_owner;
  logic [TimeW-1:0] sram_lease, lease, next_lease;
  logic [TimeW-1:0] sram_visible, visible, next_visible;
  logic [RowW-1:0]  read_row, next_row, forward_row_q;
  logic             changes, clear, write;
  assign clear    = fire && is_rollover;
  assign write    = fire && changes;
  assign read_row = {sram_readers, sram_owned, sram_owner, sram_lease, sram_visible};
  assign next_row = {next_readers, next_owned, next_owner, next_lease, next_visible};

  sram_1r1w_clear #(
    .Width(2),
    .Rows (Slots)
  ) u_readers (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (clear),
    .read_i      (enters),
    .read_row_i  (request_slot_q),
    .read_data_o (sram_readers),
    .write_i     (write),
    .write_row_i (slot_q),
    .write_data_i(next_readers)
  );

  sram_1r1w_clear #(
    .Width(1),
    .Rows (Slots)
  ) u_owned (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (clear),
    .read_i      (enters),
    .read_row_i  (request_slot_q),
    .read_data_o (sram_owned),
    .write_i     (write),
    .write_row_i (slot_q),
    .write_data_i(next_owned)
  );

  sram_1r1w_clear #(
    .Width(SmW),
    .Rows (Slots)
  ) u_owner (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (clear),
    .read_i      (enters),
    .read_row_i  (request_slot_q),
    .read_data_o (sram_owner),
    .write_i     (write),
    .write_row_i (slot_q),
    .write_data_i(next_owner)
  );

  sram_1r1w_clear #(
    .Width(TimeW),
    .Rows (Slots)
  ) u_lease (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (clear),
    .read_i      (enters),
    .read_row_i  (request_slot_q),
    .read_data_o (sram_lease),
    .write_i     (write),
    .write_row_i (slot_q),
    .write_data_i(next_lease)
  );

  sram_1r1w_clear #(
    .Width(TimeW),
    .Rows (Slots)
  ) u_visible (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (clear && HasVisible),
    .read_i      (enters && HasVisible),
    .read_row_i  (request_slot_q),
    .read_data_o (sram_visible),
    .write_i     (write && HasVisible),
    .write_row_i (slot_q),
    .write_data_i(next_visible)
  );

  // Forwarding: the row read was written or cleared in the cycle of the read.
  logic forward_q, cleared_q;
  always_ff @(posedge clk_i) begin
    if (enters) begin
      forward_q <= write && slot_q == request_slot_q;
      cleared_q <= clear;
    end
    if (write) forward_row_q <= next_row;
  end
  assign {readers, owned, owner, lease, visible} =
      cleared_q ? {RowW{1'b0}} : (forward_q ? forward_row_q : read_row);

  // Decision: the state of the line, and the kind of an UPGR.
  logic             in_e, is_write, is_newest, is_private, is_latest;
  logic [1:0]       was;
  logic [TimeW-1:0] longer;  // the lease and one cycle more
  assign in_e       = now_q > lease;
  assign was        = in_e ? E : (readers == SHARED ? S : P);
  assign longer     = lease == Last ? Last : lease + One;
  assign is_write   = op_q == GETX || op_q == UPGR || op_q == ATOMIC;
  assign is_newest  = op_q == UPGR && !in_e && lease == timestamp_q && lease != Last;
  assign is_private = is_newest && owned && owner == sm_q;
  assign is_latest  = is_newest && !owned;

  // Decision: what the operation does. reads: a GETS with a lease; steps: the write step; prolongs: the
  // lease by one, and nothing else.
  logic             reads, waits, steps, prolongs, installs_kept, gives;
  logic [TimeW:0]   ends;
  logic [TimeW-1:0] wanted, granted;
  assign reads    = op_q == GETS && !no_lease_q;
  assign waits    = IsStrong && is_write && !in_e && !is_private;
  assign steps    = is_write && !in_e && !is_private && !waits;
  assign prolongs = (is_private && !IsStrong) || (Expired && is_write && in_e);
  assign ends     = {1'b0, now_q} + {1'b0, life_q};
  assign wanted   = ends[TimeW] ? Last : ends[TimeW-1:0];
  assign granted  = lease > wanted ? lease : wanted;
  assign installs_kept = kept_q && !(Miss && for_write_q);

  logic [2:0] answer;
  always_comb begin
    unique case (op_q)
      GETS:    answer = DATA;
      GETX:    answer = waits ? WAIT : (steps ? ACK_G : ACK);
      UPGR:    answer = waits ? WAIT : (!steps ? ACK : (is_latest ? ACK_G : DATA_G));
      ATOMIC:  answer = waits ? WAIT : (steps || Expired ? DATA_G : DATA);
      default: answer = NONE;
    endcase
  end
  assign gives = reads || (op_q == UPGR && (steps || prolongs));

  // Decision: the next row.
  logic sole;  // the reader is the only one with a lease
  assign sole    = in_e || readers == NO_READER;
  assign changes = reads || steps || prolongs || op_q == INSTALL;
  always_comb begin
    next_readers = readers;
    next_owned   = owned;
    next_owner   = owner;
    next_lease   = lease;
    next_visible = visible;
    if (reads) begin
      next_readers = sole ? PRIVATE : SHARED;
      next_owned   = sole;
      next_owner   = sole ? sm_q : {SmW{1'b0}};
      next_lease   = granted;
    end else if (op_q == INSTALL) begin
      next_readers = (installs_kept && !Refetch) ? SHARED : NO_READER;
      next_owned   = 1'b0;
      next_owner   = {SmW{1'b0}};
      next_lease   = installs_kept ? kept_lease_q : {TimeW{1'b0}};
      next_visible = next_lease;
    end else begin
      next_lease = longer;
      if (steps) begin
        next_readers = PRIVATE;
        next_owned   = 1'b0;
        next_owner   = {SmW{1'b0}};
        next_visible = lease;
      end
    end
  end

  // Stage 3: the response.
  logic keep;
  assign keep = op_q == EVICT && !in_e;
  always_ff @(posedge clk_i) begin
    if (fire) begin
      answer_o      <= answer;
      lease_given_o <= gives;
      lease_o       <= reads ? granted : (gives ? longer : (keep ? lease : {TimeW{1'b0}}));
      gwct_o        <= (answer == ACK_G || answer == DATA_G) ? lease : {TimeW{1'b0}};
      visible_o     <= (answer == DATA && HasVisible) ? visible : {TimeW{1'b0}};
      was_o         <= (is_write || op_q == GETS || op_q == EVICT) ? was : E;
      is_private_o  <= is_private;
      earliest_o    <= waits ? longer : {TimeW{1'b0}};
      keep_o        <= keep;
    end
  end

endmodule

`default_nettype wire
