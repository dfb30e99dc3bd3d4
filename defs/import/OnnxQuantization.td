//===- OnnxQuantization.td - ONNX operators on integers that stand for reals =//
//
// Sums of products become quantised numbers by one factor, the scales of the
// operands by that of the result; other operators run on real numbers.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_ONNXQUANTIZATION
#define GLOW_IMPORT_ONNXQUANTIZATION

include "glow/import/MicrosoftAttention.td"
include "glow/import/OnnxElementwise.td"
include "glow/import/OnnxNetwork.td"
include "glow/nodes/Quantization.td"

// A zero point that is not given is 0.
class ZeroOr0<string zero, string kind> {
  string text = "if(present(" # zero # "), " # zero # ", Splat(0, [], " # kind # "))";
}

//===----------------------------------------------------------------------===//
// To integers and back
//===----------------------------------------------------------------------===//

// A parameter for each block along the axis is one for each element.
class Spread<string p> {
  string text = !subst("P", p, [{if(block_size > 0,
      Slice(Reshape(Broadcast(Reshape(P, insert(shape(P), a + 1, 1)), insert(shape(P), a + 1, block_size)),
                    set(shape(P), a, blocks * block_size)),
            repeat(0, rank(x)), repeat(1, rank(x)), shape(x)), P)}]);
}
defvar Blocks = [{
  a = wrapAxis(axis, rank(x));
  blocks = (at(shape(x), a) + block_size - 1) / max(block_size, 1);
  scales = shape(scale);
  zeros = shape(zero);
  whole = shape(x);
  require(block_size <= 0 || a < rank(x) && scales == set(whole, a, blocks) && zeros == scales,
          "a scale of shape {scales} and a zero point of shape {zeros} are not one for each block of {block_size} along axis {axis} of shape {whole}");
}];
// A parameter as a tensor of the whole shape: for floats of few bits, which no node of
// quantization takes.
class ForAll<string p> {
  string text = !subst("P", p, [{Broadcast(if(prod(shape(P)) == 1, Reshape(P, []), P), whole,
      axis: if(prod(shape(P)) != 1 && rank(P) == 1, a, -1))}]);
}
// They are multiples of the scale, since their zero is the number 0.
defvar QuantizeBlocks = !strconcat(Blocks,
    "each = ", Spread<"scale">.text, "; eachZero = ", Spread<"zero">.text, "; isReal = isFloat(kind(zero)); wide = Cast(x, kind(scale));",
    "steps = if(isReal, wide / ", ForAll<"each">.text, " + Cast(", ForAll<"eachZero">.text, ", kind(scale)), wide); k = kind(zero);",
    Ready<"steps", "k">.statements, [{
  y = if(isReal, Cast(ready, k), Quantize(wide, each, eachZero, a));
}]);
defvar DequantizeBlocks = !strconcat(Blocks,
    "each = ", Spread<"scale">.text, "; eachZero = ", Spread<"zero">.text, ";",
    "real = if(isFloat(kind(x)) && bitsOf(kind(x)) <= 8, (Cast(x, kind(scale)) - Cast(", ForAll<"eachZero">.text, ", kind(scale))) * ",
    ForAll<"each">.text, ", Dequantize(x, each, eachZero, a));");
// Powers of two as scales are computed with as f32.
class Scale<string s> {
  string text = "if(kind(" # s # ") == elementKind(\"f8E8M0FNU\"), Cast(" # s # ", elementKind(\"f32\")), " # s # ")";
}

def : OnnxImport<"QuantizeLinear", 10, (ins "x", "y_scale", "y_zero_point?"), (ins),
    "y = Quantize(Cast(x, kind(y_scale)), y_scale, " # ZeroOr0<"y_zero_point", "elementKind(\"u8\")">.text # ");">;
// Whether what is too large becomes the nearest that fits is asked of floats of 8 bits only.
def : OnnxImport<"QuantizeLinear", 13, (ins "x", "y_scale", "y_zero_point?"), (ins 1:$axis, 1:$saturate),
    !strconcat("block_size = 0; scale = y_scale; zero = ", ZeroOr0<"y_zero_point", "elementKind(\"u8\")">.text, ";", QuantizeBlocks)>;
