// Records whose promises do not hold, each in another way.

include "glow/Glow.td"

class Doubles<string mnemonic> : Node<mnemonic, (ins "T[n]":$in), (outs "T[n]":$out)> {
  let summary = "two times a vector";
  let types = (kinds Kinds<["f32"]>:$T);
  let gradient = [{ d.in = d.out * 2; }];
  let samples = [Sample<"small", (ins "f32[3]")>];
}
def Right : Doubles<"b_right"> {
  let compute = "out[i] = 2 * in[i]";
}
def WrongGradient : Doubles<"b_gradient"> {
  let compute = "out[i] = 2 * in[i]";
  let gradient = [{ d.in = d.out * 3; }];
}
def WrongLowering : Doubles<"b_lowering"> {
  let tier = 2;
  let compute = "out[i] = 2 * in[i]";
  let lowering = [{ out = in * 3; }];
}
def WrongKernel : Doubles<"b_crash"> {
  let hand = "crash";
  let reason = "a formula does not crash";
}
// A size that no integer of 64 bits holds.
def Endless : Node<"b_endless", (ins "T[n]":$in), (outs "T[n * 9223372036854775807]":$out)> {
  let summary = "the first element, again and again";
  let types = (kinds Kinds<["f32"]>:$T);
  let compute = "out[i] = in[0]";
  let gradient = [{ none("never built") }];
  let samples = [Sample<"small", (ins "f32[3]")>];
}
def WrongRewrite : Rewrite<[{ Abs(Right(x)) => Abs(x) }], (ins "f32[2]":$x)>;
def NotApplied : Rewrite<[{ Right(Abs(x)) => Abs(Right(x)) }], (ins "f32[2]":$x)> {
  let condition = "shape(x)[0] > 2";
}
// The sides differ in their last bits.
def QuietlyRounding : Rewrite<[{ Right(x / 3) => Right(x * (1.0 / 3.0)) }], (ins "f32[50]":$x)>;

// A backend that multiplies some matrices, but not exactly.
def Half : Backend<"half"> {
  let summary = "multiplies two rows by two columns, roughly";
  let stepwise = 1;
  let runs = [Legal<[MatMul], (kinds Kinds<["f32"]>:$T), "size(b) == 0 && k == 64">];
  let kernels = [Kernel<MatMul, "f32", "halfMatMul", Ulp<1>>];
}
