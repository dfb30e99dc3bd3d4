//===- OnnxNetwork.td - ONNX operators that layers are made of ------------===//

#ifndef GLOW_IMPORT_ONNXNETWORK
#define GLOW_IMPORT_ONNXNETWORK

include "glow/nodes/Convolution.td"
include "glow/nodes/MatMul.td"
include "glow/nodes/Normalization.td"
include "glow/nodes/Pooling.td"
include "glow/nodes/Reduction.td"
include "glow/nodes/Shape.td"

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

def : OnnxImport<"Gemm", 7, (ins "A", "B", "C?"),
    (ins "1.0":$alpha, "1.0":$beta, 0:$transA, 0:$transB), [{
  require(rank(A) == 2 && rank(B) == 2, "both factors must be matrices");
  a = if(transA != 0, Transpose(A, [1, 0]), A);
  b = if(transB != 0, Transpose(B, [1, 0]), B);
  product = MatMul(a, b);
  p = if(alpha == 1.0, product, alpha * product);
  c = if(present(C), Broadcast(C, shape(p)), p);
  Y = if(present(C), p + if(beta == 1.0, c, beta * c), p);
}]>;

// The factors of A times B as x and y, and `full`, the shape of the product. A
// vector is a row on the left and a column on the right. Matrices of a batch
// times one matrix are one large matrix, if `flat`.
defvar MatMulFactors = [{
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
}];
def : OnnxImport<"MatMul", 1, (ins "A", "B"), (ins), MatMulFactors # [{
  p = MatMul(x, y);
  Y = if(shape(p) == full, p, Reshape(p, full));
}]>;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

def : OnnxImport<"Conv", 1, (ins "X", "W", "B?"),
    (ins Words<"NOTSET">:$auto_pad, MaybeInts:$dilations, 1:$group,
         MaybeInts:$kernel_shape, MaybeInts:$pads, MaybeInts:$strides), [{
  x = drop(shape(X), 2);
  r = drop(shape(W), 2);
  step = listOr(strides, repeat(1, size(x)));
  apart = listOr(dilations, repeat(1, size(x)));
  Y = Conv(X, W, B, step, windowPads(auto_pad, x, apart * (r - 1) + 1, step, pads), apart, group);
}]>;

def : OnnxImport<"ConvTranspose", 1, (ins "X", "W", "B?"),
    (ins Words<"NOTSET">:$auto_pad, MaybeInts:$dilations, 1:$group,
         MaybeInts:$kernel_shape, MaybeInts:$output_padding, MaybeInts:$output_shape,
         MaybeInts:$pads, MaybeInts:$strides), [{
  x = drop(shape(X), 2);
  r = drop(shape(W), 2);
  step = listOr(strides, repeat(1, size(x)));
  apart = listOr(dilations, repeat(1, size(x)));
  more = listOr(output_padding, repeat(0, size(x)));
  same = auto_pad == "SAME_UPPER" || auto_pad == "SAME_LOWER";
  full = step * (x - 1) + more + apart * (r - 1) + 1;
  wanted = listOr(drop(output_shape, size(output_shape) - size(x)), if(same, x * step, []));
  Y = ConvTranspose(X, W, B, step, transposePads(auto_pad, full, wanted, step, pads), apart, more, group);
}]>;

// What all pools share: window, step, apart, the pads as given, and those with
// room for the last window.
defvar PoolWindow = [{
  x = drop(shape(X), 2);
  step = listOr(strides, repeat(1, size(x)));
  apart = listOr(dilations, repeat(1, size(x)));
  extents = apart * (kernel_shape - 1) + 1;
  given = windowPads(auto_pad, x, extents, step, pads);
  full = if(ceil_mode != 0, ceilPads(x, extents, step, given), given);
}];

def : OnnxImport<"MaxPool", 1, (ins "X"),
    (ins Words<"NOTSET">:$auto_pad, 0:$ceil_mode, MaybeInts:$dilations, RequiredInts:$kernel_shape,
         MaybeInts:$pads, 0:$storage_order, MaybeInts:$strides), PoolWindow # [{
  Y = MaxPool(X, kernel_shape, step, full, apart);
}]>;

