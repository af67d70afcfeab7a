// Warp limiter [khairy, 4.2]: allows the oldest warps of a scheduler to issue. Bit i of a vector Warps wide is warp i.
//
//   admit_i          become the youngest warps, of them lower numbers the older, and count
//   resume_i         count from now on
//   hold_i           do not, even if admitted or resumed
//   sets_i, limit_i  set the limit
//   allowed_o        warps that have fewer than the limit of older warps that count
//
// After reset lower numbers are the older, no warp counts, and the limit is Warps. Two pipeline stages: the registered
// request, which changes the state (flops); and the response. One request per cycle, responses in order, two cycles later
// at the earliest. A response waits until response_ready_i. Only one stage accesses state: there is no hazard. The order is
// an age matrix, of which a flop is kept for each pair of warps: older_q[i(i-1)/2 + j] for j < i.
// C model: cmodel/blocks/warp_limiter.c; checkers: tb/warp_limiter_sva.sv; page: docs/blocks/warp_limiter.md.
`default_nettype none

module warp_limiter #(
  parameter  integer Warps  = 24,  // warps of the scheduler, 2 to 64
  localparam integer LimitW = $clog2(Warps + 1),
  localparam integer Pairs  = Warps * (Warps - 1) / 2
) (
  input  wire logic              clk_i,
  input  wire logic              rst_ni,

  input  wire logic              request_valid_i,
  output logic                   request_ready_o,
  input  wire logic [Warps-1:0]  admit_i,
  input  wire logic [Warps-1:0]  resume_i,
  input  wire logic [Warps-1:0]  hold_i,
  input  wire logic              sets_i,
  input  wire logic [LimitW-1:0] limit_i,

  output logic                   response_valid_o,
  input  wire logic              response_ready_i,
  output logic      [Warps-1:0]  allowed_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (Warps < 2 || Warps > 64) Warps_must_be_2_to_64 u_wrong ();
  endgenerate

  localparam [31:0] All = Warps;

  // Stage 1: the request.
  logic              valid_q, sets_q;
  logic [Warps-1:0]  admit_q, resume_q, hold_q;
  logic [LimitW-1:0] new_limit_q;

  // Each stage moves when it is empty or the next one moves.
  logic response_moves, request_moves, fire;
  assign response_moves  = response_ready_i || !response_valid_o;
  assign request_moves   = response_moves || !valid_q;
  assign request_ready_o = request_moves;
  assign fire            = valid_q && response_moves;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q          <= 1'b0;
      response_valid_o <= 1'b0;
    end else begin
      if (request_moves) valid_q <= request_valid_i;
      if (response_moves) response_valid_o <= valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (request_moves && request_valid_i) begin
      admit_q     <= admit_i;
      resume_q    <= resume_i;
      hold_q      <= hold_i;
      sets_q      <= sets_i;
      new_limit_q <= limit_i;
    end
  end

  // The state.
  logic [Pairs-1:0]  older_q   /*verilator public_flat_rd*/;
  logic [Warps-1:0]  counts_q  /*verilator public_flat_rd*/;
  logic [LimitW-1:0] limit_q   /*verilator public_flat_rd*/;

  logic [Pairs-1:0]  older;
  logic [Warps-1:0]  counts;
  logic [LimitW-1:0] limit;
  assign counts = (counts_q | admit_q | resume_q) & ~hold_q;
  assign limit  = sets_q ? new_limit_q : limit_q;

  // Each warp's row of the matrix, without itself, of those that count; whether they are fewer than the limit.
  logic [Warps-1:0] allowed;
  genvar i, j;
  generate
    for (i = 0; i < Warps; i = i + 1) begin : gen_warp
      logic [Warps-2:0]  ahead;
      logic [LimitW-1:0] number;
      for (j = 0; j < Warps; j = j + 1) begin : gen_other
        if (j < i) begin : gen_pair
          localparam integer Pair = i * (i - 1) / 2 + j;
          assign older[Pair] = admit_q[i] || (older_q[Pair] && !admit_q[j]);
          assign ahead[j]    = counts[j] && older[Pair];
        end else if (j > i) begin : gen_mirror
          localparam integer Pair = j * (j - 1) / 2 + i;
          assign ahead[j-1] = counts[j] && !older[Pair];
        end
      end
      count_tree #(
        .Bits (Warps - 1),
        .Width(LimitW)
      ) u_number (
        .bits_i (ahead),
        .count_o(number)
      );
      assign allowed[i] = number < limit;
    end
  endgenerate

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      older_q  <= {Pairs{1'b1}};
      counts_q <= {Warps{1'b0}};
      limit_q  <= All[LimitW-1:0];
    end else if (fire) begin
      older_q  <= older;
      counts_q <= counts;
      limit_q  <= limit;
    end
  end

  // Stage 2: the response.
  always_ff @(posedge clk_i) begin
    if (fire) allowed_o <= allowed;
  end

endmodule

`default_nettype wire