def : OnnxImport<"QuantizeLinear", 21, (ins "x", "y_scale", "y_zero_point?"),
    (ins 1:$axis, 0:$block_size, 0:$output_dtype, 0:$precision, 1:$saturate), !strconcat([{
  given = }], Scale<"y_scale">.text, [{;
  scale = if(precision == 0, given, Cast(given, onnxKind(precision)));
  asked = onnxKind(if(output_dtype == 0, 2, output_dtype));
  zero = if(present(y_zero_point), y_zero_point,
            Splat(0, if(block_size > 0, shape(y_scale), []), asked));
}], QuantizeBlocks)>;

def : OnnxImport<"DequantizeLinear", 10, (ins "x", "x_scale", "x_zero_point?"), (ins),
    "y = Dequantize(x, x_scale, " # ZeroOr0<"x_zero_point", "kind(x)">.text # ");">;
def : OnnxImport<"DequantizeLinear", 13, (ins "x", "x_scale", "x_zero_point?"), (ins 1:$axis),
    !strconcat("block_size = 0; scale = x_scale; zero = ", ZeroOr0<"x_zero_point", "kind(x)">.text, ";", DequantizeBlocks, "y = real;")>;
def : OnnxImport<"DequantizeLinear", 21, (ins "x", "x_scale", "x_zero_point?"),
    (ins 1:$axis, 0:$block_size, 0:$output_dtype), !strconcat([{
  scale = }], Scale<"x_scale">.text, [{;
  zero = if(present(x_zero_point), x_zero_point, Splat(0, if(block_size > 0, shape(x_scale), []), kind(x)));
}], DequantizeBlocks, [{
  y = if(output_dtype == 0, real, Cast(real, onnxKind(output_dtype)));
}])>;
let domain = "com.microsoft" in {
def : OnnxImport<"QuantizeLinear", 1, (ins "x", "y_scale", "y_zero_point?"), (ins 1:$axis),
    "y = Quantize(Cast(x, kind(y_scale)), y_scale, " # ZeroOr0<"y_zero_point", "elementKind(\"u8\")">.text
    # ", wrapAxis(axis, rank(x)));">;
def : OnnxImport<"DequantizeLinear", 1, (ins "x", "x_scale", "x_zero_point?"), (ins 1:$axis),
    "y = Dequantize(x, x_scale, " # ZeroOr0<"x_zero_point", "kind(x)">.text # ", wrapAxis(axis, rank(x)));">;
}

// From IN the integers q, their scale and zero point; 0 is always one of them.
class Dynamic<string tensor> {
  string text = !subst("IN", tensor, [{
  all = range(0, rank(IN));
  low = Min(ReduceMin(IN, all), 0.0);
  width = (Max(ReduceMax(IN, all), 0.0) - low) / 255.0;
  scale = Select(Equal(width, Splat(0, [], kind(IN))), Splat(1, [], kind(IN)), width);
  zero = Cast(Round(-low / scale), elementKind("u8"));
  q = Quantize(IN, scale, zero);
}]);
}
def : OnnxImport<"DynamicQuantizeLinear", 11, (ins "x"), (ins), Dynamic<"x">.text # [{
  y = q;
  y_scale = scale;
  y_zero_point = zero;
}]> {
  let outputs = ["y", "y_scale", "y_zero_point"];
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// The integer product p of A and B with zero points az and bz. Rows of a batch
// that became one matrix repeat theirs.
defvar IntegerProduct = MatMulFactors # [{
  rowZeros = Reshape(az, [elements(az)]);
  points = elements(az);
  require(points == 1 || points == rows[0], "{points} zero points do not suit {rows[0]} rows");
  repeated = if(points > 1 && flat, Reshape(Broadcast(rowZeros, [prod(left), rows[0]]), [prod(left) * rows[0]]), rowZeros);
  sum = MatMulInteger(x, y, repeated, Reshape(bz, [elements(bz)]));
  p = if(shape(sum) == full, sum, Reshape(sum, full));
}];
defvar ZerosOrNone = "az = " # ZeroOr0<"a_zero_point", "kind(A)">.text
                     # "; bz = " # ZeroOr0<"b_zero_point", "kind(B)">.text # ";";
