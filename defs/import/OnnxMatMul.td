//===- OnnxMatMul.td - ONNX products of matrices -------------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_IMPORT_ONNXMATMUL
#define GLOW_IMPORT_ONNXMATMUL

include "glow/import/OnnxActivation.td"
include "glow/nodes/MatMul.td"
include "glow/nodes/Shape.td"

def gemm : Let<(ins Tensor:$A, Tensor:$B, Tensor:$C, Real:$alpha, Real:$beta, Flag:$turnsA,
                Flag:$turnsB), [{
  require(rank(A) == 2 && rank(B) == 2, "both factors must be matrices");
  a = if(turnsA, Transpose(A, [1, 0]), A);
  b = if(turnsB, Transpose(B, [1, 0]), B);
  product = if(alpha == 1.0, MatMul(a, b), alpha * MatMul(widenedFloat(a), widenedFloat(b)));
  c = if(present(C), Broadcast(asKind(C, kind(product)), shape(product)), product);
  sum = if(present(C), product + if(beta == 1.0, c, beta * c), product);
  Y = asKind(sum, kind(A));
}]>;
def : OnnxImport<"Gemm", 7, (ins "A", "B", "C?"),
    (ins "1.0":$alpha, "1.0":$beta, 0:$transA, 0:$transB),
    "Y = gemm(A, B, C, alpha, beta, transA != 0, transB != 0);"> {
  let bf16From = 13;
}

// The factors of A times B as x and y, and `full`, the shape of the product. A
// vector is a row on the left and a column on the right. Matrices of a batch
// times one matrix are one large matrix: `copies` of them, of `height` rows each.
def matMulFactors : Let<(ins Tensor:$A, Tensor:$B), [{
  require(rank(A) >= 1 && rank(B) >= 1, "both factors must have at least one axis");
  a = if(rank(A) == 1, Reshape(A, [1, *shape(A)]), A);
  b = if(rank(B) == 1, Reshape(B, [*shape(B), 1]), B);
  n = rank(a);
  m = rank(b);
  left = take(shape(a), n - 2);
  right = take(shape(b), m - 2);
  require(canBroadcast(left, right), "batches {left} and {right} do not broadcast");
  batch = broadcastShape(left, right);
  flat = m == 2 && n > 2;
  rows = drop(shape(a), n - 2);
  columns = drop(shape(b), m - 2);
  x = if(flat, Reshape(a, [prod(left) * rows[0], rows[1]]),
         if(areSame(left, batch), a, Broadcast(a, [*batch, *rows])));
  y = if(flat || areSame(right, batch), b, Broadcast(b, [*batch, *columns]));
  full = [*batch, *if(rank(A) == 1, [], [rows[0]]), *if(rank(B) == 1, [], [columns[1]])];
  height = rows[0];
  copies = if(flat, prod(left), 1);
}]> { let results = ["x", "y", "full", "height", "copies"]; }
def matMul : Let<(ins Tensor:$A, Tensor:$B), [{
  x, y, full, height, copies = matMulFactors(A, B);
  p = MatMul(x, y);
  Y = if(areSame(shape(p), full), p, Reshape(p, full));
}]>;
def : OnnxImport<"MatMul", 1, (ins "A", "B"), (ins), "Y = matMul(A, B);"> {
  let bf16From = 13;
}

def : OnnxImport<"Det", 11, (ins "X"), (ins), "Y = Determinant(X);">;

// Before opset 7.
def : OnnxImport<"Gemm", 1, (ins "A", "B", "C?"),
    (ins "1.0":$alpha, "1.0":$beta, 0:$broadcast, 0:$transA, 0:$transB),
    "Y = gemm(A, B, C, alpha, beta, transA != 0, transB != 0);"> {
  let bf16From = 13;
}

let domain = "com.microsoft" in {
def : OnnxImport<"FusedGemm", 1, (ins "A", "B", "C?"),
    (ins MaybeText:$activation, "0.01":$activation_alpha, "0.0":$activation_beta,
     "0.0":$activation_gamma,
         "1.0":$alpha, "1.0":$beta, 0:$transA, 0:$transB),
    [{Y = activated(gemm(A, B, C, alpha, beta, transA != 0, transB != 0), activation,
      [activation_alpha, activation_beta]);}]>;
def : OnnxImport<"FusedMatMul", 1, (ins "A", "B"),
    // With transBatch the rows are the first axis, before the batch.
    (ins "1.0":$alpha, 0:$transA, 0:$transB, 0:$transBatchA, 0:$transBatchB), [{
  A = if(transBatchA != 0 && rank(A) > 2, Transpose(A, [*range(1, rank(A) - 1), 0, rank(A) - 1]),
         A);
  B = if(transBatchB != 0 && rank(B) > 2, Transpose(B, [*range(1, rank(B) - 1), 0, rank(B) - 1]),
         B);
  swapA = [*range(0, rank(A) - 2), rank(A) - 1, rank(A) - 2];
  swapB = [*range(0, rank(B) - 2), rank(B) - 1, rank(B) - 2];
  A = if(transA != 0 && rank(A) > 1, Transpose(A, swapA), A);
  B = if(transB != 0 && rank(B) > 1, Transpose(B, swapB), B);
  Y = if(alpha == 1.0, matMul(A, B),
         asKind(alpha * matMul(widenedFloat(A), widenedFloat(B)), kind(A)));
}]>;
def : OnnxImport<"Inverse", 1, (ins "X"), (ins), "Y = Inverse(X);">;
def : OnnxImport<"MatMulInteger16", 1, (ins "A", "B"), (ins),
    [{ Y = matMul(Cast(A, elementKind("i32")), Cast(B, elementKind("i32"))); }]>;
}

#endif // GLOW_IMPORT_ONNXMATMUL
