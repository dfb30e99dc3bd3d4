//===- OnnxNetwork.td - ONNX operators that layers are made of ------------===//

#ifndef GLOW_IMPORT_ONNXNETWORK
#define GLOW_IMPORT_ONNXNETWORK

include "glow/functions/Windows.td"
include "glow/import/OnnxElementwise.td"
include "glow/nodes/Convolution.td"
include "glow/nodes/Indexing.td"
include "glow/nodes/MatMul.td"
include "glow/nodes/Normalization.td"
include "glow/nodes/Pooling.td"
include "glow/nodes/Random.td"
include "glow/nodes/Reduction.td"
include "glow/nodes/Shape.td"
include "glow/nodes/Vision.td"

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

def gemm : Let<(ins Tensor:$A, Tensor:$B, Tensor:$C, Real:$alpha, Real:$beta, Flag:$turnsA, Flag:$turnsB), [{
  require(rank(A) == 2 && rank(B) == 2, "both factors must be matrices");
  a = if(turnsA, Transpose(A, [1, 0]), A);
  b = if(turnsB, Transpose(B, [1, 0]), B);
  product = MatMul(a, b);
  p = if(alpha == 1.0, product, alpha * product);
  c = if(present(C), Broadcast(C, shape(p)), p);
  Y = if(present(C), p + if(beta == 1.0, c, beta * c), p);
}]>;
def : OnnxImport<"Gemm", 7, (ins "A", "B", "C?"),
    (ins "1.0":$alpha, "1.0":$beta, 0:$transA, 0:$transB),
    "Y = gemm(A, B, C, alpha, beta, transA != 0, transB != 0);">;

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
         if(left == batch, a, Broadcast(a, concat(batch, rows))));
  y = if(flat || right == batch, b, Broadcast(b, concat(batch, columns)));
  full = [*batch, *if(rank(A) == 1, [], [rows[0]]), *if(rank(B) == 1, [], [columns[1]])];
  height = rows[0];
  copies = if(flat, prod(left), 1);
}]> { let results = ["x", "y", "full", "height", "copies"]; }
def matMul : Let<(ins Tensor:$A, Tensor:$B), [{
  x, y, full, height, copies = matMulFactors(A, B);
  p = MatMul(x, y);
  Y = if(shape(p) == full, p, Reshape(p, full));
}]>;
def : OnnxImport<"MatMul", 1, (ins "A", "B"), (ins), "Y = matMul(A, B);">;

def : OnnxImport<"Det", 11, (ins "X"), (ins), "Y = Determinant(X);">;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

// No step is longer than the padded image x, which means the same: kernels make room
// for a step.
def cappedStrides : Let<(ins Ints:$x, Ints:$strides, Ints:$pads),
    "minimum(listOr(strides, repeat(1, size(x))), maximum(paddedExtent(x, listOr(pads, repeat(0, 2 * size(x)))), repeat(1, size(x))))">;

// What the model says of the sizes of the filter is true.
def filterSizes : Let<(ins Tensor:$W, Ints:$kernel_shape), [{
  r = drop(shape(W), 2);
  require(size(kernel_shape) == 0 || kernel_shape == r,
          "kernel_shape {kernel_shape} contradicts the filter, whose sizes are {r}");
}]> { let results = ["r"]; }

// Strides, pads and dilations of the windows of a convolution.
def convWindow : Let<(ins Tensor:$X, Tensor:$W, Text:$auto_pad, Ints:$dilations, Ints:$kernel_shape, Ints:$pads, Ints:$strides), [{
  x = drop(shape(X), 2);
  r = filterSizes(W, kernel_shape);
  step = cappedStrides(x, strides, pads);
  apart = listOr(dilations, repeat(1, size(x)));
  around = windowPads(auto_pad, x, windowExtent(r, apart), step, pads);
}]> { let results = ["step", "around", "apart"]; }

