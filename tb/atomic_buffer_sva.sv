// Checkers and cover points of atomic_buffer; the lockstep top and the formal harness instantiate them.
// They keep the held line from the requests that are answered, in their order, sector by sector: a sector is held as
// nothing, clean or dirty.
//
//   a_request_stable   (duty of the environment) an offered request is stable until accepted
//   a_response_stable  an offered response is stable until accepted
//   a_no_request       each response has a request that was accepted before it
//   a_hits             an ATOMIC or a LOAD on sectors that are held hits
//   a_misses           every other request does not
//   a_exchanges        an ATOMIC or a LOAD that does not hit puts a held line back
//   a_puts_accessed    an ACCESS to the held line, and a FLUSH, put it back
//   a_keeps            every other request puts nothing back
//   a_put_line         what is put back is the held line
//   a_put_sectors      with its sectors
//   a_nothing          without a line that is put back its fields are 0
//   a_depth            the checkers' queue has room for the requests in flight
// For rtl/atomic_buffer.sv only, not for a user's own module (GOLDMEM_USER_RTL):
//   a_ready            a request is accepted when fewer than two are in flight
//   a_answered         a request in flight is answered in the next cycle at the latest
`default_nettype none

module atomic_buffer_sva #(
  parameter integer LineW   = 42,
  parameter integer Sectors = 1
) (
  input wire logic               clk_i,
  input wire logic               rst_ni,

  input wire logic               request_valid_i,
  input wire logic               request_ready_i,
  input wire logic [1:0]         op_i,
  input wire logic [LineW-1:0]   line_i,
  input wire logic [Sectors-1:0] sectors_i,
  input wire logic [Sectors-1:0] valid_i,
  input wire logic [Sectors-1:0] dirty_i,

  input wire logic               response_valid_i,
  input wire logic               response_ready_i,
  input wire logic               hit_response_i,
  input wire logic               puts_response_i,
  input wire logic [LineW-1:0]   line_response_i,
  input wire logic [Sectors-1:0] valid_response_i,
  input wire logic [Sectors-1:0] dirty_response_i
);

`include "atomic_buffer_constants.svh"

  logic accepted, answered;
  assign accepted = request_valid_i && request_ready_i;
  assign answered = response_valid_i && response_ready_i;

  // Requests in flight, and requests in flight for two cycles.
  localparam integer RequestW = 2 + LineW + 3*Sectors;
  localparam integer ResponseW = 2 + LineW + 2*Sectors;
  logic [RequestW-1:0]   offered;
  logic [ResponseW-1:0]  given;
  logic [3*RequestW-1:0] waiting_requests;
  logic [8:0]            in_flight, older;
  logic                  was_reset, is_full_queue, fits, agrees, behind;
  logic [1:0]            op;
  logic [LineW-1:0]      line;
  logic [Sectors-1:0]    sectors, valid, dirty;
  assign offered = {op_i, line_i, sectors_i, valid_i, dirty_i};
  assign given = {hit_response_i, puts_response_i, line_response_i, valid_response_i, dirty_response_i};
  assign {op, line, sectors, valid, dirty} = waiting_requests[RequestW-1:0];
  request_queue #(
    .Width (RequestW),
    .Stages(2)
  ) queue (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .accepted_i (accepted),
    .answered_i (answered),
    .offered_i  (offered),
    .was_reset_o(was_reset),
    .waiting_o  (waiting_requests),
    .behind_o   (behind),
    .inside_o   ({older, in_flight}),
    .full_o     (is_full_queue),
    .fits_o     (fits),
    .agrees_o   (agrees)
  );

  // The line after the last answer: clean_q and dirty_q have no sector in common.
  logic               held_q;
  logic [LineW-1:0]   line_q;
  logic [Sectors-1:0] clean_q, dirty_q, clean, next_dirty, missing;
  logic               is_atomic, is_load, operates, is_access, flushes, same, wants_hit;
  assign is_atomic = op == ATOMIC;
  assign is_load   = op == LOAD;
  assign is_access = op == ACCESS;
  assign flushes   = op == FLUSH;
  assign operates  = !is_access && !flushes;
  assign same      = held_q && (line ^ line_q) == {LineW{1'b0}};
  generate
    genvar g;
    for (g = 0; g < Sectors; g = g + 1) begin : gen_sector
      assign missing[g] = sectors[g] && !clean_q[g] && !dirty_q[g];
      always_comb begin
        clean[g]      = wants_hit ? clean_q[g] : valid[g] && !dirty[g];
        next_dirty[g] = wants_hit ? dirty_q[g] : valid[g] && dirty[g];
        if (sectors[g] && is_atomic) begin
          clean[g]      = 1'b0;
          next_dirty[g] = 1'b1;
        end
        if (sectors[g] && is_load) clean[g] = !next_dirty[g];
      end
    end
  endgenerate
  assign wants_hit = operates && same && missing == {Sectors{1'b0}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q  <= 1'b0;
      line_q  <= {LineW{1'b0}};
      clean_q <= {Sectors{1'b0}};
      dirty_q <= {Sectors{1'b0}};
    end else if (answered) begin
      if (operates) begin
        held_q  <= 1'b1;
        line_q  <= line;
        clean_q <= clean;
        dirty_q <= next_dirty;
      end else if (flushes || same) begin
        held_q  <= 1'b0;
      end
    end
  end

  always @(posedge clk_i) begin
    if (!was_reset) begin
      if ($past(request_valid_i && !request_ready_i)) begin
        a_request_stable: assert (request_valid_i && offered == $past(offered));
      end
      if ($past(response_valid_i && !response_ready_i)) begin
        a_response_stable: assert (response_valid_i && given == $past(given));
      end
      a_no_request: assert (!response_valid_i || in_flight != 0);
      a_depth: assert (fits);
`ifndef GOLDMEM_USER_RTL
      a_ready: assert (request_ready_i || is_full_queue);
      if ($past(in_flight > {8'd0, answered})) a_answered: assert (response_valid_i);
`endif
    end
    if (!was_reset && response_valid_i) begin
      if (wants_hit) a_hits: assert (hit_response_i);
      if (!wants_hit) a_misses: assert (!hit_response_i);
      if (operates && !wants_hit && held_q) a_exchanges: assert (puts_response_i);
      if ((is_access && same) || (flushes && held_q)) a_puts_accessed: assert (puts_response_i);
      if (!held_q || wants_hit || (is_access && !same)) a_keeps: assert (!puts_response_i);
      if (puts_response_i) begin
        a_put_line: assert (line_response_i == line_q);
        a_put_sectors: assert (valid_response_i == (clean_q | dirty_q) && dirty_response_i == dirty_q);
      end
      if (!puts_response_i) begin
        a_nothing: assert (line_response_i == {LineW{1'b0}} && valid_response_i == {Sectors{1'b0}} &&
                           dirty_response_i == {Sectors{1'b0}});
      end
    end
  end

`ifdef GOLDMEM_INVARIANT
`include "atomic_buffer_invariant.svh"
`endif

  // Of the last three answers: hits in successive cycles.
  logic [1:0] hits_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hits_q <= 2'b00;
    else hits_q <= {hits_q[0], answered && hit_response_i};
  end

  always @(posedge clk_i) begin
    if (!was_reset) begin
      c_first: cover (answered && is_atomic && !held_q);
      c_hit: cover (answered && is_atomic && wants_hit && sectors != 0);
      c_hit_each_cycle: cover (answered && hit_response_i && (&hits_q));
      c_exchange: cover (answered && is_atomic && held_q && !same && dirty_q != 0);
      c_exchange_clean: cover (answered && is_atomic && held_q && !same && clean_q != 0 && dirty_q == 0);
      c_sector_missing: cover (answered && is_atomic && same && !wants_hit);
      c_takes_dirty: cover (answered && is_atomic && !wants_hit && (valid & dirty & ~sectors) != 0);
      c_takes_clean: cover (answered && is_atomic && !wants_hit && (valid & ~dirty & ~sectors) != 0);
      c_takes_none: cover (answered && is_atomic && !wants_hit && valid == 0 && sectors != 0);
      c_not_valid_dirty: cover (answered && is_atomic && !wants_hit && (dirty & ~valid & ~sectors) != 0);
      c_no_sectors: cover (answered && wants_hit && sectors == 0);
      c_hit_on_loaded: cover (answered && is_atomic && wants_hit && (sectors & clean_q) != 0 && dirty_q == 0);
      c_load_first: cover (answered && is_load && !held_q);
      c_load_hit_clean: cover (answered && is_load && wants_hit && (sectors & clean_q) != 0);
      c_load_hit_dirty: cover (answered && is_load && wants_hit && (sectors & dirty_q) != 0);
      c_load_exchange: cover (answered && is_load && held_q && !same && dirty_q != 0);
      c_load_exchange_clean: cover (answered && is_load && held_q && !same && clean_q != 0 && dirty_q == 0);
      c_load_sector_missing: cover (answered && is_load && same && !wants_hit);
      c_load_takes_dirty: cover (answered && is_load && !wants_hit && (valid & dirty & sectors) != 0);
      c_load_takes_clean: cover (answered && is_load && !wants_hit && (valid & ~dirty & sectors) != 0);
      c_load_takes_none: cover (answered && is_load && !wants_hit && valid == 0 && sectors != 0);
      c_load_not_valid_dirty: cover (answered && is_load && !wants_hit && (dirty & ~valid & sectors) != 0);
      c_access_held: cover (answered && is_access && same);
      c_access_other: cover (answered && is_access && held_q && !same);
      c_access_none: cover (answered && is_access && !held_q);
      c_flush_held: cover (answered && flushes && held_q);
      c_flush_none: cover (answered && flushes && !held_q);
      c_full_and_waiting: cover (is_full_queue && !response_ready_i && request_valid_i);
      c_accept_while_full: cover (is_full_queue && answered && accepted);
    end
  end

`ifdef GOLDMEM_CROSS
  logic [12:0] cross_kind;
  logic [1:0]  cross_hazard;
  assign cross_kind[0] = is_atomic && !held_q;
  assign cross_kind[1] = is_atomic && wants_hit;
  assign cross_kind[2] = is_atomic && held_q && !same;
  assign cross_kind[3] = is_atomic && same && !wants_hit;
  assign cross_kind[4] = is_access && same;
  assign cross_kind[5] = is_access && held_q && !same;
  assign cross_kind[6] = is_access && !held_q;
  assign cross_kind[7] = flushes && held_q;
  assign cross_kind[8] = flushes && !held_q;
  assign cross_kind[9] = is_load && !held_q;
  assign cross_kind[10] = is_load && wants_hit;
  assign cross_kind[11] = is_load && held_q && !same;
  assign cross_kind[12] = is_load && same && !wants_hit;
  assign cross_hazard[0] = !behind;
  assign cross_hazard[1] = behind;
  cross_cover #(
    .Kinds  (13),
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
