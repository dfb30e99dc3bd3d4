//===- OnnxQuantization.td - ONNX operators on integers that stand for reals =//
// SPDX-License-Identifier: MIT
//
// Sums of products become quantised numbers by one factor, the scales of the
// operands by that of the result; other operators run on real numbers.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_ONNXQUANTIZATION
#define GLOW_IMPORT_ONNXQUANTIZATION

include "glow/import/MicrosoftAttention.td"
include "glow/import/OnnxElementwise.td"
include "glow/import/OnnxConvolution.td"
include "glow/import/OnnxMatMul.td"
include "glow/import/OnnxPooling.td"
include "glow/nodes/BlockQuantization.td"
include "glow/nodes/Quantization.td"

// A zero point that is not given is 0.
def zeroOr0 : Let<(ins Tensor:$zero, Kind:$k), "if(present(zero), zero, Splat(0, [], k))">;

// A scale is the size of a step: it must be a positive, finite number. Scales that only a
// run gives are not checked.
def checkedScale : Let<(ins Tensor:$scale, Text:$input), [{
  list = if(isConstant(scale), reals(scale), repeatReal(1.0, 0));
  most = largestOf(kind(scale));
  wrong = [if(x > 0.0 && x <= most, 0, 1) for x in list];
  value = list[max(indicesOf([1], wrong)[0], 0)];
  require(sum(wrong) == 0, "scale {input} is {value}, it should be a positive, finite number");
  y = scale;
}]>;

// The largest distance of an 8-bit integer from its zero: 255 if a run gives the zeros.
def farthestFrom : Let<(ins Tensor:$zero, Kind:$k), [{
  l = lowestOf(k);
  far = if(isConstant(zero), greatest([max(z - l, l + 255.0 - z) for z in reals(zero)]), 255.0);
}]>;
def checkedSums : Let<(ins Tensor:$sums, Int:$length, Tensor:$x, Tensor:$xz, Tensor:$w, Tensor:$wz),
                      [{
  a = farthestFrom(xz, kind(x));
  b = farthestFrom(wz, kind(w));
  require(real(length) * a * b < 2147483648.0,
          "sums of {length} products, each of at most {a} by {b}, do not fit into i32");
  y = sums;
}]>;

//===----------------------------------------------------------------------===//
// To integers and back
//===----------------------------------------------------------------------===//

// The scale and the zero point as nodes take them: one, one for each index of the axis,
// or one for each element.
def spreadParameters : Let<(ins Tensor:$x, Tensor:$scale, Tensor:$zero, Int:$axis, Int:$block_size),
                           [{
  a = wrapAxis(axis, rank(x));
  blocks = (at(shape(x), a) + block_size - 1) / max(block_size, 1);
  scales = shape(scale);
  zeros = shape(zero);
  whole = shape(x);
  require(block_size <= 0 || a < rank(x) && scales == set(whole, a, blocks) && zeros == scales,
          "a scale of shape {scales} and a zero point of shape {zeros} are not one for each block of {block_size} along axis {axis} of shape {whole}");
  each = spread(scale, x, a, block_size);
  eachZero = spread(zero, x, a, block_size);
}]> { let results = ["each", "eachZero", "a"]; }
// A parameter as a tensor of the whole shape: for floats of few bits, which no node of
// quantization takes.
def forAll : Let<(ins Tensor:$p, Ints:$whole, Int:$axis), [{
  one = prod(shape(p)) == 1;
  parameter = Broadcast(if(one, Reshape(p, []), p), whole,
                        axis: if(!one && rank(p) == 1, axis, -1));
}]>;
// Where both parameters are one number no axis has a meaning: it is then -1.
def parameterAxis : Let<(ins Tensor:$scale, Tensor:$zero, Int:$axis),
    "if(prod(shape(scale)) == 1 && prod(shape(zero)) == 1, -1, axis)">;