def : OnnxImport<"Conv", 1, (ins "X", "W", "B?"),
    (ins AutoPad:$auto_pad, MaybeInts:$dilations, 1:$group,
         MaybeInts:$kernel_shape, MaybeInts:$pads, MaybeInts:$strides), [{
  step, around, apart = convWindow(X, W, auto_pad, dilations, kernel_shape, pads, strides);
  Y = Conv(X, W, B, step, around, apart, group);
}]>;

def : OnnxImport<"ConvTranspose", 1, (ins "X", "W", "B?"),
    (ins AutoPad:$auto_pad, MaybeInts:$dilations, 1:$group,
         MaybeInts:$kernel_shape, MaybeInts:$output_padding, MaybeInts:$output_shape,
         MaybeInts:$pads, MaybeInts:$strides), [{
  x = drop(shape(X), 2);
  r = filterSizes(W, kernel_shape);
  step = listOr(strides, repeat(1, size(x)));
  apart = listOr(dilations, repeat(1, size(x)));
  more = listOr(output_padding, repeat(0, size(x)));
  same = auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER";
  full = spreadExtent(x, r, step, apart, more);
  wanted = listOr(drop(output_shape, size(output_shape) - size(x)), if(same, x * step, []));
  Y = ConvTranspose(X, W, B, step, transposePads(auto_pad, full, wanted, step, pads), apart, more, group);
}]>;

// What all pools share: strides, dilations, the pads as given, and those with room for
// the last window.
def poolWindow : Let<(ins Tensor:$X, Text:$auto_pad, Int:$ceil_mode, Ints:$dilations, Ints:$kernel_shape, Ints:$pads, Ints:$strides), [{
  x = drop(shape(X), 2);
  step = listOr(strides, repeat(1, size(x)));
  apart = listOr(dilations, repeat(1, size(x)));
  extents = windowExtent(kernel_shape, apart);
  given = windowPads(auto_pad, x, extents, step, pads);
  full = if(ceil_mode != 0, ceilPads(x, extents, step, given), given);
}]> { let results = ["step", "apart", "given", "full"]; }

def : OnnxImport<"MaxPool", 1, (ins "X"),
    (ins AutoPad:$auto_pad, 0:$ceil_mode, MaybeInts:$dilations, RequiredInts:$kernel_shape,
         MaybeInts:$pads, 0:$storage_order, MaybeInts:$strides), [{
  step, apart, given, full = poolWindow(X, auto_pad, ceil_mode, dilations, kernel_shape, pads, strides);
  x = drop(shape(X), 2);
  Y = MaxPool(X, kernel_shape, step, full, apart);
  n = shape(X)[0];
  c = shape(X)[1];
  k = elementKind("i64");
  count = Iota(0.0, 1.0, 0, [elements(X)], k);
  byColumn = Transpose(Reshape(count, [n, c, *reverse(x)]), [0, 1, *reverse(range(2, rank(X)))]);
  places = if(storage_order != 0, byColumn, Reshape(count, shape(X)));
  flat = [n, c, elements(Y) / max(1, n * c), prod(kernel_shape)];
  which = ArgMax(Reshape(Patches(X, kernel_shape, step, full, apart, lowestOf(kind(X))), flat), 3, true, false);
  picked = GatherElements(Reshape(Patches(places, kernel_shape, step, full, apart, 0.0), flat), which, 3);
  Indices = Reshape(picked, shape(Y));
}]> {
  let outputs = ["Y", "Indices?"];
}

