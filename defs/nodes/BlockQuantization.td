//===- BlockQuantization.td - weights of few bits -------------------------===//
// SPDX-License-Identifier: MIT
//
// A row of weights is cut into blocks. Each block has a scale, perhaps a zero
// point, and a number of 2, 4 or 8 bits for each weight, which stands for (number
// - zero point) * scale. Several of these codes share a byte, the first of them in
// its lowest bits.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_NODES_BLOCKQUANTIZATION
#define GLOW_NODES_BLOCKQUANTIZATION

include "glow/nodes/Elementwise.td"
include "glow/nodes/Indexing.td"
include "glow/nodes/MatMul.td"
include "glow/nodes/Quantization.td"
include "glow/nodes/Shape.td"

// A parameter for each block of x along an axis is one for each element.
def spread : Let<(ins Tensor:$p, Tensor:$x, Int:$axis, Int:$block), [{
  blocks = at(shape(p), axis);
  each = Broadcast(Reshape(p, insert(shape(p), axis + 1, 1)), insert(shape(p), axis + 1, block));
  parameter = if(block > 0,
                 Slice(Reshape(each, set(shape(p), axis, blocks * block)), repeat(0, rank(x)),
                       repeat(1, rank(x)), shape(x)), p);
}]>;

def DequantizeBlocks : Node<"dequantize_blocks", (ins "Q[*s]":$in, "T[*z]":$scale, "Q[*z]":$zero),
                            (outs "T[*s]":$out),
                            (ins Int:$axis, Int:$blockSize)> {
  let summary = "(in - zero) * scale, where blocks along an axis have a scale and a zero each";
  let types = (kinds Floats:$T, QuantizedOrSums:$Q);
  let requires = [
    Require<"axis-in-range", "axis >= 0 && axis < size(s)",
            "axis {axis} is out of range for rank {size(s)}">,
    Require<"block-positive", "blockSize >= 1",
            "blocks of {blockSize} elements must be of at least 1">,
    Require<"blocks-fit", "z == set(s, axis, (at(s, axis) + blockSize - 1) / max(blockSize, 1))",
            "parameters of shape {z} are not one for each block of {blockSize} along axis {axis} "
            "of shape {s}">];
  let tier = 2;
  let lowering = [{ out = Dequantize(in, spread(scale, in, axis, blockSize),
                                     spread(zero, in, axis, blockSize), axis); }];
  let samples = [
    Sample<"rows", (ins "i8[2,40]", "f32[2,3] in 0.5..2", "i8[2,3]"), "axis = 1; blockSize = 16">,
    Sample<"columns", (ins "u8[5,3]", "f32[3,3] in 0.5..2", "u8[3,3]"), "axis = 0; blockSize = 2">,
    Refused<"axis-in-range", (ins "i8[2,3]", "f32[2,2]", "i8[2,2]"), "axis = 2; blockSize = 2">,
    Refused<"block-positive", (ins "i8[2,3]", "f32[2,3]", "i8[2,3]"), "axis = 1; blockSize = 0">,
    Refused<"blocks-fit", (ins "i8[2,3]", "f32[2,3]", "i8[2,3]"), "axis = 1; blockSize = 2">];
}

//===----------------------------------------------------------------------===//
// Products with codes
//===----------------------------------------------------------------------===//

def isPowerOfTwo : Let<(ins Int:$number),
                       "number >= 1 && 4611686018427387904 % max(number, 1) == 0">;

// The number of codes; the middle code is the zero point where none is given.
def codeLevels : Let<(ins Int:$bits), "if(bits == 2, 4, if(bits == 4, 16, 256))">;

// The value of the lowest bit of the code that begins at `bit` of a byte.
def belowCode : Let<(ins Int:$bit),
                    "if(bit % 8 == 0, 1, if(bit % 8 == 2, 4, if(bit % 8 == 4, 16, 64)))">;

// The codes of the last axis, each in a byte of its own.
def codesOf : Let<(ins Tensor:$packed, Int:$bits), [{
  single = Reshape(packed, [*shape(packed), 1]);
  last = rank(packed) - 1;
  each = 8 / max(bits, 1);
  sizes = shape(single);
  mask = Splat(codeLevels(bits) - 1, sizes, kind(packed));
  parts = Concat([BitAnd(ShiftRight(single, Splat(bits * i, sizes, kind(packed))),
                         mask) for i in range(0, each)], rank(packed));
  codes = if(bits == 8, packed,
             Reshape(parts, set(shape(packed), last, at(shape(packed), last) * each)));
}]> { let results = ["codes"]; }

// The parameter of the block of each of n weights of a row.
def ofBlocks : Let<(ins Tensor:$of, Tensor:$groups, Int:$blockSize, Int:$n), [{
  rows = shape(of)[0];
  blocks = shape(of)[1];
  repeated = Reshape(Broadcast(Reshape(of, [rows, blocks, 1]), [rows, blocks, blockSize]),
                     [rows, blocks * blockSize]);
  each = if(present(groups), Gather(of, groups, 1), Slice(repeated, [0, 0], [1, 1], [rows, n]));
}]> { let results = ["each"]; }