// Pads that count are put around the image first; those that the rounding up
// of sizes adds never count.
defvar AveragePoolAttributes =
    (ins Words<"NOTSET">:$auto_pad, 0:$ceil_mode, 0:$count_include_pad, MaybeInts:$dilations,
         RequiredInts:$kernel_shape, MaybeInts:$pads, MaybeInts:$strides);
defvar AveragePoolBody = PoolWindow # [{
  n = size(x);
  Y = if(count_include_pad != 0 && sum(given) > 0,
         AvgPool(Pad(X, [0, 0, *take(given, n)], [0, 0, *drop(given, n)], 0.0),
                 kernel_shape, step, [*repeat(0, n), *drop(full - given, n)], apart),
         AvgPool(X, kernel_shape, step, full, apart));
}];
def : OnnxImport<"AveragePool", 1, (ins "X"), AveragePoolAttributes, AveragePoolBody>;

def : OnnxImport<"LpPool", 2, (ins "X"),
    (ins Words<"NOTSET">:$auto_pad, 0:$ceil_mode, MaybeInts:$dilations, RequiredInts:$kernel_shape,
         2:$p, MaybeInts:$pads, MaybeInts:$strides), PoolWindow # [{
  Y = LpPool(X, kernel_shape, step, full, apart, p);
}]>;

def : OnnxImport<"GlobalAveragePool", 1, (ins "X"), (ins),
                 "Y = ReduceMean(X, range(2, rank(X)), true);">;
def : OnnxImport<"GlobalMaxPool", 1, (ins "X"), (ins),
                 "Y = ReduceMax(X, range(2, rank(X)), true);">;

//===----------------------------------------------------------------------===//
// Normalization
//===----------------------------------------------------------------------===//

def : OnnxImport<"BatchNormalization", 7, (ins "X", "scale", "B", "mean", "var"),
    (ins "1e-5":$epsilon, "0.9":$momentum, 1:$spatial, 0:$training_mode), [{
  require(training_mode == 0, "training_mode {training_mode} is not supported");
  require(spatial == 1, "spatial {spatial} is not supported");
  k = kind(X);
  Y = BatchNorm(X, if(kind(scale) == k, scale, Cast(scale, k)), if(kind(B) == k, B, Cast(B, k)),
                if(kind(mean) == k, mean, Cast(mean, k)), if(kind(var) == k, var, Cast(var, k)), epsilon);
}]>;
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
  Mean = if(outputs > 1, ReduceMean(X, axes, true), X);
  centred = if(outputs > 2, X - Broadcast(Mean, shape(X)), X);
  InvStdDev = if(outputs > 2, Reciprocal(Sqrt(ReduceMean(centred * centred, axes, true) + epsilon)), X);
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
  a = wrapAxes(listOr(axes, [0, 2, 3]), rank(X));
  centred = X - Broadcast(ReduceMean(X, a, true), shape(X));
  Y = centred / Broadcast(Sqrt(ReduceMean(centred * centred, a, true)) + 1e-9, shape(X));
}]>;

