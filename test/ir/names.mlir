// RUN: glow-opt %s | glow-opt | FileCheck %s
// RUN: glow-opt %s --emit-bytecode | glow-opt | FileCheck %s

// Names of a model hold marks that no SSA name has, and several instructions
// may stand for one node.
// CHECK-LABEL: @model_names
// CHECK:         %layer_1_w = binding float<4>, constant, "layer/1:w"
// CHECK-NEXT:    %_0w = binding float<4>, constant, "0w"
// CHECK-NEXT:    %y = binding float<4>, mutable output
// CHECK:         %act = relu @out %y, @in %layer_1_w
// CHECK-NEXT:    %act_1 = relu @out %y, @in %_0w
// CHECK-NEXT:    %y_1 = relu @out %y, @in %_0w
// CHECK-NEXT:    %relu = relu @out %y, @in %_0w
"glowir.func"() <{sym_name = "model_names",
                  storage = [@"layer/1:w", @"0w", @y],
                  kinds = ["constant", "constant", "output"]}> ({
^bb0(%w: !glowir.buf<4xf32> loc("layer/1:w"), %v: !glowir.buf<4xf32>,
     %y: !glowir.buf<4xf32> loc("y")):
  "glowir.relu"(%y, %w) : (!glowir.buf<4xf32>, !glowir.buf<4xf32>) -> () loc("act")
  "glowir.relu"(%y, %v) : (!glowir.buf<4xf32>, !glowir.buf<4xf32>) -> () loc("act")
  "glowir.relu"(%y, %v) : (!glowir.buf<4xf32>, !glowir.buf<4xf32>) -> () loc("y")
  "glowir.relu"(%y, %v) : (!glowir.buf<4xf32>, !glowir.buf<4xf32>) -> () loc(unknown)
}) : () -> ()

// A name of digits alone gets a letter in front of its number.
// CHECK-LABEL: @digits
// CHECK:         %876 = binding float<4>, mutable output
// CHECK:         %_876_1 = relu @out %876, @in %876
"glowir.func"() <{sym_name = "digits", storage = [@"876"], kinds = ["output"]}> ({
^bb0(%y: !glowir.buf<4xf32> loc("876")):
  "glowir.relu"(%y, %y) : (!glowir.buf<4xf32>, !glowir.buf<4xf32>) -> () loc("876")
}) : () -> ()
