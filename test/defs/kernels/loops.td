// RUN: %classgen %library -gen-loops %s | FileCheck %s
// Index notation and formulas become trees over indices, for the sizes of an
// instruction: a bare subscript is inside of its tensor, any other may not
// count, is 0 in a branch, or ends the run where it depends on an element.

include "glow/Glow.td"

def Bell : Pointwise<"bell", (ins $x), [{ exp(-(x * x)) / 2 }], "T", (ins Real:$width)> {
  let types = (kinds Numbers:$T);
  let samples = [Sample<"small", (ins "f32[2,3]"), "width = 1.0">];
}
// CHECK-LABEL: Term BellFormula(
// CHECK:         return {{.*}}::make({{.*}}::Op::Divide, {{.*}}program.call("exp", {{.*}}Op::Negate,
// CHECK-LABEL: bool BellLoops(
// CHECK:         program.computes = ::glow::loops::computedIn(program.tensors[first[0]].kind);
// CHECK:         program.begin(::glow::loops::ReductionKind::Assign, first[0]);
// CHECK:         program.end(place, BellFormula(program, {program.load(first[1], place, {{.*}}Outside::Never, {{.*}}Form::Element), }, {double(shape.width), }));
// The record says for which kinds there is code: exp has none of integers.
// CHECK:       BellKinds[] = {"f32", "f16", "bf16", "f64", };

def Pick : Node<"pick_rows", (ins "T[d,m]":$in, "i32[n]":$rows), (outs "T[n,m]":$out)> {
  let compute = "out[i,j] = in[rows[i],j]";
  let samples = [Sample<"small", (ins "f32[4,3]", "i32[2] in 0..3")>];
}
// CHECK-LABEL: bool PickLoops(
// CHECK:         const auto at_i = program.index(shape.n, "i");
// CHECK:         const auto at_j = program.index(shape.m, "j");
// CHECK:         program.load(first[1], {{.*}}program.load(first[2], ::glow::loops::subscripts(program, at_i), {{.*}}Outside::Never, {{.*}}Form::Index), at_j), {{.*}}Outside::Fails, {{.*}}Form::Element)
// Elements that only move have code in every kind.
// CHECK:       PickKinds[] = {{.*}}"u64"

def Window : Node<"window", (ins "T[n]":$in, "T[k]":$filter), (outs "T[n]":$out), (ins Flag:$twice)> {
  let compute = "out[x] mean= in[x + i - k / 2] * if(twice && x == 0, in[x + 1], filter[i])";
  let computes = "f64";
  let types = (kinds Floats:$T);
  let gradient = [{ none("not here") }];
  let samples = [Sample<"small", (ins "f32[5]", "f32[3]"), "twice = true">];
}
// CHECK-LABEL: bool WindowLoops(
// CHECK:         computedIn(::glow::ElementKind::F64)
// CHECK:         ReductionKind::Mean, first[0]);
// CHECK:         program.load(first[1], {{.*}}::glow::expr::add(at_x, at_i){{.*}}Outside::Skips
// CHECK-SAME:    Op::Select
// CHECK-SAME:    Outside::Zero

// CHECK:       loopsTable = {
// CHECK:         {"bell", BellLoops, BellFormula, -1, BellKinds, false, false, BellSignature, false, [[#]], 0},
// CHECK:         {"pick_rows", PickLoops, nullptr, -1, PickKinds, true, true, {}, false, 0, 0},
// CHECK:         {"window", WindowLoops, nullptr, -1, WindowKinds, true, false, {}, false, 0, 0},