// At first the axes from `axis` on were one.
class OnnxFlatSoftmax<string operator, Node node>
    : OnnxImport<operator, 1, (ins "X"), (ins 1:$axis), [{
  a = wrapAxis(axis, rank(X));
  flat = [prod(take(shape(X), a)), prod(drop(shape(X), a))];
  Y = if(a == rank(X) - 1, }] # !cast<string>(node) # "(X, a), Reshape("
      # !cast<string>(node) # "(Reshape(X, flat), 1), shape(X)));">;
class OnnxSoftmax<string operator, Node node>
    : OnnxImport<operator, 13, (ins "X"), (ins -1:$axis),
                 "Y = " # !cast<string>(node) # "(X, wrapAxis(axis, rank(X)));">;
def : OnnxFlatSoftmax<"Softmax", Softmax>;
def : OnnxFlatSoftmax<"LogSoftmax", LogSoftmax>;
def : OnnxSoftmax<"Softmax", Softmax>;
def : OnnxSoftmax<"LogSoftmax", LogSoftmax>;

// The mask, if one asks for it, keeps everything.
def : OnnxImport<"Dropout", 7, (ins "data"), (ins "0.5":$ratio), [{
  output = data;
  mask = Splat(1, shape(data), elementKind("bool"));
}]> {
  let outputs = ["output", "mask?"];
}
def : OnnxImport<"Dropout", 12, (ins "data", "ratio?", "training_mode?"), (ins 0:$seed), [{
  require(intOf(training_mode) == 0, "training is not supported");
  output = data;
  mask = Splat(1, shape(data), elementKind("bool"));
}]> {
  let outputs = ["output", "mask?"];
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

// The body reduces `data` along the axes `a`, which stay if `k`. Axes were an
// attribute before opset `since`, and are an input from then on.
multiclass OnnxReduce<string operator, string body, int since = 18> {
  def ByAttribute : OnnxImport<operator, 1, (ins "data"), (ins MaybeInts:$axes, 1:$keepdims), [{
    a = listOr(wrapAxes(axes, rank(data)), range(0, rank(data)));
    k = keepdims != 0;
  }] # body>;
  def ByInput : OnnxImport<operator, since, (ins "data", "axes?"),
      (ins 1:$keepdims, 0:$noop_with_empty_axes), [{
    given = wrapAxes(ints(axes), rank(data));
    a = listOr(given, if(noop_with_empty_axes != 0, [], range(0, rank(data))));
    k = keepdims != 0;
  }] # body>;
}
defm ReduceSumImport : OnnxReduce<"ReduceSum", "reduced = ReduceSum(data, a, k);", 13>;
defm ReduceMeanImport : OnnxReduce<"ReduceMean", "reduced = ReduceMean(data, a, k);">;
defm ReduceMaxImport : OnnxReduce<"ReduceMax", "reduced = ReduceMax(data, a, k);">;
defm ReduceMinImport : OnnxReduce<"ReduceMin", "reduced = ReduceMin(data, a, k);">;
defm ReduceProdImport : OnnxReduce<"ReduceProd", "reduced = ReduceProd(data, a, k);">;
defm ReduceL1Import : OnnxReduce<"ReduceL1", "reduced = ReduceSum(Abs(data), a, k);">;
defm ReduceL2Import : OnnxReduce<"ReduceL2", "reduced = Sqrt(ReduceSum(data * data, a, k));">;
defm ReduceSumSquareImport
    : OnnxReduce<"ReduceSumSquare", "reduced = ReduceSum(data * data, a, k);">;
defm ReduceLogSumImport : OnnxReduce<"ReduceLogSum", "reduced = Log(ReduceSum(data, a, k));">;
// The largest element is taken off first, so that no power overflows.
defm ReduceLogSumExpImport : OnnxReduce<"ReduceLogSumExp", [{
  most = ReduceMax(data, a, true);
  part = Log(ReduceSum(Exp(data - Broadcast(most, shape(data))), a, k));
  reduced = part + Reshape(most, shape(part));
}]>;

class OnnxArg<string operator, Node node>
    : OnnxImport<operator, 1, (ins "data"), (ins 0:$axis, 1:$keepdims, 0:$select_last_index),
                 "reduced = " # !cast<string>(node) #
                 "(data, wrapAxis(axis, rank(data)), keepdims != 0, select_last_index != 0);">;
def : OnnxArg<"ArgMax", ArgMax>;
def : OnnxArg<"ArgMin", ArgMin>;

def : OnnxImport<"CumSum", 11, (ins "x", "axis"), (ins 0:$exclusive, 0:$reverse),
    "y = CumSum(x, wrapAxis(intOf(axis), rank(x)), exclusive != 0, reverse != 0);">;

#endif // GLOW_IMPORT_ONNXNETWORK
