// SHiP's counters, one for each signature (Wu et al., MICRO 2011), for a block whose pipeline holds
// the request in stage 1 and decides in stage 2: read with the request, updated after the decision.
// The table holds doubt, the maximum less the counter: after reset it is zeros, which predicts reuse
// for every signature.
// The counter of the touched or evicted line is read and written in the cycle after the decision.
// Its new value is forwarded to the decisions of that cycle and of the next.
`default_nettype none

module ship_table #(
  parameter integer SignatureW = 8,
  parameter integer CounterW   = 3,
  parameter integer IsUsed     = 1   // 0: neither read nor written; synthesis leaves it out
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  input  wire logic                  enters_i,             // stage 1 moves to stage 2
  input  wire logic [SignatureW-1:0] request_signature_i,  // of the line that stage 1 may install
  input  wire logic                  decide_valid_i,       // stage 2 holds a request
  input  wire logic [SignatureW-1:0] signature_i,          // of the line that stage 2 may install
  output logic      [CounterW-1:0]   doubt_o,              // of signature_i

  input  wire logic                  learns_i,             // a decision that takes effect learns
  input  wire logic [SignatureW-1:0] learn_signature_i,    // of the touched or evicted line
  input  wire logic                  learn_doubts_i        // 0: touched; 1: evicted without reuse
);

  localparam IsRead = IsUsed != 0;
  localparam [CounterW-1:0] MostDoubt = {CounterW{1'b1}};

  logic                  learns, update_valid_q, update_doubts_q, written_q;
  logic [SignatureW-1:0] update_signature_q, written_signature_q;
  logic [CounterW-1:0]   sram_doubt, sram_update, old_doubt, update, written_doubt_q;
  assign learns = IsRead && learns_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      update_valid_q <= 1'b0;
      written_q      <= 1'b0;
    end else begin
      update_valid_q <= learns;
      written_q      <= update_valid_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (learns) begin
      update_signature_q <= learn_signature_i;
      update_doubts_q    <= learn_doubts_i;
    end
    if (update_valid_q) begin
      written_signature_q <= update_signature_q;
      written_doubt_q     <= update;
    end
  end
  assign old_doubt = (written_q && written_signature_q == update_signature_q) ? written_doubt_q
                                                                            : sram_update;
  always_comb begin
    update = old_doubt;
    if (update_doubts_q && old_doubt != MostDoubt) update = old_doubt + 1'b1;
    if (!update_doubts_q && old_doubt != {CounterW{1'b0}}) update = old_doubt - 1'b1;
  end

  // One copy for each of the two readers. The decision's copy is read again in each cycle in which
  // the decision waits, so that only writes of this cycle and of the last need forwarding.
  logic                  reads_doubt;
  logic [SignatureW-1:0] read_signature;
  assign reads_doubt    = IsRead && (enters_i || decide_valid_i);
  assign read_signature = enters_i ? request_signature_i : signature_i;

  sram_1r1w_clear #(
    .Width(CounterW),
    .Rows (1 << SignatureW)
  ) u_doubt (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (1'b0),
    .read_i      (reads_doubt),
    .read_row_i  (read_signature),
    .read_data_o (sram_doubt),
    .write_i     (update_valid_q),
    .write_row_i (update_signature_q),
    .write_data_i(update)
  );

  sram_1r1w_clear #(
    .Width(CounterW),
    .Rows (1 << SignatureW)
  ) u_doubt_update (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (1'b0),
    .read_i      (learns),
    .read_row_i  (learn_signature_i),
    .read_data_o (sram_update),
    .write_i     (update_valid_q),
    .write_row_i (update_signature_q),
    .write_data_i(update)
  );

  always_comb begin
    doubt_o = sram_doubt;
    if (update_valid_q && update_signature_q == signature_i) doubt_o = update;
    else if (written_q && written_signature_q == signature_i) doubt_o = written_doubt_q;
  end

endmodule

`default_nettype wire
