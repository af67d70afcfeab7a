// L1 side of Temporal Coherence [singh, 6.2, 6.3, Table 2 (left)]: for each slot of an L1 whether it
// has a copy, the copy's lease, and the number of upgrades (UPGRs) without an answer. Tags, data and
// MSHRs are outside: the request says whether the slot holds the line and whether the line has an open
// MSHR entry.
//
//   op_i     takes                                    does
//   LOAD     slot_i, present_i, open_i, now_i         hits an unexpired copy; else MERGE or GETS
//   STORE    slot_i, present_i, open_i, now_i         writes an unexpired copy and sends UPGR; else GETX
//   ATOMIC   slot_i, present_i, open_i, now_i         drops the copy and sends ATOMIC
//   BYPASS   slot_i, present_i, open_i, now_i         drops the copy and sends GETS
//   FILL     slot_i, present_i, open_i, now_i,        DATA of a GETS: installs the copy
//            lease_given_i, timestamp_i, visible_i
//   ACK      slot_i, present_i, now_i,                answer of an UPGR, with or without a lease
//            lease_given_i, timestamp_i, visible_i
//   DATA_G   slot_i, present_i, now_i, timestamp_i,   answer of an UPGR with the line and a lease
//            visible_i
//   EVICT    slot_i                                   keep_o, or drops the copy
//   FLUSH                                             drops all copies; the counts of UPGRs stay
//
// Three pipeline stages: the request, whose row the SRAMs read; the decision, which writes the row
// back; the response. One request per cycle, responses in order, three cycles later at the earliest.
// A response waits until response_ready_i. Only the decision changes state. The row that it writes is
// forwarded to the next request if that is for the same slot, since its row is read in that cycle; a
// FLUSH is forwarded to any next request, as a row without a copy.
// C model: cmodel/blocks/tc_l1.c; checkers: tb/tc_l1_sva.sv; page: docs/blocks/tc_l1.md.
`default_nettype none

module tc_l1 #(
  parameter integer  Slots   = 256,  // sets times ways of the L1
  parameter integer  PendW   = 6,    // bits of the count of UPGRs without an answer
  parameter integer  TimeW   = 32,   // bits of a timestamp
  parameter integer  Strong  = 0,    // 1: TC-Strong, 0: TC-Weak
  parameter integer  Visible = 0,    // 1: lines carry the GWCT of their writes
  localparam integer SlotW   = (Slots < 3) ? 1 : $clog2(Slots)
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  input  wire logic             request_valid_i,
  output logic                  request_ready_o,
  input  wire logic [3:0]       op_i,
  input  wire logic [SlotW-1:0] slot_i,
  input  wire logic             present_i,
  input  wire logic             open_i,
  input  wire logic             lease_given_i,
  input  wire logic [TimeW-1:0] timestamp_i,
  input  wire logic [TimeW-1:0] visible_i,
  input  wire logic [TimeW-1:0] now_i,

  output logic                  response_valid_o,
  input  wire logic             response_ready_i,
  output logic                  hit_o,
  output logic                  expired_o,
  output logic      [2:0]       message_o,
  output logic      [TimeW-1:0] timestamp_o,
  output logic      [TimeW-1:0] visible_o,
  output logic                  install_o,
  output logic                  close_o,
  output logic                  keep_o,
  output logic                  refused_o,
  output logic                  error_o,
  output logic      [1:0]       was_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (Slots < 1 || Slots > 8192) Slots_must_be_1_to_8192 u_wrong ();
    if (PendW < 1 || PendW > 16) PendW_must_be_1_to_16 u_wrong ();
    if (TimeW < 2 || TimeW > 32) TimeW_must_be_2_to_32 u_wrong ();
    if (Strong < 0 || Strong > 1) Strong_must_be_0_or_1 u_wrong ();
    if (Visible < 0 || Visible > 1) Visible_must_be_0_or_1 u_wrong ();
  endgenerate

`include "tc_l1_constants.svh"
  localparam HasVisible = Visible != 0;
  localparam PendingMisses = Strong != 0 || Visible != 0;  // a load misses while an UPGR is unanswered
  localparam [PendW-1:0] One = 1, Most = {PendW{1'b1}};

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
  logic [3:0]       request_op_q;
  logic [SlotW-1:0] request_slot_q;
  logic             request_present_q, request_open_q, request_lease_given_q;
  logic [TimeW-1:0] request_timestamp_q, request_visible_q, request_now_q;
  always_ff @(posedge clk_i) begin
    if (request_valid_i && request_ready_o) begin
      request_op_q          <= op_i;
      request_slot_q        <= slot_i;
      request_present_q     <= present_i;
      request_open_q        <= open_i;
      request_lease_given_q <= lease_given_i;
      request_timestamp_q   <= timestamp_i;
      request_visible_q     <= visible_i;
      request_now_q         <= now_i;
    end
  end

  // Stage 2: the request with its slot's row.
  logic [3:0]       op_q;
  logic [SlotW-1:0] slot_q;
  logic             present_q, is_open_q, lease_given_q;
  logic [TimeW-1:0] timestamp_q, new_visible_q, now_q;
  logic             is_flush;
  assign is_flush = op_q >= FLUSH;
  always_ff @(posedge clk_i) begin
    if (enters) begin
      op_q          <= request_op_q;
      slot_q        <= request_slot_q;
      present_q     <= request_present_q;
      is_open_q     <= request_open_q;
      lease_given_q <= request_lease_given_q;
      timestamp_q   <= request_timestamp_q;
      new_visible_q <= request_visible_q;
      now_q         <= request_now_q;
    end
  end

  // The rows: `valid` in flops, which FLUSH clears at once, the rest in SRAM, whose counts of UPGRs only
  // the reset clears. A row's fields side by side are forwarded.
  localparam integer RowW = 1 + PendW + 2 * TimeW;
  logic [Slots-1:0] valid_q  /*verilator public_flat_rd*/;
  logic             read_valid_q, valid, next_valid;
  logic [PendW-1:0] sram_pending, pending, next_pending;
  logic [TimeW-1:0] sram_lease, lease, next_lease;
  logic [TimeW-1:0] sram_visible, visible, next_visible;
  logic [RowW-1:0]  read_row, next_row, forward_row_q;
  logic             forward_q, changes, write;
  assign write    = fire && changes;
  assign read_row = {read_valid_q, sram_pending, sram_lease, sram_visible};
  assign next_row = {next_valid, next_pending, next_lease, next_visible};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= {Slots{1'b0}};
    else if (fire && is_flush) valid_q <= {Slots{1'b0}};
    else if (write) valid_q[slot_q] <= next_valid;
  end

  sram_1r1w_clear #(
    .Width(PendW),
    .Rows (Slots)
  ) u_pending (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (1'b0),
    .read_i      (enters),
    .read_row_i  (request_slot_q),
    .read_data_o (sram_pending),
    .write_i     (write),
    .write_row_i (slot_q),
    .write_data_i(next_pending)
  );

  sram_1r1w #(
    .Width(TimeW),
    .Rows (Slots)
  ) u_lease (
    .clk_i       (clk_i),
    .read_i      (enters),
    .read_row_i  (request_slot_q),
    .read_data_o (sram_lease),
    .write_i     (write),
    .write_row_i (slot_q),
    .write_data_i(next_lease)
  );

  sram_1r1w #(
    .Width(TimeW),
    .Rows (Slots)
  ) u_visible (
    .clk_i       (clk_i),
    .read_i      (enters && HasVisible),
    .read_row_i  (request_slot_q),
    .read_data_o (sram_visible),
    .write_i     (write && HasVisible),
    .write_row_i (slot_q),
    .write_data_i(next_visible)
  );

  // Forwarding: the row read was written, or the copies were dropped, in the cycle of the read.
  logic flushed_q;
  always_ff @(posedge clk_i) begin
    if (enters) begin
      read_valid_q <= valid_q[request_slot_q];
      forward_q    <= write && slot_q == request_slot_q;
      flushed_q    <= fire && is_flush;
    end
    if (write) forward_row_q <= next_row;
  end
  logic row_valid;
  assign {row_valid, pending, lease, visible} = forward_q ? forward_row_q : read_row;
  assign valid = row_valid && !flushed_q;

  // Decision: the state of the line. A slot that holds another line counts as one without a copy.
  logic has_copy, unexpired, waits, misses;  // waits: UPGRs of the line are without an answer
  assign has_copy  = present_q && valid;
  assign unexpired = has_copy && now_q <= lease;
  assign waits     = present_q && pending != 0;
  assign misses    = waits && PendingMisses;

  logic [1:0] was;
  always_comb begin
    unique case ({unexpired, waits})
      2'b00:   was = I;
      2'b01:   was = I_I;
      2'b10:   was = V;
      default: was = V_M;
    endcase
  end

  // Decision: what the operation does.
  logic             hit, expired, install, close, keep, refused, error;
  logic [2:0]       message;
  logic             drops, sends, answers, grants;  // sends: an UPGR; answers: an UPGR
  logic [TimeW-1:0] latest;  // the larger GWCT
  assign latest  = new_visible_q > visible ? new_visible_q : visible;
  assign sends   = op_q == STORE && unexpired && pending != Most;
  assign refused = op_q == STORE && unexpired && pending == Most;
  assign answers = (op_q == ACK || op_q == DATA_G) && waits;
  assign hit     = (op_q == LOAD && unexpired && !misses) || sends;
  assign error   = ((op_q == ACK || op_q == DATA_G) && !waits) ||
                   (op_q == FILL && is_open_q && (has_copy || waits));
  assign install = (op_q == FILL && present_q && is_open_q && !error && lease_given_q &&
                    now_q <= timestamp_q) ||
                   (op_q == DATA_G && answers && valid && pending == One);
  assign keep    = op_q == EVICT && pending != 0;
  assign expired = message == GETS && op_q == LOAD && has_copy && !unexpired;
  assign close   = is_open_q && (op_q == STORE || op_q == ATOMIC || op_q == BYPASS) && !refused;
  always_comb begin
    unique case (op_q)
      LOAD:    message = hit ? NONE : (is_open_q ? MERGE : GETS);
      STORE:   message = refused ? NONE : (sends ? UPGR : GETX);
      ATOMIC:  message = ATOMIC_MESSAGE;
      BYPASS:  message = GETS;
      default: message = NONE;
    endcase
  end

  // Decision: the next row.
  assign drops        = (present_q && (message == GETS || message == GETX || message == ATOMIC_MESSAGE)) ||
                        (op_q == EVICT && !keep);
  assign grants       = install || (op_q == ACK && answers && lease_given_q);
  assign changes      = drops || sends || answers || install;
  assign next_valid   = (valid && !drops) || install;
  assign next_pending = sends ? pending + One : (answers ? pending - One : pending);
  assign next_lease   = grants ? timestamp_q : lease;
  always_comb begin
    next_visible = visible;
    if (op_q == FILL) next_visible = new_visible_q;
    else if (install || (op_q == ACK && answers)) next_visible = latest;
  end

  // Stage 3: the response.
  always_ff @(posedge clk_i) begin
    if (fire) begin
      hit_o       <= hit;
      expired_o   <= expired;
      message_o   <= message;
      timestamp_o <= sends ? lease : {TimeW{1'b0}};
      visible_o   <= (hit && op_q == LOAD && HasVisible) ? visible : {TimeW{1'b0}};
      install_o   <= install;
      close_o     <= close;
      keep_o      <= keep;
      refused_o   <= refused;
      error_o     <= error;
      was_o       <= (op_q < EVICT) ? was : I;
    end
  end

endmodule

`default_nettype wire