def : OnnxImport<"MatMulInteger", 10, (ins "A", "B", "a_zero_point?", "b_zero_point?"), (ins),
                 !strconcat(ZerosOrNone, IntegerProduct, "Y = p;")>;

// The scales of products, of sa and of sb, which may be one a column.
defvar Scales = [{
  require(elements(sa) == 1, "the scale of rows and of images must be one");
  columnScales = Cast(Reshape(sb, [elements(sb)]), elementKind("f32"));
  each = shape(columnScales);
  scales = Broadcast(Reshape(Cast(sa, kind(columnScales)), []), each) * columnScales;
}];
// And the factor from them to the scale sy.
defvar Factor = Scales # [{
  require(elements(sy) == 1, "the scale of the result must be one");
  factor = scales / Broadcast(Reshape(Cast(sy, kind(scales)), []), each);
}];
class QLinearMatMul<int since, code body>
    : OnnxImport<"QLinearMatMul", since,
                 (ins "A", "a_scale", "a_zero_point", "B", "b_scale", "b_zero_point", "y_scale", "y_zero_point"), (ins),
                 "az = a_zero_point; bz = b_zero_point;" # body>;
def : QLinearMatMul<10, !strconcat("sa = a_scale; sb = b_scale; sy = y_scale;", IntegerProduct, Factor,
                                   "Y = Requantize(p, factor, y_zero_point, rank(p) - 1);")>;
// Floats of 8 bits are multiplied as the reals that they stand for.
class Multiplied<string x, string scale, string zero, string axis> {
  string text = !subst("TENSOR", x, !subst("SCALE", scale, !subst("ZERO", zero, !subst("AXIS", axis, [{
    TENSOR = if(isReal, (Cast(TENSOR, wide) - Broadcast(Cast(if(elements(ZERO) == 1, Reshape(ZERO, []), ZERO), wide), shape(TENSOR),
        axis: if(rank(ZERO) == 1 && elements(ZERO) > 1, rank(TENSOR) - AXIS, -1))) *
      Broadcast(Cast(if(elements(SCALE) == 1, Reshape(SCALE, []), SCALE), wide), shape(TENSOR),
        axis: if(rank(SCALE) == 1 && elements(SCALE) > 1, rank(TENSOR) - AXIS, -1)), TENSOR);
  }]))));
}
def : QLinearMatMul<21, !strconcat([{
  isReal = isFloat(kind(A));
  wide = elementKind("f32");
  saturate = 1;
  sa = if(isReal, y_scale, a_scale);
  sb = if(isReal, y_scale, b_scale);
  sy = y_scale;
  k = kind(y_zero_point);
}], Multiplied<"A", "a_scale", "az", "2">.text, Multiplied<"B", "b_scale", "bz", "1">.text,
    !subst("sum = MatMulInteger(x, y, repeated, Reshape(bz, [elements(bz)]));",
           "sum = if(isReal, MatMul(x, y), MatMulInteger(x, y, repeated, Reshape(bz, [elements(bz)])));", IntegerProduct), Factor, [{
  steps = if(isReal, p / Broadcast(Cast(Reshape(sy, []), wide), shape(p)) + Broadcast(Cast(Reshape(y_zero_point, []), wide), shape(p)), p);
}], Ready<"steps", "k">.statements, "Y = if(isReal, Cast(ready, k), Requantize(p, factor, y_zero_point, rank(p) - 1));")>;

defvar WindowAttributes = (ins AutoPad:$auto_pad, MaybeInts:$dilations, 1:$group,
                           MaybeInts:$kernel_shape, MaybeInts:$pads, MaybeInts:$strides);
// The integer convolution `sum` of X and W with zero points xz and wz.
defvar IntegerConv = !strconcat("image = drop(shape(X), 2);", Steps<"image">.statement, "r = drop(shape(W), 2);", KernelShape, [{
  apart = listOr(dilations, repeat(1, size(image)));
  sum = ConvInteger(X, W, xz, wz, step, windowPads(auto_pad, image, apart * (r - 1) + 1, step, pads), apart, group);
}]);
def : OnnxImport<"ConvInteger", 10, (ins "X", "W", "x_zero_point?", "w_zero_point?"), WindowAttributes,
    !strconcat("xz = ", ZeroOr0<"x_zero_point", "kind(X)">.text, "; wz = ", ZeroOr0<"w_zero_point", "kind(W)">.text, ";",
               IntegerConv, "Y = sum;")>;
