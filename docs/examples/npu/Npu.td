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
                             (ins Reals:$scales, Ints:$zeros), "npuStoreSum"> {
  let summary = "begins to add what bytes stand for, and to bring bytes of the sums into a box of a tensor";
  let shapes = (ins "A[*s]":$lhs, "B[*s]":$rhs, "Q[*d]":$dest, "i64[1]":$token);
  let types = (kinds Bytes:$A, Bytes:$B, Bytes:$Q);
  let requires = [Require<"box-is-sums", "sizes == s && size(s) == size(d)", "a box of {sizes} is not that of sums of {s}">];
  let memories = (places Scratchpad:$lhs, Scratchpad:$rhs);
  let box = (at "starts":$dest);
}
def NpuWaitInstr : Instr<"npu_wait", (ins In:$token)> {
  let summary = "waits for a copy";
  let shapes = (ins "i64[1]":$token);
  let hand = "npuWait";
}

def NpuClearInstr : Instr<"npu_clear", (ins Out:$sums)> {
  let summary = "sums of nothing";
  let shapes = (ins "i32[*s]":$sums);
  let memories = (places Accumulators:$sums);
  let cost = "1";
  let hand = "npuClear";
}
// A block of 16 x 16 weights is loaded in 16 cycles, and then a row of the image, or of
// the left matrix, goes in each cycle; the first comes out 32 cycles later.
def NpuWindowsInstr : Instr<"npu_windows", (ins InOut:$sums, In:$image, In:$filter),
                            (ins Ints:$starts, Ints:$sizes, Ints:$strides, Ints:$before, Int:$zero, Flag:$apart)> {
  let summary = "adds windows of some channels of an image times filters, or of each channel apart times its own; "
                "`before` rows and columns of padding stand before the image";
  let shapes = (ins "A[1,c,h,w]":$image, "i8[m,k,kh,kw]":$filter, "i32[1,m,y,x]":$sums);
  let types = (kinds Bytes:$A);
  let requires = [Require<"channels-agree", "sizes == [1, if(apart, m, k), h, w]", "filters of {k} channels do not suit a box of {sizes}">];
  let memories = (places Accumulators:$sums, Scratchpad:$image, Scratchpad:$filter);
  let box = (at "starts":$image);
  let cost = "blocks(k * kh * kw) * if(apart, m, blocks(m)) * (y * x + 16) + 32";
  let hand = "npuWindows";
}
def NpuProductInstr : Instr<"npu_product", (ins InOut:$sums, In:$lhs, In:$rhs), (ins Ints:$starts, Ints:$sizes, Int:$zero)> {
  let summary = "adds products of some columns of a matrix and another";
  let shapes = (ins "A[n,l]":$lhs, "i8[k,m]":$rhs, "i32[n,m]":$sums);
  let types = (kinds Bytes:$A);
  let requires = [Require<"columns-agree", "sizes == [n, k]", "{k} rows do not suit a box of {sizes}">];
  let memories = (places Accumulators:$sums, Scratchpad:$lhs, Scratchpad:$rhs);
  let box = (at "starts":$lhs);
  let cost = "blocks(k) * blocks(m) * (n + 16) + 32";
  let hand = "npuProduct";
}

//===----------------------------------------------------------------------===//
// What it runs, tile by tile
//===----------------------------------------------------------------------===//

class NpuNode<string mnemonic, dag inputs, dag outputs, dag attributes> : Node<mnemonic, inputs, outputs, attributes> {
  let tier = 2; // made of nodes of the library by the rewrites below; rules lead back to these
  let gradient = [{ none("integers are steps, without a slope") }];
}

// What is done in strips of rows that come once, in which all weights come in parts of
// `columns` results and `depth` products. Beside the longer of computing and copying
// that is the first part that comes, the last that goes, and a wait for each strip.
def moving : Let<(ins Int:$bytes, Int:$runs), "bytes / 16 + 5 * runs + 40">;
def tileCycles : Let<(ins Int:$computing, Int:$inputs, Int:$weights, Int:$outputs, Int:$strips, Int:$parts, Int:$runs, Int:$first), [{
  copying = moving(inputs + strips * weights + outputs, runs);
  cycles = max(computing + 32 * strips * parts, copying) + moving(first, 16) + moving(outputs / (strips * parts), 16) + 80 * strips;
}]>;

