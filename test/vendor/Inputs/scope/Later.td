#ifndef LATER
#define LATER
// A record that a later Glow declares, too, with its meaning there.
def Later : Pointwise<"later", (ins $x), [{ x + 5 }], "T"> {
  let summary = "five more";
  let types = (kinds Floats:$T);
  let samples = [Sample<"small", (ins "f32[2,3]")>];
}
def LaterAgain : Node<"later_again", (ins "T[n]":$in), (outs "T[n]":$out)> {
  let summary = "ten more";
  let types = (kinds Floats:$T);
  let tier = 2;
  let lowering = [{ out = Later(Later(in)); }];
  let samples = [Sample<"small", (ins "f32[3]")>];
}
#endif
