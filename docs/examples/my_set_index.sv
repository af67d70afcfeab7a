// A user's own set index for 32 sets and 32-bit addresses: ipoly(37), taps written out, one stage.
// It has the ports of set_index and no parameters. docs/bring-your-rtl.md checks it.
module my_set_index (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        request_valid_i,
  output logic        request_ready_o,
  input  logic        op_i,
  input  logic [24:0] line_i,
  input  logic [19:0] tag_i,
  input  logic [4:0]  index_i,

  output logic        response_valid_o,
  input  logic        response_ready_i,
  output logic [24:0] line_o,
  output logic [19:0] tag_o,
  output logic [4:0]  index_o
);

  // What the tag's 20 bits contribute to the index.
  function automatic logic [4:0] upper(input logic [19:0] t);
    upper[0] = t[0] ^ t[3] ^ t[5] ^ t[6] ^ t[9] ^ t[10] ^ t[11] ^ t[12] ^ t[13] ^ t[17] ^ t[18];
    upper[1] = t[1] ^ t[4] ^ t[6] ^ t[7] ^ t[10] ^ t[11] ^ t[12] ^ t[13] ^ t[14] ^ t[18] ^ t[19];
    upper[2] = t[0] ^ t[2] ^ t[3] ^ t[6] ^ t[7] ^ t[8] ^ t[9] ^ t[10] ^ t[14] ^ t[15] ^ t[17] ^ t[18] ^ t[19];
    upper[3] = t[1] ^ t[3] ^ t[4] ^ t[7] ^ t[8] ^ t[9] ^ t[10] ^ t[11] ^ t[15] ^ t[16] ^ t[18] ^ t[19];
    upper[4] = t[2] ^ t[4] ^ t[5] ^ t[8] ^ t[9] ^ t[10] ^ t[11] ^ t[12] ^ t[16] ^ t[17] ^ t[19];
  endfunction

  assign request_ready_o = !response_valid_o || response_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) response_valid_o <= 1'b0;
    else if (request_ready_o) response_valid_o <= request_valid_i;
  end

  always_ff @(posedge clk_i) begin
    if (request_ready_o) begin
      tag_o <= op_i ? tag_i : line_i[24:5];
      if (op_i) begin
        index_o <= index_i;
        line_o  <= {tag_i, index_i ^ upper(tag_i)};
      end else begin
        index_o <= line_i[4:0] ^ upper(line_i[24:5]);
        line_o  <= line_i;
      end
    end
  end

endmodule