def extents : Let<(ins Int:$h, Int:$w, Int:$kh, Int:$kw, Ints:$strides, Ints:$pads),
                  "windowCount([h, w], [kh, kw], strides, pads, [1, 1])">;
def NpuConv : NpuNode<"conv_bytes", (ins "A[1,c,h,w]":$in, "i8[d,k,kh,kw]":$filter, "f32[2,d]":$scales),
                      (outs "kind[1,d,*extents(h, w, kh, kw, strides, pads)]":$out),
                      (ins Ints:$strides, Ints:$pads, Int:$group, Int:$zero, Int:$outZero, Kind:$kind)> {
  let summary = "bytes of sums of windows: zero + round(sum * scales[0] + scales[1])";
  let types = (kinds Bytes:$A);
  let requires = [
    Require<"two-dimensions", "size(strides) == 2 && size(pads) == 4", "strides {strides} and pads {pads} are not of two dimensions">,
    Require<"stride-positive", "allAtLeast(strides, 1)", "strides {strides} must all be at least 1">,
    Require<"pads-not-negative", "allAtLeast(pads, 0)", "pads {pads} must all be at least 0">,
    Require<"group-divides", "group >= 1 && k * group == c && d % group == 0", "{group} groups of {k} channels do not make {c} channels in, {d} out">,
    Require<"window-fits", "windowFits([h, w], [kh, kw], pads, [1, 1])", "filter {[kh, kw]} is larger than the padded image of {[h, w]}">];
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
        factors = buffer("f32[2,m]");
        factorsCome = buffer("i64[1]");
        sums = buffer("i32[1,m,y,size[1]]");
        bytesGo = buffer("i64[1]");
        NpuLoad(factors, factorsCome, scales, [0, first], [2, m], [0, 0]);
        NpuWait(factorsCome);
        NpuClear(sums);
        for part in begins(k, depth) {
          some = min(depth, k - part);
          weights = buffer("i8[m,some,kh,kw]");
          weightsCome = buffer("i64[1]");
          NpuLoad(weights, weightsCome, filter, [first, part, 0, 0], [m, some, kh, kw], [0, 0, 0, 0]);
          NpuWait(weightsCome);
          NpuWindows(sums, image, weights, [0, if(group == 1, part, first), 0, 0], [1, if(group == 1, some, m), high, w],
                     strides, [from - top, pads[1]], zero, group > 1);
        }
        NpuStore(out, bytesGo, sums, factors, [0, first, row, 0], [1, m, y, size[1]], 1, outZero);
        NpuWait(bytesGo);
      }
    }
  }];
  let lowering = [{
    i8 = elementKind("i8");
    sums = ConvInteger(in, filter, Splat(real(zero), [], kind(in)), Splat(0.0, [], i8), strides, pads, [1, 1], group);
    factor = Reshape(Slice(scales, [0, 0], [1, 1], [1, d]), [d]);
    offset = Reshape(Slice(scales, [1, 0], [1, 1], [1, d]), [d]);
    out = Requantize(sums, factor, Splat(real(outZero), [], kind), offset, 1);
  }];
  let samples = [
    AsWritten<"window", (ins "u8[1,20,9,7]", "i8[18,20,3,3]", "f32[2,18] in 0.001..0.01"),
              "strides = [2, 1]; pads = [1, 1, 1, 1]; group = 1; zero = 3; outZero = 5; kind = u8">,
    AsWritten<"channels apart", (ins "u8[1,20,9,7]", "i8[20,1,3,3]", "f32[2,20] in 0.001..0.01"),
              "strides = [1, 1]; pads = [1, 1, 1, 1]; group = 20; zero = 3; outZero = -5; kind = i8">,
    AsWritten<"sums of several parts", (ins "u8[1,2100,5,5]", "i8[40,2100,3,3]", "f32[2,40] in 0.0001..0.001"),
              "strides = [1, 1]; pads = [1, 1, 1, 1]; group = 1; zero = 128; outZero = 100; kind = u8">,
    Refused<"two-dimensions", (ins "u8[1,4,4,4]", "i8[2,4,1,1]", "f32[2,2]"),
            "strides = [1]; pads = [0, 0, 0, 0]; group = 1; zero = 0; outZero = 0; kind = u8">,
    Refused<"stride-positive", (ins "u8[1,4,4,4]", "i8[2,4,1,1]", "f32[2,2]"),
            "strides = [0, 1]; pads = [0, 0, 0, 0]; group = 1; zero = 0; outZero = 0; kind = u8">,
    Refused<"pads-not-negative", (ins "u8[1,4,4,4]", "i8[2,4,1,1]", "f32[2,2]"),
            "strides = [1, 1]; pads = [0, -1, 0, 0]; group = 1; zero = 0; outZero = 0; kind = u8">,
    Refused<"group-divides", (ins "u8[1,4,4,4]", "i8[2,4,1,1]", "f32[2,2]"),
            "strides = [1, 1]; pads = [0, 0, 0, 0]; group = 2; zero = 0; outZero = 0; kind = u8">,
    Refused<"window-fits", (ins "u8[1,4,4,4]", "i8[2,4,5,1]", "f32[2,2]"),
            "strides = [1, 1]; pads = [0, 0, 0, 0]; group = 1; zero = 0; outZero = 0; kind = u8">];
}
def ConvTiles : Tiling<NpuConv,
    [Cut<"channels", "d", 16>, Cut<"rows", "extents(h, w, kh, kw, strides, pads)[0]">, Cut<"depth", "k", 16>],
    [Need<Scratchpad, "c * w * min((rows - 1) * strides[0] + kh, h) + 2 * channels * (depth * kh * kw + 8) + 320">,
     Need<Accumulators, "4 * channels * rows * extents(h, w, kh, kw, strides, pads)[1]">],
    [{ convCycles([c, h, w], [d, k, kh, kw], extents(h, w, kh, kw, strides, pads), strides, group, channels, rows, depth) }]>;