// The bias has the scale of the products.
def : OnnxImport<"QLinearConv", 10,
    (ins "X", "x_scale", "x_zero_point", "W", "w_scale", "w_zero_point", "y_scale", "y_zero_point", "B?"),
    WindowAttributes,
    !strconcat("xz = x_zero_point; wz = w_zero_point; sa = x_scale; sb = w_scale; sy = y_scale;", IntegerConv, Factor, [{
  biased = if(present(B), sum + Broadcast(B, shape(sum), axis: 1), sum);
  Y = Requantize(biased, factor, y_zero_point, 1);
}])>;

// The product as real numbers, plus a bias.
defvar RealProduct = !strconcat(IntegerProduct, Scales, [{
  real = Cast(p, kind(scales)) * Broadcast(scales, shape(p));
  Y = if(present(bias), real + Broadcast(bias, shape(p)), real);
}]);
let domain = "com.microsoft" in {
def : OnnxImport<"MatMulIntegerToFloat", 1,
    (ins "A", "B", "a_scale", "b_scale", "a_zero_point?", "b_zero_point?", "bias?"), (ins),
    !strconcat(ZerosOrNone, "sa = a_scale; sb = b_scale;", RealProduct)>;
def : OnnxImport<"DynamicQuantizeMatMul", 1, (ins "A", "B", "b_scale", "b_zero_point?", "bias?"), (ins),
    !strconcat(Dynamic<"A">.text, "A = q; az = zero; sa = scale; sb = b_scale; bz = ", ZeroOr0<"b_zero_point", "kind(B)">.text,
               ";", RealProduct)>;
def : OnnxImport<"QGemm", 1,
    (ins "A", "a_scale", "a_zero_point", "B", "b_scale", "b_zero_point", "C?", "y_scale?", "y_zero_point?"),
    (ins "1.0":$alpha, 0:$transA, 0:$transB), !strconcat([{
  sa = a_scale * alpha;
  sb = b_scale;
}], Scales, [{
  product = MatMulInteger(if(transA != 0, Transpose(A, [1, 0]), A), if(transB != 0, Transpose(B, [1, 0]), B),
                          a_zero_point, b_zero_point);
  sum = if(present(C), product + Broadcast(C, shape(product)), product);
  Y = if(present(y_scale), Requantize(sum, scales / Broadcast(Reshape(y_scale, []), each), y_zero_point, 1),
         Cast(sum, kind(scales)) * Broadcast(scales, shape(sum)));
}])>;
}

//===----------------------------------------------------------------------===//
// By way of real numbers
//===----------------------------------------------------------------------===//