// The indices are places in the whole result, before it is brought to
// `output_shape`.
def : OnnxImport<"MaxUnpool", 9, (ins "X", "I", "output_shape?"),
    (ins RequiredInts:$kernel_shape, MaybeInts:$pads, MaybeInts:$strides), [{
  x = drop(shape(X), 2);
  n = size(x);
  step = listOr(strides, repeat(1, n));
  cut = listOr(pads, repeat(0, 2 * n));
  s = concat(take(shape(X), 2), (x - 1) * step + kernel_shape - take(cut, n) - drop(cut, n));
  wanted = listOr(ints(output_shape), s);
  require(size(wanted) == size(s) && allAtLeast(wanted - s, 0),
          "output_shape {wanted} must not be smaller than {s}");
  flat = ScatterElements(Splat(0, [prod(s)], kind(X)), Reshape(I, [elements(I)]), Reshape(X, [elements(X)]), 0, "none");
  output = Pad(Reshape(flat, s), repeat(0, size(s)), wanted - s, 0.0);
}]>;

// Pads that count are put around the image first; those that the rounding up
// of sizes adds never count.
defvar AveragePoolAttributes =
    (ins AutoPad:$auto_pad, 0:$ceil_mode, 0:$count_include_pad, MaybeInts:$dilations,
         RequiredInts:$kernel_shape, MaybeInts:$pads, MaybeInts:$strides);
def averagePool : Let<(ins Tensor:$X, Text:$auto_pad, Int:$ceil_mode, Flag:$countsPads, Ints:$dilations, Ints:$kernel_shape, Ints:$pads, Ints:$strides), [{
  step, apart, given, full = poolWindow(X, auto_pad, ceil_mode, dilations, kernel_shape, pads, strides);
  n = size(kernel_shape);
  Y = if(countsPads && sum(given) > 0,
         AvgPool(Pad(X, [0, 0, *take(given, n)], [0, 0, *drop(given, n)], 0.0),
                 kernel_shape, step, [*repeat(0, n), *drop(full - given, n)], apart),
         AvgPool(X, kernel_shape, step, full, apart));
}]>;
def : OnnxImport<"AveragePool", 1, (ins "X"), AveragePoolAttributes,
    "Y = averagePool(X, auto_pad, ceil_mode, count_include_pad != 0, dilations, kernel_shape, pads, strides);">;

def : OnnxImport<"LpPool", 2, (ins "X"),
    (ins AutoPad:$auto_pad, 0:$ceil_mode, MaybeInts:$dilations, RequiredInts:$kernel_shape,
         2:$p, MaybeInts:$pads, MaybeInts:$strides), [{
  step, apart, given, full = poolWindow(X, auto_pad, ceil_mode, dilations, kernel_shape, pads, strides);
  Y = LpPool(X, kernel_shape, step, full, apart, p);
}]>;

def : OnnxImport<"GlobalLpPool", 2, (ins "X"), (ins 2:$p), [{
  power = ReduceSum(Pow(Abs(X), Splat(real(p), shape(X), kind(X))), range(2, rank(X)), true);
  Y = Pow(power, Splat(1.0 / real(p), shape(power), kind(X)));
}]>;
def : OnnxImport<"GlobalAveragePool", 1, (ins "X"), (ins),
                 "Y = ReduceMean(X, range(2, rank(X)), true);">;
def : OnnxImport<"GlobalMaxPool", 1, (ins "X"), (ins),
                 "Y = ReduceMax(X, range(2, rank(X)), true);">;

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

