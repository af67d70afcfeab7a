// One transaction of sharing_tracker on the row of its set [anssari, 3.1, 3.2]: combinational. The
// terms are explained in rtl/sharing_tracker.sv and docs/blocks/sharing_tracker.md. A FLUSH changes
// no row.
//
// Ways and compute units are one-hot masks here. With Pointers, the sharers of an entry are the CUs
// that its first `count` pointers name, oldest first; without Pointers, the sharers are a mask.
`default_nettype none

module sharing_tracker_decide #(
  parameter integer TagW     = 32,
  parameter integer Ways     = 8,
  parameter integer Cus      = 16,
  parameter integer Pointers = 0,
  localparam integer WayW     = (Ways < 3) ? 1 : $clog2(Ways),
  localparam integer CuW      = (Cus < 3) ? 1 : $clog2(Cus),
  localparam integer Slots    = (Pointers == 0) ? 1 : Pointers,
  localparam integer CountW   = $clog2(Slots + 1)
) (
  input  wire logic [2:0]                op_i,
  input  wire logic [TagW-1:0]           tag_i,
  input  wire logic [CuW-1:0]            cu_i,
  input  wire logic                      will_fill_i,

  // The row before and after. changes_o: the row is written; takes_o: its tags are written too.
  input  wire logic [Ways-1:0]           valid_i,
  input  wire logic [Ways*TagW-1:0]      tag_row_i,
  input  wire logic [Ways*Cus-1:0]       mark_i,
  input  wire logic [Ways*Cus-1:0]       sharer_i,
  input  wire logic [Ways*Slots*CuW-1:0] pointer_i,
  input  wire logic [Ways*CountW-1:0]    count_i,
  input  wire logic [Ways*CuW-1:0]       last_i,
  input  wire logic [Ways*WayW-1:0]      rank_i,
  output logic                           changes_o,
  output logic                           takes_o,
  output logic      [Ways-1:0]           valid_o,
  output logic      [Ways*TagW-1:0]      tag_row_o,
  output logic      [Ways*Cus-1:0]       mark_o,
  output logic      [Ways*Cus-1:0]       sharer_o,
  output logic      [Ways*Slots*CuW-1:0] pointer_o,
  output logic      [Ways*CountW-1:0]    count_o,
  output logic      [Ways*CuW-1:0]       last_o,
  output logic      [Ways*WayW-1:0]      rank_o,

  // The answer.
  output logic                           found_o,
  output logic                           hit_o,
  output logic      [CuW-1:0]            supplier_o,
  output logic                           filled_o,
  output logic                           displaced_o,
  output logic      [CuW-1:0]            displaced_cu_o,
  output logic                           removed_o,
  output logic                           last_sharer_o,
  output logic                           freed_o,
  output logic                           dropped_o,
  output logic      [TagW-1:0]           dropped_tag_o
);

`include "sharing_tracker_constants.svh"
  localparam HasPointers = Pointers != 0;
  localparam integer PointersW = Slots * CuW;
  localparam [Ways-1:0] LowestWay = 1;
  localparam [Cus-1:0] LowestCu = 1;
  localparam [CountW-1:0] AllInUse = Slots[CountW-1:0], One = 1;
  localparam integer LastWay = Ways - 1, LastCu = Cus - 1;
  localparam [WayW-1:0] OldestRank = LastWay[WayW-1:0];
  localparam [CuW-1:0] NoneYet = LastCu[CuW-1:0];

  logic is_lookup, is_ask, is_fill, is_evict, invalidates;
  assign is_lookup   = op_i == LOOKUP;
  assign is_ask      = op_i == ASK;
  assign is_fill     = op_i == FILL;
  assign is_evict    = op_i == EVICT;
  assign invalidates = op_i == WRITE || op_i == COHERENT;

  // The line's entry, and the entry that a LOOKUP takes.
  logic [Ways-1:0] match, all_oldest, free_ways, chosen;
  logic            full;
  genvar g;
  generate
    for (g = 0; g < Ways; g = g + 1) begin : gen_way
      assign match[g]      = valid_i[g] && tag_row_i[g*TagW+:TagW] == tag_i;
      assign all_oldest[g] = rank_i[g*WayW+:WayW] == OldestRank;
    end
  endgenerate
  assign found_o   = |match;
  assign takes_o   = is_lookup && will_fill_i && !found_o;
  assign full      = &valid_i;
  assign free_ways = ~valid_i;
  always_comb begin
    chosen = match;
    if (takes_o) chosen = full ? all_oldest : free_ways & (~free_ways + LowestWay);
  end
  assign dropped_o = takes_o && full;

  // The fields of the line's entry (zeros without an entry), and the dropped tag.
  logic [Cus-1:0]       marks, mask;
  logic [PointersW-1:0] pointers;
  logic [CountW-1:0]    count;
  logic [CuW-1:0]       last;
  always_comb begin : mux
    integer i;
    marks         = {Cus{1'b0}};
    mask          = {Cus{1'b0}};
    pointers      = {PointersW{1'b0}};
    count         = {CountW{1'b0}};
    last          = {CuW{1'b0}};
    dropped_tag_o = {TagW{1'b0}};
    for (i = 0; i < Ways; i = i + 1) begin
      marks         = marks | (mark_i[i*Cus+:Cus] & {Cus{match[i]}});
      mask          = mask | (sharer_i[i*Cus+:Cus] & {Cus{match[i]}});
      pointers      = pointers | (pointer_i[i*PointersW+:PointersW] & {PointersW{match[i]}});
      count         = count | (count_i[i*CountW+:CountW] & {CountW{match[i]}});
      last          = last | (last_i[i*CuW+:CuW] & {CuW{match[i]}});
      dropped_tag_o = dropped_tag_o | (tag_row_i[i*TagW+:TagW] & {TagW{chosen[i] && dropped_o}});
    end
  end

  // Masks of compute units: the requester (me), those up to the last supplier, the sharers.
  logic [Cus-1:0]       me, is_last, up_to_last, sharers, others, behind, candidates;
  logic [Cus-1:0]       supplier;
  logic [Cus*Slots-1:0] names;             // by CU and pointer: the pointer names the CU
  logic [Slots-1:0]     in_use, names_me;  // by pointer
  // verilator coverage_off
  logic [Cus*CuW-1:0]   numbers;           // the number of each CU: constants, which never toggle
  // verilator coverage_on
  genvar p;
  generate
    for (p = 0; p < Slots; p = p + 1) begin : gen_pointer
      assign in_use[p]   = HasPointers && count > p[CountW-1:0];
      assign names_me[p] = in_use[p] && pointers[p*CuW+:CuW] == cu_i;
    end
    for (g = 0; g < Cus; g = g + 1) begin : gen_unit
      assign numbers[g*CuW+:CuW] = g[CuW-1:0];
      assign me[g]               = cu_i == g[CuW-1:0];
      assign is_last[g]          = last == g[CuW-1:0];
      assign up_to_last[g]       = |is_last[Cus-1:g];
      for (p = 0; p < Slots; p = p + 1) begin : gen_name
        assign names[g*Slots+p] = in_use[p] && pointers[p*CuW+:CuW] == g[CuW-1:0];
      end
      assign sharers[g] = HasPointers ? |names[g*Slots+:Slots] : mask[g];
    end
  endgenerate
  assign others     = sharers & ~(me & {Cus{!is_ask}});  // who asks is a CU of another tracker
  assign behind     = others & ~up_to_last;
  assign candidates = (|behind) ? behind : others;
  assign supplier   = candidates & (~candidates + LowestCu);
  assign hit_o      = (is_lookup || is_ask) && |others;
  always_comb begin : encode
    integer i;
    supplier_o = {CuW{1'b0}};
    for (i = 0; i < Cus; i = i + 1) begin
      supplier_o = supplier_o | (numbers[i*CuW+:CuW] & {CuW{hit_o && supplier[i]}});
    end
  end

  // The entry's next sharers and marks.
  logic           adds, shifts;  // adds: a pointer, or a bit of the mask; shifts: pointers move up
  logic [Cus-1:0] next_marks, next_sharers;
  assign filled_o       = is_fill && |(marks & me);
  assign adds           = filled_o && !(|(sharers & me));
  assign removed_o      = is_evict && |(sharers & me);
  assign displaced_o    = HasPointers && adds && count == AllInUse;
  assign displaced_cu_o = displaced_o ? pointers[CuW-1:0] : {CuW{1'b0}};
  assign shifts         = displaced_o || removed_o;
  assign last_sharer_o  = removed_o && !(|others);
  assign freed_o        = (last_sharer_o && !(|marks)) || (invalidates && found_o);
  assign next_marks     = (marks & ~(me & {Cus{is_fill}})) | (me & {Cus{is_lookup && will_fill_i}});
  assign next_sharers   = (sharers & ~(me & {Cus{removed_o}})) | (me & {Cus{adds}});

  // Pointers behind the removed pointer (the oldest, or the one that names the requester) move up by
  // one; a new pointer is appended.
  logic [PointersW-1:0] next_pointers;
  logic [CountW-1:0]    stay, next_count;
  assign stay       = shifts ? count - One : count;
  assign next_count = adds ? stay + One : stay;
  generate
    for (p = 0; p < Slots; p = p + 1) begin : gen_queue
      logic moves, comes;
      assign moves = displaced_o || (removed_o && |names_me[p:0]);
      assign comes = adds && stay == p[CountW-1:0];
      assign next_pointers[p*CuW+:CuW] =
          comes ? cu_i :
          (moves ? pointers[((p+1)%Slots)*CuW+:CuW] : pointers[p*CuW+:CuW]);
    end
  endgenerate

  assign changes_o = hit_o || (is_lookup && will_fill_i) || filled_o || removed_o || freed_o;
  assign valid_o   = (valid_i | (chosen & {Ways{takes_o}})) & ~(chosen & {Ways{freed_o}});
  lru_rank #(
    .Ways (Ways)
  ) u_order (
    .rank_i  (rank_i),
    .newest_i(chosen & {Ways{hit_o || takes_o}}),
    .leaves_i(chosen & {Ways{hit_o || dropped_o || freed_o}}),
    .rank_o  (rank_o)
  );

  logic [CuW-1:0] next_last;
  assign next_last = hit_o ? supplier_o : (takes_o ? NoneYet : last);
  generate
    for (g = 0; g < Ways; g = g + 1) begin : gen_next
      assign tag_row_o[g*TagW+:TagW] =
          (chosen[g] && takes_o) ? tag_i : tag_row_i[g*TagW+:TagW];
      assign mark_o[g*Cus+:Cus] = chosen[g] ? next_marks : mark_i[g*Cus+:Cus];
      assign sharer_o[g*Cus+:Cus] = chosen[g] ? next_sharers : sharer_i[g*Cus+:Cus];
      assign pointer_o[g*PointersW+:PointersW] =
          chosen[g] ? next_pointers : pointer_i[g*PointersW+:PointersW];
      assign count_o[g*CountW+:CountW] = chosen[g] ? next_count : count_i[g*CountW+:CountW];
      assign last_o[g*CuW+:CuW] = chosen[g] ? next_last : last_i[g*CuW+:CuW];
    end
  endgenerate

endmodule

`default_nettype wire
