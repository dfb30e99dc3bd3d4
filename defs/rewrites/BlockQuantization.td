//===- BlockQuantization.td - weights stay of few bits --------------------===//
// SPDX-License-Identifier: MIT
//
// A product with a constant matrix of integers, of which blocks have scales, reads
// them as they are.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_REWRITES_BLOCKQUANTIZATION
#define GLOW_REWRITES_BLOCKQUANTIZATION

include "glow/nodes/BlockQuantization.td"

// Integers as codes, which are never negative: bytes wrap around.
def asCodes : Let<(ins Tensor:$q), [{
  u = elementKind("u8");
  codes = if(kind(q) == u, q, Cast(q, u) - lowestOf(kind(q)));
}]> { let results = ["codes"]; }

// The scale and the zero point move with their block.
def TransposeOfDequantizeBlocks
    : Rewrite<[{ Transpose(DequantizeBlocks(q, s, z, axis: a, blockSize: n), permutation: p)
                 => DequantizeBlocks(Transpose(q, p), Transpose(s, p), Transpose(z, p),
                                     inverse(p)[a], n) }],
              (ins "i8[2,5]":$q, "f32[2,3] in 0.5..0.75":$s, "i8[2,3]":$z),
              "a = 1; n = 2; p = [1, 0]"> {
  let beforeFolding = 1;
}

// The numbers of columns become numbers of rows.
def MatMulOfBlocks
    : Rewrite<[{ MatMul(x, DequantizeBlocks(q, s, z, axis: a, blockSize: n))
                 => MatMulNBits(x, PackCodes(q, bits, n, lowestOf(kind(q))), Transpose(s, [1, 0]),
                                Transpose(asCodes(z), [1, 0]), none, none, bits, n) }],
              (ins "f32[2,40]":$x, "i8[40,5] constant":$q, "f32[3,5] in 0.01..0.02 constant":$s,
               "i8[3,5] constant":$z), "a = 0; n = 16"> {
  let condition = [{
    rank(q) == 2 && a == 0 && (bits == 2 || bits == 4 || bits == 8) && n >= 16 && isPowerOfTwo(n)
        && isConstant(q) && isConstant(s) &&
    isConstant(z) && kind(s) == kind(x)
  }];
  let beforeFolding = 1;
  let needs = [MatMulNBits];
  let rounds = 1;
  let beforeSteps = 1;
  let with = (bind "bitsOf(kind(q))":$bits);
}

// The same scale, or that of the column, for every block.
def ofEveryBlock : Let<(ins Tensor:$p, Int:$rows, Int:$blocks),
                       "Broadcast(Reshape(p, [elements(p), 1]), [rows, blocks])">;
def MatMulOfColumns
    : Rewrite<[{ MatMul(x, Dequantize(q, s, z, axis: a))
                 => MatMulNBits(x, PackCodes(q, bits, n, lowestOf(kind(q))),
                                ofEveryBlock(s, columns, blocks),
                                ofEveryBlock(asCodes(z), columns, blocks), none, none, bits, n) }],
              (ins "f32[2,140]":$x, "i4[140,5] constant":$q, "f32[5] in 0.01..0.02 constant":$s,
               "i4[] constant":$z), "a = 1"> {
  let condition = [{
    rank(q) == 2 && (bits == 2 || bits == 4) && isConstant(q) && isConstant(s) && isConstant(z)
        && kind(s) == kind(x) &&
    (elements(s) == 1 || rank(s) == 1 && wrapAxis(a, 2) == 1)
        && (elements(z) == 1 || rank(z) == 1 && wrapAxis(a, 2) == 1)
  }];
  let beforeFolding = 1;
  let needs = [MatMulNBits];
  let rounds = 1;
  let beforeSteps = 1;
  let with = (bind "bitsOf(kind(q))":$bits, "128":$n, "shape(q)[1]":$columns,
              "(shape(q)[0] + 127) / 128":$blocks);
}

#endif // GLOW_REWRITES_BLOCKQUANTIZATION