def convCycles : Let<(ins Ints:$in, Ints:$filter, Ints:$out, Ints:$strides, Int:$group, Int:$channels, Int:$rows, Int:$depth), [{
  strips = tilesIn(out[0], rows);
  parts = tilesIn(filter[0], channels) * tilesIn(filter[1], depth);
  high = min((rows - 1) * strides[0] + filter[2], in[1]);
  computing = blocks(prod(filter) / filter[0]) * if(group == 1, blocks(filter[0]), filter[0]) * (prod(out) + 16 * strips);
  runs = strips * (if(high < in[1], in[0], 1) + parts + if(depth < filter[1], filter[0], 0)) + if(rows < out[0], strips * filter[0], 1);
  cycles = tileCycles(computing, in[0] * high * in[2] * strips, prod(filter) + 8 * filter[0], filter[0] * prod(out), strips, parts, runs,
                      if(group == 1, depth, channels) * high * in[2]);
}]>;

def NpuMatMul : NpuNode<"matmul_bytes", (ins "A[n,k]":$lhs, "i8[k,m]":$rhs, "f32[2,m]":$scales), (outs "kind[n,m]":$out),
                        (ins Int:$zero, Int:$outZero, Kind:$kind)> {
  let summary = "bytes of sums of products: zero + round(sum * scales[0] + scales[1])";
  let types = (kinds Bytes:$A);
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
        factors = buffer("f32[2,width]");
        factorsCome = buffer("i64[1]");
        sums = buffer("i32[y,width]");
        bytesGo = buffer("i64[1]");
        NpuLoad(factors, factorsCome, scales, [0, first], [2, width], [0, 0]);
        NpuWait(factorsCome);
        NpuClear(sums);
        for part in begins(k, depth) {
          some = min(depth, k - part);
          weights = buffer("i8[some,width]");
          weightsCome = buffer("i64[1]");
          NpuLoad(weights, weightsCome, rhs, [part, first], [some, width], [0, 0]);
          NpuWait(weightsCome);
          NpuProduct(sums, left, weights, [0, part], [y, some], zero);
        }
        NpuStore(out, bytesGo, sums, factors, [row, first], [y, width], 1, outZero);
        NpuWait(bytesGo);
      }
    }
  }];
  let lowering = [{
    sums = MatMulInteger(lhs, rhs, Splat(real(zero), [], kind(lhs)), Splat(0.0, [], elementKind("i8")));
    factor = Reshape(Slice(scales, [0, 0], [1, 1], [1, m]), [m]);
    offset = Reshape(Slice(scales, [1, 0], [1, 1], [1, m]), [m]);
    out = Requantize(sums, factor, Splat(real(outZero), [], kind), offset, 1);
  }];
  let samples = [AsWritten<"tiles", (ins "u8[40,70]", "i8[70,50]", "f32[2,50] in 0.001..0.01"), "zero = 3; outZero = -5; kind = i8">,
                 AsWritten<"sums of several parts", (ins "u8[3,9000]", "i8[9000,50]", "f32[2,50] in 0.0001..0.001"),
                           "zero = 128; outZero = 100; kind = u8">];
}
def MatMulTiles : Tiling<NpuMatMul, [Cut<"columns", "m", 16>, Cut<"rows", "n">, Cut<"depth", "k", 16>],
    [Need<Scratchpad, "rows * k + 2 * columns * (depth + 8) + 320">, Need<Accumulators, "4 * rows * columns">],
    [{ tileCycles(blocks(k) * blocks(m) * (n + 16 * tilesIn(n, rows)), n * k, k * m + 8 * m, n * m, tilesIn(n, rows),
                  tilesIn(m, columns) * tilesIn(k, depth),
                  tilesIn(n, rows) * (rows * tilesIn(k, depth) + tilesIn(m, columns) * (2 + if(columns < m, k, tilesIn(k, depth)) + rows)),
                  rows * depth) }]>;

