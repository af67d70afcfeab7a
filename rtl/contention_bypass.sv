// Contention bypass [anssari, 3.3]: a load instruction bypasses the L1 if it touches two lines or more, and as many as a
// warp's share of the L1 or more.
//
//   touched_i  lines that the instruction touches
//   warps_i    warps that share the L1; 0: no load bypasses
//   lines_i    lines of the L1
//   bypass_o   1: the load bypasses
//
// The share is lines / warps, rounded down. touched is at least that exactly if (touched + 1) * warps > lines, which needs
// no divider. No state. Two pipeline stages: the registered request, and the response. One request per cycle, responses in
// order, two cycles later at the earliest. A response waits until response_ready_i.
// C model: cmodel/blocks/contention_bypass.c; checkers: tb/contention_bypass_sva.sv;
// page: docs/blocks/contention_bypass.md.
`default_nettype none

module contention_bypass #(
  parameter  integer Touched  = 64,   // most lines that an instruction touches, 1 to 4095
  parameter  integer Warps    = 64,   // most warps of an SM, 1 to 256
  parameter  integer Lines    = 512,  // most lines of an L1, 1 to 16777215
  localparam integer TouchedW = $clog2(Touched + 1),
  localparam integer WarpW    = $clog2(Warps + 1),
  localparam integer LineW    = $clog2(Lines + 1)
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,

  input  wire logic                request_valid_i,
  output logic                     request_ready_o,
  input  wire logic [TouchedW-1:0] touched_i,
  input  wire logic [WarpW-1:0]    warps_i,
  input  wire logic [LineW-1:0]    lines_i,

  output logic                     response_valid_o,
  input  wire logic                response_ready_i,
  output logic                     bypass_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (Touched < 1 || Touched > 4095) Touched_must_be_1_to_4095 u_wrong ();
    if (Warps < 1 || Warps > 256) Warps_must_be_1_to_256 u_wrong ();
    if (Lines < 1 || Lines > 16777215) Lines_must_be_1_to_16777215 u_wrong ();
  endgenerate

  // Stage 1: the request.
  logic                valid_q;
  logic [TouchedW-1:0] touched_q;
  logic [WarpW-1:0]    warps_q;
  logic [LineW-1:0]    lines_q;

  // Each stage moves when it is empty or the next one moves.
  logic response_moves;
  assign response_moves  = response_ready_i || !response_valid_o;
  assign request_ready_o = response_moves || !valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q          <= 1'b0;
      response_valid_o <= 1'b0;
    end else begin
      if (request_ready_o) valid_q <= request_valid_i;
      if (response_moves) response_valid_o <= valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (request_ready_o && request_valid_i) begin
      touched_q <= touched_i;
      warps_q   <= warps_i;
      lines_q   <= lines_i;
    end
  end

  // The lines with which a warp's share is one more than `touched`: (touched + 1) * warps.
  localparam integer ProductW = TouchedW + WarpW;
  localparam integer CompareW = ((ProductW > LineW) ? ProductW : LineW) + 1;
  logic [ProductW-1:0] needed;
  assign needed = {{WarpW{1'b0}}, touched_q} * {{TouchedW{1'b0}}, warps_q} + {{TouchedW{1'b0}}, warps_q};

  // Stage 2: the response.
  logic is_scattered;
  assign is_scattered = |(touched_q >> 1);
  always_ff @(posedge clk_i) begin
    if (valid_q && response_moves)
      bypass_o <= is_scattered && {{CompareW - ProductW{1'b0}}, needed} > {{CompareW - LineW{1'b0}}, lines_q};
  end

endmodule

`default_nettype wire
