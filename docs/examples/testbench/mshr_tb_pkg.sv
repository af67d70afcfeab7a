// Testbench of mshr: sequence item, generator, predictor, scoreboard and coverage, as classes
// without time; docs/testbench.md says which part of UVM or cocotb each is. The predictor is
// goldmem's C model through DPI-C (cosim/goldmem_dpi_pkg.sv).
package mshr_tb_pkg;
  import goldmem_dpi_pkg::*;

  localparam integer Entries    = 8;
  localparam integer Merges     = 4;
  localparam integer LineW      = 42;
  localparam integer RequesterW = 16;

  // A request, field by field (Verilator 5.006 reads a struct of more than 64 bits through a class
  // handle as 0), and how many cycles the driver waits before it.
  class mshr_item;
    bit [63:0]   op, line, requester, id, may_allocate;
    int unsigned idle;
  endclass

  // Makes items: few lines, so that requests merge and tables fill up.
  class mshr_generator;
    int unsigned left;
    bit [63:0]   pool[16];

    function new(int unsigned count);
      left = count;
      for (int i = 0; i < 16; i++) begin
        // The second half differs from the first in one bit of the line.
        pool[i] = (i < 8) ? {22'd0, 10'($urandom), $urandom}
                          : pool[i-8] ^ (64'd1 << $urandom_range(LineW - 1));
      end
    endfunction

    function automatic bit [63:0] random_op();
      int unsigned dice = $urandom_range(99);
      if (dice < 50) return GM_MSHR_REQUEST_OP;
      if (dice < 84) return GM_MSHR_RESPONSE_OP;
      if (dice < 90) return GM_MSHR_CLOSE_OP;
      if (dice < 99) return GM_MSHR_PROBE_OP;
      return GM_MSHR_FLUSH_OP;
    endfunction

    function automatic mshr_item next();
      mshr_item item = new();
      item.op           = random_op();
      item.line         = pool[$urandom_range(15)];
      item.requester    = {48'd0, 16'($urandom)};
      item.id           = 64'($urandom_range(Entries - 1));
      item.may_allocate = {63'd0, $urandom_range(7) != 0};
      // Mostly none or a few cycles; now and then hundreds.
      item.idle = ($urandom_range(3) != 0) ? 0 : $urandom_range(($urandom_range(99) == 0) ? 500 : 3);
      left--;
      return item;
    endfunction
  endclass

  // Counts what the test must have met, by the C model's answers.
  class mshr_coverage;
    int unsigned merged, allocated, no_entry, no_merge, no_queue, installed, not_installed, errors;

    function void write(mshr_request_t request, mshr_response_t response);
      bit asks = request.op == GM_MSHR_REQUEST_OP;
      bit fails = asks && response.outcome == GM_MSHR_FAIL;
      merged        += 32'(asks && response.outcome == GM_MSHR_MERGED);
      allocated     += 32'(asks && response.outcome == GM_MSHR_NEW);
      no_entry      += 32'(fails && response.reason == GM_MSHR_FAIL_ENTRY);
      no_merge      += 32'(fails && response.reason == GM_MSHR_FAIL_MERGE);
      no_queue      += 32'(fails && response.reason == GM_MSHR_FAIL_MISS_QUEUE);
      if (request.op == GM_MSHR_RESPONSE_OP) begin
        installed     += 32'(response.install[0]);
        not_installed += 32'(!response.install[0] && !response.error[0]);
        errors        += 32'(response.error[0]);
      end
    endfunction

    // Number of bins that are empty.
    function int unsigned empty();
      return 32'(merged == 0) + 32'(allocated == 0) + 32'(no_entry == 0) + 32'(no_merge == 0) +
             32'(no_queue == 0) + 32'(installed == 0) + 32'(not_installed == 0) + 32'(errors == 0);
    endfunction

    function void report();
      $display("mshr_tb: coverage: merged %0d, new %0d, no entry %0d, no merge %0d, no queue %0d,",
               merged, allocated, no_entry, no_merge, no_queue);
      $display("  installed %0d, not installed %0d, errors %0d", installed, not_installed, errors);
    endfunction
  endclass

  // Compares the RTL's responses with the predicted ones, in order.
  class mshr_scoreboard;
    mshr_response_t expected[$];
    mshr_request_t  asked[$];
    int unsigned    compared, failures;

    function void write_expected(mshr_request_t request, mshr_response_t response);
      asked.push_back(request);
      expected.push_back(response);
    endfunction

    function void write_actual(mshr_response_t got);
      mshr_response_t want;
      mshr_request_t  request;
      if (expected.size() == 0) begin
        failures++;
        $display("mshr_tb: response %0d has no request", compared);
        return;
      end
      want    = expected.pop_front();
      request = asked.pop_front();
      if (got != want) begin
        failures++;
        $display("mshr_tb: transaction %0d: op %0d line 0x%0h id %0d:", compared, request.op,
                 request.line, request.id);
        $display("  RTL   outcome %0d reason %0d id %0d count %0d requester 0x%0h line 0x%0h install %0d closed %0d error %0d",
                 got.outcome, got.reason, got.id, got.count, got.requester, got.line, got.install,
                 got.closed, got.error);
        $display("  model outcome %0d reason %0d id %0d count %0d requester 0x%0h line 0x%0h install %0d closed %0d error %0d",
                 want.outcome, want.reason, want.id, want.count, want.requester, want.line,
                 want.install, want.closed, want.error);
      end
      compared++;
    endfunction
  endclass

  // Predicts each accepted request's response with the C model.
  class mshr_predictor;
    chandle         model;
    mshr_scoreboard scoreboard;
    mshr_coverage   coverage;

    function new(mshr_scoreboard to, mshr_coverage counts);
      scoreboard = to;
      coverage   = counts;
      model      = gm_dpi_open("mshr", $sformatf("entries=%0d merges=%0d line_bits=%0d requester_bits=%0d",
                                                 Entries, Merges, LineW, RequesterW));
      if (model == null) $fatal(1, "%s", gm_dpi_error());
    endfunction

    function void write(mshr_request_t request);
      mshr_response_t response;
      if (gm_dpi_mshr(model, request, response) != 0) $fatal(1, "%s", gm_dpi_error());
      scoreboard.write_expected(request, response);
      coverage.write(request, response);
    endfunction
  endclass
endpackage
