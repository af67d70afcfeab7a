// The re-reference prediction values (RRPVs), signatures and reuse marks of a set's lines after one
// transaction on one way, under SRRIP (Jaleel et al., ISCA 2010) and SHiP (Wu et al., MICRO 2011):
// combinational. The fields of ways that are not in use are don't-cares.
`default_nettype none

module rrip_row #(
  parameter integer Ways       = 4,
  parameter integer RrpvW      = 2,
  parameter integer SignatureW = 8,
  parameter integer CounterW   = 3,
  parameter integer IsShip     = 1
) (
  input  wire logic [Ways*RrpvW-1:0]      rrpv_i,
  input  wire logic [Ways*SignatureW-1:0] line_signature_i,
  input  wire logic [Ways-1:0]            reused_i,

  input  wire logic [Ways-1:0]            chosen_i,     // the way, one-hot
  input  wire logic                       touches_i,    // its line is hit
  input  wire logic                       evicts_i,     // its line is a victim
  input  wire logic                       brings_i,     // a new line is installed in the way
  input  wire logic [SignatureW-1:0]      signature_i,  // signature of the new line
  input  wire logic [CounterW-1:0]        doubt_i,      // its doubt: the maximum less the counter
  output logic                            distant_o,    // the new line is predicted to see no reuse

  output logic      [Ways*RrpvW-1:0]      rrpv_o,
  output logic      [Ways*SignatureW-1:0] line_signature_o,
  output logic      [Ways-1:0]            reused_o,
  output logic                            learns_o,           // SHiP: a counter changes
  output logic      [SignatureW-1:0]      learn_signature_o,  // the signature whose counter changes
  output logic                            learn_doubts_o      // 0: up, by a touch; 1: down
);

  localparam [RrpvW-1:0] Farthest = {RrpvW{1'b1}}, Far = Farthest - 1'b1;
  localparam [CounterW-1:0] MostDoubt = {CounterW{1'b1}};

  logic [RrpvW-1:0] chosen_rrpv;
  always_comb begin : mux
    integer i;
    chosen_rrpv       = {RrpvW{1'b0}};
    learn_signature_o = {SignatureW{1'b0}};
    for (i = 0; i < Ways; i = i + 1) begin
      chosen_rrpv       = chosen_rrpv | (rrpv_i[i*RrpvW+:RrpvW] & {RrpvW{chosen_i[i]}});
      learn_signature_o = learn_signature_o |
                          (line_signature_i[i*SignatureW+:SignatureW] & {SignatureW{chosen_i[i]}});
    end
  end

  // If the victim and the new line have one signature, its counter goes down before it is used.
  logic untouched, is_same;
  logic [CounterW-1:0] doubt;
  assign untouched      = evicts_i && !(|(chosen_i & reused_i));
  assign is_same        = learn_signature_o == signature_i;
  assign doubt          = (untouched && is_same && doubt_i != MostDoubt) ? doubt_i + 1'b1 : doubt_i;
  assign distant_o      = IsShip != 0 && doubt == MostDoubt;
  assign learns_o       = touches_i || (brings_i && untouched);
  assign learn_doubts_o = brings_i;

  logic [RrpvW-1:0] step;  // the victim's distance to the maximum, added to all RRPVs
  assign step     = (brings_i && evicts_i) ? Farthest - chosen_rrpv : {RrpvW{1'b0}};
  assign reused_o = (reused_i | (chosen_i & {Ways{touches_i}})) & ~(chosen_i & {Ways{brings_i}});
  genvar g;
  generate
    for (g = 0; g < Ways; g = g + 1) begin : gen_next
      logic [RrpvW:0] grown;
      logic           comes;
      assign grown = {1'b0, rrpv_i[g*RrpvW+:RrpvW]} + {1'b0, step};
      assign comes = brings_i && chosen_i[g];
      assign rrpv_o[g*RrpvW+:RrpvW] =
          comes ? (distant_o ? Farthest : Far) :
          ((touches_i && chosen_i[g]) ? {RrpvW{1'b0}} :
                                        (grown[RrpvW] ? Farthest : grown[RrpvW-1:0]));
      assign line_signature_o[g*SignatureW+:SignatureW] =
          comes ? signature_i : line_signature_i[g*SignatureW+:SignatureW];
    end
  endgenerate

endmodule

`default_nettype wire