// They are multiples of the scale, since their zero is the number 0.
def quantizeBlocks : Let<(ins Tensor:$x, Tensor:$scale, Tensor:$zero, Int:$axis, Int:$block_size,
                          Flag:$saturate, Int:$opset), [{
  each, eachZero, a = spreadParameters(x, scale, zero, axis, block_size);
  wide = Cast(x, kind(scale));
  k = kind(zero);
  y = if(isFloat(k), Cast(readyFor(wide / forAll(each, shape(x),
                                                 a) + Cast(forAll(eachZero, shape(x), a),
                                                           kind(scale)), k, saturate, opset), k),
         Quantize(wide, each, eachZero, parameterAxis(scale, zero, a)));
}]>;
def dequantizeBlocks : Let<(ins Tensor:$x, Tensor:$scale, Tensor:$zero, Int:$axis, Int:$block_size),
                           [{
  each, eachZero, a = spreadParameters(x, scale, zero, axis, block_size);
  real = if(isFloat(kind(x)) && bitsOf(kind(x)) <= 8,
            (Cast(x, kind(scale)) - Cast(forAll(eachZero, shape(x), a), kind(scale))) * forAll(each,
                shape(x), a),
            if(block_size > 0, DequantizeBlocks(x, scale, zero, a, block_size),
               Dequantize(x, each, eachZero, parameterAxis(scale, zero, a))));
}]>;
// Scales that are powers of two (f8E8M0FNU) are computed with as f32.
def scaleOf : Let<(ins Tensor:$s),
                  [{ if(kind(s) == elementKind("f8E8M0FNU"), Cast(s, elementKind("f32")), s) }]>;

def : OnnxImport<"QuantizeLinear", 10, (ins "x", "y_scale", "y_zero_point?"), (ins),
    [{ y = Quantize(Cast(x, kind(y_scale)), checkedScale(y_scale, "y_scale"),
                    zeroOr0(y_zero_point, elementKind("u8"))); }]>;
// Attribute `saturate` matters for floats of 8 bits only: a number too large for the kind
// becomes the nearest that fits.
def : OnnxImport<"QuantizeLinear", 13, (ins "x", "y_scale", "y_zero_point?"),
                 (ins 1:$axis, 1:$saturate),
    [{ y = quantizeBlocks(x, checkedScale(y_scale, "y_scale"),
                          zeroOr0(y_zero_point, elementKind("u8")), axis, 0, saturate != 0, opset);
        }]> {
  let later = [FromOpset<19, "saturate">];
}
def : OnnxImport<"QuantizeLinear", 21, (ins "x", "y_scale", "y_zero_point?"),
    (ins 1:$axis, 0:$block_size, 0:$output_dtype, 0:$precision, 1:$saturate), [{
  given = checkedScale(scaleOf(y_scale), "y_scale");
  scale = if(precision == 0, given, Cast(given, onnxKind(precision)));
  asked = onnxKind(if(output_dtype == 0, 2, output_dtype));
  zero = if(present(y_zero_point), y_zero_point,
            Splat(0, if(block_size > 0, shape(y_scale), []), asked));
  y = quantizeBlocks(x, scale, zero, axis, block_size, saturate != 0, opset);
}]> {
  let later = [FromOpset<23, "precision">];
}

def : OnnxImport<"DequantizeLinear", 10, (ins "x", "x_scale", "x_zero_point?"), (ins),
    [{ y = Dequantize(x, checkedScale(x_scale, "x_scale"), zeroOr0(x_zero_point, kind(x))); }]>;
def : OnnxImport<"DequantizeLinear", 13, (ins "x", "x_scale", "x_zero_point?"), (ins 1:$axis),
    [{ y = dequantizeBlocks(x, checkedScale(x_scale, "x_scale"), zeroOr0(x_zero_point, kind(x)),
                            axis, 0); }]>;
