//===- Shape.td - the same elements at other indices ----------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_NODES_SHAPE
#define GLOW_NODES_SHAPE

include "glow/functions/Pixels.td"
include "glow/functions/Shapes.td"
include "glow/functions/Windows.td"
include "glow/nodes/Elementwise.td"

//===----------------------------------------------------------------------===//
// Other shapes
//===----------------------------------------------------------------------===//

def Reshape : Node<"reshape", (ins "T[*s]":$in), (outs "T[*dims]":$out), (ins Ints:$dims)> {
  let summary = "the same elements, in the same order, in another shape";
  let requires = [
    Require<"same-count", "prod(s) == prod(dims)",
            "{prod(s)} elements of shape {s} do not fill shape {dims}">];
  let hand = "reshape";
  let reason = "a copy of all bytes; no index notation relates the two orders";
  let gradient = [{ d.in = Reshape(d.out, s); }];
  let samples = [Sample<"small", (ins "f32[2,3]"), "dims = [3, 2]">,
                 Refused<"same-count", (ins "f32[2,3]"), "dims = [4, 2]">];
}

def BitCast : Node<"bit_cast", (ins "T[*s]":$in), (outs "kind[*s]":$out), (ins Kind:$kind)> {
  let summary = "the same bits as another element kind of the same size";
  let requires = [
    Require<"same-bits", "bitsOf(T) == bitsOf(kind) && (isBool(T) || !isBool(kind))",
            "an element of {T}, of {bitsOf(T)} bits, is none of {kind}, of {bitsOf(kind)}">];
  let hand = "reshape";
  let reason = "a copy of all bytes, whatever they mean";
  let gradient = [{ none("bits have no slope") }];
  let permuted = [{ result = p; }];
  let samples = [
    AsWritten<"to-integers", (ins "f32[2,3]"), "kind = i32">,
    AsWritten<"to-reals", (ins "i32[2,3] in 1000000000..1100000000"), "kind = f32">,
    AsWritten<"halves", (ins "f16[2,3]"), "kind = u16">,
    AsWritten<"bytes", (ins "i8[5] in -128..127"), "kind = u8">,
    AsWritten<"truth", (ins "bool[2,3]"), "kind = u8">,
    AsWritten<"wide", (ins "f64[2,1,3]"), "kind = i64">,
    Refused<"same-bits", (ins "f32[2,3]"), "kind = i64">];
}

def Transpose : Node<"transpose", (ins "T[*s]":$in), (outs "T[*pick(s, permutation)]":$out),
                     (ins Ints:$permutation)> {
  let summary = "axes in another order: axis i of the result is axis permutation[i] of the operand";
  let requires = [
    Require<"is-permutation", "size(permutation) == size(s) && isPermutation(permutation)",
            "{permutation} is no permutation of the {size(s)} axes of shape {s}">];
  let compute = [{ out[*i] = in[*(pick(i, inverse(permutation)))]; }];
  let gradient = [{ d.in = Transpose(d.out, inverse(permutation)); }];
  let samples = [Sample<"matrix", (ins "f32[2,3]"), "permutation = [1, 0]">,
                 Sample<"turned", (ins "f32[2,3,4]"), "permutation = [2, 0, 1]">,
                 Refused<"is-permutation", (ins "f32[2,3]"), "permutation = [1, 1]">];
}

def Broadcast : Node<"broadcast", (ins "T[*s]":$in), (outs "T[*dims]":$out),
                     (ins Ints:$dims, Default<Int, "-1">:$axis)> {
  let summary = "repeats dimensions of size 1; "
                "the first lies at `axis`, or at -1 the last at the end";
  let permuted = [{ require(size(s) == size(dims), "axes are added"); dims = pick(dims, p);
      axis = -1; result = p; }];
  let requires = [
    Require<"broadcasts", "broadcastsTo(s, dims, axis)",
            "shape {s} does not broadcast to {dims} at axis {axis}">];
  let compute = [{ out[*i] = in[*(slice(i, if(axis < 0, size(i) - size(s), axis), size(s)) % s)];
      }];
  let gradient = [{ d.in = Reshape(ReduceSum(d.out, repeatedAxes(s, dims, axis)), s); }];
  let samples = [Sample<"rows", (ins "f32[3]"), "dims = [2, 3]; axis = -1">,
                 Sample<"channels", (ins "f32[3]"), "dims = [2, 3, 4]; axis = 1">,
                 Sample<"solid", (ins "f32[1,3,2]"), "dims = [4, 3, 2]; axis = 0">,
                 Refused<"broadcasts", (ins "f32[4]"), "dims = [2, 3]; axis = -1">];
}