def : OnnxImport<"BatchNormalization", 7, (ins "X", "scale", "B", "mean", "var"),
    (ins "1e-5":$epsilon, "0.9":$momentum, 1:$spatial), [{
  require(spatial == 1, "spatial {spatial} is not supported");
  k = kind(X);
  Y = BatchNorm(X, asKind(scale, k), asKind(B, k),
                asKind(mean, k), asKind(var, k), epsilon);
}]>;
// Training takes mean and variance of the batch, and moves the running ones
// towards them.
def : OnnxImport<"BatchNormalization", 14, (ins "X", "scale", "B", "input_mean", "input_var"),
    (ins "1e-5":$epsilon, "0.9":$momentum, 0:$training_mode), [{
  require(rank(X) >= 2, "the input must have at least 2 axes");
  k = kind(X);
  training = training_mode != 0;
  axes = without(range(0, rank(X)), [1]);
  batchMean = ReduceMean(X, axes);
  centred = X - Broadcast(batchMean, shape(X), axis: 1);
  batchVar = ReduceMean(centred * centred, axes);
  old = asKind(input_mean, k);
  oldVar = asKind(input_var, k);
  Y = BatchNorm(X, asKind(scale, k), asKind(B, k),
                if(training, batchMean, old), if(training, batchVar, oldVar), epsilon);
  mean = old * momentum + batchMean * (1.0 - momentum);
  variance = oldVar * momentum + batchVar * (1.0 - momentum);
  running_mean = asKind(mean, kind(input_mean));
  running_var = asKind(variance, kind(input_var));
}]> {
  let outputs = ["Y", "running_mean?", "running_var?"];
}
def : OnnxImport<"InstanceNormalization", 6, (ins "input", "scale", "B"), (ins "1e-5":$epsilon),
                 "output = InstanceNorm(input, scale, B, epsilon);">;
// Exporters write this operator below the opset that defines it, too.
def : OnnxImport<"LayerNormalization", 1, (ins "X", "Scale", "B?"),
    (ins -1:$axis, "1e-5":$epsilon, 1:$stash_type), [{
  a = wrapAxis(axis, rank(X));
  rest = drop(shape(X), a);
  s = if(shape(Scale) == rest, Scale, Broadcast(Scale, rest));
  b = if(present(B), if(shape(B) == rest, B, Broadcast(B, rest)), B);
  Y = LayerNorm(X, s, b, a, epsilon);
  axes = range(a, rank(X));
  wide = if(outputs > 1 && stash_type == 1 && bitsOf(kind(X)) < 32, Cast(X, elementKind("f32")), X);
  mean = if(outputs > 1, ReduceMean(wide, axes, true), X);
  centred = if(outputs > 2, wide - Broadcast(mean, shape(X)), X);
  inverse = if(outputs > 2, Reciprocal(Sqrt(ReduceMean(centred * centred, axes, true) + epsilon)), X);
  narrows = stash_type == 1 && bitsOf(kind(X)) > 32;
  Mean = if(narrows, Cast(mean, elementKind("f32")), mean);
  InvStdDev = if(narrows, Cast(inverse, elementKind("f32")), inverse);
}]> {
  let outputs = ["Y", "Mean?", "InvStdDev?"];
}
def : OnnxImport<"RMSNormalization", 23, (ins "X", "scale"),
    (ins -1:$axis, "1e-5":$epsilon, 1:$stash_type), [{
  a = wrapAxis(axis, rank(X));
  rest = drop(shape(X), a);
  Y = RMSNorm(X, if(shape(scale) == rest, scale, Broadcast(scale, rest)), a, epsilon);
}]>;
// At first scale and bias were one number a group, since then one a channel.
def : OnnxImport<"GroupNormalization", 18, (ins "X", "scale", "bias"),
    (ins "1e-5":$epsilon, RequiredInt:$num_groups), [{
  c = shape(X)[1];
  require(num_groups >= 1 && c % num_groups == 0, "{num_groups} groups do not divide {c} channels");
  each = [num_groups, c / num_groups];
  s = Reshape(Broadcast(scale, each, axis: 0), [c]);
  b = Reshape(Broadcast(bias, each, axis: 0), [c]);
  Y = GroupNorm(X, s, b, num_groups, epsilon);
}]>;
def : OnnxImport<"GroupNormalization", 21, (ins "X", "scale", "bias"),
    (ins "1e-5":$epsilon, RequiredInt:$num_groups, 1:$stash_type),
    "Y = GroupNorm(X, scale, bias, num_groups, epsilon);">;
def : OnnxImport<"LRN", 1, (ins "X"),
    (ins "0.0001":$alpha, "0.75":$beta, "1.0":$bias, RequiredInt:$size),
    "Y = LocalResponseNorm(X, size, alpha, beta, bias);">;