// The weights as real numbers, n in each row.
def weightsOfBits : Let<(ins Tensor:$codes, Tensor:$scales, Tensor:$zeros, Tensor:$realZeros,
                         Tensor:$groups, Int:$bits, Int:$blockSize, Int:$n), [{
  k = kind(scales);
  rows = shape(codes)[0];
  blocks = shape(codes)[1];
  numbers = Cast(Slice(Reshape(codesOf(codes, bits), [rows, blocks * blockSize]), [0, 0], [1, 1],
                       [rows, n]), k);
  middle = if(present(zeros), Cast(zeros, k),
              if(present(realZeros), realZeros, Splat(codeLevels(bits) / 2, [rows, blocks], k)));
  weights = (numbers - ofBlocks(middle, groups, blockSize, n)) * ofBlocks(scales, groups, blockSize,
      n);
}]> { let results = ["weights"]; }

def MatMulNBits : Node<"matmul_nbits",
    (ins "T[*b,k]":$lhs, "u8[m,g,y]":$codes, "T[m,g]":$scales, "u8[m,g]?":$zeros,
     "T[m,g]?":$realZeros, "i32[k]?":$groups), (outs "T[*b,m]":$out),
    (ins Int:$bits, Int:$blockSize)> {
  let summary = "product of lhs and the transposed matrix whose rows are of blocks of weights of "
                "few `bits`; `groups` says of "
                "each weight of a row to which block its scale and zero point belong, which is in "
                "the middle where none is given";
  let types = (kinds Floats:$T);
  let requires = [
    Require<"bits-known", "bits == 2 || bits == 4 || bits == 8",
            "weights of {bits} bits must be of 2, 4 or 8">,
    Require<"block-size", "blockSize >= 16 && isPowerOfTwo(blockSize)",
            "blocks of {blockSize} weights must be of a power of two, at least 16">,
    Require<"blocks-fit", [{g == (k + blockSize - 1) / max(blockSize, 1)
                            && y == max(blockSize, 1) * bits / 8}],
            "{g} blocks of {y} bytes are not those of {k} weights of {bits} bits in blocks of "
            "{blockSize}: "
            "{(k + blockSize - 1) / max(blockSize, 1)} blocks of {max(blockSize, 1) * bits / 8} "
            "bytes">];
  let compute = [{
    byte = codes[m, i / blockSize, i % blockSize * bits / 8];
    block = if(present(groups), groups[i], i / blockSize);
    zero = if(present(zeros), zeros[m,block],
              if(present(realZeros), realZeros[m,block], codeLevels(bits) / 2));
    out[*b,m] += lhs[*b,i] * (mod(floor(byte / belowCode(i * bits)),
                                  codeLevels(bits)) - zero) * scales[m,block];
  }];
  let tier = 1;
  let lowering = [{
    weights = weightsOfBits(codes, scales, zeros, realZeros, groups, bits, blockSize, k);
    out = Reshape(MatMul(Reshape(lhs, [prod(b), k]), Transpose(weights, [1, 0])), [*b, m]);
  }];
  let gradient = [{
    weights = weightsOfBits(codes, scales, zeros, realZeros, groups, bits, blockSize, k);
    d.lhs = Reshape(MatMul(Reshape(d.out, [prod(b), m]), weights), shape(lhs));
    d.scales = none("what weights are rounded by is not trained");
    d.realZeros = none("what weights are rounded by is not trained");
  }];
  let samples = [
    Sample<"middle", (ins "f32[2,3,40]", "u8[5,3,8] in 0..255", "f32[5,3] in 0.1..0.5", "", "", ""),
           "bits = 4; blockSize = 16">,
    Sample<"zeros", (ins "f32[3,64] in 0.5..1", "u8[20,2,32] in 90..255", "f32[20,2] in 0.01..0.05",
                     "u8[20,2] in 0..60", "", ""), "bits = 8; blockSize = 32">,
    Sample<"reals", (ins "f32[1,64]", "u8[33,2,8] in 0..255", "f32[33,2] in 0.1..0.5", "",
                     "f32[33,2] in 1.5..1.5", ""), "bits = 2; blockSize = 32">,
    Sample<"groups", (ins "f32[2,32]", "u8[4,2,8] in 0..255", "f32[4,2] in 0.1..0.5",
                      "u8[4,2] in 0..15", "", "i32[32] in 0..1"), "bits = 4; blockSize = 16">,
    Refused<"bits-known", (ins "f32[2,32]", "u8[4,2,6]", "f32[4,2]", "", "", ""),
            "bits = 3; blockSize = 16">,
    Refused<"block-size", (ins "f32[2,48]", "u8[4,2,12]", "f32[4,2]", "", "", ""),
            "bits = 4; blockSize = 24">,
    Refused<"blocks-fit", (ins "f32[2,32]", "u8[4,3,8]", "f32[4,3]", "", "", ""),
            "bits = 4; blockSize = 16">];
}

def FewBits : Kinds<["i2", "u2", "i4", "u4", "i8", "u8"]>;