def Diagonal : Node<"diagonal", (ins "T[*s]":$in),
    (outs "T[*pick(s, indicesOf(range(0, size(unique(axes))), axes))]":$out), (ins Ints:$axes)> {
  let summary = "the elements whose indices along some axes are the same: axis i of the operand "
                "is axis axes[i] of the result";
  let requires = [
    Require<"axes-fit", [{size(axes) == size(s) && allAtLeast(axes, 0)
                          && allBelow(axes, size(unique(axes)))}],
            "axes {axes} must be {size(s)} numbers that leave none out from 0 on">,
    Require<"sizes-agree", [{pick(pick(s, indicesOf(range(0, size(unique(axes))), axes)), axes) ==
                             s}],
            "axes of shape {s} that become one by {axes} differ in size">];
  let compute = [{ out[*i] = in[*(pick(i, axes))]; }];
  let samples = [Sample<"batch", (ins "f32[2,3,3]"), "axes = [0, 1, 1]">,
                 Refused<"axes-fit", (ins "f32[3,3]"), "axes = [0, 2]">,
                 Refused<"sizes-agree", (ins "f32[2,3]"), "axes = [0, 0]">];
}

def Tile : Node<"tile", (ins "T[*s]":$in), (outs "T[*(s * repeats)]":$out), (ins Ints:$repeats)> {
  let summary = "the whole tensor, so many times along each axis";
  let requires = [
    Require<"repeats-fit", "size(repeats) == size(s) && allAtLeast(repeats, 0)",
            "repeats {repeats} must be {size(s)} numbers of at least 0">];
  let compute = [{ out[*i] = in[*(i % s)]; }];
  let permuted = [{ repeats = pick(repeats, p); result = p; }];
  let samples = [Sample<"small", (ins "f32[2,3]"), "repeats = [2, 2]">,
                 Sample<"solid", (ins "f32[2,3,1]"), "repeats = [2, 1, 3]">,
                 Refused<"repeats-fit", (ins "f32[2,3]"), "repeats = [2]">];
}

//===----------------------------------------------------------------------===//
// Parts and wholes
//===----------------------------------------------------------------------===//

def Slice : Node<"slice", (ins "T[*s]":$in), (outs "T[*sizes]":$out),
                 (ins Ints:$starts, Ints:$steps, Ints:$sizes)> {
  let summary = "elements at starts, starts + steps, ... along each axis, `sizes` of them";
  let requires = [
    Require<"slice-inside", "sliceFits(s, starts, steps, sizes)",
            "sizes {sizes} from {starts} in steps {steps} lead out of shape {s}">];
  let compute = [{ out[*i] = in[*(starts + i * steps)]; }];
  let permuted = [{ starts = pick(starts, p); steps = pick(steps, p); sizes = pick(sizes, p);
      result = p; }];
  let samples = [
    Sample<"middle", (ins "f32[4,5]"), "starts = [1, 1]; steps = [1, 2]; sizes = [2, 2]">,
    Sample<"backwards", (ins "f32[4]"), "starts = [3]; steps = [-1]; sizes = [4]">,
    Sample<"solid", (ins "f32[4,5,6]"),
           "starts = [1, 4, 0]; steps = [2, -1, 3]; sizes = [2, 4, 1]">,
    Refused<"slice-inside", (ins "f32[4,5]"), "starts = [1, 1]; steps = [1, 2]; sizes = [2, 3]">];
}

