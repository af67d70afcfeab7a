// The replacement of tag_store's data lines [li, 4.2], LRU, SRRIP or SHiP: what a transaction makes of
// a row: combinational. Which one gives way: rtl/tag_store_look_up.sv. In use are the data lines that a
// valid entry owns; what lies in the fields of others does not matter.
`default_nettype none

module tag_store_lines #(
  parameter integer DataWays    = 4,
  parameter integer Replacement = 0,  // 0 LRU, 1 SRRIP, 2 SHIP
  parameter integer RrpvW       = 2,
  parameter integer SignatureW  = 8,
  parameter integer CounterW    = 3,
  localparam integer PositionW   = (DataWays < 3) ? 1 : $clog2(DataWays)
) (
  // The row: of each data line its rank, RRPV, signature and mark of reuse.
  input  wire logic [DataWays*PositionW-1:0]  rank_i,
  input  wire logic [DataWays*RrpvW-1:0]      rrpv_i,
  input  wire logic [DataWays*SignatureW-1:0] signature_i,
  input  wire logic [DataWays-1:0]            reused_i,
  output logic      [DataWays*PositionW-1:0]  rank_o,
  output logic      [DataWays*RrpvW-1:0]      rrpv_o,
  output logic      [DataWays*SignatureW-1:0] signature_o,
  output logic      [DataWays-1:0]            reused_o,

  // What happens: masks of one data line, or none.
  input  wire logic [DataWays-1:0]            touched_i,  // its line is hit
  input  wire logic [DataWays-1:0]            taken_i,    // a line comes in, for that of the victim
  input  wire logic                           evicts_i,   // if there is no free data line
  input  wire logic [DataWays-1:0]            left_i,     // its line goes: by that, or otherwise
  input  wire logic [SignatureW-1:0]          new_signature_i,  // of the line that comes in
  input  wire logic [CounterW-1:0]            doubt_i,          // of that signature

  output logic                                distant_o,  // SHiP: the new line has no reuse
  output logic                                learns_o,   // SHiP: as rrip_row has them
  output logic      [SignatureW-1:0]          learn_signature_o,
  output logic                                learn_doubts_o
);

  localparam integer IsShip = (Replacement == 2) ? 1 : 0;

  lru_rank #(
    .Ways (DataWays)
  ) u_order (
    .rank_i  (rank_i),
    .newest_i(taken_i | touched_i),
    .leaves_i(left_i | touched_i),
    .rank_o  (rank_o)
  );

  logic brings, distant;
  assign brings    = |taken_i;
  assign distant_o = brings && distant;
  rrip_row #(
    .Ways      (DataWays),
    .RrpvW     (RrpvW),
    .SignatureW(SignatureW),
    .CounterW  (CounterW),
    .IsShip    (IsShip)
  ) u_row (
    .rrpv_i           (rrpv_i),
    .line_signature_i (signature_i),
    .reused_i         (reused_i),
    .chosen_i         (taken_i | touched_i),
    .touches_i        (|touched_i),
    .evicts_i         (evicts_i),
    .brings_i         (brings),
    .signature_i      (new_signature_i),
    .doubt_i          (doubt_i),
    .distant_o        (distant),
    .rrpv_o           (rrpv_o),
    .line_signature_o (signature_o),
    .reused_o         (reused_o),
    .learns_o         (learns_o),
    .learn_signature_o(learn_signature_o),
    .learn_doubts_o   (learn_doubts_o)
  );

endmodule

`default_nettype wire
