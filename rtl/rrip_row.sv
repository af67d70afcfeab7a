// A set's lines under SRRIP (Jaleel et al., ISCA 2010) and SHiP (Wu et al., MICRO 2011): their
// re-reference prediction values, signatures and marks of reuse after one transaction on one way:
// combinational. What lies in those of ways that are not in use does not matter.
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
  input  wire logic                       evicts_i,     // its line is the victim of another one
  input  wire logic                       brings_i,     // a line comes in there
  input  wire logic [SignatureW-1:0]      signature_i,  // the signature of that line, and
  input  wire logic [CounterW-1:0]        doubt_i,      // its counter: maximum less the value
  output logic                            distant_o,    // it is not expected to be touched

  output logic      [Ways*RrpvW-1:0]      rrpv_o,
  output logic      [Ways*SignatureW-1:0] line_signature_o,
  output logic      [Ways-1:0]            reused_o,
  output logic                            learns_o,           // SHiP: the counter of this signature
  output logic      [SignatureW-1:0]      learn_signature_o,  // changes: up by a touch,
  output logic                            learn_doubts_o      // or down
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

  // The victim's counter goes down first.
  logic untouched, is_same;
  logic [CounterW-1:0] doubt;
  assign untouched      = evicts_i && !(|(chosen_i & reused_i));
  assign is_same        = learn_signature_o == signature_i;
  assign doubt          = (untouched && is_same && doubt_i != MostDoubt) ? doubt_i + 1'b1 : doubt_i;
  assign distant_o      = IsShip != 0 && doubt == MostDoubt;
  assign learns_o       = touches_i || (brings_i && untouched);
  assign learn_doubts_o = brings_i;

  logic [RrpvW-1:0] step;  // that brings the victim to the farthest
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
