// Checkers and cover points of counter_table.
`default_nettype none

module counter_table_sva #(
  parameter integer RowW   = 4,
  parameter integer CountW = 5,
  parameter integer Fault  = 0
) (
  input wire logic              clk_i,
  input wire logic              rst_ni,
  input wire logic              request_valid_i,
  input wire logic              request_ready_i,
  input wire logic [1:0]        op_i,
  input wire logic [RowW-1:0]   row_i,
  input wire logic              way_i,
  input wire logic [CountW-1:0] amount_i,
  input wire logic              response_valid_i,
  input wire logic              response_ready_i,
  input wire logic [CountW-1:0] count_response_i,
  input wire logic              saturated_response_i
);

  logic was_reset_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) was_reset_q <= 1'b1;
    else was_reset_q <= 1'b0;
  end

  // 0 from the first reset on; before it, as powered up.
  logic unreset_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) unreset_q <= 1'b0;
    else unreset_q <= unreset_q;
  end

  always @(posedge clk_i) begin
    c_before_reset: cover (unreset_q);
    if (!was_reset_q) begin
      if (Fault < 14 && $past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i &&
                                   count_response_i == $past(count_response_i) &&
                                   saturated_response_i == $past(saturated_response_i));
      end
      c_saturated: cover (response_valid_i && response_ready_i && saturated_response_i);
      c_clear: cover (request_valid_i && request_ready_i && op_i == 2'd2);
      c_never: cover (saturated_response_i && response_valid_i && count_response_i == 0);
      c_same_row: cover (request_valid_i && request_ready_i && row_i == $past(row_i) &&
                         way_i == $past(way_i) && amount_i == 0);
    end
  end

endmodule

`default_nettype wire