def : OnnxImport<"DequantizeLinear", 21, (ins "x", "x_scale", "x_zero_point?"),
    (ins 1:$axis, 0:$block_size, 0:$output_dtype), [{
  zero = if(present(x_zero_point), x_zero_point,
            Splat(0, if(block_size > 0, shape(x_scale), []), kind(x)));
  real = dequantizeBlocks(x, checkedScale(scaleOf(x_scale), "x_scale"), zero, axis, block_size);
  y = if(output_dtype == 0, real, Cast(real, onnxKind(output_dtype)));
}]> {
  let later = [FromOpset<23, "output_dtype">];
}
let domain = "com.microsoft" in {
def : OnnxImport<"QuantizeLinear", 1, (ins "x", "y_scale", "y_zero_point?"), (ins 1:$axis),
    [{ y = Quantize(Cast(x, kind(y_scale)), checkedScale(y_scale, "y_scale"),
                    zeroOr0(y_zero_point, elementKind("u8")), wrapAxis(axis, rank(x))); }]>;
def : OnnxImport<"DequantizeLinear", 1, (ins "x", "x_scale", "x_zero_point?"), (ins 1:$axis),
    [{ y = Dequantize(x, checkedScale(x_scale, "x_scale"), zeroOr0(x_zero_point, kind(x)),
                      wrapAxis(axis, rank(x))); }]>;
}

