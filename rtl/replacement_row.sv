// The next replacement state of a set's lines after one transaction on one way, under LRU, SRRIP and
// SHiP: combinational. Shared by replacement and tag_store. The victim is selected by rtl/largest.sv
// from ranks or RRPVs. The fields of ways that are not in use are don't-cares.
`default_nettype none

module replacement_row #(
  parameter integer Ways       = 4,
  parameter integer RrpvW      = 2,
  parameter integer SignatureW = 8,
  parameter integer CounterW   = 3,
  parameter integer IsShip     = 0,
  localparam integer WayW      = (Ways < 3) ? 1 : $clog2(Ways)
) (
  // The row before and after: rank, RRPV, signature and reuse mark of each line.
  input  wire logic [Ways*WayW-1:0]       ranks_i,
  input  wire logic [Ways*RrpvW-1:0]      rrpvs_i,
  input  wire logic [Ways*SignatureW-1:0] signatures_i,
  input  wire logic [Ways-1:0]            reused_i,
  output logic      [Ways*WayW-1:0]       ranks_o,
  output logic      [Ways*RrpvW-1:0]      rrpvs_o,
  output logic      [Ways*SignatureW-1:0] signatures_o,
  output logic      [Ways-1:0]            reused_o,

  input  wire logic [Ways-1:0]            chosen_i,     // the way, one-hot
  input  wire logic                       touches_i,    // its line is hit
  input  wire logic                       evicts_i,     // its line is a victim
  input  wire logic                       brings_i,     // a new line is installed in the way
  input  wire logic [Ways-1:0]            leaves_i,     // LRU: the way whose rank becomes empty, or 0
  input  wire logic [SignatureW-1:0]      signature_i,  // signature of the new line
  input  wire logic [CounterW-1:0]        doubt_i,      // doubt of signature_i

  // As in rtl/rrip_row.sv.
  output logic                            distant_o,
  output logic                            learns_o,
  output logic      [SignatureW-1:0]      learn_signature_o,
  output logic                            learn_doubts_o
);

  lru_rank #(
    .Ways(Ways)
  ) u_order (
    .rank_i  (ranks_i),
    .newest_i(chosen_i & {Ways{touches_i || brings_i}}),
    .leaves_i(leaves_i),
    .rank_o  (ranks_o)
  );

  rrip_row #(
    .Ways      (Ways),
    .RrpvW     (RrpvW),
    .SignatureW(SignatureW),
    .CounterW  (CounterW),
    .IsShip    (IsShip)
  ) u_rrip (
    .rrpv_i           (rrpvs_i),
    .line_signature_i (signatures_i),
    .reused_i         (reused_i),
    .chosen_i         (chosen_i),
    .touches_i        (touches_i),
    .evicts_i         (evicts_i),
    .brings_i         (brings_i),
    .signature_i      (signature_i),
    .doubt_i          (doubt_i),
    .distant_o        (distant_o),
    .rrpv_o           (rrpvs_o),
    .line_signature_o (signatures_o),
    .reused_o         (reused_o),
    .learns_o         (learns_o),
    .learn_signature_o(learn_signature_o),
    .learn_doubts_o   (learn_doubts_o)
  );

endmodule

`default_nettype wire
