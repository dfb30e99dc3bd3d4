include "glow/Glow.td"

def Chip : Backend<"chip"> {
  let summary = "subtracts";
  let runsReference = 1;
}

def NegOnChip : Lowering<Neg, [{ out = Sub(Splat(0.0, shape(x), kind(x)), x); }]> {
  let backend = "chip";
}
