// The invariants of a set's row of tag_store (docs/blocks/tag_store.md), for proofs: combinational.
`default_nettype none

module tag_store_row #(
  parameter integer TagW      = 2,
  parameter integer TagWays   = 3,
  parameter integer DataWays  = 2,
  localparam integer PositionW = (DataWays < 3) ? 1 : $clog2(DataWays),
  localparam integer FreeW     = $clog2(DataWays + 1)
) (
  input  wire logic [TagWays-1:0]            valid_i,
  input  wire logic [TagWays-1:0]            waiting_i,
  input  wire logic [TagWays*TagW-1:0]       tag_row_i,
  input  wire logic [TagWays-1:0]            committed_i,
  input  wire logic [TagWays*PositionW-1:0]  place_i,
  input  wire logic [FreeW-1:0]              free_line_i,
  input  wire logic [DataWays*PositionW-1:0] rank_i,
  output logic                               counted_o,  // Free_Line + owners = data ways
  output logic                               owned_o,    // a data line has at most one owner
  output logic                               tags_o,     // the tags of entries in use differ
  output logic                               waiting_o,  // a valid entry that waits has a Position
  output logic                               order_o     // the ranks of k lines are 0 to k - 1, each once
);

  logic [TagWays-1:0]  in_use, owners;
  logic [DataWays-1:0] ordered;  // lines of valid entries
  assign in_use    = valid_i | waiting_i;
  assign owners    = waiting_i | (valid_i & committed_i);
  assign waiting_o = (valid_i & waiting_i & ~committed_i) == {TagWays{1'b0}};

  integer i, j, owned, lines;
  always_comb begin
    owned   = 0;
    owned_o = 1'b1;
    tags_o  = 1'b1;
    ordered = {DataWays{1'b0}};
    for (i = 0; i < TagWays; i = i + 1) begin
      if (owners[i]) begin
        owned = owned + 1;
        if ({{32-PositionW{1'b0}}, place_i[i*PositionW+:PositionW]} >= DataWays) owned_o = 1'b0;
        for (j = 0; j < DataWays; j = j + 1) begin
          if (valid_i[i] && {{32-PositionW{1'b0}}, place_i[i*PositionW+:PositionW]} == j) begin
            ordered[j] = 1'b1;
          end
        end
      end
      for (j = 0; j < i; j = j + 1) begin
        if (in_use[i] && in_use[j] && tag_row_i[i*TagW+:TagW] == tag_row_i[j*TagW+:TagW]) begin
          tags_o = 1'b0;
        end
        if (owners[i] && owners[j] &&
            place_i[i*PositionW+:PositionW] == place_i[j*PositionW+:PositionW]) begin
          owned_o = 1'b0;
        end
      end
    end
    counted_o = valid_i == {TagWays{1'b0}} || {{32-FreeW{1'b0}}, free_line_i} + owned == DataWays;

    lines   = 0;
    order_o = 1'b1;
    for (i = 0; i < DataWays; i = i + 1) begin
      if (ordered[i]) lines = lines + 1;
    end
    for (i = 0; i < DataWays; i = i + 1) begin
      if (ordered[i] && {{32-PositionW{1'b0}}, rank_i[i*PositionW+:PositionW]} >= lines) order_o = 1'b0;
      for (j = 0; j < i; j = j + 1) begin
        if (ordered[i] && ordered[j] &&
            rank_i[i*PositionW+:PositionW] == rank_i[j*PositionW+:PositionW]) begin
          order_o = 1'b0;
        end
      end
    end
  end

endmodule

`default_nettype wire