// Nodes that select elements give them in a tensor of the greatest size, with their count, and a
// prefix of it has the size of the run.
def Prefix : Node<"prefix", (ins "T[n,*s]":$in, "i64[]":$count), (outs "T[*length,*s]":$out),
                  (ins Ints:$length), []> {
  let summary = "the first slices along axis 0, as many as a run counts; `length` has their number "
                "as a size, whose range `count` must not leave";
  let requires = [Require<"one-length", "size(length) == 1",
                          "length {length} must have one size">];
  let lengthFrom = "count";
  let compute = [{ out[*i] = in[*(i + 0)] else 0; }];
  let gradient = [{
    d.in = Pad(d.out, repeat(0, size(s) + 1), [n - length[0], *repeat(0, size(s))], 0.0);
  }];
  let samples = [
    Sample<"some", (ins "f32[4,3]", "i64[] in 2..2"), "length = [2]">,
    Sample<"none", (ins "f32[4]", "i64[] in 0..0"), "length = [0]">,
    Sample<"all", (ins "f32[3]", "i64[] in 3..3"), "length = [3]">,
    Refused<"one-length", (ins "f32[4]", "i64[] in 2..2"), "length = []">];
}

def Concat : Node<"concat", (ins "T[*a:axis, k..., *b]...":$ins),
                  (outs "T[*a, sum(k), *b]":$out), (ins Int:$axis)> {
  let summary = "tensors one after the other along `axis`";
  let compute = [{ out[*(shift(i, axis, before))] = ins[*i]; }];
  let joins = "ins";
  let integers = [Integers<"ins">];
  let gradient = [{ d.ins = Split(d.out, axis, k); }];
  let permuted = [{ axis = q[axis]; result = p; }];
  let samples = [Sample<"two", (ins "f32[2,3]; f32[2,1]"), "axis = 1">,
                 Sample<"solid", (ins "f32[2,3,4]; f32[2,3,1]"), "axis = 2">];
}

def Split : Node<"split", (ins "T[*a:axis, d, *b]":$in), (outs "T[*a, sizes..., *b]...":$outs),
                 (ins Int:$axis, Ints:$sizes)> {
  let summary = "parts of the given sizes, one after the other along `axis`";
  let requires = [
    Require<"sizes-fill", "allAtLeast(sizes, 0) && sum(sizes) == d",
            "parts of sizes {sizes} do not make {d}">];
  let compute = [{ outs[*i] = in[*(shift(i, axis, before))]; }];
  let gradient = [{ d.in = Concat(d.outs, axis); }];
  let permuted = [{ axis = q[axis]; result = p; }];
  let samples = [Sample<"two", (ins "f32[2,4]"), "axis = 1; sizes = [3, 1]">,
                 Sample<"solid", (ins "f32[5,2,3]"), "axis = 0; sizes = [1, 4]">,
                 Refused<"sizes-fill", (ins "f32[2,4]"), "axis = 1; sizes = [3, 2]">];
}