// From x integers, their scale and zero point; 0 is always one of them.
def quantizeDynamic : Let<(ins Tensor:$x), [{
  all = range(0, rank(x));
  low = Min(ReduceMin(x, all), 0.0);
  width = (Max(ReduceMax(x, all), 0.0) - low) / 255.0;
  scale = Select(Equal(width, Splat(0, [], kind(x))), Splat(1, [], kind(x)), width);
  zero = Cast(Round(-low / scale), elementKind("u8"));
  q = Quantize(x, scale, zero);
}]> { let results = ["q", "scale", "zero"]; }
def : OnnxImport<"DynamicQuantizeLinear", 11, (ins "x"), (ins),
                 "y, y_scale, y_zero_point = quantizeDynamic(x);"> {
  let outputs = ["y", "y_scale", "y_zero_point"];
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// The product of matrices of integers, or of reals of any shape: rows of a batch that
// became one matrix repeat their zero points.
def integerMatMul : Let<(ins Tensor:$A, Tensor:$B, Tensor:$az, Tensor:$bz), [{
  x, y, full, height, copies = matMulFactors(A, B);
  rowZeros = Reshape(az, [elements(az)]);
  points = elements(az);
  require(points == 1 || points == height, "{points} zero points do not suit {height} rows");
  repeated = if(points > 1 && copies > 1,
                Reshape(Broadcast(rowZeros, [copies, height]), [copies * height]), rowZeros);
  products = MatMulInteger(x, y, repeated, Reshape(bz, [elements(bz)]));
  sum = checkedSums(products, shape(x)[rank(x) - 1], A, az, B, bz);
  p = if(areSame(shape(sum), full), sum, Reshape(sum, full));
}]>;
def : OnnxImport<"MatMulInteger", 10, (ins "A", "B", "a_zero_point?", "b_zero_point?"), (ins),
                 [{Y = integerMatMul(A, B, zeroOr0(a_zero_point, kind(A)), zeroOr0(b_zero_point,
                   kind(B)));}]>;

// The scales of products, of sa and of sb, which may be one a column.
def productScales : Let<(ins Tensor:$sa, Tensor:$sb), [{
  require(elements(sa) == 1, "the scale of rows and of images must be one");
  columnScales = Cast(Reshape(sb, [elements(sb)]), elementKind("f32"));
  scales = Broadcast(Reshape(Cast(sa, kind(columnScales)), []), shape(columnScales)) * columnScales;
}]>;
// And the factor from them to the scale sy.
def productFactor : Let<(ins Tensor:$sa, Tensor:$sb, Tensor:$sy), [{
  scales = productScales(sa, sb);
  require(elements(sy) == 1, "the scale of the result must be one");
  factor = scales / Broadcast(Reshape(Cast(sy, kind(scales)), []), shape(scales));
}]>;
class QLinearMatMul<int since, code body>
    : OnnxImport<"QLinearMatMul", since,
                 (ins "A", "a_scale", "a_zero_point", "B", "b_scale", "b_zero_point", "y_scale",
                  "y_zero_point"), (ins), body>;
def qLinearMatMul : Let<(ins Tensor:$A, Tensor:$sa, Tensor:$az, Tensor:$B, Tensor:$sb, Tensor:$bz,
                         Tensor:$sy, Tensor:$yz), [{
  p = integerMatMul(A, B, az, bz);
  factor = productFactor(checkedScale(sa, "a_scale"), checkedScale(sb, "b_scale"),
                         checkedScale(sy, "y_scale"));
  Y = Requantize(p, factor, yz, none, rank(p) - 1);
}]>;
def : QLinearMatMul<10, [{Y = qLinearMatMul(A, a_scale, a_zero_point, B, b_scale, b_zero_point,
                          y_scale, y_zero_point);}]>;
// Floats of 8 bits are multiplied as the reals that they stand for. Parameters are one,
// or one for each index of an axis, counted from behind.
def factorOfReals : Let<(ins Tensor:$x, Tensor:$scale, Tensor:$zero, Int:$fromBehind), [{
  wide = elementKind("f32");
  a = rank(x) - fromBehind;
  y = (Cast(x, wide) - Cast(forAll(zero, shape(x), a), wide)) * Cast(forAll(scale, shape(x), a),
      wide);
}]>;
def realMatMul : Let<(ins Tensor:$A, Tensor:$sa, Tensor:$az, Tensor:$B, Tensor:$sb, Tensor:$bz,
                      Tensor:$sy, Tensor:$yz, Int:$opset), [{
  wide = elementKind("f32");
  p = matMul(factorOfReals(A, sa, az, 2), factorOfReals(B, sb, bz, 1));
  steps = p / Broadcast(Cast(Reshape(sy, []), wide),
                        shape(p)) + Broadcast(Cast(Reshape(yz, []), wide), shape(p));
  Y = Cast(readyFor(steps, kind(yz), true, opset), kind(yz));
}]>;
def : QLinearMatMul<21, [{
  Y = if(isFloat(kind(A)),
         realMatMul(A, a_scale, a_zero_point, B, b_scale, b_zero_point, y_scale, y_zero_point,
                    opset),
         qLinearMatMul(A, a_scale, a_zero_point, B, b_scale, b_zero_point, y_scale, y_zero_point));
}]>;

defvar WindowAttributes = (ins AutoPad:$auto_pad, MaybeInts:$dilations, 1:$group,
                           MaybeInts:$kernel_shape, MaybeInts:$pads, MaybeInts:$strides);
def : OnnxImport<"ConvInteger", 10, (ins "X", "W", "x_zero_point?", "w_zero_point?"),
                 WindowAttributes, [{
  step, around, apart = convWindow(X, W, auto_pad, dilations, kernel_shape, pads, strides);
  xz = zeroOr0(x_zero_point, kind(X));
  wz = zeroOr0(w_zero_point, kind(W));
  Y = checkedSums(ConvInteger(X, W, xz, wz, step, around, apart, group), prod(drop(shape(W), 1)), X,
                  xz, W, wz);
}]>;
// The bias has the scale of the products.
def : OnnxImport<"QLinearConv", 10,
    (ins "X", "x_scale", "x_zero_point", "W", "w_scale", "w_zero_point", "y_scale", "y_zero_point",
     "B?"),
    WindowAttributes, [{
  step, around, apart = convWindow(X, W, auto_pad, dilations, kernel_shape, pads, strides);
  sum = checkedSums(ConvInteger(X, W, x_zero_point, w_zero_point, step, around, apart, group),
                    prod(drop(shape(W), 1)), X, x_zero_point, W, w_zero_point);
  biased = if(present(B), sum + Broadcast(B, shape(sum), axis: 1), sum);
  factor = productFactor(checkedScale(x_scale, "x_scale"), checkedScale(w_scale, "w_scale"),
                         checkedScale(y_scale, "y_scale"));
  Y = Requantize(biased, factor, y_zero_point, none, 1);
}]>;

// The product as real numbers, plus a bias.
def dequantizedMatMul : Let<(ins Tensor:$A, Tensor:$B, Tensor:$sa, Tensor:$sb, Tensor:$az,
                             Tensor:$bz, Tensor:$bias), [{
  p = integerMatMul(A, B, az, bz);
  scales = productScales(checkedScale(sa, "a_scale"), checkedScale(sb, "b_scale"));
  real = Cast(p, kind(scales)) * Broadcast(scales, shape(p));
  Y = if(present(bias), real + Broadcast(bias, shape(p)), real);
}]>;
let domain = "com.microsoft" in {
def : OnnxImport<"MatMulIntegerToFloat", 1,
    (ins "A", "B", "a_scale", "b_scale", "a_zero_point?", "b_zero_point?", "bias?"), (ins),
    [{Y = dequantizedMatMul(A, B, a_scale, b_scale, zeroOr0(a_zero_point, kind(A)),
      zeroOr0(b_zero_point, kind(B)), bias);}]>;
def : OnnxImport<"DynamicQuantizeMatMul", 1, (ins "A", "B", "b_scale", "b_zero_point?", "bias?"),
                 (ins), [{
  q, scale, zero = quantizeDynamic(A);
  Y = dequantizedMatMul(q, B, scale, b_scale, zero, zeroOr0(b_zero_point, kind(B)), bias);
}]>;
def : OnnxImport<"QGemm", 1,
    (ins "A", "a_scale", "a_zero_point", "B", "b_scale", "b_zero_point", "C?", "y_scale?",
     "y_zero_point?"),
    (ins "1.0":$alpha, 0:$transA, 0:$transB), [{
  scales = productScales(checkedScale(a_scale, "a_scale") * alpha,
                         checkedScale(b_scale, "b_scale"));
  right = if(transB != 0, Transpose(B, [1, 0]), B);
  product = checkedSums(MatMulInteger(if(transA != 0, Transpose(A, [1, 0]), A), right, a_zero_point,
                                      b_zero_point),
                        shape(right)[0], A, a_zero_point, B, b_zero_point);
  sum = if(present(C), product + Broadcast(C, shape(product)), product);
  Y = if(present(y_scale),
         Requantize(sum, scales / Broadcast(Reshape(checkedScale(y_scale, "y_scale"), []),
                                            shape(scales)), y_zero_point, none, 1),
         Cast(sum, kind(scales)) * Broadcast(scales, shape(sum)));
}]>;
}

// Before the opset that it has as an attribute, axes from `axis` on are one.
def softmaxOf : Let<(ins Tensor:$x, Int:$axis, Flag:$flattens), [{
  a = wrapAxis(axis, rank(x));
  flat = [prod(take(shape(x), a)), prod(drop(shape(x), a))];
  y = if(flattens && a != rank(x) - 1, Reshape(Softmax(Reshape(x, flat), 1), shape(x)),
         Softmax(x, a));
}]>;
def channelsFirst : Let<(ins Tensor:$x, Int:$channels_last), [{
  require(channels_last == 0, "channels_last {channels_last} is not supported");
  y = x;
}]>;

//===----------------------------------------------------------------------===//
// Operators computed in real numbers
//===----------------------------------------------------------------------===//

let domain = "com.microsoft" in {

// The ratios of the scales multiply, and the zero point of the result is added
// before the sum is rounded: near a half another order rounds elsewhere.
def : OnnxImport<"QLinearAdd", 1,
    (ins "A", "A_scale", "A_zero_point?", "B", "B_scale", "B_zero_point?", "C_scale",
     "C_zero_point?"), (ins), [{
  x, y = broadcastBoth(A, B);
  s = shape(x);
  f = elementKind("f32");
  az = Cast(zeroOr0(A_zero_point, kind(A)), f);
  bz = Cast(zeroOr0(B_zero_point, kind(B)), f);
  cz = Cast(zeroOr0(C_zero_point, kind(A)), f);
  require(elements(A_scale) == 1 && elements(B_scale) == 1 && elements(C_scale) == 1,
          "scales must be one");
  result = Reshape(checkedScale(C_scale, "C_scale"), []);
  ratio = Reshape(checkedScale(A_scale, "A_scale"), []) / result;
  other = Reshape(checkedScale(B_scale, "B_scale"), []) / result;
  p = (Cast(x, f) - Broadcast(Reshape(az, []), s)) * Broadcast(ratio, s);
  q = (Cast(y, f) - Broadcast(Reshape(bz, []), s)) * Broadcast(other, s);
  C = Cast(Round(p + (q + Broadcast(Reshape(cz, []), s))), kind(A));
}]>;
def : OnnxImport<"QLinearMul", 1,
    (ins "A", "A_scale", "A_zero_point?", "B", "B_scale", "B_zero_point?", "C_scale",
     "C_zero_point?"), (ins), [{
  x, y = broadcastBoth(A, B);
  real = Dequantize(x, checkedScale(A_scale, "A_scale"), zeroOr0(A_zero_point, kind(A))) *
         Dequantize(y, checkedScale(B_scale, "B_scale"), zeroOr0(B_zero_point, kind(B)));
  C = Quantize(real, checkedScale(C_scale, "C_scale"), zeroOr0(C_zero_point, kind(A)));
}]>;

// `result` is of the `real` numbers of X.
class OnnxQLinearUnary<string operator, dag attributes, string result_>
    : OnnxImport<operator, 1, (ins "X", "X_scale", "X_zero_point?", "Y_scale", "Y_zero_point?"),
                 attributes, [{
  real = Dequantize(X, checkedScale(X_scale, "X_scale"), zeroOr0(X_zero_point, kind(X)));
  Y = Quantize(result, checkedScale(Y_scale, "Y_scale"), zeroOr0(Y_zero_point, kind(X)));
}]> {
  let with = (bind result_:$result);
}
def : OnnxQLinearUnary<"QLinearSigmoid", (ins), "Sigmoid(real)">;
def : OnnxQLinearUnary<"QLinearLeakyRelu", (ins "0.01":$alpha), "LeakyRelu(real, alpha)">;
def : OnnxQLinearUnary<"QLinearSoftmax", (ins -1:$axis, RequiredInt:$opset),
                       "softmaxOf(real, axis, opset < 13)">;
def : OnnxQLinearUnary<"QLinearAveragePool", !con(AveragePoolAttributes, (ins 0:$channels_last)),
    [{averagePool(channelsFirst(real, channels_last), auto_pad, ceil_mode, count_include_pad != 0,
      dilations, kernel_shape, pads, strides)}]>;

// The sum is exact, and is rounded once.
def : OnnxImport<"QLinearGlobalAveragePool", 1,
    (ins "X", "x_scale", "x_zero_point?", "y_scale", "y_zero_point?"), (ins 0:$channels_last), [{
  xz = zeroOr0(x_zero_point, kind(X));
  yz = zeroOr0(y_zero_point, kind(X));
  axes = if(channels_last != 0, range(1, rank(X) - 1), range(2, rank(X)));
  bytes = ReduceSum(Cast(X, elementKind("i32")), axes, true);
  sum = bytes - Broadcast(Cast(Reshape(xz, []), elementKind("i32")) * prod(pick(shape(X), axes)),
                          shape(bytes));
  Y = Requantize(sum, Reshape(checkedScale(x_scale, "x_scale"),
                              []) / (Reshape(checkedScale(y_scale, "y_scale"),
                                             []) * prod(pick(shape(X), axes))), yz);
}]>;

// The scale and the zero point of the result, followed by each tensor with its own scale
// and zero point.
def : OnnxImport<"QLinearConcat", 1, (ins "Y_scale", "Y_zero_point", "inputs..."),
                 (ins RequiredInt:$axis), [{
  given = count(inputs);
  require(given >= 3 && given % 3 == 0,
          "{given} inputs are not tensors with a scale and a zero point each");
  real = Concat([Dequantize(x, checkedScale(scale, "scale"), zero) for x, scale,
                 zero in every(inputs, 0, 3), every(inputs, 1, 3), every(inputs, 2, 3)],
                wrapAxis(axis, rank(inputs[0])));
  Y = Quantize(real, checkedScale(Y_scale, "Y_scale"), Y_zero_point);
}]>;

}

//===----------------------------------------------------------------------===//
// Large networks
//===----------------------------------------------------------------------===//

let domain = "com.microsoft" in {

// Each row of B is a column of the factor, in blocks with a scale and a zero point each.
let written = (ins "k":$K, "m":$N) in
def : OnnxImport<"MatMulNBits", 1, (ins "A", "B", "scales", "zero_points?", "g_idx?", "bias?"),
    (ins RequiredInt:$K, RequiredInt:$N, 0:$accuracy_level, 4:$bits, RequiredInt:$block_size), [{
  require(bits == 2 || bits == 4 || bits == 8, "bits {bits} must be 2, 4 or 8");
  require(block_size >= 16 && isPowerOfTwo(block_size),
          "block_size {block_size} must be a power of two, at least 16");
  width = at(shape(A), rank(A) - 1);
  require(rank(A) >= 1 && width == K, "rows of A have {width} elements, K is {K}");
  blocks = (K + block_size - 1) / max(block_size, 1);
  blockBytes = block_size * bits / 8;
  lineBytes = (blocks * bits + 7) / 8;
  given = shape(B);
  wanted = [N, blocks, blockBytes];
  require(elements(B) == prod(wanted), "B is of shape {given}, should be {wanted}");
  scaleShape = shape(scales);
  each = [N, blocks];
  require(elements(scales) == prod(each), "scales are of shape {scaleShape}, should be {each}");
  real = present(zero_points) && isFloat(kind(zero_points));
  zeroShape = if(present(zero_points), shape(zero_points), []);
  zeroSizes = [N, if(real, blocks, lineBytes)];
  require(!present(zero_points) || elements(zero_points) == prod(zeroSizes),
          "zero_points are of shape {zeroShape}, should be {zeroSizes}");
  indices = if(present(g_idx), elements(g_idx), K);
  require(indices >= K, "g_idx has {indices} elements, should have {K}");
  groups = if(present(g_idx),
              Slice(Reshape(asKind(g_idx, elementKind("i32")), [indices]), [0], [1], [K]), g_idx);
  codes = Reshape(B, wanted);
  scale = asKind(Reshape(scales, each), kind(A));
  product = if(!present(zero_points),
               MatMulNBits(A, codes, scale, none, none, groups, bits, block_size),
               if(real, MatMulNBits(A, codes, scale, none,
                                    asKind(Reshape(zero_points, each), kind(A)), groups, bits,
                                    block_size),
                  MatMulNBits(A, codes, scale,
                              Slice(codesOf(Reshape(zero_points, zeroSizes), bits), [0, 0], [1, 1],
                                    each), none, groups, bits, block_size)));
  Y = if(present(bias), product + Broadcast(bias, shape(product)), product);
}]>;

// Only the gathered rows become real numbers. A byte holds several numbers of the last
// axis.
def : OnnxImport<"GatherBlockQuantized", 1, (ins "data", "indices", "scales", "zero_points?"),
    (ins 4:$bits, 128:$block_size, 0:$gather_axis, 1:$quantize_axis), [{
  require(bits == 2 || bits == 4 || bits == 8, "bits {bits} must be 2, 4 or 8");
  require(block_size >= 16 && isPowerOfTwo(block_size),
          "block_size {block_size} must be a power of two, at least 16");
  share = kind(data) == elementKind("u8");
  last = rank(data) - 1;
  taken = wrapAxis(gather_axis, rank(data));
  along = wrapAxis(quantize_axis, rank(data));
  require(taken >= 0 && along >= 0 && max(taken, along) <= last && taken != along,
          "gather_axis {gather_axis} and quantize_axis {quantize_axis} should be two of the {last + 1} axes of data");
  require(!share || bits == 8 || along == last,
          "quantize_axis {quantize_axis} of bytes of several numbers should be the last, {last}");
  whole = set(shape(data), last, at(shape(data), last) * if(share, 8 / max(bits, 1), 1));
  given = shape(scales);
  wanted = set(whole, along, (at(whole, along) + block_size - 1) / max(block_size, 1));
  require(given == wanted, "scales are of shape {given}, should be {wanted}");
  zeroShape = if(present(zero_points), shape(zero_points), []);
  zeroSizes = if(share, set(wanted, last, (at(wanted, last) * bits + 7) / 8), wanted);
  require(!present(zero_points) || zeroShape == zeroSizes,
          "zero_points are of shape {zeroShape}, should be {zeroSizes}");
  codes = Gather(data, indices, taken);
  scale = Gather(scales, indices, taken);
  middle = if(share, real(codeLevels(bits) / 2), 0.0);
  points = if(present(zero_points), Gather(zero_points, indices, taken), zero_points);
  sizes = shape(scale);
  zero = if(!present(zero_points), Splat(middle, sizes, kind(data)),
            if(share, Slice(codesOf(points, bits), repeat(0, size(sizes)), repeat(1, size(sizes)),
                            sizes), points));
  output = if(share && rank(data) == 2 && taken == 0,
              GatherBlocks(data, indices, scales, zero_points, bits, block_size),
              dequantizeBlocks(if(share, codesOf(codes, bits), codes), scale, zero,
                               if(along > taken, along + rank(indices) - 1, along), block_size));
}]>;

// Queries, keys and values are the columns of one product, each of all heads.
def : OnnxImport<"QAttention", 1,
    (ins "input", "weight", "bias", "input_scale", "weight_scale", "mask_index?",
     "input_zero_point?", "weight_zero_point?", "past?"),
    (ins 0:$do_rotary, "-10000.0":$mask_filter_value, RequiredInt:$num_heads,
     0:$past_present_share_buffer,
         "0.0":$scale, 0:$unidirectional), [{
  require(!present(past), "past is not supported");
  require(do_rotary == 0, "do_rotary {do_rotary} is not supported");
  require(rank(input) == 3, "the input must have 3 dimensions");
  real = dequantizedMatMul(input, weight, checkedScale(input_scale, "input_scale"),
                           checkedScale(weight_scale, "weight_scale"),
                           zeroOr0(input_zero_point, kind(input)),
                           zeroOr0(weight_zero_point, kind(weight)), bias);
  b = shape(real)[0];
  s = shape(real)[1];
  hidden = shape(real)[2] / 3;
  require(num_heads >= 1 && hidden % max(num_heads, 1) == 0,
          "{num_heads} heads do not divide {hidden} columns");
  d = hidden / max(num_heads, 1);
  heads = Transpose(Reshape(real, [b, s, 3, num_heads, d]), [2, 0, 3, 1, 4]);
  q, k, v = Split(heads, 0, [1, 1, 1]);
  each = [b, num_heads, s, d];
  factor = if(scale == 0.0, 1.0 / sqrt(real(d)), scale);
  output = maskedAttention(Reshape(q, each), Reshape(k, each), Reshape(v, each), none,
                           visibleKeys(mask_index, "mask_index", b, s),
                           factor, mask_filter_value, unidirectional != 0);
}]>;

}

#endif // GLOW_IMPORT_ONNXQUANTIZATION
