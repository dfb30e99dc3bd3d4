// Functions of the language: on values they become C++ functions, on tensors
// they become functions that build nodes; in a formula they are written out.
// RUN: %classgen %library -gen-shape-defs %s | FileCheck %s --check-prefix=VALUE
// RUN: %classgen %library -gen-onnx-imports %s | FileCheck %s --check-prefix=IMPORT
// RUN: %classgen %library -gen-kernels -family=let %s | FileCheck %s --check-prefix=KERNEL

include "glow/Glow.td"

// VALUE: ::glow::Size offsetOf(
// VALUE: for (int64_t [[I:.*]] = 0; [[I]] < std::min(int64_t([[AT:.*]].size()), int64_t([[STRIDES:.*]].size())); ++[[I]]) {
// VALUE-NEXT: ::glow::Size [[X:.*]] = [[AT]]{{.}}[[I]]{{.}};
// VALUE-NEXT: ::glow::Size [[S:.*]] = [[STRIDES]]{{.}}[[I]]{{.}};
// VALUE-NEXT: ::glow::expr::add({{.*}}, ::glow::expr::multiply([[X]], [[S]]))
def offsetOf : Let<(ins Ints:$at, Ints:$strides), [{
  offset = 0;
  for x, stride in at, strides { offset = offset + x * stride; }
}]> { let results = ["offset"]; }

// VALUE: ::glow::Size strideOf(const ::glow::Sizes &sizes_, const ::glow::Size &from_) {
// VALUE-NEXT: stride_0 = int64_t(1);
// VALUE-NEXT: stride_1 = stride_0;
// VALUE-NEXT: ::glow::Sizes [[LIST:.*]] = ::glow::Sizes(::glow::expr::drop(sizes_, from_));
// VALUE-NEXT: for (int64_t [[I:.*]] = 0; [[I]] < int64_t([[LIST]].size()); ++[[I]]) {
// VALUE-NEXT: ::glow::Size [[SIZE:.*]] = [[LIST]]{{.}}[[I]]{{.}};
// VALUE-NEXT: ::glow::Size [[STRIDE:.*]] = ::glow::expr::multiply(stride_1, [[SIZE]]);
// VALUE-NEXT: stride_1 = [[STRIDE]];
// VALUE-NEXT: }
// VALUE-NEXT: return stride_1;
def strideOf : Let<(ins Ints:$sizes, Int:$from), [{
  stride = 1;
  for size in drop(sizes, from) { stride = stride * size; }
}]> { let results = ["stride"]; }

// VALUE: ::glow::Sizes stridesOf(const ::glow::Sizes &sizes_) {
// VALUE: ::glow::expr::each<::glow::Sizes>([&](::glow::Size axis_) { return ::glow::expr::strideOf(sizes_, ::glow::expr::add(axis_, int64_t(1))); }, ::glow::Sizes(::glow::expr::range(
def stridesOf : Let<(ins Ints:$sizes), "[strideOf(sizes, axis + 1) for axis in range(0, size(sizes))]">;

// IMPORT: LogicalResult spunFunction(::glow::ImportContext &import, ::mlir::Value x_, const ::glow::Size &times_, ::mlir::Value &result0, ::glow::Sizes &result1) {
// IMPORT: for (int64_t
// IMPORT: createTranspose(
// IMPORT: result0 =
// IMPORT: result1 =
def spun : Let<(ins Tensor:$x, Default<Int, "1">:$times), [{
  y = x;
  for i in range(0, times) { y = Transpose(y, reverse(range(0, rank(y)))); }
  sizes = stridesOf(shape(y));
}]> { let results = ["y", "sizes"]; }

// A value that only one branch needs is looked at in that branch.
// IMPORT: LogicalResult lastFunction(
// IMPORT: LogicalResult importTurn1(
// IMPORT: if (failed(spunFunction(import, X_, int64_t(1), [[Y:.*]], [[SIZES:.*]])))
// IMPORT: sizes_[[N:[0-9]+]] = [[SIZES]];
// IMPORT: if (!(::glow::expr::size(sizes_[[N]]) == int64_t(2)))
// IMPORT: if ((::glow::rankOf({{.*}} {
// IMPORT-NEXT: ::glow::Size
// IMPORT-NEXT: if (failed(lastFunction(import,
def last : Let<(ins Tensor:$x), [{ n = intOf(x); }]>;
def : OnnxImport<"Turn", 1, (ins "X"), (ins), [{
  y, sizes = spun(X);
  require(size(sizes) == 2, "strides {sizes} are not 2");
  n = if(rank(X) == 0, last(X), 4);
  Y = Reshape(y, [n]);
}]>;

// `with` gives a class's parameters to its texts.
class TurnedBy<Node node> : OnnxImport<"Turned" # node, 1, (ins "X"), (ins), [{ Y = op(X, count); }]> {
  let with = (bind node:$op, "wrapAxis(-1, rank(X))":$count);
}
// IMPORT: importTurnedSoftmax1(
// IMPORT: createSoftmax(builder, location, X_, ::glow::expr::wrapAxis((-int64_t(1)), ::glow::rankOf(X_)))
def : TurnedBy<Softmax>;

// A name that a list binds catches none of what is written into it.
// KERNEL: [&](int64_t i0_) { return ::glow::expr::add(i0_, i); }
def firstOf : Let<(ins Ints:$list, Int:$by), "[i + by for i in list][0]">;
def Shifted : Node<"shifted", (ins "T[n]":$in), (outs "T[n]":$out)> {
  let compute = "out[i] = in[firstOf([0, 1], i)]";
  let samples = [Sample<"row", (ins "f32[3]")>];
}

// KERNEL: ::glow::scalar::multiply({{.*}}x_element), {{.*}}x_element))
def squared : Let<(ins Real:$x), "x * x">;
def Square : Pointwise<"square_of", (ins $x), "squared(x)"> {
  let samples = [Sample<"row", (ins "f32[3]")>];
}