// Padding around a tensor: a number of elements before and after each axis.
class PadNode<string mnemonic, code compute_, dag more = (ins)>
    : Node<mnemonic, (ins "T[*s]":$in), (outs "T[*(s + begins + ends)]":$out),
           !con((ins Ints:$begins, Ints:$ends), more)> {
  let requires = [
    Require<"pads-fit", [{size(begins) == size(s) && size(ends) == size(s) && allAtLeast(begins, 0)
                          && allAtLeast(ends, 0)}],
            "begins {begins} and ends {ends} must be {size(s)} numbers each, of at least 0">];
  let compute = compute_;
  let permuted = [{ begins = pick(begins, p); ends = pick(ends, p); result = p; }];
  let samples = [Sample<"around", (ins "f32[3,3]"), "begins = [1, 0]; ends = [1, 2]">,
                 Sample<"solid", (ins "f32[2,3,4]"), "begins = [1, 0, 2]; ends = [0, 2, 1]">,
                 Refused<"pads-fit", (ins "f32[3,3]"), "begins = [1, -1]; ends = [1, 2]">];
}
// Padding from the tensor itself: an axis that grows must not be empty.
class RepeatingPad<string mnemonic, code compute_> : PadNode<mnemonic, compute_> {
  let requires = [
    Require<"pads-fit", [{size(begins) == size(s) && size(ends) == size(s) && allAtLeast(begins, 0)
                          && allAtLeast(ends, 0)}],
            "begins {begins} and ends {ends} must be {size(s)} numbers each, of at least 0">,
    Require<"not-empty", "allAtLeast(maximum(s, 1 - (begins + ends)), 1)",
            "an axis of shape {s} has no element to repeat {begins} times before and {ends} times "
            "behind">];
  let samples = [Sample<"around", (ins "f32[3,3]"), "begins = [1, 0]; ends = [1, 2]">,
                 Sample<"solid", (ins "f32[2,3,4]"), "begins = [1, 0, 2]; ends = [0, 2, 1]">,
                 Sample<"none", (ins "f32[0,3]"), "begins = [0, 2]; ends = [0, 1]">,
                 Refused<"pads-fit", (ins "f32[3,3]"), "begins = [1, -1]; ends = [1, 2]">,
                 Refused<"not-empty", (ins "f32[0,3]"), "begins = [1, 0]; ends = [1, 2]">];
}
def Pad : PadNode<"pad", [{ out[*i] = in[*(i - begins)] else value; }],
                  (ins Default<Real, "0.0">:$value)> {
  let sampleValues = "value = 0.5";
  let summary = "the tensor with `value` around it";
  let keepsRange = 1;
  let gradient = [{ d.in = Slice(d.out, begins, repeat(1, size(s)), s); }];
}
def PadReflect : RepeatingPad<"pad_reflect", [{ out[*i] = in[*(reflect(i - begins, s))]; }]> {
  let summary = "the tensor, mirrored at its outermost elements, which stay single";
}
def PadEdge : RepeatingPad<"pad_edge", [{ out[*i] = in[*(clampIndex(i - begins, s))]; }]> {
  let summary = "the tensor with its outermost elements repeated";
}
def PadWrap : RepeatingPad<"pad_wrap", [{ out[*i] = in[*((i - begins) % s)]; }]> {
  let summary = "the tensor, beginning again where it ends";
}

def Trilu : Node<"trilu", (ins "T[*b,n,m]":$in), (outs "T[*b,n,m]":$out),
                 (ins Flag:$upper, Default<Int, "0">:$diagonal)> {
  let summary = "the elements from a diagonal up (or down), and 0 elsewhere";
  let types = (kinds NumbersAndBool:$T);
  let compute = [{
    out[*p,y,x] = if(if(upper, x - y >= diagonal, x - y <= diagonal), in[*p,y,x], 0);
  }];
  let gradient = [{ d.in = Trilu(d.out, upper, diagonal); }];
  let samples = [Sample<"upper", (ins "f32[3,4]"), "upper = true; diagonal = 1">,
                 Sample<"lower", (ins "f32[2,3,3]"), "upper = false; diagonal = 0">];
}

//===----------------------------------------------------------------------===//
// Blocks of pixels
//===----------------------------------------------------------------------===//

def DepthToSpace : Node<"depth_to_space", (ins "T[n,c,h,w]":$in),
    (outs "T[n, c / (block * block), h * block, w * block]":$out),
    (ins Int:$block, Default<Flag, "false">:$columnsFirst)> {
  let summary = "channels spread out to blocks of pixels; their number is the slowest index of "
                "the channels, or, `columnsFirst`, the fastest";
  let requires = [
    Require<"block-divides", "block >= 1 && c % (block * block) == 0",
            "blocks of {block} x {block} pixels do not divide {c} channels">];
  let tier = 1;
  let lowering = [{
    d = c / (block * block);
    split = Reshape(in, if(columnsFirst, [n, d, block, block, h, w], [n, block, block, d, h, w]));
    mixed = Transpose(split, if(columnsFirst, [0, 1, 4, 2, 5, 3], [0, 3, 4, 1, 5, 2]));
    out = Reshape(mixed, [n, d, h * block, w * block]);
  }];
  let samples = [Sample<"depth-first", (ins "f32[1,8,2,3]"), "block = 2; columnsFirst = false">,
                 Sample<"columns-first", (ins "f32[1,8,2,3]"), "block = 2; columnsFirst = true">,
                 Refused<"block-divides", (ins "f32[1,6,2,3]"), "block = 2; columnsFirst = false">];
}

