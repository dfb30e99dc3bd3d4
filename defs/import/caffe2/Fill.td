//===- Fill.td - Caffe2 operators that make a blob of nothing -------------===//
// SPDX-License-Identifier: MIT
//
// Given values are one tensor, of the kind of the operator, that the importer makes of the
// arguments `values` and `shape`.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_IMPORT_CAFFE2_FILL
#define GLOW_IMPORT_CAFFE2_FILL

include "glow/import/caffe2/Elementwise.td"
include "glow/import/OnnxRandom.td"

class Caffe2Given<string operator, string kind>
    : Caffe2Import<operator, (ins), (ins RequiredTensor:$values), "Y = values;"> {
  let valuesAs = kind;
}
def : Caffe2Given<"GivenTensorFill", "f32">;
def : Caffe2Given<"GivenTensorDoubleFill", "f64">;
def : Caffe2Given<"GivenTensorFp16Fill", "f16">;
def : Caffe2Given<"GivenTensorBoolFill", "bool">;
def : Caffe2Given<"GivenTensorInt16Fill", "i16">;
def : Caffe2Given<"GivenTensorIntFill", "i32">;
def : Caffe2Given<"GivenTensorInt64Fill", "i64">;
def : Caffe2Given<"GivenTensorByteStringToUInt8Fill", "u8">;

// The name `dims` in the body is the shape: an argument; or that of an input, or the numbers of
// an input, and more sizes behind it.
class Caffe2Fill<string operator, dag attributes, code body>
    : Caffe2Import<operator, (ins "like?"),
                   !con((ins MaybeInts:$extra_shape, 0:$input_as_shape, MaybeInts:$shape),
                        attributes), body> {
  let with = (bind [{if(present(like), [*if(input_as_shape != 0, ints(like), shape(like)),
                                        *extra_shape], shape)}]:$dims);
}
def : Caffe2Fill<"ConstantFill", (ins 1:$dtype, "0.0":$value),
                 "Y = Splat(value, dims, onnxKind(onnxNumber(dtype)));">;
def : Caffe2Fill<"UniformFill", (ins "1.0":$max, "0.0":$min),
                 [{ Y = RandomUniform(dims, min, max, nodeNumber, elementKind("f32")); }]>;
def : Caffe2Fill<"GaussianFill", (ins "0.0":$mean, "1.0":$std),
                 [{ Y = RandomNormal(dims, mean, std, nodeNumber, elementKind("f32")); }]>;
// Ranges of random weights that keep the variance from layer to layer.
def : Caffe2Fill<"XavierFill", (ins), [{
  fan = prod(dims) / max(at(dims, 0), 1);
  edge = sqrt(3.0 / real(max(fan, 1)));
  Y = RandomUniform(dims, 0.0 - edge, edge, nodeNumber, elementKind("f32"));
}]>;
def : Caffe2Fill<"MSRAFill", (ins), [{
  fan = prod(dims) / max(at(dims, 1), 1);
  Y = RandomNormal(dims, 0.0, sqrt(2.0 / real(max(fan, 1))), nodeNumber, elementKind("f32"));
}]>;
def : Caffe2Fill<"RangeFill", (ins), [{
  s = dims;
  Y = Reshape(Iota(0.0, 1.0, 0, [prod(s)], elementKind("f32")), s);
}]>;
def : Caffe2Import<"Range", (ins "a", "b?", "c?"), (ins), [{
  Y = integerRange(if(present(b), a, Splat(0, [], kind(a))), if(present(b), b, a),
                   if(present(c), c, Splat(1, [], kind(a))));
}]> { let kinds = (ins "i32":$a, "i32":$b, "i32":$c); }

#endif // GLOW_IMPORT_CAFFE2_FILL