let domain = "com.microsoft" in {

class OnnxQLinearBinary<string operator, Node node>
    : OnnxImport<operator, 1,
    (ins "A", "A_scale", "A_zero_point?", "B", "B_scale", "B_zero_point?", "C_scale", "C_zero_point?"), (ins),
    !strconcat(BroadcastBoth, "real = ", !cast<string>(node),
               "(Dequantize(x, A_scale, ", ZeroOr0<"A_zero_point", "kind(A)">.text,
               "), Dequantize(y, B_scale, ", ZeroOr0<"B_zero_point", "kind(B)">.text,
               ")); C = Quantize(real, C_scale, ", ZeroOr0<"C_zero_point", "kind(A)">.text, ");")>;
// The ratios of the scales multiply, and the zero point of the result is added
// before the sum is rounded: near a half another order rounds elsewhere.
def : OnnxImport<"QLinearAdd", 1,
    (ins "A", "A_scale", "A_zero_point?", "B", "B_scale", "B_zero_point?", "C_scale", "C_zero_point?"), (ins),
    !strconcat(BroadcastBoth, "az = ", ZeroOr0<"A_zero_point", "kind(A)">.text, "; bz = ", ZeroOr0<"B_zero_point", "kind(B)">.text,
               "; cz = ", ZeroOr0<"C_zero_point", "kind(A)">.text, [{;
  f = elementKind("f32");
  require(elements(A_scale) == 1 && elements(B_scale) == 1 && elements(C_scale) == 1, "scales must be one");
  ratio = Reshape(A_scale, []) / Reshape(C_scale, []);
  other = Reshape(B_scale, []) / Reshape(C_scale, []);
  p = (Cast(x, f) - Broadcast(Reshape(Cast(az, f), []), s)) * Broadcast(ratio, s);
  q = (Cast(y, f) - Broadcast(Reshape(Cast(bz, f), []), s)) * Broadcast(other, s);
  C = Cast(Round(p + (q + Broadcast(Reshape(Cast(cz, f), []), s))), kind(A));
}])>;
def : OnnxQLinearBinary<"QLinearMul", Mul>;

// The body makes `result` of `real`.
class OnnxQLinearUnary<string operator, dag attributes, string body_>
    : OnnxImport<operator, 1, (ins "X", "X_scale", "X_zero_point?", "Y_scale", "Y_zero_point?"), attributes,
    !strconcat("real = Dequantize(X, X_scale, ", ZeroOr0<"X_zero_point", "kind(X)">.text, ");", body_,
               "Y = Quantize(result, Y_scale, ", ZeroOr0<"Y_zero_point", "kind(X)">.text, ");")>;
def : OnnxQLinearUnary<"QLinearSigmoid", (ins), "result = Sigmoid(real);">;
def : OnnxQLinearUnary<"QLinearLeakyRelu", (ins "0.01":$alpha), "result = LeakyRelu(real, alpha);">;
// Before the opset that it has as an attribute, axes from `axis` on are one.
def : OnnxQLinearUnary<"QLinearSoftmax", (ins -1:$axis, RequiredInt:$opset), [{
  a = wrapAxis(axis, rank(X));
  flat = [prod(take(shape(X), a)), prod(drop(shape(X), a))];
  result = if(opset < 13 && a != rank(X) - 1, Reshape(Softmax(Reshape(real, flat), 1), shape(X)), Softmax(real, a));
}]>;
def : OnnxQLinearUnary<"QLinearAveragePool", !con(AveragePoolAttributes, (ins 0:$channels_last)),
    !strconcat("require(channels_last == 0, \"channels_last {channels_last} is not supported\");",
               !subst("(X", "(real", !subst("Y = ", "result = ", AveragePoolBody)))>;

// The sum is exact, and is rounded once.
def : OnnxImport<"QLinearGlobalAveragePool", 1,
    (ins "X", "x_scale", "x_zero_point?", "y_scale", "y_zero_point?"), (ins 0:$channels_last),
    !strconcat("xz = ", ZeroOr0<"x_zero_point", "kind(X)">.text, "; yz = ", ZeroOr0<"y_zero_point", "kind(X)">.text, [{;
  axes = if(channels_last != 0, range(1, rank(X) - 1), range(2, rank(X)));
  wide = Cast(X, elementKind("i32")) - Broadcast(Cast(Reshape(xz, []), elementKind("i32")), shape(X));
  sum = ReduceSum(wide, axes, true);
  Y = Requantize(sum, Reshape(x_scale, []) / (Reshape(y_scale, []) * prod(pick(shape(X), axes))), yz);
}])>;

// After the scale and zero point of the result there are, of each tensor, it and its own.
def : OnnxImport<"QLinearConcat", 1, (ins "Y_scale", "Y_zero_point", "inputs..."), (ins RequiredInt:$axis), [{
  given = count(inputs);
  require(given >= 3 && given % 3 == 0, "{given} inputs are not tensors with a scale and a zero point each");
  real = Concat(map(Dequantize, every(inputs, 0, 3), every(inputs, 1, 3), every(inputs, 2, 3)),
                wrapAxis(axis, rank(inputs[0])));
  Y = Quantize(real, Y_scale, Y_zero_point);
}]>;

}

//===----------------------------------------------------------------------===//
// Large networks
//===----------------------------------------------------------------------===//

// Numbers of 4 bits, the lower half of a byte first, out of the last axis of P.
class Halves<string p> {
  string text = !subst("P", p, [{Reshape(Concat([BitAnd(Reshape(P, [*shape(P), 1]), 15),
      ShiftRight(Reshape(P, [*shape(P), 1]), 4)], rank(P)), set(shape(P), rank(P) - 1, at(shape(P), rank(P) - 1) * 2))}]);
}

