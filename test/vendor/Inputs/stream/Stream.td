// A chip of 128 KiB for networks of floats, channels last. One engine reads the memory of
// the host, another one writes it. The chip is only compiled for: no kernel computes.

include "glow/Glow.td"

def Pad : MemorySpace<"pad", 131072> {
  let summary = "images, filters and results";
  let bandwidth = 128;
}
class Mover<string name> : DmaEngine<name, [Pad]> {
  let bytesPerCycle = 16;
  let latency = 30;
  let perRun = 2;
}
def Reader : Mover<"reader"> { let summary = "boxes of tensors into the pad"; }
def Writer : Mover<"writer"> { let summary = "boxes of tensors from the pad"; }

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

class Moves<string mnemonic, DmaEngine engine_, dag places, dag part, string hand_>
    : Instr<mnemonic, (ins Out:$dest, Out:$token, In:$src), (ins Ints:$starts, Ints:$sizes)> {
  let shapes = (ins "T[*s]":$src, "T[*d]":$dest, "i64[1]":$token);
  let memories = places;
  let engine = engine_;
  let asynchronous = 1;
  let box = part;
  let hand = hand_;
}
def StreamLoadInstr : Moves<"stream_load", Reader, (places Pad:$dest), (at "starts":$src), "streamLoad"> {
  let summary = "begins to bring a box of a tensor";
}
def StreamStoreInstr : Moves<"stream_store", Writer, (places Pad:$src), (at "starts":$dest), "streamStore"> {
  let summary = "begins to write a box of a tensor";
}
def StreamWaitInstr : Instr<"stream_wait", (ins In:$token)> {
  let summary = "waits for a copy";
  let shapes = (ins "i64[1]":$token);
  let hand = "streamWait";
}
// 16 x 16 products in a cycle, or 32 of channels apart.
class Windows<string mnemonic, string filter_, string cost_, string hand_>
    : Instr<mnemonic, (ins Out:$out, In:$image, In:$filter), (ins Ints:$strides, Ints:$before)> {
  let summary = "windows of an image with `before` rows and columns of padding";
  let shapes = (ins "T[1,h,w,c]":$image, filter_:$filter, "T[1,y,x,m]":$out);
  let memories = (places Pad:$out, Pad:$image, Pad:$filter);
  let cost = cost_;
  let hand = hand_;
}
def StreamConvInstr : Windows<"stream_conv", "T[kh,kw,c,m]", "y * x * kh * kw * ((c + 15) / 16) * ((m + 15) / 16) + 20", "streamConv">;
def StreamApartInstr : Windows<"stream_apart", "T[kh,kw,m]", "y * x * kh * kw * ((m + 31) / 32) + 20", "streamApart">;
def StreamSumInstr : Instr<"stream_sum", (ins Out:$out, In:$lhs, In:$rhs)> {
  let summary = "adds boxes";
  let shapes = (ins "T[*s]":$lhs, "T[*s]":$rhs, "T[*s]":$out);
  let memories = (places Pad:$out, Pad:$lhs, Pad:$rhs);
  let cost = "prod(s) / 16 + 20";
  let hand = "streamSum";
}

//===----------------------------------------------------------------------===//
// Nodes, tile by tile
//===----------------------------------------------------------------------===//

def begins : Let<(ins Int:$size, Int:$tile), "[tile * i for i in range(0, (size + tile - 1) / tile)]">;
def extents : Let<(ins Int:$h, Int:$w, Int:$kh, Int:$kw, Ints:$strides, Ints:$pads),
                  "windowCount([h, w], [kh, kw], strides, pads, [1, 1])">;
def bytesOf : Let<(ins Int:$count, Kind:$k), "count * (bitsOf(k) / 8)">;

