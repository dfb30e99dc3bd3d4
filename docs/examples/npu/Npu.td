// SPDX-License-Identifier: MIT
//
// Npu.td - a chip for quantised networks, outside of Glow's sources.
//
// A systolic array multiplies 16 rows of 16 bytes in a cycle into sums of 32 bits. It
// reads a scratchpad and writes accumulators; a DMA engine copies to and from the
// memory of the host, and on the way out an activation unit makes bytes of sums.

include "glow/Glow.td"

//===----------------------------------------------------------------------===//
// Memories and the way between them
//===----------------------------------------------------------------------===//

def Scratchpad : MemorySpace<"pad", 262144> {
  let summary = "images and filters, in 16 banks";
  let bandwidth = 64;
}
def Accumulators : MemorySpace<"sums", 65536> { let summary = "sums of 32 bits"; }
def Dma : DmaEngine<"dma", [Scratchpad, Accumulators]> {
  let summary = "boxes of tensors, and bytes of sums on the way out";
  let channels = 2;
  let bytesPerCycle = 16;
  let latency = 40;
  let perRun = 5; // a page of the host's memory, and bursts that are not full
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

def blocks : Let<(ins Int:$count), "(count + 15) / 16">; // of the array's side
def tilesIn : Let<(ins Int:$size, Int:$tile), "(size + tile - 1) / tile">;
def begins : Let<(ins Int:$size, Int:$tile), "[tile * i for i in range(0, tilesIn(size, tile))]">;

class Moves<string mnemonic, dag buffers, dag attributes, string hand_>
    : Instr<mnemonic, buffers, !con((ins Ints:$starts, Ints:$sizes), attributes)> {
  let engine = Dma;
  let asynchronous = 1;
  let hand = hand_;
}
def NpuLoadInstr : Moves<"npu_load", (ins Out:$dest, Out:$token, In:$src), (ins Ints:$places), "npuLoad"> {
  let summary = "begins to bring a box of a tensor into one of the scratchpad";
  let shapes = (ins "T[*s]":$src, "T[*d]":$dest, "i64[1]":$token);
  let memories = (places Scratchpad:$dest);
  let box = (at "starts":$src, "places":$dest);
}
// bytes = zero + round(sum * factor + offset), by the index along `axis`.
def NpuStoreInstr : Moves<"npu_store", (ins Out:$dest, Out:$token, In:$sums, In:$scales), (ins Int:$axis, Int:$zero), "npuStore"> {
  let summary = "begins to make bytes of sums, and to bring them into a box of a tensor";
  let shapes = (ins "i32[*s]":$sums, "f32[2,m]":$scales, "Q[*d]":$dest, "i64[1]":$token);
  let types = (kinds Bytes:$Q);
  let requires = [Require<"box-is-sums", "sizes == s && size(s) == size(d)", "a box of {sizes} is not that of sums of {s}">,
                  Require<"scale-each", "at(s, axis) == m", "{m} scales are not those of axis {axis} of {s}">];
  let memories = (places Accumulators:$sums, Scratchpad:$scales);
  let box = (at "starts":$dest);
}
def NpuStoreSumInstr : Moves<"npu_store_sum", (ins Out:$dest, Out:$token, In:$lhs, In:$rhs),
                             (ins Reals:$scales, Ints:$zeros, Flag:$early), "npuStoreSum"> {
  let summary = "begins to add what bytes stand for, and to bring bytes of the sums into a box of a tensor";
  let shapes = (ins "A[*s]":$lhs, "B[*s]":$rhs, "Q[*d]":$dest, "i64[1]":$token);
  let types = (kinds Bytes:$A, Bytes:$B, Bytes:$Q);
  let requires = [Require<"box-is-sums", "sizes == s && size(s) == size(d)", "a box of {sizes} is not that of sums of {s}">];
  let memories = (places Scratchpad:$lhs, Scratchpad:$rhs);
  let box = (at "starts":$dest);
}
def NpuStoreMaxInstr : Moves<"npu_store_max", (ins Out:$dest, Out:$token, In:$image),
                             (ins Ints:$window, Ints:$strides, Ints:$before), "npuStoreMax"> {
  let summary = "begins to bring the largest bytes of windows into a box of a tensor; "
                "`before` rows and columns of padding stand before the image";
  let shapes = (ins "A[1,c,h,w]":$image, "A[*d]":$dest, "i64[1]":$token);
  let types = (kinds Bytes:$A);
  let requires = [Require<"box-of-channels", "size(d) == 4 && size(sizes) == 4 && sizes[1] == c", "a box of {sizes} is not of {c} channels">];
  let memories = (places Scratchpad:$image);
  let box = (at "starts":$dest);
}
def NpuWaitInstr : Instr<"npu_wait", (ins In:$token)> {
  let summary = "waits for a copy";
  let shapes = (ins "i64[1]":$token);
  let hand = "npuWait";
}

// The first product of each sum finds it in place of what was there.
def NpuBeginInstr : Instr<"npu_begin", (ins Out:$sums, In:$bias)> {
  let summary = "sums that begin at the bias of their column, or channel";
  let shapes = (ins "i32[n,m,*s]":$sums, "i32[m]":$bias);
  let memories = (places Accumulators:$sums, Scratchpad:$bias);
  let cost = "1";
  let hand = "npuBegin";
}
// A block of 16 x 16 weights is loaded in 16 cycles, and then a row of the image, or of
// the left matrix, goes in each cycle; the first comes out 32 cycles later.
def NpuWindowsInstr : Instr<"npu_windows", (ins InOut:$sums, In:$image, In:$filter),
                            (ins Ints:$starts, Ints:$sizes, Ints:$strides, Ints:$before, Ints:$zeros, Flag:$apart)> {
  let summary = "adds windows of some channels of an image times filters, or of each channel apart times its own, less the zeros "
                "of both; `before` rows and columns of padding stand before the image";
  let shapes = (ins "A[1,c,h,w]":$image, "B[m,k,kh,kw]":$filter, "i32[1,m,y,x]":$sums);
  let types = (kinds Bytes:$A, Bytes:$B);
  let requires = [Require<"channels-agree", "sizes == [1, if(apart, m, k), h, w]", "filters of {k} channels do not suit a box of {sizes}">];
  let memories = (places Accumulators:$sums, Scratchpad:$image, Scratchpad:$filter);
  let box = (at "starts":$image);
  let cost = "blocks(k * kh * kw) * if(apart, m, blocks(m)) * (y * x + 16) + 32";
  let hand = "npuWindows";
}
def NpuProductInstr : Instr<"npu_product", (ins InOut:$sums, In:$lhs, In:$rhs), (ins Ints:$starts, Ints:$sizes, Ints:$zeros)> {
  let summary = "adds products of some columns of a matrix and another, less the zeros of both";
  let shapes = (ins "A[n,l]":$lhs, "B[k,m]":$rhs, "i32[n,m]":$sums);
  let types = (kinds Bytes:$A, Bytes:$B);
  let requires = [Require<"columns-agree", "sizes == [n, k]", "{k} rows do not suit a box of {sizes}">];
  let memories = (places Accumulators:$sums, Scratchpad:$lhs, Scratchpad:$rhs);
  let box = (at "starts":$lhs);
  let cost = "blocks(k) * blocks(m) * (n + 16) + 32";
  let hand = "npuProduct";
}

//===----------------------------------------------------------------------===//
// Nodes that run tile by tile
//===----------------------------------------------------------------------===//

class NpuNode<string mnemonic, dag inputs, dag outputs, dag attributes> : Node<mnemonic, inputs, outputs, attributes> {
  let tier = 2; // made of nodes of the library by the rewrites below; rules lead back to these
  let gradient = [{ none("integers are steps, without a slope") }];
}

def ThreeZeros : Require<"three-zeros", "size(zeros) == 3", "zeros {zeros} are not three">;
// The requirements of nodes that move windows over images.
defvar WindowsFit = [
  Require<"two-dimensions", "size(strides) == 2 && size(pads) == 4", "strides {strides} and pads {pads} are not of two dimensions">,
  Require<"stride-positive", "allAtLeast(strides, 1)", "strides {strides} must all be at least 1">,
  Require<"pads-not-negative", "allAtLeast(pads, 0)", "pads {pads} must all be at least 0">];

// The cycles of a node that works in strips of rows. A strip is loaded once, and for it all
// weights, in parts of `columns` results and `depth` products. To the longer of computing and
// copying, add the first load, the last store, and a wait for each strip.
def moving : Let<(ins Int:$bytes, Int:$runs), "bytes / 16 + 5 * runs + 40">;
def tileCycles : Let<(ins Int:$computing, Int:$inputs, Int:$weights, Int:$outputs, Int:$strips, Int:$parts, Int:$runs, Int:$first), [{
  copying = moving(inputs + strips * weights + outputs, runs);
  cycles = max(computing + 32 * strips * parts, copying) + moving(first, 16) + moving(outputs / (strips * parts), 16) + 80 * strips;
}]>;

def bytesOfSums : Let<(ins Tensor:$sums, Tensor:$scales, Int:$zero, Kind:$k), [{
  m = shape(scales)[1];
  factor = Reshape(Slice(scales, [0, 0], [1, 1], [1, m]), [m]);
  offset = Reshape(Slice(scales, [1, 0], [1, 1], [1, m]), [m]);
  out = Requantize(sums, factor, Splat(real(zero), [], k), offset, 1);
}]>;
def extents : Let<(ins Int:$h, Int:$w, Int:$kh, Int:$kw, Ints:$strides, Ints:$pads),
                  "windowCount([h, w], [kh, kw], strides, pads, [1, 1])">;
def NpuConv : NpuNode<"conv_bytes", (ins "A[1,c,h,w]":$in, "B[d,k,kh,kw]":$filter, "i32[d]":$bias, "f32[2,d]":$scales),
                      (outs "kind[1,d,*extents(h, w, kh, kw, strides, pads)]":$out),
                      (ins Ints:$strides, Ints:$pads, Int:$group, Ints:$zeros, Kind:$kind)> {
  let summary = "bytes of sums of windows: zero + round((bias + sum) * scales[0] + scales[1]); zeros are those of in, filter and the result";
  let types = (kinds Bytes:$A, Bytes:$B);
  let requires = !listconcat(WindowsFit, [
    ThreeZeros,
    Require<"group-divides", "group >= 1 && k * group == c && d % group == 0", "{group} groups of {k} channels do not make {c} channels in, {d} out">,
    Require<"window-fits", "windowFits([h, w], [kh, kw], pads, [1, 1])", "filter {[kh, kw]} is larger than the padded image of {[h, w]}">]);
  let irgen = [{
    size = extents(h, w, kh, kw, strides, pads);
    for row in begins(size[0], rows) {
      y = min(rows, size[0] - row);
      top = row * strides[0] - pads[0];
      from = max(top, 0);
      high = min(top + (y - 1) * strides[0] + kh, h) - from;
      image = buffer("A[1,c,high,w]");
      for part in begins(c, if(group == 1, depth, channels)) {
        box = [1, min(if(group == 1, depth, channels), c - part), high, w];
        imageComes = buffer("i64[1]");
        NpuLoad(image, imageComes, in, [0, part, from, 0], box, [0, part, 0, 0]);
        NpuWait(imageComes);
      }
      for first in begins(d, channels) {
        m = min(channels, d - first);
        start = buffer("i32[m]");
        startComes = buffer("i64[1]");
        factors = buffer("f32[2,m]");
        factorsCome = buffer("i64[1]");
        sums = buffer("i32[1,m,y,size[1]]");
        bytesGo = buffer("i64[1]");
        NpuLoad(start, startComes, bias, [first], [m], [0]);
        NpuLoad(factors, factorsCome, scales, [0, first], [2, m], [0, 0]);
        NpuWait(startComes);
        NpuWait(factorsCome);
        NpuBegin(sums, start);
        for part in begins(k, depth) {
          some = min(depth, k - part);
          weights = buffer("B[m,some,kh,kw]");
          weightsCome = buffer("i64[1]");
          NpuLoad(weights, weightsCome, filter, [first, part, 0, 0], [m, some, kh, kw], [0, 0, 0, 0]);
          NpuWait(weightsCome);
          NpuWindows(sums, image, weights, [0, if(group == 1, part, first), 0, 0], [1, if(group == 1, some, m), high, w],
                     strides, [from - top, pads[1]], take(zeros, 2), group > 1);
        }
        NpuStore(out, bytesGo, sums, factors, [0, first, row, 0], [1, m, y, size[1]], 1, zeros[2]);
        NpuWait(bytesGo);
      }
    }
  }];
  let lowering = [{
    sums = ConvInteger(in, filter, Splat(real(zeros[0]), [], kind(in)), Splat(real(zeros[1]), [], kind(filter)), strides, pads, [1, 1], group);
    out = bytesOfSums(sums + Broadcast(bias, shape(sums), axis: 1), scales, zeros[2], kind);
  }];
  let samples = [
    AsWritten<"window", (ins "u8[1,20,9,7]", "i8[18,20,3,3]", "i32[18] in -99..99", "f32[2,18] in 0.001..0.01"),
              "strides = [2, 1]; pads = [1, 1, 1, 1]; group = 1; zeros = [3, 0, 5]; kind = u8">,
    AsWritten<"channels apart", (ins "u8[1,20,9,7]", "u8[20,1,3,3]", "i32[20] in -99..99", "f32[2,20] in 0.001..0.01"),
              "strides = [1, 1]; pads = [1, 1, 1, 1]; group = 20; zeros = [3, 117, -5]; kind = i8">,
    AsWritten<"sums of several parts", (ins "u8[1,2100,5,5]", "i8[40,2100,3,3]", "i32[40]", "f32[2,40] in 0.0001..0.001"),
              "strides = [1, 1]; pads = [1, 1, 1, 1]; group = 1; zeros = [128, 7, 100]; kind = u8">,
    Refused<"two-dimensions", (ins "u8[1,4,4,4]", "i8[2,4,1,1]", "i32[2]", "f32[2,2]"),
            "strides = [1]; pads = [0, 0, 0, 0]; group = 1; zeros = [0, 0, 0]; kind = u8">,
    Refused<"stride-positive", (ins "u8[1,4,4,4]", "i8[2,4,1,1]", "i32[2]", "f32[2,2]"),
            "strides = [0, 1]; pads = [0, 0, 0, 0]; group = 1; zeros = [0, 0, 0]; kind = u8">,
    Refused<"pads-not-negative", (ins "u8[1,4,4,4]", "i8[2,4,1,1]", "i32[2]", "f32[2,2]"),
            "strides = [1, 1]; pads = [0, -1, 0, 0]; group = 1; zeros = [0, 0, 0]; kind = u8">,
    Refused<"three-zeros", (ins "u8[1,4,4,4]", "i8[2,4,1,1]", "i32[2]", "f32[2,2]"),
            "strides = [1, 1]; pads = [0, 0, 0, 0]; group = 1; zeros = [0, 0]; kind = u8">,
    Refused<"group-divides", (ins "u8[1,4,4,4]", "i8[2,4,1,1]", "i32[2]", "f32[2,2]"),
            "strides = [1, 1]; pads = [0, 0, 0, 0]; group = 2; zeros = [0, 0, 0]; kind = u8">,
    Refused<"window-fits", (ins "u8[1,4,4,4]", "i8[2,4,5,1]", "i32[2]", "f32[2,2]"),
            "strides = [1, 1]; pads = [0, 0, 0, 0]; group = 1; zeros = [0, 0, 0]; kind = u8">];
}
def ConvTiles : Tiling<NpuConv,
    [Cut<"channels", "d", 16>, Cut<"rows", "extents(h, w, kh, kw, strides, pads)[0]">, Cut<"depth", "k", 16>],
    [Need<Scratchpad, "c * w * min((rows - 1) * strides[0] + kh, h) + 2 * channels * (depth * kh * kw + 12) + 448">,
     Need<Accumulators, "4 * channels * rows * extents(h, w, kh, kw, strides, pads)[1]">],
    [{ convCycles([c, h, w], [d, k, kh, kw], extents(h, w, kh, kw, strides, pads), strides, group, channels, rows, depth) }]>;
def convCycles : Let<(ins Ints:$in, Ints:$filter, Ints:$out, Ints:$strides, Int:$group, Int:$channels, Int:$rows, Int:$depth), [{
  strips = tilesIn(out[0], rows);
  parts = tilesIn(filter[0], channels) * tilesIn(filter[1], depth);
  high = min((rows - 1) * strides[0] + filter[2], in[1]);
  computing = blocks(prod(filter) / filter[0]) * if(group == 1, blocks(filter[0]), filter[0]) * (prod(out) + 16 * strips);
  runs = strips * (if(high < in[1], in[0], 1) + parts + if(depth < filter[1], filter[0], 0)) + if(rows < out[0], strips * filter[0], 1);
  cycles = tileCycles(computing, in[0] * high * in[2] * strips, prod(filter) + 12 * filter[0], filter[0] * prod(out), strips, parts, runs,
                      if(group == 1, depth, channels) * high * in[2]);
}]>;

def NpuMatMul : NpuNode<"matmul_bytes", (ins "A[n,k]":$lhs, "B[k,m]":$rhs, "i32[m]":$bias, "f32[2,m]":$scales),
                        (outs "kind[n,m]":$out), (ins Ints:$zeros, Kind:$kind)> {
  let summary = "bytes of sums of products: zero + round((bias + sum) * scales[0] + scales[1]); zeros are those of lhs, rhs and the result";
  let types = (kinds Bytes:$A, Bytes:$B);
  let requires = [ThreeZeros];
  let irgen = [{
    for row in begins(n, rows) {
      y = min(rows, n - row);
      left = buffer("A[y,k]");
      for part in begins(k, depth) {
        leftComes = buffer("i64[1]");
        NpuLoad(left, leftComes, lhs, [row, part], [y, min(depth, k - part)], [0, part]);
        NpuWait(leftComes);
      }
      for first in begins(m, columns) {
        width = min(columns, m - first);
        start = buffer("i32[width]");
        startComes = buffer("i64[1]");
        factors = buffer("f32[2,width]");
        factorsCome = buffer("i64[1]");
        sums = buffer("i32[y,width]");
        bytesGo = buffer("i64[1]");
        NpuLoad(start, startComes, bias, [first], [width], [0]);
        NpuLoad(factors, factorsCome, scales, [0, first], [2, width], [0, 0]);
        NpuWait(startComes);
        NpuWait(factorsCome);
        NpuBegin(sums, start);
        for part in begins(k, depth) {
          some = min(depth, k - part);
          weights = buffer("B[some,width]");
          weightsCome = buffer("i64[1]");
          NpuLoad(weights, weightsCome, rhs, [part, first], [some, width], [0, 0]);
          NpuWait(weightsCome);
          NpuProduct(sums, left, weights, [0, part], [y, some], take(zeros, 2));
        }
        NpuStore(out, bytesGo, sums, factors, [row, first], [y, width], 1, zeros[2]);
        NpuWait(bytesGo);
      }
    }
  }];
  let lowering = [{
    sums = MatMulInteger(lhs, rhs, Splat(real(zeros[0]), [], kind(lhs)), Splat(real(zeros[1]), [], kind(rhs)));
    out = bytesOfSums(sums + Broadcast(bias, shape(sums), axis: 1), scales, zeros[2], kind);
  }];
  let samples = [AsWritten<"tiles", (ins "u8[40,70]", "i8[70,50]", "i32[50] in -99..99", "f32[2,50] in 0.001..0.01"), "zeros = [3, 0, -5]; kind = i8">,
                 AsWritten<"sums of several parts", (ins "u8[3,9000]", "u8[9000,50]", "i32[50]", "f32[2,50] in 0.0001..0.001"),
                           "zeros = [128, 131, 100]; kind = u8">,
                 Refused<"three-zeros", (ins "u8[4,7]", "i8[7,5]", "i32[5]", "f32[2,5]"), "zeros = [3]; kind = i8">];
}
def MatMulTiles : Tiling<NpuMatMul, [Cut<"columns", "m", 16>, Cut<"rows", "n">, Cut<"depth", "k", 16>],
    [Need<Scratchpad, "rows * k + 2 * columns * (depth + 12) + 448">, Need<Accumulators, "4 * rows * columns">],
    [{ tileCycles(blocks(k) * blocks(m) * (n + 16 * tilesIn(n, rows)), n * k, k * m + 12 * m, n * m, tilesIn(n, rows),
                  tilesIn(m, columns) * tilesIn(k, depth),
                  tilesIn(n, rows) * (rows * tilesIn(k, depth) + tilesIn(m, columns) * (3 + if(columns < m, k, tilesIn(k, depth)) + rows)),
                  rows * depth) }]>;

def NpuSum : NpuNode<"sum_bytes", (ins "A[1,c,h,w]":$lhs, "B[1,c,h,w]":$rhs), (outs "kind[1,c,h,w]":$out),
                     (ins Reals:$scales, Ints:$zeros, Flag:$early, Kind:$kind)> {
  let summary = "bytes of the sum of what bytes stand for; scales and zeros are those of lhs, rhs and the result, "
                "or scales are in the steps of the result, whose zero is added `early`, before the sum is rounded";
  let types = (kinds Bytes:$A, Bytes:$B);
  let requires = [Require<"three-scales", "length(scales) == 3 && size(zeros) == 3", "{length(scales)} scales and zeros {zeros} are not three">];
  let irgen = [{
    for first in begins(c, channels) {
      some = min(channels, c - first);
      left = buffer("A[1,some,h,w]");
      right = buffer("B[1,some,h,w]");
      leftComes = buffer("i64[1]");
      rightComes = buffer("i64[1]");
      bytesGo = buffer("i64[1]");
      NpuLoad(left, leftComes, lhs, [0, first, 0, 0], [1, some, h, w], [0, 0, 0, 0]);
      NpuLoad(right, rightComes, rhs, [0, first, 0, 0], [1, some, h, w], [0, 0, 0, 0]);
      NpuWait(leftComes);
      NpuWait(rightComes);
      NpuStoreSum(out, bytesGo, left, right, [0, first, 0, 0], [1, some, h, w], scales, zeros, early);
      NpuWait(bytesGo);
    }
  }];
  let lowering = [{
    f32 = elementKind("f32");
    left = Dequantize(lhs, Splat(scales[0], [], f32), Splat(real(zeros[0]), [], kind(lhs)));
    right = Dequantize(rhs, Splat(scales[1], [], f32), Splat(real(zeros[1]), [], kind(rhs)));
    out = if(early, Cast(Round(left + (right + real(zeros[2]))), kind), Quantize(left + right, Splat(scales[2], [], f32), Splat(real(zeros[2]), [], kind)));
  }];
  let samples = [
    AsWritten<"channels", (ins "u8[1,20,5,7]", "u8[1,20,5,7]"), "scales = [0.5, 0.25, 0.75]; zeros = [3, 4, 5]; early = false; kind = u8">,
    AsWritten<"zero early", (ins "u8[1,20,5,7]", "i8[1,20,5,7]"), "scales = [0.5, 0.25, 1.0]; zeros = [3, -4, 5]; early = true; kind = u8">,
    Refused<"three-scales", (ins "u8[1,2,5,7]", "u8[1,2,5,7]"), "scales = [0.5, 0.25]; zeros = [3, 4, 5]; early = false; kind = u8">];
}
def SumTiles : Tiling<NpuSum, [Cut<"channels", "c">], [Need<Scratchpad, "2 * channels * h * w + 128">], [{ 80 * tilesIn(c, channels) }]>;

def NpuMax : NpuNode<"max_bytes", (ins "A[1,c,h,w]":$in), (outs "A[1,c,*extents(h, w, window[0], window[1], strides, pads)]":$out),
                     (ins Ints:$window, Ints:$strides, Ints:$pads)> {
  let summary = "the largest byte of each window";
  let types = (kinds Bytes:$A);
  let requires = !listconcat(WindowsFit, [
    Require<"window-positive", "size(window) == 2 && allAtLeast(window, 1)", "window {window} must be of two sizes of at least 1">,
    Require<"window-fits", "windowFits([h, w], window, pads, [1, 1])", "window {window} is larger than the padded image of {[h, w]}">]);
  let irgen = [{
    size = extents(h, w, window[0], window[1], strides, pads);
    for first in begins(c, channels) {
      some = min(channels, c - first);
      for row in begins(size[0], rows) {
        y = min(rows, size[0] - row);
        top = row * strides[0] - pads[0];
        from = max(top, 0);
        high = min(top + (y - 1) * strides[0] + window[0], h) - from;
        image = buffer("A[1,some,high,w]");
        imageComes = buffer("i64[1]");
        bytesGo = buffer("i64[1]");
        NpuLoad(image, imageComes, in, [0, first, from, 0], [1, some, high, w], [0, 0, 0, 0]);
        NpuWait(imageComes);
        NpuStoreMax(out, bytesGo, image, [0, first, row, 0], [1, some, y, size[1]], window, strides, [from - top, pads[1]]);
        NpuWait(bytesGo);
      }
    }
  }];
  let lowering = [{ out = MaxPool(in, window, strides, pads, [1, 1]); }];
  let samples = [
    AsWritten<"padded", (ins "u8[1,20,9,7]"), "window = [3, 2]; strides = [2, 1]; pads = [1, 1, 1, 0]">,
    AsWritten<"strips", (ins "i8[1,3,400,500] in -128..127"), "window = [3, 3]; strides = [2, 2]; pads = [1, 1, 1, 1]">,
    Refused<"two-dimensions", (ins "u8[1,2,5,5]"), "window = [3, 3]; strides = [2]; pads = [0, 0, 0, 0]">,
    Refused<"stride-positive", (ins "u8[1,2,5,5]"), "window = [3, 3]; strides = [0, 2]; pads = [0, 0, 0, 0]">,
    Refused<"pads-not-negative", (ins "u8[1,2,5,5]"), "window = [3, 3]; strides = [2, 2]; pads = [0, -1, 0, 0]">,
    Refused<"window-positive", (ins "u8[1,2,5,5]"), "window = [3, 0]; strides = [2, 2]; pads = [0, 0, 0, 0]">,
    Refused<"window-fits", (ins "u8[1,2,2,2]"), "window = [3, 3]; strides = [2, 2]; pads = [0, 0, 0, 0]">];
}
def MaxTiles : Tiling<NpuMax, [Cut<"channels", "c">, Cut<"rows", "extents(h, w, window[0], window[1], strides, pads)[0]">],
    [Need<Scratchpad, "channels * w * min((rows - 1) * strides[0] + window[0], h) + 64">],
    [{ tilesIn(extents(h, w, window[0], window[1], strides, pads)[0], rows) *
       (moving(c * w * min((rows - 1) * strides[0] + window[0], h), 0) + 80 * tilesIn(c, channels)) }]>;

//===----------------------------------------------------------------------===//
// Nodes lowered to the library's nodes
//===----------------------------------------------------------------------===//

// One factor and offset of each channel, as the activation unit reads them.
defvar factors = "Reshape(Broadcast(Reshape(f, [elements(f)]), [d]), [1, d])";
defvar offsets = "if(present(o), Reshape(Broadcast(Reshape(o, [elements(o)]), [d]), [1, d]), Splat(0.0, [1, d], elementKind(\"f32\")))";
class OfSums<string left, string result, dag sums, string values, string channels, string fits_>
    : Rewrite<"Requantize(sums, f, y, o, axis: a) => result", !con(sums, (ins "f32[6] in 0.01..0.05":$f, "u8[] in 3..3 constant":$y, "f32[6]":$o)), values> {
  let condition = [{
    fits && elements(y) == 1 && !isNan(numberOf(y)) && bitsOf(kind(y)) == 8 && kind(f) == elementKind("f32") && rank(f) <= 1 &&
    if(present(o), rank(o) <= 1, true)
  }];
  let backend = "npu";
  dag more = (bind);
  let with = !con((bind left:$sums, result:$result, channels:$d, fits_:$fits, factors:$factors, offsets:$offsets,
                        "Concat([factors, offsets], 0)":$scales, "Splat(0.0, [d], elementKind(\"i32\"))":$noBias), more);
}
// A rewrite of products of bytes whose zeros are known. Each channel of the sums may have a bias.
class OfProducts<string left, string products, string result, dag bytes, string values, string channels, string fits, string bias = "noBias", string isBias = "true">
    : OfSums<left, result, !con(bytes, (ins "u8[] in 2..2 constant":$zx, "u8[] in 99..99 constant":$zw),
                                !if(!eq(bias, "b"), (ins "i32[6] in -99..99":$b), (ins))), values, channels, "areSteps && suits && isBias"> {
  let more = (bind products:$products, fits:$suits, bias:$bias, isBias:$isBias,
                   "[int(numberOf(zx)), int(numberOf(zw)), int(numberOf(y))]":$zeros,
                   "bitsOf(kind(w)) == 8 && !isNan(numberOf(zw)) && !isNan(numberOf(zx))":$areSteps);
}
defvar andBias = "products + Broadcast(b, dims: bd, axis: ba)";
class ConvOfSums<string left, string values, string bias, string isBias>
    : OfProducts<left, "ConvInteger(x, w, zx, zw, strides: st, pads: pd, dilations: dl, group: g)", "NpuConv(x, w, bias, scales, st, pd, g, zeros, kind(y))",
                 (ins "u8[1,4,5,5]":$x, "u8[6,4,3,3]":$w), values, "shape(w)[0]", [{
                   rank(x) == 4 && shape(x)[0] == 1 && a == 1 && dl == [1, 1] && (g == 1 || g == shape(x)[1] && g == shape(w)[0]) &&
                   pd[0] < shape(w)[2] && pd[2] < shape(w)[2]
                 }], bias, isBias>;
def ConvOfSumsAlone : ConvOfSums<"products", "st = [2, 1]; pd = [1, 1, 0, 1]; dl = [1, 1]; g = 1; a = 1", "noBias", "true">;
def ConvOfSumsAndBias : ConvOfSums<andBias, "st = [1, 2]; pd = [0, 1, 1, 1]; dl = [1, 1]; g = 1; a = 1; bd = [1, 6, 4, 3]; ba = 1", "b",
                                   "rank(b) == 1 && elements(b) == d && ba == 1">;
class MatMulOfSums<string left, string values, string bias, string isBias>
    : OfProducts<left, "MatMulInteger(x, w, zx, zw)", "NpuMatMul(x, w, bias, scales, zeros, kind(y))", (ins "u8[5,4]":$x, "u8[4,6]":$w), values,
                 "shape(w)[1]", "rank(x) == 2 && rank(w) == 2 && (a == 1 || a == -1)", bias, isBias>;
def MatMulOfSumsAlone : MatMulOfSums<"products", "a = 1", "noBias", "true">;
def MatMulOfSumsAndBias : MatMulOfSums<andBias, "a = 1; bd = [5, 6]; ba = -1", "b", "rank(b) == 1 && elements(b) == d && (ba == 1 || ba == -1)">;
def isByte : Let<(ins Tensor:$t, Kind:$k), [{
  n = numberOf(t);
  is = n == floor(n) && n >= lowestOf(k) && n <= lowestOf(k) + 255.0;
}]>;
// The sum of a channel is that of one window, of weights that are 1.
class MeanOfSums<string summed, dag zero, string values, string zx, string zeroFits>
    : OfSums<"ReduceSum(summed, axes: r, keepDims: keep)",
             "NpuConv(x, Splat(1.0, [d, 1, *drop(shape(x), 2)], elementKind(\"i8\")), noBias, scales, [1, 1], [0, 0, 0, 0], d, [zx, 0, int(numberOf(y))], kind(y))",
             !con((ins "u8[1,6,3,4]":$x), zero), values, "shape(x)[1]", [{
               rank(x) == 4 && shape(x)[0] == 1 && bitsOf(kind(x)) == 8 && k == elementKind("i32") && r == [2, 3] && keep &&
               prod(drop(shape(x), 2)) <= 32768 && zeroFits && (a == 1 || elements(f) == 1 && !present(o))
             }]> {
  let more = (bind summed:$summed, zx:$zx, zeroFits:$zeroFits);
}
def MeanOfSumsAlone : MeanOfSums<"Cast(x, kind: k)", (ins), "k = elementKind(\"i32\"); r = [2, 3]; keep = true; a = 1", "0", "true">;
def MeanOfSumsFromZero
    : MeanOfSums<"Cast(x, kind: k) - Broadcast(z, dims: zd, axis: za)", (ins "i32[] in 9..9 constant":$z),
                 "k = elementKind(\"i32\"); zd = [1, 6, 3, 4]; za = -1; r = [2, 3]; keep = true; a = 1", "int(numberOf(z))",
                 "isByte(z, kind(x))">;
def MaxOfBytes : Rewrite<"MaxPool(x, window: w, strides: st, pads: pd, dilations: dl) => NpuMax(x, w, st, pd)", (ins "u8[1,3,7,7]":$x),
                         "w = [3, 3]; st = [2, 2]; pd = [1, 1, 1, 1]; dl = [1, 1]"> {
  let condition = [{
    rank(x) == 4 && shape(x)[0] == 1 && bitsOf(kind(x)) == 8 && dl == [1, 1] && pd[0] < w[0] && pd[1] < w[1] && pd[2] < w[0] && pd[3] < w[1]
  }];
  let backend = "npu";
}
def SumOfSteps : Rewrite<[{
      Quantize(Dequantize(x, sx, zx, axis: ax) + Dequantize(w, sw, zw, axis: aw), s, z, axis: a)
      => NpuSum(x, w, [numberOf(sx), numberOf(sw), numberOf(s)], [int(numberOf(zx)), int(numberOf(zw)), int(numberOf(z))], false, kind(z))
    }],
    (ins "u8[1,3,2,2]":$x, "f32[] in 0.5..0.5 constant":$sx, "u8[] in 2..2 constant":$zx, "u8[1,3,2,2]":$w, "f32[] in 0.25..0.25 constant":$sw,
         "u8[] in 3..3 constant":$zw, "f32[] in 0.75..0.75 constant":$s, "u8[] in 1..1 constant":$z), "ax = -1; aw = -1; a = -1"> {
  let condition = [{
    rank(x) == 4 && shape(x)[0] == 1 && shape(x) == shape(w) && kind(s) == elementKind("f32") && bitsOf(kind(x)) == 8 && bitsOf(kind(w)) == 8 &&
    bitsOf(kind(z)) == 8 && numberOf(sx) > 0.0 && numberOf(sw) > 0.0 && numberOf(s) > 0.0 && !isNan(numberOf(zx)) && !isNan(numberOf(zw)) && !isNan(numberOf(z))
  }];
  let backend = "npu";
}

def SumOfRatios : Rewrite<[{
      Cast(Round((Cast(x, kind: xk) - zx) * sx + ((Cast(w, kind: wk) - zw) * sw + z)), kind: k)
      => NpuSum(x, w, [numberOf(sx), numberOf(sw), 1.0], [int(numberOf(zx)), int(numberOf(zw)), int(numberOf(z))], true, k)
    }],
    (ins "u8[1,3,2,2]":$x, "f32[1,3,2,2] in 2..2 constant":$zx, "f32[1,3,2,2] in 0.5..0.5 constant":$sx, "u8[1,3,2,2]":$w,
         "f32[1,3,2,2] in 3..3 constant":$zw, "f32[1,3,2,2] in 0.25..0.25 constant":$sw, "f32[1,3,2,2] in 1..1 constant":$z),
    "xk = elementKind(\"f32\"); wk = elementKind(\"f32\"); k = elementKind(\"u8\")"> {
  let condition = [{
    rank(x) == 4 && shape(x)[0] == 1 && xk == elementKind("f32") && wk == xk && (k == elementKind("u8") || k == elementKind("i8")) && bitsOf(kind(x)) == 8 &&
    bitsOf(kind(w)) == 8 && !isNan(numberOf(sx)) && !isNan(numberOf(sw)) && isByte(zx, kind(x)) && isByte(zw, kind(w)) &&
    numberOf(z) == floor(numberOf(z))
  }];
  let backend = "npu";
}

//===----------------------------------------------------------------------===//
// The backend
//===----------------------------------------------------------------------===//

def Npu : Backend<"npu"> {
  let summary = "a systolic array of 16 x 16 bytes with memories of its own, simulated";
  let stepwise = 1;
  let fallback = "cpu";
  let runs = [
    Legal<[NpuConv], (kinds Bytes:$A, Bytes:$B, Bytes:$kind), [{
      c * h * w > 0 && d * kh * kw > 0 && (group == 1 || k == 1 && c == d) && pads[0] < kh && pads[2] < kh
    }]>,
    Legal<[NpuMatMul], (kinds Bytes:$A, Bytes:$B, Bytes:$kind), "n * k * m > 0">,
    Legal<[NpuMax], (kinds Bytes:$A), "c * h * w > 0 && pads[0] < window[0] && pads[2] < window[0]">,
    Legal<[Reshape], (kinds Bytes:$T)>, // the same bytes
    Legal<[NpuSum], (kinds Bytes:$A, Bytes:$B, Bytes:$kind), "c * h * w > 0">];
  let memories = [Scratchpad, Accumulators];
  let engines = [Dma];
  let bandwidth = 16;
  let megahertz = 500;
  let tilings = [ConvTiles, MatMulTiles, SumTiles, MaxTiles];
}
