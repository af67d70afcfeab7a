// What a bench for simulators with four values does, for any block; cosim/fourstate.c generates the module around it, with the
// recorded requests and answers, and the tasks `offer` and `park` (drive the request's fields) and `compare`.
// A cycle: outputs are sampled before the clock rises, inputs are driven after it.
  task fail(input [8*24-1:0] name, input [63:0] is, input [63:0] wanted, input has_x);
    begin
      $display("%0s is %0s: %b, expected %b, response %0d, cycle %0d", name,
               has_x ? "X" : "wrong", is, wanted, answered, cycle);
      $finish_and_return(1);
    end
  endtask
  task drive;
    begin
      if (!request_valid && issued < Count && issued < last && $urandom % 4 != 0) begin
        request_valid = 1'b1;
        offer;
      end else if (!request_valid) park;
      response_ready = $urandom % 4 != 0;
    end
  endtask
  task sample;
    begin
      if (request_ready === 1'bx) fail("request_ready_o", request_ready, 0, 1'b1);
      if (response_valid === 1'bx) fail("response_valid_o", response_valid, 0, 1'b1);
      if (response_valid === 1'b1) begin
        if (answered == issued) fail("response_valid_o", 1, 0, 1'b0);
        else compare;
      end
      accepts = request_valid && request_ready === 1'b1;
      answers = response_valid === 1'b1 && response_ready;
    end
  endtask
  task tick;
    begin
      #1 sample;
      clk = 1'b1;
      #1;
      if (accepts) begin issued = issued + 1; request_valid = 1'b0; end
      if (answers) answered = answered + 1;
      quiet = accepts || answers ? 0 : quiet + 1;
      cycle = cycle + 1;
      if (quiet > 4096) fail("progress", 0, 1, 1'b0);
      drive;
      clk = 1'b0;
    end
  endtask
  // Resets with any values on the inputs and, but for the first time, with requests in flight.
  task reset;
    begin
      request_valid = 1'bx;
      response_ready = 1'bx;
      rst_ni = 1'b0;
      park;
      repeat (3) begin #1 clk = 1'b1; #1 clk = 1'b0; end
      request_valid = 1'b0;
      response_ready = 1'b0;
      #1 rst_ni = 1'b1;
      last = issued + 1;
      while (last < Count && !vector[last][Digits*4-4]) last = last + 1;
    end
  endtask
  // Fills the stages with the next request, or with any of the recorded ones, of which no response is taken.
  task crowd;
    integer here;
    reg any;
    begin
      here = issued;
      any = $urandom % 2 == 0;
      request_valid = 1'b1;
      response_ready = 1'b0;
      repeat (1 + $urandom % 4) begin
        if (any) issued = {1'b0, $urandom} % Count;
        offer;
        #1 clk = 1'b1;
        #1 clk = 1'b0;
      end
      issued = here;
    end
  endtask
  initial begin
    if (!$value$plusargs("vectors=%s", file)) file = "vectors.hex";
    $readmemh(file, vector);
    #1;
    while (answered < Count) begin
      if (answered > 0) crowd;
      reset;
      while (answered < last) tick;
    end
    $display("end: %0d requests, %0d cycles, no X", answered, cycle);
    $finish_and_return(0);
  end