class StreamNode<string mnemonic, dag inputs, dag outputs, dag attributes = (ins)> : Node<mnemonic, inputs, outputs, attributes> {
  let types = (kinds Kinds<["f16", "f32"]>:$T);
  let gradient = [{ none("a test") }];
}
def ConvLast : StreamNode<"conv_last", (ins "T[1,h,w,c]":$in, "T[kh,kw,c,d]":$filter),
                          (outs "T[1,*extents(h, w, kh, kw, strides, pads),d]":$out), (ins Ints:$strides, Ints:$pads)> {
  let summary = "a convolution, channels last";
  let irgen = [{
    size = extents(h, w, kh, kw, strides, pads);
    for row in begins(size[0], rows) {
      y = min(rows, size[0] - row);
      top = row * strides[0] - pads[0];
      from = max(top, 0);
      high = min(top + (y - 1) * strides[0] + kh, h) - from;
      image = buffer("T[1,high,w,c]");
      imageComes = buffer("i64[1]");
      StreamLoad(image, imageComes, in, [0, from, 0, 0], [1, high, w, c]);
      StreamWait(imageComes);
      for first in begins(d, channels) {
        m = min(channels, d - first);
        weights = buffer("T[kh,kw,c,m]");
        weightsCome = buffer("i64[1]");
        part = buffer("T[1,y,size[1],m]");
        partGoes = buffer("i64[1]");
        StreamLoad(weights, weightsCome, filter, [0, 0, 0, first], [kh, kw, c, m]);
        StreamWait(weightsCome);
        StreamConv(part, image, weights, strides, [from - top, pads[1]]);
        StreamStore(out, partGoes, part, [0, row, 0, first], [1, y, size[1], m]);
        StreamWait(partGoes);
      }
    }
  }];
  let samples = [Sample<"small", (ins "f32[1,5,5,3]", "f32[3,3,3,4]"), "strides = [1, 1]; pads = [1, 1, 1, 1]">];
}
def ApartLast : StreamNode<"apart_last", (ins "T[1,h,w,c]":$in, "T[kh,kw,c]":$filter),
                           (outs "T[1,*extents(h, w, kh, kw, strides, pads),c]":$out), (ins Ints:$strides, Ints:$pads)> {
  let summary = "a convolution of each channel apart, channels last";
  let irgen = [{
    size = extents(h, w, kh, kw, strides, pads);
    for first in begins(c, channels) {
      m = min(channels, c - first);
      weights = buffer("T[kh,kw,m]");
      weightsCome = buffer("i64[1]");
      StreamLoad(weights, weightsCome, filter, [0, 0, first], [kh, kw, m]);
      StreamWait(weightsCome);
      for row in begins(size[0], rows) {
        y = min(rows, size[0] - row);
        top = row * strides[0] - pads[0];
        from = max(top, 0);
        high = min(top + (y - 1) * strides[0] + kh, h) - from;
        image = buffer("T[1,high,w,m]");
        imageComes = buffer("i64[1]");
        part = buffer("T[1,y,size[1],m]");
        partGoes = buffer("i64[1]");
        StreamLoad(image, imageComes, in, [0, from, 0, first], [1, high, w, m]);
        StreamWait(imageComes);
        StreamApart(part, image, weights, strides, [from - top, pads[1]]);
        StreamStore(out, partGoes, part, [0, row, 0, first], [1, y, size[1], m]);
        StreamWait(partGoes);
      }
    }
  }];
  let samples = [Sample<"small", (ins "f32[1,5,5,3]", "f32[3,3,3]"), "strides = [1, 1]; pads = [1, 1, 1, 1]">];
}
def SumLast : StreamNode<"sum_last", (ins "T[1,h,w,c]":$lhs, "T[1,h,w,c]":$rhs), (outs "T[1,h,w,c]":$out)> {
  let summary = "a sum of images";
  let irgen = [{
    for row in begins(h, rows) {
      y = min(rows, h - row);
      left = buffer("T[1,y,w,c]");
      right = buffer("T[1,y,w,c]");
      sum = buffer("T[1,y,w,c]");
      leftComes = buffer("i64[1]");
      rightComes = buffer("i64[1]");
      sumGoes = buffer("i64[1]");
      StreamLoad(left, leftComes, lhs, [0, row, 0, 0], [1, y, w, c]);
      StreamLoad(right, rightComes, rhs, [0, row, 0, 0], [1, y, w, c]);
      StreamWait(leftComes);
      StreamWait(rightComes);
      StreamSum(sum, left, right);
      StreamStore(out, sumGoes, sum, [0, row, 0, 0], [1, y, w, c]);
      StreamWait(sumGoes);
    }
  }];
  let samples = [Sample<"small", (ins "f32[1,5,5,3]", "f32[1,5,5,3]")>];
}
// Bytes of a strip of an image, of its filters and of what comes of it.
def stripBytes : Let<(ins Int:$rows, Int:$channels, Int:$depth, Ints:$image, Ints:$window, Ints:$strides, Ints:$pads, Kind:$k), [{
  size = extents(image[0], image[1], window[0], window[1], strides, pads);
  high = min((rows - 1) * strides[0] + window[0], image[0]);
  bytes = bytesOf(high * image[1] * depth + prod(window) * channels + rows * size[1] * channels, k) + 192;
}]>;
// Cycles of the reader, with the rows that two strips share.
def stripCycles : Let<(ins Int:$rows, Int:$parts, Ints:$image, Ints:$window, Ints:$strides, Ints:$pads, Int:$weights, Kind:$k), [{
  size = extents(image[0], image[1], window[0], window[1], strides, pads);
  high = min((rows - 1) * strides[0] + window[0], image[0]);
  cycles = (size[0] + rows - 1) / rows * (bytesOf(high * image[1] * image[2] + weights, k) / 16 + 60 * parts);
}]>;
def ConvTiles : Tiling<ConvLast, [Cut<"channels", "d", 16>, Cut<"rows", "extents(h, w, kh, kw, strides, pads)[0]">],
    [Need<Pad, "stripBytes(rows, channels, c, [h, w], [kh, kw, c], strides, pads, T)">],
    "stripCycles(rows, (d + channels - 1) / channels, [h, w, c], [kh, kw], strides, pads, kh * kw * c * d, T)">;
def ApartTiles : Tiling<ApartLast, [Cut<"channels", "c", 32>, Cut<"rows", "extents(h, w, kh, kw, strides, pads)[0]">],
    [Need<Pad, "stripBytes(rows, channels, channels, [h, w], [kh, kw], strides, pads, T)">],
    "stripCycles(rows, (c + channels - 1) / channels, [h, w, c], [kh, kw], strides, pads, kh * kw * c, T)">;
def SumTiles : Tiling<SumLast, [Cut<"rows", "h">], [Need<Pad, "3 * bytesOf(rows * w * c, T) + 192">], "60 * ((h + rows - 1) / rows)">;

def Stream : Backend<"stream"> {
  let summary = "a chip of 128 KiB that reads and writes while it computes";
  let stepwise = 1;
  let runs = [Legal<[ConvLast]>, Legal<[ApartLast]>, Legal<[SumLast]>];
  let memories = [Pad];
  let engines = [Reader, Writer];
  let bandwidth = 32;
  let megahertz = 500;
  let tilings = [ConvTiles, ApartTiles, SumTiles];
}
