// Miss status holding registers [khairy, 3.1; li, 2.2]: the lines in flight to a cache, and the
// requesters that wait for each.
//
//   op_i      takes                           does
//   REQUEST   line_i, requester_i,            MERGED into the line's open entry; NEW: the lowest free
//             may_allocate_i                  entry; FAIL (ENTRY, MERGE, MISS_QUEUE): nothing
//   RESPONSE  id_i                            answers one requester, oldest first; the first closes
//                                             the entry (install_o: it was open), the last frees it
//   CLOSE     line_i                          closes the line's open entry to further requesters
//   FLUSH                                     CLOSE of every line
//   PROBE     line_i, may_allocate_i          answers as REQUEST would; changes nothing
//
// Two pipeline stages: the registered request, which looks up and changes the entries (flops: lines
// are matched all at once) and reads or writes the requesters (SRAM); and the response. One request
// per cycle, responses in order, two cycles later at the earliest. A response waits until
// response_ready_i. Only one stage accesses state, and a cycle reads or writes the SRAM, never both:
// there is no hazard.
// C model: cmodel/blocks/mshr.c; checkers: tb/mshr_sva.sv; page: docs/blocks/mshr.md.
`default_nettype none

module mshr #(
  parameter integer Entries    = 32,  // 1 to 1024
  parameter integer Merges     = 8,   // requesters of an entry, the first included, 1 to 1024
  parameter integer LineW      = 42,  // line-address bits
  parameter integer RequesterW = 16,  // bits of a requester's id
  localparam integer IdW        = (Entries < 3) ? 1 : $clog2(Entries),
  localparam integer MergeW     = (Merges < 3) ? 1 : $clog2(Merges)
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,

  input  wire logic                  request_valid_i,
  output logic                       request_ready_o,
  input  wire logic [2:0]            op_i,
  input  wire logic [LineW-1:0]      line_i,
  input  wire logic [RequesterW-1:0] requester_i,
  input  wire logic [IdW-1:0]        id_i,
  input  wire logic                  may_allocate_i,

  output logic                       response_valid_o,
  input  wire logic                  response_ready_i,
  output logic      [1:0]            outcome_o,
  output logic      [1:0]            reason_o,
  output logic      [IdW-1:0]        id_o,
  output logic      [MergeW:0]       count_o,
  output logic      [RequesterW-1:0] requester_o,
  output logic      [LineW-1:0]      line_o,
  output logic                       install_o,
  output logic                       closed_o,
  output logic                       error_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (Entries < 1 || Entries > 1024) Entries_must_be_1_to_1024 u_wrong ();
    if (Merges < 1 || Merges > 1024) Merges_must_be_1_to_1024 u_wrong ();
    if (LineW < 1 || LineW > 64) LineW_must_be_1_to_64 u_wrong ();
    if (RequesterW < 1 || RequesterW > 64) RequesterW_must_be_1_to_64 u_wrong ();
  endgenerate

`include "mshr_constants.svh"
  localparam integer LastSlot = Merges - 1;
  localparam [Entries-1:0] LowestEntry = 1;
  localparam [MergeW:0] One = 1, Two = 2;

  // Stage 1: the request.
  logic                  stage_valid_q;
  logic [2:0]            op_q;
  logic [LineW-1:0]      request_line_q;
  logic [RequesterW-1:0] request_requester_q;
  logic [IdW-1:0]        request_id_q;
  logic                  may_allocate_q;

  // Each stage moves when it is empty or the next one moves.
  logic response_moves, request_moves, fire;
  assign response_moves  = response_ready_i || !response_valid_o;
  assign request_moves   = response_moves || !stage_valid_q;
  assign request_ready_o = request_moves;
  assign fire            = stage_valid_q && response_moves;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stage_valid_q <= 1'b0;
    end else if (request_moves) begin
      stage_valid_q <= request_valid_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (request_moves && request_valid_i) begin
      op_q                <= op_i;
      request_line_q      <= line_i;
      request_requester_q <= requester_i;
      request_id_q        <= id_i;
      may_allocate_q      <= may_allocate_i;
    end
  end

  // The entries. An entry's requesters lie in its slots `oldest` to `newest`.
  logic [Entries-1:0]        valid_q   /*verilator public_flat_rd*/;
  logic [Entries-1:0]        open_q    /*verilator public_flat_rd*/;
  logic [Entries*LineW-1:0]  line_q    /*verilator public_flat_rd*/;
  logic [Entries*MergeW-1:0] oldest_q  /*verilator public_flat_rd*/;
  logic [Entries*MergeW-1:0] newest_q  /*verilator public_flat_rd*/;

  logic is_response, is_line_op, takes_line;
  assign is_response = op_q == RESPONSE_OP;
  assign takes_line  = op_q != RESPONSE_OP && op_q != CLOSE_OP && op_q != FLUSH_OP;  // REQUEST, PROBE
  assign is_line_op  = takes_line || op_q == CLOSE_OP;

  // Look-up. An operation uses at most one entry: the open entry of its line, or the entry of its id.
  logic [Entries-1:0]     same_line, named, chosen, lowest_free;
  // verilator coverage_off
  logic [Entries*IdW-1:0] ids;  // the number of each entry: constants, which never toggle
  // verilator coverage_on
  genvar g;
  generate
    for (g = 0; g < Entries; g = g + 1) begin : gen_match
      assign ids[g*IdW+:IdW] = g[IdW-1:0];
      assign same_line[g] = valid_q[g] && line_q[g*LineW+:LineW] == request_line_q;
      assign named[g]     = valid_q[g] && request_id_q == g[IdW-1:0];
    end
  endgenerate
  assign chosen      = is_response ? named : (is_line_op ? same_line & open_q : {Entries{1'b0}});
  assign lowest_free = ~valid_q & (valid_q + LowestEntry);

  logic              found, is_full, has_two;
  logic [IdW-1:0]    chosen_id, free_id;
  logic [LineW-1:0]  chosen_line;
  logic [MergeW-1:0] chosen_oldest, chosen_newest;
  assign found   = |chosen;
  assign is_full = &valid_q;
  assign has_two = |(same_line & (same_line - LowestEntry));  // two bits or more

  always_comb begin : mux
    integer i;
    chosen_id     = {IdW{1'b0}};
    free_id       = {IdW{1'b0}};
    chosen_line   = {LineW{1'b0}};
    chosen_oldest = {MergeW{1'b0}};
    chosen_newest = {MergeW{1'b0}};
    for (i = 0; i < Entries; i = i + 1) begin
      chosen_id     = chosen_id | (ids[i*IdW+:IdW] & {IdW{chosen[i]}});
      free_id       = free_id | (ids[i*IdW+:IdW] & {IdW{lowest_free[i]}});
      chosen_line   = chosen_line | (line_q[i*LineW+:LineW] & {LineW{chosen[i]}});
      chosen_oldest = chosen_oldest | (oldest_q[i*MergeW+:MergeW] & {MergeW{chosen[i]}});
      chosen_newest = chosen_newest | (newest_q[i*MergeW+:MergeW] & {MergeW{chosen[i]}});
    end
  end

  // Decision.
  logic       merges, allocates, delivers, delivers_last;
  logic [1:0] outcome, reason;
  always_comb begin
    outcome = MERGED;
    reason  = FAIL_ENTRY;
    if (takes_line) begin
      if (found) begin
        if (chosen_newest == LastSlot[MergeW-1:0]) begin
          outcome = FAIL;
          reason  = FAIL_MERGE;
        end
      end else if (is_full || has_two) begin
        outcome = FAIL;
        reason  = FAIL_ENTRY;
      end else if (!may_allocate_q) begin
        outcome = FAIL;
        reason  = FAIL_MISS_QUEUE;
      end else begin
        outcome = NEW;
      end
    end
  end
  assign merges        = op_q == REQUEST_OP && outcome == MERGED;
  assign allocates     = op_q == REQUEST_OP && outcome == NEW;
  assign delivers      = is_response && found;
  assign delivers_last = delivers && chosen_oldest == chosen_newest;

  logic [MergeW-1:0] slot;  // the slot that the requester is written to
  assign slot = allocates ? {MergeW{1'b0}} : chosen_newest + 1'b1;

  logic [Entries-1:0] take, leave, shut;
  assign take  = {Entries{fire && allocates}} & lowest_free;
  assign leave = {Entries{fire && delivers_last}} & chosen;
  assign shut  = {Entries{fire && (is_response || op_q == CLOSE_OP)}} & chosen |
                 {Entries{fire && op_q == FLUSH_OP}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= {Entries{1'b0}};
      open_q  <= {Entries{1'b0}};
    end else begin
      valid_q <= (valid_q | take) & ~leave;
      open_q  <= (open_q | take) & ~shut;
    end
  end

  always_ff @(posedge clk_i) begin : entry
    integer i;
    for (i = 0; i < Entries; i = i + 1) begin
      if (take[i]) begin
        line_q[i*LineW+:LineW]     <= request_line_q;
        oldest_q[i*MergeW+:MergeW] <= {MergeW{1'b0}};
        newest_q[i*MergeW+:MergeW] <= {MergeW{1'b0}};
      end else if (fire && chosen[i]) begin
        if (delivers) oldest_q[i*MergeW+:MergeW] <= chosen_oldest + 1'b1;
        if (merges) newest_q[i*MergeW+:MergeW] <= slot;
      end
    end
  end

  localparam integer RowW = (Entries == 1) ? MergeW : IdW + MergeW;
  logic [IdW+MergeW-1:0] read_row, write_row;
  assign read_row  = {chosen_id, chosen_oldest};
  assign write_row = {allocates ? free_id : chosen_id, slot};

  logic [RequesterW-1:0] read_requester;
  sram_1r1w #(
    .Width(RequesterW),
    .Rows (Entries << MergeW)
  ) u_requester (
    .clk_i       (clk_i),
    .read_i      (fire && delivers),
    .read_row_i  (read_row[RowW-1:0]),
    .read_data_o (read_requester),
    .write_i     (fire && (merges || allocates)),
    .write_row_i (write_row[RowW-1:0]),
    .write_data_i(request_requester_q)
  );

  // Stage 2: the response. The SRAM's read data arrive in this stage.
  logic delivered_q;
  assign requester_o = delivered_q ? read_requester : {RequesterW{1'b0}};

  logic [MergeW:0] count;
  always_comb begin
    count = {MergeW+1{1'b0}};
    if (delivers) begin
      count = {1'b0, chosen_newest} - {1'b0, chosen_oldest};
    end else if (takes_line && outcome == NEW) begin
      count = One;
    end else if (takes_line && outcome == MERGED) begin
      count = {1'b0, chosen_newest} + Two;
    end
  end

  logic [IdW-1:0] id;
  always_comb begin
    id = chosen_id;
    if (is_response) id = request_id_q;
    else if (takes_line && outcome == NEW) id = free_id;
    else if (takes_line && outcome == FAIL) id = {IdW{1'b0}};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      response_valid_o <= 1'b0;
    end else if (response_moves) begin
      response_valid_o <= stage_valid_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (fire) begin
      outcome_o   <= outcome;
      reason_o    <= reason;
      id_o        <= id;
      count_o     <= count;
      line_o      <= delivers ? chosen_line : {LineW{1'b0}};
      install_o   <= delivers && |(chosen & open_q);
      closed_o    <= (op_q == CLOSE_OP && found) || (op_q == FLUSH_OP && |open_q);
      error_o     <= is_response && !found;
      delivered_q <= delivers;
    end
  end

endmodule

`default_nettype wire
