//===- MatMul.td - products of matrices -----------------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_NODES_MATMUL
#define GLOW_NODES_MATMUL

include "glow/nodes/Elementwise.td"
include "glow/nodes/Shape.td"

def MatMul : Node<"matmul", (ins "T[*b,n,k]":$lhs, "T[*b,k,m]":$rhs),
                  (outs "T[*b,n,m]":$out)> {
  let summary = "product of two matrices, for each of a batch";
  let integers = [Integers<"lhs", -1>, Weights<"rhs", -1>];
  let types = (kinds Numbers:$T);
  let compute = "out[*b,n,m] += lhs[*b,n,k] * rhs[*b,k,m]";
  // Products again, which backends run fast.
  let gradient = [{
    batch = size(b);
    flip = [*range(0, batch), batch + 1, batch];
    d.lhs = MatMul(d.out, Transpose(rhs, flip));
    d.rhs = MatMul(Transpose(lhs, flip), d.out);
  }];
  let samples = [Sample<"small", (ins "f32[2,3]", "f32[3,4]")>,
                 Sample<"row", (ins "f32[1,64]", "f32[64,8]")>,
                 Sample<"batch", (ins "f32[2,5,2,3]", "f32[2,5,3,4]")>];
}

def FullyConnected : Node<"fully_connected", (ins "T[n,*x]":$in, "T[k,m]":$weights, "T[m]?":$bias),
                          (outs "T[n,m]":$out)> {
  let summary = "what is left of each row of a batch, as a vector, times weights, plus a bias";
  let types = (kinds Numbers:$T);
  let requires = [
    Require<"weights-fit", "prod(x) == k",
            "rows of shape {x} are not of the {k} elements that weights are for">];
  let tier = 1;
  let lowering = [{
    product = MatMul(if(size(x) == 1, in, Reshape(in, [n, k])), weights);
    out = if(present(bias), product + Broadcast(bias, [n, m]), product);
  }];
  let samples = [Sample<"images", (ins "f32[2,3,2]", "f32[6,4]", "f32[4]")>,
                 Sample<"plain", (ins "f32[2,3]", "f32[3,4]", "")>,
                 Refused<"weights-fit", (ins "f32[2,3,2]", "f32[3,4]", "")>];
}

def Determinant : Node<"determinant", (ins "T[*b,n,n]":$in), (outs "T[*b]":$out)> {
  let summary = "determinant of each matrix of a batch";
  let types = (kinds Floats:$T);
  let hand = "determinant";
  let reason = "each step of the elimination reads what the one before left";
  // The cofactors, which are not finite where there is no inverse.
  let gradient = [{
    flip = [*range(0, size(b)), size(b) + 1, size(b)];
    scale = Reshape(d.out * out, [*b, 1, 1]);
    d.in = Broadcast(scale, shape(in)) * Transpose(Inverse(in), flip);
  }];
  let samples = [Sample<"small", (ins "f32[3,3]")>, Sample<"batch", (ins "f32[2,2,2]")>];
}

def Inverse : Node<"inverse", (ins "T[*b,n,n]":$in), (outs "T[*b,n,n]":$out)> {
  let summary = "inverse of each matrix of a batch; of one that has none, not finite";
  let types = (kinds Floats:$T);
  let hand = "inverse";
  let reason = "each step of the elimination reads what the one before left";
  let gradient = [{
    flip = [*range(0, size(b)), size(b) + 1, size(b)];
    d.in = -MatMul(Transpose(out, flip), MatMul(d.out, Transpose(out, flip)));
  }];
  let tolerance = "f32: 1e-3, f16: 1, bf16: 4";
  let samples = [Sample<"small", (ins "f32[3,3]")>, Sample<"batch", (ins "f32[2,2,2]")>];
}

#endif // GLOW_NODES_MATMUL
