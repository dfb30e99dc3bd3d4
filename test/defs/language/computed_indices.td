// RUN: %classgen %library -gen-kernels %s | FileCheck %s
// RUN: %classgen %library -gen-loops %s | FileCheck %s --check-prefix=LOOPS
// What is computed of indices alone is integers, in kernels as in loops, and so is what
// is compared of them; floor(i / 4) is the division of integers, and a choice an element.

include "glow/Glow.td"

def Phases : Node<"phases", (ins "T[n]":$in), (outs "T[n]":$rests, "T[n]":$quarters, "T[n]":$choices)> {
  let summary = "a test of indices among elements";
  let types = (kinds Floats:$T);
  let compute = [{
    rests[i] = in[i] * ((i - 5) % 3);
    quarters[i] = in[i] + (floor(i / 4) % 3 == 2) + i / 4.0;
    choices[i] = in[i] * ((i - 7) % 4 == 1) + if(i < 3, i, n) % 2;
  }];
  let gradient = [{ none("a test") }];
  let samples = [Sample<"small", (ins "f32[19]")>];
}
// CHECK-LABEL: phasesOf(
// CHECK: rests_[{{.*}}C(::glow::expr::modulo(::glow::expr::subtract(i, int64_t(5)), int64_t(3)))
// CHECK: quarters_[{{.*}}::glow::expr::modulo(::glow::expr::divide(i, int64_t(4)), int64_t(3)) == int64_t(2){{.*}}::glow::scalar::divide(C(i), C(4.0))
// CHECK: choices_[{{.*}}::glow::expr::modulo(::glow::expr::subtract(i, int64_t(7)), int64_t(4)) == int64_t(1){{.*}}::glow::scalar::fmod({{.*}}? C(i) : C(n)
// LOOPS-LABEL: bool PhasesLoops(
// LOOPS: Op::Remainder, {{[{]}}::glow::loops::make(::glow::loops::Op::Subtract, {{[{]}}::glow::loops::termOf(&program, at_i), program.number(5)
// LOOPS: Op::Remainder, {{[{]}}::glow::loops::termOf(&program, ::glow::expr::divide(at_i, int64_t(4))), program.number(3)
// LOOPS: Op::Remainder, {{.*}}Op::Select, {{.*}}::glow::loops::asElement(