def SpaceToDepth : Node<"space_to_depth", (ins "T[n,c,h,w]":$in),
    (outs "T[n, c * block * block, h / block, w / block]":$out),
    (ins Int:$block, Default<Flag, "false">:$columnsFirst)> {
  let summary = "blocks of pixels put behind each other as channels; "
                "their number is the slowest index of "
                "the new channels, or, `columnsFirst`, the fastest";
  let requires = [
    Require<"block-divides", "block >= 1 && h % block == 0 && w % block == 0",
            "blocks of {block} x {block} pixels do not divide {h} x {w} pixels">];
  let tier = 1;
  let lowering = [{
    split = Reshape(in, [n, c, h / block, block, w / block, block]);
    mixed = Transpose(split, if(columnsFirst, [0, 1, 3, 5, 2, 4], [0, 3, 5, 1, 2, 4]));
    out = Reshape(mixed, [n, c * block * block, h / block, w / block]);
  }];
  let samples = [Sample<"depth-first", (ins "f32[1,2,4,6]"), "block = 2; columnsFirst = false">,
                 Sample<"columns-first", (ins "f32[1,2,4,6]"), "block = 2; columnsFirst = true">,
                 Refused<"block-divides", (ins "f32[1,2,4,5]"), "block = 2; columnsFirst = false">];
}

//===----------------------------------------------------------------------===//
// Tensors from nothing
//===----------------------------------------------------------------------===//

def Splat : Node<"splat", (ins), (outs "kind[*dims]":$out),
                 (ins Real:$value, Ints:$dims, Kind:$kind)> {
  let summary = "one value everywhere";
  let compute = [{ out[*i] = value; }];
  let samples = [Sample<"small", (ins), "value = 0.5; dims = [2, 3]; kind = f32">];
}

def Iota : Node<"iota", (ins), (outs "kind[*dims]":$out),
    (ins Real:$start, Real:$step, Int:$axis, Ints:$dims, Kind:$kind)> {
  let summary = "start, start + step, ... along an axis";
  let requires = [
    Require<"axis-exists", "axis >= 0 && axis < size(dims)",
            "axis {axis} is not one of the {size(dims)} of shape {dims}">];
  let compute = [{ out[*i] = start + step * i[axis]; }];
  let samples = [
    Sample<"small", (ins), "start = 1.0; step = 0.5; axis = 1; dims = [2, 3]; kind = f32">,
    Refused<"axis-exists", (ins), "start = 1.0; step = 0.5; axis = 2; dims = [2, 3]; kind = f32">];
}

def Eye : Node<"eye", (ins), (outs "kind[rows, columns]":$out),
               (ins Int:$rows, Int:$columns, Default<Int, "0">:$diagonal, Kind:$kind)> {
  let summary = "1 on a diagonal, 0 elsewhere";
  let compute = [{ out[y,x] = if(x - y == diagonal, 1, 0); }];
  let samples = [Sample<"small", (ins), "rows = 2; columns = 3; diagonal = 1; kind = f32">];
}

def Literal : Node<"literal", (ins), (outs "kind[*dims]":$out),
                   (ins Ints:$values, Ints:$dims, Kind:$kind)> {
  let summary = "integers known when the model is compiled, such as a shape";
  let requires = [
    Require<"values-fill", "size(values) == prod(dims)",
            "{size(values)} values do not fill shape {dims}">];
  let hand = "literal";
  let reason = "a list of any length, and an index has at most sixteen places";
  let samples = [Sample<"small", (ins), "values = [1, 2, 3]; dims = [3]; kind = i64">,
                 Refused<"values-fill", (ins), "values = [1, 2, 3]; dims = [2]; kind = i64">];
}

