// A predicate names storage of a bool for each row. It stays with its node, in
// text and bytecode, and goes with it to the instruction.

// RUN: glow-opt %s --check-graph | glow-opt --check-graph | FileCheck %s --check-prefix=GRAPH
// RUN: glow-opt %s --emit-bytecode | glow-opt | FileCheck %s --check-prefix=GRAPH
// GRAPH: glow.relu %{{.*}} {glow.predicate = @rows}
// GRAPH: glow.tanh %{{.*}} {glow.predicate = @some}

// RUN: glow-opt %s --stop-after=plan --backend=interpreter | FileCheck %s --check-prefix=INSTRS
// RUN: glow-opt %s --stop-after=plan --backend=interpreter | glow-opt | FileCheck %s --check-prefix=INSTRS
// INSTRS-DAG: %rows = binding bool<2>, mutable
// INSTRS-DAG: %some = binding bool<2>, constant
// INSTRS:     relu @out {{.*}} {glow.predicate = @rows}
// INSTRS:     tanh @out {{.*}} {glow.predicate = @some}

// A rule that replaces the node drops it: what it makes may have other rows.
// INSTRS-NOT: glow.predicate

// The reference ignores the hint.
// RUN: glow run %s --random --backend=interpreter --compare=interpreter | FileCheck %s --check-prefix=RUNS
// RUNS: {{^PASSED$}}

glow.placeholder @x input : tensor<2x3xf32>
glow.placeholder @rows input : tensor<2xi1>
glow.constant @some = dense<[true, false]> : tensor<2xi1>
glow.placeholder @y output : tensor<2x3xf32>
glow.func @main {
  %x = glow.read @x : tensor<2x3xf32>
  %a = glow.relu %x {glow.predicate = @rows} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = glow.tanh %a {glow.predicate = @some} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = glow.softmax %b axis 1 {glow.predicate = @rows} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  glow.save %y, @y : tensor<2x3xf32>
}