// Packs a matrix of columns for the product: the columns become rows, and several codes
// share a byte. The last block is filled with 0.
def PackCodes : Node<"pack_codes", (ins "Q[k,m]":$in),
                     (outs [{u8[m, (k + blockSize - 1) / max(blockSize, 1), max(blockSize, 1) *
                             bits / 8]}]:$codes),
                     (ins Int:$bits, Int:$blockSize, Real:$lowest)> {
  let summary = "columns of integers, which are `lowest` at least, as rows of blocks of codes of "
                "few `bits`";
  let types = (kinds FewBits:$Q);
  let requires = [
    Require<"bits-known", "bits == 2 || bits == 4 || bits == 8",
            "codes of {bits} bits must be of 2, 4 or 8">,
    Require<"block-size", "blockSize >= 4 && isPowerOfTwo(blockSize)",
            "blocks of {blockSize} codes must be of a power of two, at least 4">];
  let compute = [{codes[m,g,y] += (in[g * blockSize + y * (8 / bits) + e, m] - lowest) *
                  belowCode(e * bits) over e < 8 / bits}];
  let samples = [
    Sample<"nibbles", (ins "i4[20,3] in -8..7"), "bits = 4; blockSize = 16; lowest = -8.0">,
    Sample<"pairs", (ins "u2[16,2] in 0..3"), "bits = 2; blockSize = 8; lowest = 0.0">,
    Sample<"bytes", (ins "i8[5,2] in -128..127"), "bits = 8; blockSize = 4; lowest = -128.0">,
    Refused<"bits-known", (ins "u8[4,6]"), "bits = 3; blockSize = 16; lowest = 0.0">,
    Refused<"block-size", (ins "u8[4,6]"), "bits = 4; blockSize = 6; lowest = 0.0">];
}

def GatherBlocks : Node<"gather_blocks",
                        (ins "u8[v,y]":$codes, "I[*i]":$rows, "T[v,g]":$scales,
                         "u8[v,(g * bits + 7) / 8]?":$zeros),
                        (outs "T[*i, y * 8 / max(bits, 1)]":$out),
                        (ins Int:$bits, Int:$blockSize)> {
  let summary = "rows of a matrix whose rows are of blocks of numbers of few `bits`, as real "
                "numbers; the zero points of a row, which "
                "are in the middle where none are given, share bytes as its numbers do";
  let types = (kinds Floats:$T, Indices:$I);
  let requires = [
    Require<"bits-known", "bits == 2 || bits == 4 || bits == 8",
            "numbers of {bits} bits must be of 2, 4 or 8">,
    Require<"block-size", "blockSize >= 1", "blocks of {blockSize} numbers must be of at least 1">,
    Require<"blocks-fit", "g == (y * 8 / max(bits, 1) + blockSize - 1) / max(blockSize, 1)",
            "{g} blocks are not those of {y * 8 / max(bits, 1)} numbers in blocks of {blockSize}">];
  let compute = [{
    byte = codes[wrapAxis(rows[*i], v), k * bits / 8];
    zeroByte = zeros[wrapAxis(rows[*i], v), k / blockSize * bits / 8];
    zero = if(present(zeros),
              mod(floor(zeroByte / belowCode(floor(k / blockSize) * bits)), codeLevels(bits)),
              codeLevels(bits) / 2);
    out[*i,k] = (mod(floor(byte / belowCode(k * bits)),
                     codeLevels(bits)) - zero) * scales[wrapAxis(rows[*i], v), k / blockSize];
  }];
  let gradient = [{ d.scales = none("what numbers are rounded by is not trained"); }];
  let samples = [
    Sample<"middle", (ins "u8[5,16] in 0..255", "i64[3] in -5..4", "f32[5,2] in 0.1..0.5", ""),
           "bits = 4; blockSize = 16">,
    Sample<"zeros", (ins "u8[4,10] in 0..255", "i32[2,3] in 0..3", "f32[4,2] in 0.1..0.5",
                     "u8[4,1] in 0..255"), "bits = 4; blockSize = 16">,
    Sample<"bytes", (ins "u8[3,40] in 0..255", "i64[2] in 0..2", "f32[3,3] in 0.01..0.05",
                     "u8[3,3] in 0..255"), "bits = 8; blockSize = 16">,
    Sample<"pairs", (ins "u8[3,8] in 0..255", "i64[1] in 0..2", "f32[3,2] in 0.1..0.5",
                     "u8[3,1] in 0..255"), "bits = 2; blockSize = 16">,
    Refused<"bits-known", (ins "u8[4,6]", "i64[1] in 0..3", "f32[4,1]", ""),
            "bits = 3; blockSize = 16">,
    Refused<"block-size", (ins "u8[4,6]", "i64[1] in 0..3", "f32[4,12]", ""),
            "bits = 4; blockSize = 0">,
    Refused<"blocks-fit", (ins "u8[4,8]", "i64[1] in 0..3", "f32[4,2]", ""),
            "bits = 4; blockSize = 16">];
}

#endif // GLOW_NODES_BLOCKQUANTIZATION