// A size as a tensor of shape `dims`. An attribute of a real number would fix a length.
def sizeTensor : Let<(ins Int:$size, Ints:$dims, Kind:$kind), [{
  y = if(isFixed(size), Splat(real(size), dims, kind),
         Broadcast(Literal([size], [], kind), dims));
}]>;
// size, size + 1, ... along an axis.
def countFrom : Let<(ins Int:$size, Int:$axis, Ints:$dims, Kind:$kind), [{
  y = if(isFixed(size), Iota(real(size), 1.0, axis, dims, kind),
         Iota(0.0, 1.0, axis, dims, kind) + sizeTensor(size, dims, kind));
}]>;
// The tensor with a size added to each element.
def plusSize : Let<(ins Tensor:$x, Int:$size), [{
  y = if(isFixed(size), x + real(size), x + sizeTensor(size, shape(x), kind(x)));
}]>;

def RealLiteral : Node<"real_literal", (ins), (outs "kind[*dims]":$out),
                       (ins Reals:$values, Ints:$dims, Kind:$kind)> {
  let summary = "real numbers known when the model is compiled";
  let requires = [
    Require<"values-fill", "length(values) == prod(dims)",
            "{length(values)} values do not fill shape {dims}">];
  let hand = "realLiteral";
  let reason = "a list of any length, and an index has at most sixteen places";
  let samples = [Sample<"small", (ins), "values = [1.0, 2.5]; dims = [2]; kind = f32">,
                 Refused<"values-fill", (ins), "values = [1.0, 2.5]; dims = [3]; kind = f32">];
}

//===----------------------------------------------------------------------===//
// Other sizes
//===----------------------------------------------------------------------===//

def Interpolation : Choice<["nearest", "linear", "cubic"]>;
def PixelPlace : Choice<["asymmetric", "half_pixel", "half_pixel_symmetric", "tf_half_pixel_for_nn",
                         "pytorch_half_pixel", "align_corners"]>;
