// Queue of a block's requests in flight, in order, for its checkers. Holds 256 with a user's own RTL
// (GOLDMEM_USER_RTL), in a proof of so few cycles that fewer can be in flight 2 to the power of
// GOLDMEM_PROOF_DEPTH, else as many as the RTL has stages. Counts have 9 bits for any depth.
`default_nettype none

module request_queue #(
  parameter integer Width  = 8,  // bits of a request
  parameter integer Stages = 2   // requests that the RTL of rtl/ holds at most, 2 to 4
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic                 accepted_i,
  input  wire logic                 answered_i,
  input  wire logic [Width-1:0]     offered_i,

  output logic                      was_reset_o,  // no clock edge since the reset
  output logic      [3*Width-1:0]   waiting_o,    // the three oldest requests; the lowest is answered next
  output logic                      behind_o,     // the oldest was accepted in the cycle after its predecessor
  output logic      [9*Stages-1:0]  inside_o,     // requests in flight now; for 2 cycles; ... for Stages cycles
  output logic                      full_o,       // the queue is full
  output logic                      fits_o,       // the queue has not overflowed
  output logic                      agrees_o      // pointers and count are consistent
);

`ifdef GOLDMEM_PROOF_DEPTH
  localparam integer DepthW = `GOLDMEM_PROOF_DEPTH, Most = 1 << DepthW;
`elsif GOLDMEM_USER_RTL
  localparam integer DepthW = 8, Most = 256;
`else
  localparam integer DepthW = (Stages < 3) ? 1 : 2, Most = Stages;
`endif
  localparam [DepthW:0] Full = Most[DepthW:0];

  logic [Width:0]    pending_q [0:(1<<DepthW)-1];
  logic [DepthW-1:0] write_q, read_q, second, third;
  logic [DepthW:0]   inside_q;
  logic              accepted_q;
  assign second = read_q + 1'b1;
  assign third  = second + 1'b1;
  assign waiting_o = {pending_q[third][Width-1:0], pending_q[second][Width-1:0], pending_q[read_q][Width-1:0]};
  assign behind_o  = pending_q[read_q][Width];
  assign full_o    = inside_q == Full;
  assign fits_o    = inside_q <= Full;
  assign agrees_o  = write_q == read_q + inside_q[DepthW-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      was_reset_o <= 1'b1;
      accepted_q  <= 1'b0;
      inside_q    <= {DepthW+1{1'b0}};
      write_q     <= {DepthW{1'b0}};
      read_q      <= {DepthW{1'b0}};
    end else begin
      was_reset_o <= 1'b0;
      accepted_q  <= accepted_i;
      inside_q    <= inside_q + {{DepthW{1'b0}}, accepted_i} - {{DepthW{1'b0}}, answered_i};
      if (accepted_i) write_q <= write_q + 1'b1;
      if (answered_i) read_q <= read_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (accepted_i) pending_q[write_q] <= {accepted_q, offered_i};
  end

  // Requests in flight for two cycles and more.
  logic [Stages*(DepthW+1)-1:0] older;
  assign older[DepthW:0] = inside_q;
  genvar g;
  generate
    for (g = 0; g < Stages; g = g + 1) begin : gen_age
      if (g > 0) begin : gen_older
        logic [DepthW:0] older_q;
        always_ff @(posedge clk_i or negedge rst_ni) begin
          if (!rst_ni) older_q <= {DepthW+1{1'b0}};
          else older_q <= older[(g-1)*(DepthW+1)+:DepthW+1] - {{DepthW{1'b0}}, answered_i};
        end
        assign older[g*(DepthW+1)+:DepthW+1] = older_q;
      end
      assign inside_o[9*g+:9] = {{8-DepthW{1'b0}}, older[g*(DepthW+1)+:DepthW+1]};
    end
  endgenerate

endmodule

`default_nettype wire
