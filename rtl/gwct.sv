// GWCT table of Temporal Coherence [singh, 6.3.1, Figure 5(a)]: per warp, the operations without an
// answer and the largest global write completion time (GWCT). Tells whether a fence completes.
//
//   op_i      takes                            does
//   ISSUE     warp_i, store_i                  counts a load or a store; refused_o at the limit
//   ACK       warp_i, store_i, has_gwct_i,     one load or store less; with a GWCT of this epoch
//             epoch_i, timestamp_i             raises the warp's
//   RAISE     warp_i, timestamp_i              raises the warp's GWCT
//   ROLLOVER                                   clears all GWCTs and changes the epoch
//   FENCE     warp_i, last_i, now_i            says for what warps warp_i to last_i wait
//
// Three pipeline stages: the registered request, which reads and changes the state (flops) and takes
// the largest GWCT of a FENCE's warps (a tree); that GWCT, which is compared with the time; and the
// response. One request per cycle, responses in order, three cycles later at the earliest. A response
// waits until response_ready_i. Only one stage accesses state: there is no hazard.
// C model: cmodel/blocks/gwct.c; checkers: tb/gwct_sva.sv; page: docs/blocks/gwct.md.
`default_nettype none

module gwct #(
  parameter integer Warps  = 48,  // 1 to 256
  parameter integer CountW = 8,   // bits of the counts of loads and stores, 1 to 16
  parameter integer TimeW  = 32,  // bits of a timestamp, 2 to 32
  localparam integer WarpW = (Warps < 3) ? 1 : $clog2(Warps)
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,

  input  wire logic             request_valid_i,
  output logic                  request_ready_o,
  input  wire logic [2:0]       op_i,
  input  wire logic [WarpW-1:0] warp_i,
  input  wire logic [WarpW-1:0] last_i,
  input  wire logic             store_i,
  input  wire logic             has_gwct_i,
  input  wire logic             epoch_i,
  input  wire logic [TimeW-1:0] timestamp_i,
  input  wire logic [TimeW-1:0] now_i,

  output logic                  response_valid_o,
  input  wire logic             response_ready_i,
  output logic                  ready_o,
  output logic      [1:0]       waits_o,
  output logic      [TimeW-1:0] left_o,
  output logic                  refused_o,
  output logic                  error_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (Warps < 1 || Warps > 256) Warps_must_be_1_to_256 u_wrong ();
    if (CountW < 1 || CountW > 16) CountW_must_be_1_to_16 u_wrong ();
    if (TimeW < 2 || TimeW > 32) TimeW_must_be_2_to_32 u_wrong ();
  endgenerate

`include "gwct_constants.svh"
  localparam [Warps-1:0] All = {Warps{1'b1}};
  localparam [Warps-1:0] First = 1;

  logic fire, found_valid, found_moves, respond;
  assign respond = found_valid && found_moves;
  three_stages u_stages (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .request_valid_i (request_valid_i),
    .request_ready_o (request_ready_o),
    .hold_i          (1'b0),
    .enters_o        (fire),
    .decide_valid_o  (found_valid),
    .decide_moves_o  (found_moves),
    .response_valid_o(response_valid_o),
    .response_ready_i(response_ready_i)
  );

  // Stage 1: the request.
  logic             store_q, has_gwct_q, gwct_epoch_q;
  logic [2:0]       op_q;
  logic [WarpW-1:0] warp_q, last_q;
  logic [TimeW-1:0] timestamp_q, now_q;

  always_ff @(posedge clk_i) begin
    if (request_ready_o && request_valid_i) begin
      op_q         <= op_i;
      warp_q       <= warp_i;
      last_q       <= last_i;
      store_q      <= store_i;
      has_gwct_q   <= has_gwct_i;
      gwct_epoch_q <= epoch_i;
      timestamp_q  <= timestamp_i;
      now_q        <= now_i;
    end
  end

  // The state; lane w is warp w's.
  logic [Warps*CountW-1:0] loads_q    /*verilator public_flat_rd*/;
  logic [Warps*CountW-1:0] stores_q   /*verilator public_flat_rd*/;
  logic [Warps*TimeW-1:0]  visible_q  /*verilator public_flat_rd*/;
  logic                    epoch_q    /*verilator public_flat_rd*/;

  logic is_issue, is_ack, is_raise, is_rollover;
  assign is_issue    = op_q == ISSUE;
  assign is_ack      = op_q == ACK;
  assign is_raise    = op_q == RAISE;
  assign is_rollover = op_q == ROLLOVER;

  // The request's warp, none if the table does not have it; a FENCE's warps.
  logic [Warps-1:0] named, covered;
  assign named   = First << warp_q;
  assign covered = (All << warp_q) & ~((All << last_q) << 1);

  // What each lane says.
  logic [Warps-1:0]       has_loads, has_stores, full_loads, full_stores, is_later;
  logic [Warps*TimeW-1:0] covered_times;
  genvar g;
  generate
    for (g = 0; g < Warps; g = g + 1) begin : gen_lane
      assign has_loads[g]   = |loads_q[g*CountW+:CountW];
      assign has_stores[g]  = |stores_q[g*CountW+:CountW];
      assign full_loads[g]  = &loads_q[g*CountW+:CountW];
      assign full_stores[g] = &stores_q[g*CountW+:CountW];
      assign is_later[g]    = timestamp_q > visible_q[g*TimeW+:TimeW];
      assign covered_times[g*TimeW+:TimeW] = visible_q[g*TimeW+:TimeW] & {TimeW{covered[g]}};
    end
  endgenerate

  logic counts, acknowledges, is_refused, is_error;
  assign is_refused   = is_issue && |(named & (store_q ? full_stores : full_loads));
  assign counts       = is_issue && !is_refused;
  assign acknowledges = is_ack && |(named & (store_q ? has_stores : has_loads));
  assign is_error     = (is_ack && !acknowledges) || ((is_issue || is_raise) && named == {Warps{1'b0}});

  logic raises;
  assign raises = is_raise || (acknowledges && has_gwct_q && gwct_epoch_q == epoch_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin : state
    integer w;
    if (!rst_ni) begin
      loads_q   <= {Warps*CountW{1'b0}};
      stores_q  <= {Warps*CountW{1'b0}};
      visible_q <= {Warps*TimeW{1'b0}};
      epoch_q   <= 1'b0;
    end else if (fire) begin
      for (w = 0; w < Warps; w = w + 1) begin
        if (named[w] && (counts || acknowledges)) begin
          if (store_q) begin
            stores_q[w*CountW+:CountW] <= counts ? stores_q[w*CountW+:CountW] + 1'b1
                                                 : stores_q[w*CountW+:CountW] - 1'b1;
          end else begin
            loads_q[w*CountW+:CountW] <= counts ? loads_q[w*CountW+:CountW] + 1'b1
                                                : loads_q[w*CountW+:CountW] - 1'b1;
          end
        end
        if (named[w] && raises && is_later[w]) visible_q[w*TimeW+:TimeW] <= timestamp_q;
      end
      if (is_rollover) begin
        visible_q <= {Warps*TimeW{1'b0}};
        epoch_q   <= !epoch_q;
      end
    end
  end

  logic [TimeW-1:0] latest;
  max_tree #(
    .Values(Warps),
    .Width (TimeW)
  ) u_latest (
    .values_i (covered_times),
    .largest_o(latest)
  );

  // Stage 2: what a FENCE found.
  logic             is_fence_q, answers_q, refused_q, error_q;
  logic [TimeW-1:0] latest_q, fence_now_q;
  always_ff @(posedge clk_i) begin
    if (fire) begin
      is_fence_q  <= op_q >= FENCE;
      answers_q   <= |(covered & (has_loads | has_stores));
      latest_q    <= latest;
      fence_now_q <= now_q;
      refused_q   <= is_refused;
      error_q     <= is_error;
    end
  end

  // Stage 3: the response.
  logic waits_answers, waits_time;
  assign waits_answers = is_fence_q && answers_q;
  assign waits_time    = is_fence_q && latest_q >= fence_now_q;

  always_ff @(posedge clk_i) begin
    if (respond) begin
      ready_o   <= is_fence_q && !waits_answers && !waits_time;
      waits_o   <= (waits_answers ? ANSWERS : 2'd0) | (waits_time ? TIME : 2'd0);
      left_o    <= waits_time ? latest_q - fence_now_q + 1'b1 : {TimeW{1'b0}};
      refused_o <= refused_q;
      error_o   <= error_q;
    end
  end

endmodule

`default_nettype wire