def NpuSum : NpuNode<"sum_bytes", (ins "A[1,c,h,w]":$lhs, "B[1,c,h,w]":$rhs), (outs "kind[1,c,h,w]":$out),
                     (ins Reals:$scales, Ints:$zeros, Kind:$kind)> {
  let summary = "bytes of the sum of what bytes stand for; scales and zeros are those of lhs, rhs and the result";
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
      NpuStoreSum(out, bytesGo, left, right, [0, first, 0, 0], [1, some, h, w], scales, zeros);
      NpuWait(bytesGo);
    }
  }];
  let lowering = [{
    f32 = elementKind("f32");
    left = Dequantize(lhs, Splat(scales[0], [], f32), Splat(real(zeros[0]), [], kind(lhs)));
    right = Dequantize(rhs, Splat(scales[1], [], f32), Splat(real(zeros[1]), [], kind(rhs)));
    out = Quantize(left + right, Splat(scales[2], [], f32), Splat(real(zeros[2]), [], kind));
  }];
  let samples = [
    AsWritten<"channels", (ins "u8[1,20,5,7]", "u8[1,20,5,7]"), "scales = [0.5, 0.25, 0.75]; zeros = [3, 4, 5]; kind = u8">,
    Refused<"three-scales", (ins "u8[1,2,5,7]", "u8[1,2,5,7]"), "scales = [0.5, 0.25]; zeros = [3, 4, 5]; kind = u8">];
}
def SumTiles : Tiling<NpuSum, [Cut<"channels", "c">], [Need<Scratchpad, "2 * channels * h * w + 128">], [{ 80 * tilesIn(c, channels) }]>;

//===----------------------------------------------------------------------===//
// Made of the library's nodes
//===----------------------------------------------------------------------===//

