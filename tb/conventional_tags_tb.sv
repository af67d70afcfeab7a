// Compares conventional_tags with tag_store at threshold 0, which lockstep checks against its C
// model. Both get the same random requests and must give equal answers in the same cycles. Ends in
// $fatal at a difference, or when an outcome that matters occurred too rarely.
`default_nettype none

module conventional_tags_tb #(
  parameter integer Ways     = 4,
  localparam integer WayW     = (Ways < 3) ? 1 : $clog2(Ways),
  parameter integer TagWays  = 8,
  parameter integer Requests = 100000,
  parameter integer Seed     = 1
);

  localparam integer LineW = 12, IndexW = 2, Lines = 32, Most = 64;
`include "tag_store_constants.svh"
  localparam integer Answer = 3 + 2 + IndexW + 2 * WayW + LineW + 4;

  logic              clk = 1'b0, rst_n = 1'b0;
  logic              request_valid = 1'b0, response_ready = 1'b0;
  logic [2:0]        op = PROBE;
  logic [LineW-1:0]  line = 0;
  logic [WayW-1:0]   position = 0;
  logic              may_miss = 1'b0, may_bypass = 1'b0;
  logic [1:0]        request_ready, response_valid;
  logic [Answer-1:0] is, should;
  always #2 clk = ~clk;

  conventional_tags #(
    .LineW     (LineW),
    .IndexW    (IndexW),
    .Polynomial(3'd7),
    .Ways      (Ways)
  ) dut (
    .clk_i             (clk),
    .rst_ni            (rst_n),
    .request_valid_i   (request_valid),
    .request_ready_o   (request_ready[0]),
    .op_i              (op),
    .line_i            (line),
    .position_i        (position),
    .may_miss_i        (may_miss),
    .response_valid_o  (response_valid[0]),
    .response_ready_i  (response_ready),
    .outcome_o         (is[2:0]),
    .reason_o          (is[4:3]),
    .evicted_o         (is[5]),
    .dead_o            (is[6]),
    .dropped_o         (is[7]),
    .error_o           (is[8]),
    .index_o           (is[9+:IndexW]),
    .evicted_line_o    (is[9+IndexW+:LineW]),
    .position_o        (is[9+IndexW+LineW+:WayW]),
    .evicted_position_o(is[9+IndexW+LineW+WayW+:WayW])
  );

  tag_store #(
    .LineW     (LineW),
    .IndexW    (IndexW),
    .Polynomial(3'd7),
    .TagWays   (TagWays),
    .DataWays  (Ways),
    .Threshold (0)
  ) reference (
    .clk_i             (clk),
    .rst_ni            (rst_n),
    .request_valid_i   (request_valid),
    .request_ready_o   (request_ready[1]),
    .op_i              (op),
    .line_i            (line),
    .position_i        (position),
    .may_miss_i        (may_miss),
    .may_bypass_i      (may_bypass),
    .conventional_i    (1'b0),
    .signature_i       (8'd0),
    .response_valid_o  (response_valid[1]),
    .response_ready_i  (response_ready),
    .outcome_o         (should[2:0]),
    .reason_o          (should[4:3]),
    .evicted_o         (should[5]),
    .dead_o            (should[6]),
    .dropped_o         (should[7]),
    .error_o           (should[8]),
    .index_o           (should[9+:IndexW]),
    .evicted_line_o    (should[9+IndexW+:LineW]),
    .position_o        (should[9+IndexW+LineW+:WayW]),
    .evicted_position_o(should[9+IndexW+LineW+WayW+:WayW]),
    .rc_o              (),
    .replaced_o        (),
    .tie_o             (),
    .saturated_o       (),
    .aged_o            (),
    .emptied_o         (),
    .distant_o         ()
  );

  // Requests in flight, and the lines whose FILL is still to be sent.
  logic [LineW-1:0] asked_line [0:3], owed_line [0:Most-1];
  logic [2:0]       asked_op [0:3];
  logic [WayW-1:0]  owed_position [0:Most-1];
  integer           asked = 0, owed = 0, done = 0, pick, i;
  integer           seen [0:8];  // outcomes 0 to 4, evicted, dead, dropped, error

  // A random number below `bound`: xorshift32, which is the same in every simulator.
  logic [31:0] random = Seed;
  function automatic integer below(input integer bound);
    begin
      random = random ^ random << 13;
      random = random ^ random >> 17;
      random = random ^ random << 5;
      below = random[30:0] % bound;
    end
  endfunction

  task automatic next_request;
    begin
      pick = below(64);
      line = below(Lines);
      position = below(1 << WayW);
      may_miss = below(2);
      may_bypass = below(2);
      op = pick < 36 ? PROBE : pick < 56 ? FILL : pick < 60 ? WRITE : pick < 63 ? INVALIDATE : FLUSH;
      if (op == FLUSH && below(4) != 0) op = PROBE;
      if (op == PROBE && owed > Most - 8) op = FILL;
      if (op == FILL && owed != 0 && below(8) != 0) begin
        i = below(owed);
        line = owed_line[i];
        position = owed_position[i];
        owed = owed - 1;
        owed_line[i] = owed_line[owed];
        owed_position[i] = owed_position[owed];
      end
    end
  endtask

  task automatic take_answer;
    begin
      if (is !== should) begin
        $display("request %0d: op %0d, line %h: answer %h, should be %h", done, asked_op[0],
                 asked_line[0], is, should);
        $fatal;
      end
      if (asked_op[0] == PROBE) seen[is[2:0]] = seen[is[2:0]] + 1;
      for (i = 0; i < 4; i = i + 1) if (is[5+i]) seen[5+i] = seen[5+i] + 1;
      if (asked_op[0] == PROBE && is[2:0] == MISS) begin
        owed_line[owed] = asked_line[0];
        owed_position[owed] = is[9+IndexW+LineW+:WayW];
        owed = owed + 1;
      end
      for (i = 0; i < 3; i = i + 1) begin
        asked_line[i] = asked_line[i+1];
        asked_op[i] = asked_op[i+1];
      end
      asked = asked - 1;
      done = done + 1;
    end
  endtask

  // Requests are accepted at the rising clock edge and change at another time.
  logic taken, answered;
  initial begin
    for (i = 0; i < 9; i = i + 1) seen[i] = 0;
    #8 rst_n = 1'b1;
    while (done < Requests) begin
      @(negedge clk);
      if (request_ready[0] !== request_ready[1] || response_valid[0] !== response_valid[1]) begin
        $display("request %0d: ready %b, valid %b differ", done, request_ready, response_valid);
        $fatal;
      end
      if (!request_valid || taken) begin
        request_valid = below(8) != 0;
        if (request_valid) next_request;
      end
      response_ready = below(8) != 0;
      #1;
      answered = response_valid[0] && response_ready;
      taken = request_valid && request_ready[0];
      if (answered) take_answer;
      if (taken) begin
        asked_line[asked] = line;
        asked_op[asked] = op;
        asked = asked + 1;
      end
    end
    for (i = 0; i < 9; i = i + 1) begin
      if (i != 3 && seen[i] < Requests / 1000) begin
        $display("event %0d seen %0d times only", i, seen[i]);
        $fatal;
      end
    end
    $display("%0d requests, %0d misses, %0d evictions", done, seen[2], seen[5]);
    $finish;
  end

endmodule

`default_nettype wire
