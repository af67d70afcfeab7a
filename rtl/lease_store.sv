// Lease store of Temporal Coherence [singh, 6.2.1]: the leases of lines that the L2 has evicted before
// they were past.
//
//   op_i    takes                        does, after it has removed the leases below now_i
//   PUT     line_i, lease_i, may_i       raises the line's lease, or takes the lowest free entry
//   TAKE    line_i                       returns and removes the line's lease
//   EXPIRE                               nothing more
//   CLEAR                                removes all leases
//
// Three pipeline stages: the registered request, which matches all entries at once and changes them
// (flops); the entries as this request left them, which are counted and whose smallest lease is found
// (trees); and the response. One request per cycle, responses in order, three cycles later at the
// earliest. A response waits until response_ready_i. A request changes the entries when it enters the
// second stage, so that they stay as it left them as long as it is there. Only one stage changes state:
// there is no hazard.
// C model: cmodel/blocks/lease_store.c; checkers: tb/lease_store_sva.sv; page: docs/blocks/lease_store.md.
`default_nettype none

module lease_store #(
  parameter integer Entries = 128,  // 1 to 255
  parameter integer LineW   = 42,   // line-address bits, 1 to 64
  parameter integer TimeW   = 32,   // bits of a timestamp, 2 to 32
  localparam integer UsedW  = $clog2(Entries + 1)
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  input  wire logic             request_valid_i,
  output logic                  request_ready_o,
  input  wire logic [1:0]       op_i,
  input  wire logic [LineW-1:0] line_i,
  input  wire logic [TimeW-1:0] lease_i,
  input  wire logic [TimeW-1:0] now_i,
  input  wire logic             may_i,

  output logic                  response_valid_o,
  input  wire logic             response_ready_i,
  output logic                  done_o,
  output logic                  found_o,
  output logic      [TimeW-1:0] lease_o,
  output logic      [UsedW-1:0] used_o,
  output logic      [TimeW-1:0] next_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (Entries < 1 || Entries > 255) Entries_must_be_1_to_255 u_wrong ();
    if (LineW < 1 || LineW > 64) LineW_must_be_1_to_64 u_wrong ();
    if (TimeW < 2 || TimeW > 32) TimeW_must_be_2_to_32 u_wrong ();
  endgenerate

`include "lease_store_constants.svh"
  localparam [Entries-1:0] Lowest = 1;

  logic fire, after_valid, after_moves, respond;
  assign respond = after_valid && after_moves;
  three_stages u_stages (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .request_valid_i (request_valid_i),
    .request_ready_o (request_ready_o),
    .hold_i          (1'b0),
    .enters_o        (fire),
    .decide_valid_o  (after_valid),
    .decide_moves_o  (after_moves),
    .response_valid_o(response_valid_o),
    .response_ready_i(response_ready_i)
  );

  // Stage 1: the request.
  logic [1:0]       op_q;
  logic [LineW-1:0] request_line_q;
  logic [TimeW-1:0] request_lease_q, now_q;
  logic             may_q;
  always_ff @(posedge clk_i) begin
    if (request_ready_o && request_valid_i) begin
      op_q            <= op_i;
      request_line_q  <= line_i;
      request_lease_q <= lease_i;
      now_q           <= now_i;
      may_q           <= may_i;
    end
  end

  // The entries; lane e is entry e's.
  logic [Entries-1:0]       valid_q  /*verilator public_flat_rd*/;
  logic [Entries*LineW-1:0] line_q   /*verilator public_flat_rd*/;
  logic [Entries*TimeW-1:0] lease_q  /*verilator public_flat_rd*/;

  // The entries whose leases are not past, the line's among them, and the lowest entry without one.
  logic [Entries-1:0] keeps, named, is_lower, lowest_free;
  genvar g;
  generate
    for (g = 0; g < Entries; g = g + 1) begin : gen_entry
      assign keeps[g]    = valid_q[g] && lease_q[g*TimeW+:TimeW] >= now_q;
      assign named[g]    = keeps[g] && line_q[g*LineW+:LineW] == request_line_q;
      assign is_lower[g] = lease_q[g*TimeW+:TimeW] < request_lease_q;
    end
  endgenerate
  assign lowest_free = ~keeps & (keeps + Lowest);

  logic is_put, is_take, is_clear, has_line, is_past, has_room;
  assign is_put   = op_q == PUT;
  assign is_take  = op_q == TAKE;
  assign is_clear = op_q == CLEAR;
  assign has_line = |named;
  assign is_past  = request_lease_q < now_q;
  assign has_room = may_q && !(&keeps);

  logic [Entries-1:0] raise, take, leave;
  assign raise = named & is_lower & {Entries{is_put}};  // a lease that is past is below none of them
  assign take  = lowest_free & {Entries{is_put && !is_past && !has_line && has_room}};
  assign leave = (named & {Entries{is_take}}) | {Entries{is_clear}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= {Entries{1'b0}};
    end else if (fire) begin
      valid_q <= (keeps | take) & ~leave;
    end
  end

  always_ff @(posedge clk_i) begin : entry
    integer i;
    for (i = 0; i < Entries; i = i + 1) begin
      if (fire && take[i]) line_q[i*LineW+:LineW] <= request_line_q;
      if (fire && (take[i] || raise[i])) lease_q[i*TimeW+:TimeW] <= request_lease_q;
    end
  end

  logic [TimeW-1:0] named_lease;
  always_comb begin : mux
    integer i;
    named_lease = {TimeW{1'b0}};
    for (i = 0; i < Entries; i = i + 1) begin
      named_lease = named_lease | (lease_q[i*TimeW+:TimeW] & {TimeW{named[i]}});
    end
  end

  // Stage 2: what the request did, and the entries after it.
  logic             done_q, found_q;
  logic [TimeW-1:0] taken_q;
  always_ff @(posedge clk_i) begin
    if (fire) begin
      done_q  <= is_put && (is_past || has_line || has_room);
      found_q <= is_take && has_line;
      taken_q <= is_take ? named_lease : {TimeW{1'b0}};
    end
  end

  // The smallest lease is the complement of the largest complement.
  logic [Entries*TimeW-1:0] complements;
  logic [TimeW-1:0]         largest;
  generate
    for (g = 0; g < Entries; g = g + 1) begin : gen_complement
      assign complements[g*TimeW+:TimeW] = ~lease_q[g*TimeW+:TimeW] & {TimeW{valid_q[g]}};
    end
  endgenerate
  max_tree #(
    .Values(Entries),
    .Width (TimeW)
  ) u_smallest (
    .values_i (complements),
    .largest_o(largest)
  );

  logic [UsedW-1:0] used;
  count_tree #(
    .Bits (Entries),
    .Width(UsedW)
  ) u_used (
    .bits_i (valid_q),
    .count_o(used)
  );

  // Stage 3: the response.
  always_ff @(posedge clk_i) begin
    if (respond) begin
      done_o  <= done_q;
      found_o <= found_q;
      lease_o <= taken_q;
      used_o  <= used;
      next_o  <= |valid_q ? ~largest : {TimeW{1'b0}};
    end
  end

endmodule

`default_nettype wire