// One factor and offset of each channel, as the activation unit reads them.
defvar factors = "Reshape(Broadcast(Reshape(f, [elements(f)]), [d]), [1, d])";
defvar offsets = "if(present(o), Reshape(Broadcast(Reshape(o, [elements(o)]), [d]), [1, d]), Splat(0.0, [1, d], elementKind(\"f32\")))";
class OfSums<string left, string result, dag sums, string values, string channels, string fits_>
    : Rewrite<"Requantize(sums, f, y, o, axis: a) => result", !con(sums, (ins "f32[6] in 0.01..0.05":$f, "u8[] in 3..3 constant":$y, "f32[6]":$o)), values> {
  let condition = [{
    fits && kind(w) == elementKind("i8") && numberOf(zw) == 0.0 && !isNan(numberOf(zx)) && elements(y) == 1 && !isNan(numberOf(y)) &&
    bitsOf(kind(y)) == 8 && kind(f) == elementKind("f32") && rank(f) <= 1 && if(present(o), rank(o) <= 1, true)
  }];
  let backend = "npu";
  let with = (bind left:$sums, result:$result, channels:$d, fits_:$fits, factors:$factors, offsets:$offsets);
}
def ConvOfSums : OfSums<
    "ConvInteger(x, w, zx, zw, strides: st, pads: pd, dilations: dl, group: g)",
    "NpuConv(x, w, Concat([factors, offsets], 0), st, pd, g, int(numberOf(zx)), int(numberOf(y)), kind(y))",
    (ins "u8[1,4,5,5]":$x, "i8[6,4,3,3]":$w, "u8[] in 2..2 constant":$zx, "i8[] in 0..0 constant":$zw),
    "st = [2, 1]; pd = [1, 1, 0, 1]; dl = [1, 1]; g = 1; a = 1", "shape(w)[0]", [{
      rank(x) == 4 && shape(x)[0] == 1 && a == 1 && dl == [1, 1] && (g == 1 || g == shape(x)[1] && g == shape(w)[0]) &&
      pd[0] < shape(w)[2] && pd[2] < shape(w)[2]
    }]>;
def MatMulOfSums : OfSums<
    "MatMulInteger(x, w, zx, zw)", "NpuMatMul(x, w, Concat([factors, offsets], 0), int(numberOf(zx)), int(numberOf(y)), kind(y))",
    (ins "u8[5,4]":$x, "i8[4,6]":$w, "u8[] in 2..2 constant":$zx, "i8[] in 0..0 constant":$zw), "a = 1", "shape(w)[1]",
    "rank(x) == 2 && rank(w) == 2 && (a == 1 || a == -1)">;
def SumOfSteps : Rewrite<[{
      Quantize(Dequantize(x, sx, zx, axis: ax) + Dequantize(w, sw, zw, axis: aw), s, z, axis: a)
      => NpuSum(x, w, [numberOf(sx), numberOf(sw), numberOf(s)], [int(numberOf(zx)), int(numberOf(zw)), int(numberOf(z))], kind(z))
    }],
    (ins "u8[1,3,2,2]":$x, "f32[] in 0.5..0.5 constant":$sx, "u8[] in 2..2 constant":$zx, "u8[1,3,2,2]":$w, "f32[] in 0.25..0.25 constant":$sw,
         "u8[] in 3..3 constant":$zw, "f32[] in 0.75..0.75 constant":$s, "u8[] in 1..1 constant":$z), "ax = -1; aw = -1; a = -1"> {
  let condition = [{
    rank(x) == 4 && shape(x)[0] == 1 && shape(x) == shape(w) && kind(s) == elementKind("f32") && bitsOf(kind(x)) == 8 && bitsOf(kind(w)) == 8 &&
    bitsOf(kind(z)) == 8 && numberOf(sx) > 0.0 && numberOf(sw) > 0.0 && numberOf(s) > 0.0 && !isNan(numberOf(zx)) && !isNan(numberOf(zw)) && !isNan(numberOf(z))
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
    Legal<[NpuConv], (kinds Bytes:$A, Bytes:$kind), [{
      c * h * w > 0 && d * kh * kw > 0 && (group == 1 || k == 1 && c == d) && pads[0] < kh && pads[2] < kh
    }]>,
    Legal<[NpuMatMul], (kinds Bytes:$A, Bytes:$kind), "n * k * m > 0">,
    Legal<[NpuSum], (kinds Bytes:$A, Bytes:$B, Bytes:$kind), "c * h * w > 0">];
  let memories = [Scratchpad, Accumulators];
  let engines = [Dma];
  let bandwidth = 16;
  let megahertz = 500;
  let tilings = [ConvTiles, MatMulTiles, SumTiles];
}
