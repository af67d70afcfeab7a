// CTA queues [tabbakh, IV]: which CTA of a kernel an SM gets next.
//
//   op_i   takes                  does
//   ASK    sm_i free_i            gives the SM its next CTA, or two under BCS, if it has room (free_i)
//   START  ctas_i size_i tail_i   begins a kernel of ctas_i CTAs
//
//   Mode      an SM gets
//   0 RR      the kernel's next CTA
//   1 BCS     a run of size_i consecutive CTAs at first, one at each ASK; then two at a time, when it has room for both
//   2 GROUPS  the CTAs of a group of size_i consecutive ones, one at each ASK, then those of the next group. START gives
//             SM k group k. Adaptive: once no more than tail_i CTAs are in no group, which is fewer groups than SMs, an SM
//             that has used up its group gets single CTAs; from the START on if the kernel has no more
//
// Three pipeline stages: the request, which reads its SM's row; the decision, which writes the row back and moves the
// registers; and the response. One ASK per cycle, responses in order, three cycles later at the earliest. A START waits
// in the first stage until the second is empty, for one cycle in which it clears all rows and sets the registers, and under
// GROUPS for one further cycle for each SM, in which it writes that SM's row. A row that was written in the cycle of its
// read is forwarded.
// C model: cmodel/blocks/cta_queues.c; checkers: tb/cta_queues_sva.sv; page: docs/blocks/cta_queues.md.
`default_nettype none

module cta_queues #(
  parameter integer Sms      = 15,  // 1 to 1024
  parameter integer CtaW     = 32,  // bits of a CTA's number and of a number of CTAs, 1 to 63
  parameter integer Mode     = 2,   // 0 RR, 1 BCS, 2 GROUPS
  parameter integer Adaptive = 0,   // GROUPS: 1: RR once fewer groups remain than there are SMs
  localparam integer SmW = (Sms < 3) ? 1 : $clog2(Sms)
) (
  input  wire logic            clk_i,
  input  wire logic            rst_ni,

  input  wire logic            request_valid_i,
  output logic                 request_ready_o,
  input  wire logic            op_i,
  input  wire logic [SmW-1:0]  sm_i,
  input  wire logic [1:0]      free_i,
  input  wire logic [CtaW-1:0] ctas_i,
  input  wire logic [CtaW-1:0] size_i,
  input  wire logic [CtaW-1:0] tail_i,

  output logic                 response_valid_o,
  input  wire logic            response_ready_i,
  output logic      [1:0]      count_o,
  output logic      [CtaW-1:0] cta_o,
  output logic                 taken_o,
  output logic                 single_o,
  output logic                 empty_o
);

  // A parameter out of its range stops elaboration: there is no module of that name.
  generate
    if (Sms < 1 || Sms > 1024) Sms_must_be_1_to_1024 u_wrong ();
    if (CtaW < 1 || CtaW > 63) CtaW_must_be_1_to_63 u_wrong ();
    if (Mode < 0 || Mode > 2) Mode_must_be_0_to_2 u_wrong ();
    if (Adaptive < 0 || Adaptive > 1 || (Adaptive == 1 && Mode != 2)) Adaptive_must_be_0_or_1_with_Mode_2 u_wrong ();
  endgenerate

`include "cta_queues_constants.svh"
  localparam IsRr       = Mode == 0;  // has no queues: synthesis removes the memory
  localparam IsBcs      = Mode == 1;
  localparam IsGroups   = Mode == 2;
  localparam IsAdaptive = Adaptive == 1;
  localparam [SmW-1:0]  LastSm = Sms[SmW-1:0] - 1'b1;
  localparam [CtaW-1:0] Zero = 0;
  localparam [CtaW-1:0] One = 1;
  localparam integer RowW = 1 + 2*CtaW;

  logic enters, hold, decide_valid_q, decide_moves, fire;  // fire: a decision takes effect
  three_stages u_stages (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .request_valid_i (request_valid_i),
    .request_ready_o (request_ready_o),
    .hold_i          (hold),
    .enters_o        (enters),
    .decide_valid_o  (decide_valid_q),
    .decide_moves_o  (decide_moves),
    .response_valid_o(response_valid_o),
    .response_ready_i(response_ready_i)
  );
  assign fire = decide_valid_q && decide_moves;

  // Stage 1: the request.
  logic            request_there_q, request_op_q;
  logic [SmW-1:0]  request_sm_q;
  logic [1:0]      request_free_q;
  logic [CtaW-1:0] request_ctas_q, request_size_q, request_tail_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) request_there_q <= 1'b0;
    else if (request_ready_o) request_there_q <= request_valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (request_valid_i && request_ready_o) begin
      request_op_q   <= op_i;
      request_sm_q   <= sm_i;
      request_free_q <= free_i;
      request_ctas_q <= ctas_i;
      request_size_q <= size_i;
      request_tail_q <= tail_i;
    end
  end

  // The registers of the state.
  logic [CtaW-1:0] next_q    /*verilator public_flat_rd*/;
  logic [CtaW-1:0] total_q   /*verilator public_flat_rd*/;
  logic [CtaW-1:0] size_q    /*verilator public_flat_rd*/;
  logic [CtaW-1:0] tail_q    /*verilator public_flat_rd*/;
  logic            single_q  /*verilator public_flat_rd*/;

  // A START in stage 1: `begins` sets the registers, then rows are written from SM 0 on.
  logic           is_start, begins, walks, began_q, walking_q;
  logic [SmW-1:0] walk_q;
  assign is_start = request_there_q && request_op_q == START;
  assign begins   = is_start && !began_q && !decide_valid_q;
  assign walks    = walking_q;
  assign hold     = is_start && (!began_q || walking_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      began_q   <= 1'b0;
      walking_q <= 1'b0;
      walk_q    <= {SmW{1'b0}};
    end else begin
      if (begins) began_q <= 1'b1;
      else if (enters) began_q <= 1'b0;
      if (begins) begin
        walking_q <= IsGroups && !(IsAdaptive && request_ctas_q <= request_tail_q);
        walk_q    <= {SmW{1'b0}};
      end else if (walks) begin
        walking_q <= walk_q != LastSm;
        walk_q    <= walk_q + 1'b1;
      end
    end
  end

  // Stage 2: an ASK with its SM's row.
  logic           op_q;
  logic [SmW-1:0] sm_q;
  logic [1:0]     free_q;
  always_ff @(posedge clk_i) begin
    if (enters) begin
      op_q   <= request_op_q;
      sm_q   <= request_sm_q;
      free_q <= request_free_q;
    end
  end

  logic [RowW-1:0] read_row, forward_row_q, written_row;
  logic            write, forward_q;
  logic            opened, next_opened;
  logic [CtaW-1:0] current, behind, next_current, next_behind;
  assign {opened, current, behind} = forward_q ? forward_row_q : read_row;

  // What is in no queue, and the next run or group of it.
  logic            any_left, few_left;
  logic [CtaW-1:0] left, run, run_behind;
  assign any_left   = next_q != total_q;
  assign left       = total_q - next_q;
  assign few_left   = left <= tail_q;
  assign run        = left < size_q ? left : size_q;
  assign run_behind = next_q + run;

  logic            asks, drained, turns_single, takes, is_own, is_pair, has_two;
  logic [1:0]      count;
  logic [CtaW-1:0] first, added;
  assign asks         = op_q == ASK && free_q != 2'd0;
  assign drained      = IsRr || current == behind;
  assign turns_single = IsAdaptive && asks && drained && few_left;
  assign takes        = drained && any_left && (IsGroups ? !(single_q || turns_single) : IsBcs && !opened);
  assign is_own       = !drained || takes;
  assign has_two      = free_q[1];
  assign is_pair      = IsBcs && left != One && size_q != One;
  always_comb begin
    count = 2'd0;
    if (asks && is_own) count = 2'd1;
    else if (asks && any_left && !is_pair) count = 2'd1;
    else if (asks && any_left && has_two) count = 2'd2;
  end
  generate
    if (CtaW == 1) begin : gen_one_bit
      assign added = is_own ? 1'b0 : count[0];  // of one CTA there is no pair
    end else if (CtaW == 2) begin : gen_two_bits
      assign added = is_own ? 2'd0 : count;
    end else begin : gen_more_bits
      assign added = is_own ? Zero : {{CtaW-2{1'b0}}, count};
    end
  endgenerate
  assign first        = drained ? next_q : current;
  assign next_current = first + One;
  assign next_behind  = takes ? run_behind : behind;
  assign next_opened  = IsBcs && next_current == next_behind;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q   <= Zero;
      total_q  <= Zero;
      size_q   <= Zero;
      tail_q   <= Zero;
      single_q <= 1'b0;
    end else if (begins) begin
      next_q   <= Zero;
      total_q  <= request_ctas_q;
      size_q   <= request_size_q == Zero ? One : request_size_q;
      tail_q   <= request_tail_q;
      single_q <= IsAdaptive && request_ctas_q <= request_tail_q;
    end else if (walks || (fire && asks && takes)) begin
      next_q   <= run_behind;
    end else if (fire && asks) begin
      next_q <= next_q + added;
      if (turns_single) single_q <= 1'b1;
    end
  end

  // The memory: a row for each SM.
  logic [SmW-1:0] write_sm;
  assign write       = walks || (fire && asks && is_own);
  assign write_sm    = walks ? walk_q : sm_q;
  assign written_row = walks ? {1'b0, next_q, run_behind} : {next_opened, next_current, next_behind};
  sram_1r1w_clear #(
    .Width(RowW),
    .Rows (Sms)
  ) u_queue (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .clear_i     (begins),
    .read_i      (enters),
    .read_row_i  (request_sm_q),
    .read_data_o (read_row),
    .write_i     (write),
    .write_row_i (write_sm),
    .write_data_i(written_row)
  );
  always_ff @(posedge clk_i) begin
    if (enters) forward_q <= write && write_sm == request_sm_q;
    if (write) forward_row_q <= written_row;
  end

  // Stage 3: the response.
  always_ff @(posedge clk_i) begin
    if (fire) begin
      count_o  <= count;
      cta_o    <= count != 2'd0 ? first : Zero;
      taken_o  <= asks && takes;
      single_o <= single_q || turns_single;
      empty_o  <= asks && takes ? run_behind == total_q : next_q + added == total_q;
    end
  end

endmodule

`default_nettype wire