def PixelRounding : Choice<["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]>;

def Resample : Node<"resample", (ins "T[*a:axis, d, *b]":$in, "I[y,k]":$places, "T[y,k]":$weights),
                    (outs "T[*a, y, *b]":$out), (ins Int:$axis)> {
  let summary = "along an axis, elements that are sums of `k` elements each, those at `places` by "
                "`weights`";
  let types = (kinds Floats:$T, Indices:$I);
  let compute = "out[*p,y,*q] += in[*p,places[y,k],*q] * weights[y,k]";
  let samples = [Sample<"rows", (ins "f32[3,2]", "i64[4,2] in 0..2", "f32[4,2]"), "axis = 0">,
                 Sample<"columns", (ins "f32[2,3,2]", "i32[5,4] in 0..2", "f32[5,4]"), "axis = 1">];
}

// The same functions of pixels as in Pixels.td, as nodes, for an axis whose size a run gives.
def openPlaces : Let<(ins Int:$from, Int:$to, Real:$scale, Text:$coordinates), [{
  k = elementKind("f64");
  x = Iota(0.0, 1.0, 0, [to], k);
  length = sizeTensor(from, [to], k);
  count = sizeTensor(to, [to], k);
  middle = (x + 0.5) / scale - 0.5;
  at = if(coordinates == "asymmetric", x / scale,
       if(coordinates == "align_corners", x * (length - 1.0) / (length * scale - 1.0),
       if(coordinates == "tf_half_pixel_for_nn", (x + 0.5) / scale,
       if(coordinates == "pytorch_half_pixel",
          Select(count <= 1.0, Splat(0.0, [to], k), middle),
       if(coordinates == "half_pixel_symmetric",
          length / 2.0 * (1.0 - count / (length * scale)) + middle, middle)))));
  place = Select(IsNan(at), Splat(0.0, [to], k), Max(Min(at, length + 3.0), Splat(-4.0, [to], k)));
}]>;
// A column for each tap, from first to last.
def openColumns : Let<(ins Tensor:$place, Text:$mode), [{
  n = shape(place)[0];
  taps = tapsOf(mode);
  y = Broadcast(Reshape(Floor(place), [n, 1]), [n, taps])
      + Iota(0.0 - real(taps / 2 - 1), 1.0, 1, [n, taps], kind(place));
}]>;
def openPixels : Let<(ins Tensor:$place, Int:$from, Text:$mode, Text:$rounding), [{
  n = shape(place)[0];
  half = Splat(0.5, [n], kind(place));
  down = Floor(place);
  near = Floor(place + 0.5);
  nearest = if(rounding == "floor", down, if(rounding == "ceil", Ceil(place),
            if(rounding == "round_prefer_floor", Select(Equal(place - down, half), down, near),
               near)));
  pixels = if(mode == "nearest", nearest, openColumns(place, mode));
  inside = Max(Min(pixels, sizeTensor(from - 1, shape(pixels), kind(place))),
               Splat(0.0, shape(pixels), kind(place)));
  y = Cast(inside, elementKind("i64"));
}]>;
def cubicNear : Let<(ins Tensor:$t, Real:$a), "((a + 2.0) * t - (a + 3.0)) * t * t + 1.0">;
def cubicFar : Let<(ins Tensor:$t, Real:$a), "((a * t - 5.0 * a) * t + 8.0 * a) * t - 4.0 * a">;
def openWeights : Let<(ins Tensor:$place, Int:$from, Text:$mode, Real:$a, Flag:$excludes), [{
  n = shape(place)[0];
  rest = Reshape(place - Floor(place), [n, 1]);
  all = if(mode == "linear", Concat([1.0 - rest, rest], 1),
           Concat([cubicFar(1.0 + rest, a), cubicNear(rest, a), cubicNear(1.0 - rest, a),
                   cubicFar(2.0 - rest, a)], 1));
  pixels = openColumns(place, mode);
  last = sizeTensor(from - 1, shape(all), kind(place));
  zeros = Splat(0.0, shape(all), kind(place));
  inside = Select(Equal(pixels, Max(Min(pixels, last), zeros)), all, zeros);
  sum = ReduceSum(inside, [1], true);
  divisor = Select(Abs(sum) < 0.000001, Splat(1.0, shape(sum), kind(place)), sum);
  y = if(excludes, inside / Broadcast(divisor, shape(all)), all);
}]>;

def resizedAlong : Let<(ins Tensor:$x, Int:$axis, Int:$from, Int:$to, Real:$scale, Text:$mode,
                        Text:$coordinates, Text:$rounding, Real:$a, Flag:$excludes, Kind:$wide), [{
  isOpen = !isFixed(from) || !isFixed(to);
  taps = if(mode == "nearest", [to], [to, tapsOf(mode)]);
  pixels = if(isOpen, openPixels(openPlaces(from, to, scale, coordinates), from, mode, rounding),
              Literal(placesOfTaps(from, to, scale, mode, coordinates, rounding), taps,
                      elementKind("i64")));
  y = if(mode == "nearest", Gather(x, pixels, axis),
         Resample(x, pixels,
                  if(isOpen, Cast(openWeights(openPlaces(from, to, scale, coordinates), from, mode,
                                              a, excludes && mode == "cubic"), wide),
                     RealLiteral(weightsOfTaps(from, to, scale, mode, coordinates, a, excludes),
                                 taps, wide)),
                  axis));
}]>;

def Resize : Node<"resize", (ins "T[*s]":$in), (outs "T[*dims]":$out),
    (ins Ints:$dims, Reals:$scales, Interpolation:$mode, PixelPlace:$coordinates,
     PixelRounding:$rounding,
     Default<Real, "-0.75">:$cubicCoefficient, Default<Flag, "false">:$excludeOutside)> {
  let summary = "the tensor as if sampled in another resolution; "
                "`coordinates` says where a pixel of "
                "the result lies in the operand, `rounding` which pixel is nearest";
  let types = (kinds Numbers:$T);
  let requires = [
    Require<"scales-fit", "size(dims) == size(s) && length(scales) == size(s)",
            "shape {dims} and scales {scales} must be of length {size(s)}">,
    Require<"not-empty", "allAtLeast(maximum(s, 1 - dims), 1)",
            "an axis of shape {s} has no element of which {dims} could be made">,
    Require<"scales-agree", [{allAtLeast(dims - scaled(s, scales), 0)
                              && allAtLeast(scaled(s, scales) + 1 - dims, 0)}],
            "shape {s} by scales {scales} is {scaled(s, scales)}, rounded up at most by one, not "
            "{dims}">];
  let tier = 1;
  // One axis after the other. Integers are summed in f64, narrow floats in f32; the nearest
  // element is only moved. A cast drops digits behind the point, so that a sum of integers is
  // rounded to 65,536ths first: the roundings of the sum are smaller, on every backend.
  let lowering = [{
    k = kind(in);
    wide = if(!isFloat(k), elementKind("f64"), if(bitsOf(k) < 32, elementKind("f32"), k));
    x = if(mode == "nearest" || k == wide, in, Cast(in, wide));
    for axis, from, to, scale in range(0, size(s)), s, dims, scales {
      x = if(isFixed(to - from) && from == to && scale == 1.0, x,
             resizedAlong(x, axis, from, to, scale, mode, coordinates, rounding, cubicCoefficient,
                          excludeOutside, wide));
    }
    parts = 65536.0;
    sum = if(kind(x) == k || isFloat(k), x, Round(x * parts) / parts);
    out = if(kind(x) == k, x, Cast(sum, k));
  }];
  let permuted = [{ dims = pick(dims, p); scales = pickReals(scales, p); result = p; }];
  let samples = [
    Sample<"nearest", (ins "f32[1,1,2,3]"),
           [{dims = [1, 1, 4, 6]; scales = [1.0, 1.0, 2.0, 2.0]; mode = "nearest";
             coordinates = "asymmetric"; rounding = "floor"; cubicCoefficient = -0.75;
             excludeOutside = false}]>,
    Sample<"linear", (ins "f32[1,1,4,4]"),
           [{dims = [1, 1, 3, 6]; scales = [1.0, 1.0, 0.75, 1.5]; mode = "linear";
             coordinates = "half_pixel"; rounding = "floor"; cubicCoefficient = -0.75;
             excludeOutside = false}]>,
    Sample<"cubic", (ins "f32[1,1,4,4]"),
           [{dims = [1, 1, 8, 8]; scales = [1.0, 1.0, 2.0, 2.0]; mode = "cubic";
             coordinates = "align_corners"; rounding = "floor"; cubicCoefficient = -0.75;
             excludeOutside = true}]>,
    Sample<"none", (ins "f32[0,3,2]"),
           [{dims = [0, 6, 2]; scales = [3.0, 2.0, 1.0]; mode = "linear";
             coordinates = "half_pixel"; rounding = "floor"; cubicCoefficient = -0.75;
             excludeOutside = false}]>,
    Sample<"nothing-left", (ins "f32[2,3]"),
           [{dims = [0, 6]; scales = [0.0, 2.0]; mode = "linear"; coordinates = "half_pixel";
             rounding = "floor"; cubicCoefficient = -0.75; excludeOutside = false}]>,
    Refused<"scales-fit", (ins "f32[2,3]"),
            [{dims = [4, 6]; scales = [2.0]; mode = "nearest"; coordinates = "asymmetric";
              rounding = "floor"; cubicCoefficient = -0.75; excludeOutside = false}]>,
    Refused<"not-empty", (ins "f32[0,3]"),
            [{dims = [4, 6]; scales = [2.0, 2.0]; mode = "nearest"; coordinates = "asymmetric";
              rounding = "floor"; cubicCoefficient = -0.75; excludeOutside = false}]>,
    Refused<"scales-agree", (ins "f32[2,3]"),
            [{dims = [4, 8]; scales = [2.0, 2.0]; mode = "nearest"; coordinates = "asymmetric";
              rounding = "floor"; cubicCoefficient = -0.75; excludeOutside = false}]>];
}

#endif // GLOW_NODES_SHAPE