def : OnnxImport<"LpNormalization", 1, (ins "input"), (ins -1:$axis, 2:$p),
                 "output = LpNorm(input, wrapAxis(axis, rank(input)), p);">;

def : OnnxImport<"MeanVarianceNormalization", 9, (ins "X"), (ins MaybeInts:$axes), [{
  a = axesOf(listOr(axes, [0, 2, 3]), rank(X));
  centred = X - Broadcast(ReduceMean(X, a, true), shape(X));
  Y = centred / Broadcast(Sqrt(ReduceMean(centred * centred, a, true)) + 1e-9, shape(X));
}]>;

// At first the axes from `axis` on were one.
multiclass OnnxAlongAxis<string operator, Node node_> {
  let with = (bind node_:$node) in {
  def Flat : OnnxImport<operator, 1, (ins "X"), (ins 1:$axis), [{
    a = wrapAxis(axis, rank(X));
    flat = [prod(take(shape(X), a)), prod(drop(shape(X), a))];
    Y = if(a == rank(X) - 1, node(X, a), Reshape(node(Reshape(X, flat), 1), shape(X)));
  }]>;
  def Along : OnnxImport<operator, 13, (ins "X"), (ins -1:$axis), "Y = node(X, wrapAxis(axis, rank(X)));">;
  }
}
defm SoftmaxImport : OnnxAlongAxis<"Softmax", Softmax>;
defm LogSoftmaxImport : OnnxAlongAxis<"LogSoftmax", LogSoftmax>;
defm HardmaxImport : OnnxAlongAxis<"Hardmax", Hardmax>;

