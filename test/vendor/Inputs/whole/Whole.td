// A backend that takes layers whole, which Glow lowers, and a layer of its own.

include "glow/Glow.td"

def Single : Kinds<["f32"]>;

def TwiceLayer : Node<"twice_layer", (ins "T[n,k]":$in, "T[k,m]":$weights), (outs "T[n,m]":$out)> {
  let summary = "twice a product";
  let types = (kinds Floats:$T);
  let tier = 2;
  let lowering = [{ out = MatMul(in, weights) * 2; }];
  let samples = [Sample<"wide", (ins "f32[2,16]", "f32[16,3]")>];
}

def Whole : Backend<"whole"> {
  let summary = "multiplies rows by 16 elements at a time";
  let stepwise = 1;
  let runs = [Legal<[FullyConnected], (kinds Single:$T), "k % 16 == 0">,
              Legal<[TwiceLayer], (kinds Single:$T), "k % 16 == 0">];
  let kernels = [Kernel<FullyConnected, "f32", "wholeLayer", Ulp<32>>,
                 Kernel<TwiceLayer, "f32", "wholeTwice", Ulp<64>>];
}