let domain = "com.microsoft" in {

// Each row of B is a column of the factor, in blocks with a scale and a zero point each.
def : OnnxImport<"MatMulNBits", 1, (ins "A", "B", "scales", "zero_points?", "g_idx?", "bias?"),
    (ins RequiredInt:$K, RequiredInt:$N, 0:$accuracy_level, 4:$bits, RequiredInt:$block_size), !strconcat([{
  require(bits == 4 || bits == 8, "bits {bits} must be 4 or 8");
  require(!present(g_idx), "g_idx is not supported");
  require(block_size >= 1, "block_size {block_size} must be at least 1");
  blocks = (K + block_size - 1) / max(block_size, 1);
  k = kind(A);
  codes = Reshape(if(bits == 8, B, }], Halves<"B">.text, [{), [N, blocks, block_size]);
  real = present(zero_points) && isFloat(kind(zero_points));
  lines = if(present(zero_points), Reshape(zero_points, [N, elements(zero_points) / max(N, 1)]), B);
  points = if(!present(zero_points), Splat(if(bits == 8, 128.0, 8.0), [N, blocks], kind(B)),
           if(real || bits == 8, lines, Slice(}], Halves<"lines">.text, [{, [0, 0], [1, 1], [N, blocks])));
  steps = Cast(codes, k) - Broadcast(Reshape(Cast(points, k), [N, blocks, 1]), [N, blocks, block_size]);
  weights = Reshape(steps * Broadcast(Reshape(scales, [N, blocks, 1]), [N, blocks, block_size]), [N, blocks * block_size]);
  factor = Transpose(Slice(weights, [0, 0], [1, 1], [N, K]), [1, 0]);
  product = Reshape(MatMul(Reshape(A, [elements(A) / max(K, 1), K]), factor), set(shape(A), rank(A) - 1, N));
  Y = if(present(bias), product + Broadcast(bias, shape(product)), product);
}])>;

// Queries, keys and values are the columns of one product, each of all heads.
def : OnnxImport<"QAttention", 1,
    (ins "input", "weight", "bias", "input_scale", "weight_scale", "mask_index?", "input_zero_point?", "weight_zero_point?", "past?"),
    (ins 0:$do_rotary, "-10000.0":$mask_filter_value, RequiredInt:$num_heads, 0:$past_present_share_buffer,
         "0.0":$scale, 0:$unidirectional),
    !strconcat([{
  require(!present(past), "past is not supported");
  require(do_rotary == 0, "do_rotary {do_rotary} is not supported");
  require(rank(input) == 3, "the input must have 3 dimensions");
  A = input;
  B = weight;
  sa = input_scale;
  sb = weight_scale;
  az = }], ZeroOr0<"input_zero_point", "kind(input)">.text, "; bz = ", ZeroOr0<"weight_zero_point", "kind(weight)">.text, ";",
  RealProduct, [{
  b = shape(Y)[0];
  s = shape(Y)[1];
  hidden = shape(Y)[2] / 3;
  require(num_heads >= 1 && hidden % max(num_heads, 1) == 0, "{num_heads} heads do not divide {hidden} columns");
  d = hidden / max(num_heads, 1);
  heads = Transpose(Reshape(Y, [b, s, 3, num_heads, d]), [2, 0, 3, 1, 4]);
  q, k, v = Split(heads, 0, [1, 1, 1]);
  each = [b, num_heads, s, d];
  keys = Transpose(Reshape(k, each), [0, 1, 3, 2]);
  values = Reshape(v, each);
  require(!present(mask_index) || }], HasMaskSize<"mask_index", "b">.text, [{,
          "mask_index must have at most 3 dimensions, the first {b}, or be {2 * b} or {3 * b + 2} numbers");
  t = s;
  visible = }], Visible<"mask_index", "t", "b">.text, ";",
  Masked<"MatMul(Reshape(q, each), keys) * if(scale == 0.0, 1.0 / sqrt(real(d)), scale)">.statements)>;

}

#endif // GLOW_IMPORT_ONNXQUANTIZATION