// The mask, if one asks for it, keeps everything.
def : OnnxImport<"Dropout", 7, (ins "data"), (ins "0.5":$ratio), [{
  output = data;
  mask = Splat(1, shape(data), elementKind("bool"));
}]> {
  let outputs = ["output", "mask?"];
}
// Training drops elements, half of them if no ratio is given, and makes up for it
// with the others.
def : OnnxImport<"Dropout", 12, (ins "data", "ratio?", "training_mode?"), (ins MaybeInt:$seed), [{
  part = if(intOf(training_mode) == 0, 0.0, if(present(ratio), realOf(ratio), 0.5));
  require(part >= 0.0 && part < 1.0, "ratio {part} must be at least 0 and below 1");
  k = kind(data);
  drawn = RandomUniform(shape(data), 0.0, 1.0, if(present(seed), seed, nodeNumber), elementKind("f32"));
  mask = if(part == 0.0, Splat(1, shape(data), elementKind("bool")), drawn >= part);
  output = if(part == 0.0, data, Select(mask, data / (1.0 - part), Splat(0, shape(data), k)));
}]> {
  let outputs = ["output", "mask?"];
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

// `result` reduces `data` along the axes `a`, which stay if `k`. Axes were an
// attribute before opset `since`, and are an input from then on.
multiclass OnnxReduce<string operator, string result, int since = 18> {
  let with = (bind result:$result) in {
  def ByAttribute : OnnxImport<operator, 1, (ins "data"), (ins MaybeInts:$axes, 1:$keepdims), [{
    a = listOr(axesOf(axes, rank(data)), range(0, rank(data)));
    k = keepdims != 0;
    reduced = result;
  }]>;
  def ByInput : OnnxImport<operator, since, (ins "data", "axes?"),
      (ins 1:$keepdims, 0:$noop_with_empty_axes), [{
    given = axesOf(ints(axes), rank(data));
    a = listOr(given, if(noop_with_empty_axes != 0, [], range(0, rank(data))));
    k = keepdims != 0;
    reduced = result;
  }]>;
  }
}
defm ReduceSumImport : OnnxReduce<"ReduceSum", "ReduceSum(data, a, k)", 13>;
defm ReduceMeanImport : OnnxReduce<"ReduceMean", "ReduceMean(data, a, k)">;
// Truth values are reduced as bytes.
defm ReduceMaxImport : OnnxReduce<"ReduceMax", "asKind(ReduceMax(asBytes(data), a, k), kind(data))">;
defm ReduceMinImport : OnnxReduce<"ReduceMin", "asKind(ReduceMin(asBytes(data), a, k), kind(data))">;
defm ReduceProdImport : OnnxReduce<"ReduceProd", "ReduceProd(data, a, k)">;
defm ReduceL1Import : OnnxReduce<"ReduceL1", "ReduceSum(Abs(data), a, k)">;
def squareOf : Let<(ins Tensor:$x), "x * x">;
defm ReduceL2Import : OnnxReduce<"ReduceL2", "asKind(Sqrt(ReduceSum(squareOf(asReal(data)), a, k)), kind(data))">;
defm ReduceSumSquareImport : OnnxReduce<"ReduceSumSquare", "ReduceSum(squareOf(data), a, k)">;
defm ReduceLogSumImport
    : OnnxReduce<"ReduceLogSum", "asKind(Log(ReduceSum(asReal(data), a, k)), kind(data))">;
// The largest element is taken off first, so that no power overflows.
def logSumExp : Let<(ins Tensor:$d, Ints:$axes, Flag:$keepDims), [{
  most = ReduceMax(d, axes, true);
  part = Log(ReduceSum(Exp(d - Broadcast(most, shape(d))), axes, keepDims));
  r = part + Reshape(most, shape(part));
}]>;
defm ReduceLogSumExpImport
    : OnnxReduce<"ReduceLogSumExp", "asKind(logSumExp(asReal(data), a, k), kind(data))">;

class OnnxArg<string operator, Node node_>
    : OnnxImport<operator, 1, (ins "data"), (ins 0:$axis, 1:$keepdims, 0:$select_last_index),
                 "reduced = node(data, wrapAxis(axis, rank(data)), keepdims != 0, select_last_index != 0);"> {
  let with = (bind node_:$node);
}
def : OnnxArg<"ArgMax", ArgMax>;
def : OnnxArg<"ArgMin", ArgMin>;

// At first `k` was an attribute, then the largest had no alternative.
class OnnxTopK<int since, dag inputs, dag attributes, string k, string largest>
    : OnnxImport<"TopK", since, inputs, !con((ins -1:$axis), attributes), [{
  a = wrapAxis(axis, rank(X));
  s = shape(X);
  wanted = count;
  require(wanted >= 0 && wanted <= at(s, a), "{wanted} of {at(s, a)} elements is not possible");
  order = ArgSort(X, a, descends);
  Indices = Slice(order, repeat(0, size(s)), repeat(1, size(s)), set(s, a, wanted));
  Values = GatherElements(X, Indices, a);
}]> {
  let with = (bind k:$count, largest:$descends);
  let outputs = ["Values?", "Indices?"];
}
def : OnnxTopK<1, (ins "X"), (ins RequiredInt:$k), "k", "true">;
def : OnnxTopK<10, (ins "X", "K"), (ins), "intOf(K)", "true">;
def : OnnxTopK<11, (ins "X", "K"), (ins 1:$largest, 1:$sorted), "intOf(K)", "largest != 0">;

def : OnnxImport<"CumSum", 11, (ins "x", "axis"), (ins 0:$exclusive, 0:$reverse),
    "y = CumSum(x, wrapAxis(intOf(axis), rank(x)), exclusive != 0, reverse != 0);">;

def : OnnxImport<"CumProd", 26, (ins "x", "axis"), (ins 0:$exclusive, 0:$reverse),
    "y = CumProd(x, wrapAxis(intOf(axis), rank(x)), exclusive != 0, reverse != 0);">;

#endif // GLOW_IMPORT_ONNXNETWORK
