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

// Its kernel reads places of 64 bits; others are the reference's.
def OwnLookup : Node<"own_lookup", (ins "T[k,m]":$table, "U[n]":$rows), (outs "T[n,m]":$out)> {
  let summary = "rows of a table";
  let types = (kinds Single:$T, Kinds<["i32", "i64"]>:$U);
  let compute = "out[n,m] = table[rows[n],m]";
  let gradient = [{ none("a test") }];
  let samples = [Sample<"small", (ins "f32[3,2]", "i64[4] in 0..2")>];
}

def Whole : Backend<"whole"> {
  let summary = "multiplies rows by 16 elements at a time";
  let stepwise = 1;
  let runs = [Legal<[FullyConnected], (kinds Single:$T), "k % 16 == 0">,
              Legal<[TwiceLayer], (kinds Single:$T), "k % 16 == 0">,
              Legal<[OwnLookup]>];
  let kernels = [Kernel<FullyConnected, "f32", "wholeLayer", Ulp<32>>,
                 Kernel<TwiceLayer, "f32", "wholeTwice", Ulp<64>>,
                 Kernel<OwnLookup, "f32", "wholeLookup", Ulp<0>, (kinds Kinds<["i64"]>:$U)>];
}
