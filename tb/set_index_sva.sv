// Checkers and cover points of set_index; the lockstep top and the formal harness instantiate them.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_tag              the tag is the line without its low bits
// For rtl/set_index.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_depth            at most two requests are in flight
//   a_ready            a request is accepted when there is room
`default_nettype none

module set_index_sva #(
  parameter integer                LineW      = 42,
  parameter integer                IndexW     = 5,
  parameter [IndexW:0]             Polynomial = 37,
  parameter [IndexW*LineW-1:0]     Matrix     = 0
) (
  input wire logic                    clk_i,
  input wire logic                    rst_ni,

  input wire logic                    request_valid_i,
  input wire logic                    request_ready_i,
  input wire logic                    op_i,
  input wire logic [LineW-1:0]        line_i,
  input wire logic [LineW-IndexW-1:0] tag_i,
  input wire logic [IndexW-1:0]       index_i,

  input wire logic                    response_valid_i,
  input wire logic                    response_ready_i,
  input wire logic [LineW-1:0]        line_response_i,
  input wire logic [LineW-IndexW-1:0] tag_response_i,
  input wire logic [IndexW-1:0]       index_response_i
);

`include "set_index_constants.svh"
  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  logic [7:0] inside_q;     // requests in flight
  logic       was_reset_q;  // no clock edge since reset

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      was_reset_q <= 1'b1;
      inside_q    <= 8'd0;
    end else begin
      was_reset_q <= 1'b0;
      inside_q    <= inside_q + {7'd0, accepted} - {7'd0, answered};
    end
  end

  always @(posedge clk_i) begin
    if (!was_reset_q) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && op_i == $past(op_i) &&
                                  line_i == $past(line_i) && tag_i == $past(tag_i) &&
                                  index_i == $past(index_i));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i && line_response_i == $past(line_response_i) &&
                                   tag_response_i == $past(tag_response_i) &&
                                   index_response_i == $past(index_response_i));
      end
      a_no_request: assert (!response_valid_i || inside_q != 8'd0);
      if (response_valid_i) begin
        a_tag: assert (tag_response_i == line_response_i[LineW-1:IndexW]);
      end
`ifndef GOLDMEM_USER_RTL
      a_depth: assert (inside_q <= 8'd2);
      a_ready: assert (request_ready_i || inside_q == 8'd2);
`endif

      c_forward: cover (accepted && op_i == FORWARD);
      c_inverse: cover (accepted && op_i == INVERSE);
      c_full_and_waiting: cover (inside_q == 8'd2 && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (inside_q == 8'd2 && answered && accepted);
      c_gap_closed: cover (response_valid_i && !response_ready_i && inside_q == 8'd1 && accepted);
      c_emptied: cover (inside_q == 8'd1 && answered && !accepted);
      c_index_zero: cover (answered && index_response_i == 0);
      c_index_ones: cover (answered && (&index_response_i));
      c_index_not_sequential: cover (answered && index_response_i != line_response_i[IndexW-1:0]);
    end
  end

`ifdef GOLDMEM_CROSS
  // For the crosses: the answered operation.
  logic        op, behind, unused_reset, unused_full, unused_fits, unused_agrees;
  logic [2:0]  waiting;
  logic [17:0] unused_inside;
  assign op = waiting[0];
  request_queue #(
    .Width (1),
    .Stages(2)
  ) queue (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .accepted_i (accepted),
    .answered_i (answered),
    .offered_i  (op_i),
    .was_reset_o(unused_reset),
    .waiting_o  (waiting),
    .behind_o   (behind),
    .inside_o   (unused_inside),
    .full_o     (unused_full),
    .fits_o     (unused_fits),
    .agrees_o   (unused_agrees)
  );
  logic [1:0] cross_kind;
  logic [1:0] cross_hazard;
  assign cross_kind[0] = op == FORWARD;
  assign cross_kind[1] = op == INVERSE;
  assign cross_hazard[0] = !behind;
  assign cross_hazard[1] = behind;
  cross_cover #(
    .Kinds  (2),
    .Hazards(2)
  ) u_cross (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .response_valid_i (response_valid_i),
    .response_ready_i (response_ready_i),
    .kind_i           (cross_kind),
    .hazard_i         (cross_hazard)
  );
`endif

endmodule

`default_nettype wire
