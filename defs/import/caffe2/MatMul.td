//===- MatMul.td - Caffe2 products of matrices ----------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_CAFFE2_MATMUL
#define GLOW_IMPORT_CAFFE2_MATMUL

include "glow/import/OnnxMatMul.td"

// Axes before `axis` are rows, the others columns.
def flattened : Let<(ins Tensor:$x, Int:$axis), [{
  a = wrapAxis(axis, rank(x));
  flat = [prod(take(shape(x), a)), prod(drop(shape(x), a))];
  y = if(shape(x) == flat, x, Reshape(x, flat));
}]>;

// A layer of neurons; the weights have a row for each, or a column unless it `turns` them.
def caffe2FC : Let<(ins Tensor:$X, Tensor:$W, Tensor:$b, Int:$axis, Int:$axis_w, Flag:$turns), [{
  y = gemm(flattened(X, axis), flattened(W, axis_w), b, 1.0, 1.0, false, turns);
  full = [*take(shape(X), wrapAxis(axis, rank(X))), shape(y)[1]];
  Y = if(shape(y) == full, y, Reshape(y, full));
}]>;
class Caffe2FC<string operator, string turns>
    : Caffe2Import<operator, (ins "X", "W", "b"), (ins 1:$axis, 1:$axis_w, MaybeText:$order),
                   "Y = caffe2FC(X, W, b, axis, axis_w, isTurned);"> {
  let with = (bind turns:$isTurned);
}
def : Caffe2FC<"FC", "true">;
def : Caffe2FC<"FbFCPacked", "true">;
def : Caffe2FC<"FCTransposed", "false">;

def : Caffe2Import<"MatMul", (ins "A", "B"), (ins 1:$axis_a, 1:$axis_b, 0:$trans_a, 0:$trans_b), [{
  Y = gemm(flattened(A, axis_a), flattened(B, axis_b), none, 1.0, 1.0, trans_a != 0, trans_b != 0);
}]>;

def lastTwoSwapped : Let<(ins Tensor:$x, Flag:$swaps), [{
  r = rank(x);
  y = if(swaps && r >= 2, Transpose(x, [*range(0, r - 2), r - 1, r - 2]), x);
}]>;
def : Caffe2Import<"BatchMatMul", (ins "A", "B"), (ins 0:$broadcast, 0:$trans_a, 0:$trans_b),
    "Y = matMul(lastTwoSwapped(A, trans_a != 0), lastTwoSwapped(B, trans_b != 0));">;

#endif // GLOW_IMPORT_CAFFE2_MATMUL
