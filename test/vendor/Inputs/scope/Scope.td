// A plug-in whose records have names that Glow's have, and other meanings: nodes, with
// a gradient that is derived, choices, functions, classes. Some names are Glow's as it
// is, and Later and LaterAgain are those of a Glow to come.

include "glow/Glow.td"

class Smooth<string mnemonic> : Node<mnemonic, (ins "T[n,k]":$in), (outs "T[n]":$out)> {
  let summary = "three times the sum of each row";
  let types = (kinds Floats:$T);
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}

def slice : Let<(ins Tensor:$x), "x * 3">;
def Direction : Choice<["up", "down"]>;

def Gelu : Smooth<"gelu"> {
  let compute = "out[n] += 3 * in[n,k]";
}
// The name of the record is another one.
def OwnTopK : Pointwise<"top_k", (ins $x), [{ x * x }], "T"> {
  let summary = "a square";
  let types = (kinds Floats:$T);
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
def Later : Node<"later", (ins "T[n]":$in), (outs "T[n]":$out), (ins Direction:$direction)> {
  let summary = "one more, or one less";
  let types = (kinds Kinds<["f32"]>:$T);
  let hand = "later";
  let reason = "a test";
  let gradient = [{ d.in = d.out; }];
  let samples = [Sample<"up", (ins "f32[3]"), "direction = \"up\"">, Sample<"down", (ins "f32[3]"), "direction = \"down\"">];
}
def LaterAgain : Node<"later_again", (ins "T[n]":$in), (outs "T[n]":$out)> {
  let summary = "three times as much, by other nodes";
  let types = (kinds Kinds<["f32"]>:$T);
  let tier = 2;
  let lowering = [{ out = Later(slice(in), direction: "down"); }];
  let samples = [Sample<"small", (ins "f32[3]")>];
}
// (3 * sum(X))^2, and then three times as much less one; Glow's own Relu and Gelu stay.
def : OnnxImport<"Gelu", 1, (ins "X"), (ins), [{ Y = LaterAgain(OwnTopK(Gelu(X))); }]> { let domain = "com.vendor"; }

def Rough : Backend<"rough"> {
  let summary = "what these nodes are on a chip";
  let runsReference = 1;
  let stepwise = 1;
  let kernels = [Kernel<Gelu, "f32", "roughGelu", Ulp<64>>];
}
