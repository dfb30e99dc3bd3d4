// Nodes and instructions that call functions, as text and as bytecode.
// RUN: glow-opt %s | FileCheck %s
// RUN: glow-opt %s | glow-opt | FileCheck %s
// RUN: glow-opt %s -emit-bytecode | glow-opt | FileCheck %s
// RUN: glow-opt %s --generate-instrs --place-buffers | FileCheck %s --check-prefix=INSTRS
// RUN: glow-opt %s --generate-instrs --place-buffers | glow-opt | FileCheck %s --check-prefix=INSTRS

glow.placeholder @c input : tensor<i1>
glow.placeholder @n input : tensor<i64>
glow.placeholder @x input : tensor<4xf32>
glow.placeholder @xs input : tensor<8x4xf32>
glow.placeholder @y output : tensor<4xf32>
glow.placeholder @ys output : tensor<8x4xf32>
glow.placeholder @trip between : tensor<i64>
glow.placeholder @h between : tensor<4xf32>
glow.placeholder @row between : tensor<4xf32>
glow.placeholder @going between : tensor<i1>
glow.placeholder @next between : tensor<4xf32>
glow.placeholder @out between : tensor<4xf32>
glow.placeholder @value between : tensor<4xf32>
glow.placeholder @kept between : tensor<4xf32>
glow.placeholder @negative between : tensor<4xf32>

// CHECK-LABEL: glow.func @main
// CHECK: %chosen = glow.if %c then @keep(%x) else @negate(%x) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK: %last:3 = glow.loop @step trips %n while %c carries(%chosen) slices(%xs) captures() count [8] backwards [1, 0] : (tensor<i64>, tensor<i1>, tensor<4xf32>, tensor<8x4xf32>) -> (tensor<4xf32>, tensor<8x4xf32>, tensor<i64>)
// INSTRS-LABEL: glowir.func @main
// INSTRS: %chosen_1 = if @out [%chosen], @in %c, @in [%x], @in [%x] {then = "keep", otherwise = "negate"}
// INSTRS: loop @out [{{%.*, %.*, %.*}}], @out [%next], @out %trip, @out %going, @in %n, @in %c, @in [%chosen], @in [%xs], @in [] {body = "step", count = [8], backwards = [1, 0], checked = false}
glow.func @main {
  %c = glow.read @c : tensor<i1>
  %n = glow.read @n : tensor<i64>
  %x = glow.read @x : tensor<4xf32>
  %xs = glow.read @xs : tensor<8x4xf32>
  %chosen = glow.if %c then @keep(%x) else @negate(%x) : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %last:3 = glow.loop @step trips %n while %c carries(%chosen) slices(%xs) captures() count [8] backwards [1, 0] : (tensor<i64>, tensor<i1>, tensor<4xf32>, tensor<8x4xf32>) -> (tensor<4xf32>, tensor<8x4xf32>, tensor<i64>)
  glow.save %last#0, @y : tensor<4xf32>
  glow.save %last#1, @ys : tensor<8x4xf32>
}
// CHECK: glow.func @step takes [@trip, @h, @row] gives [@going, @next, @out]
// INSTRS: glowir.func @step attributes {{.*}}gives = [@going, @next, @out]{{.*}}takes = [@trip, @h, @row]
glow.func @step takes [@trip, @h, @row] gives [@going, @next, @out] {
  %trip = glow.read @trip : tensor<i64>
  %h = glow.read @h : tensor<4xf32>
  %row = glow.read @row : tensor<4xf32>
  %sum = glow.add %h, %row : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %more = glow.less %trip, %trip : (tensor<i64>, tensor<i64>) -> tensor<i1>
  glow.save %more, @going : tensor<i1>
  glow.save %sum, @next : tensor<4xf32>
  glow.save %sum, @out : tensor<4xf32>
}
glow.func @keep takes [@value] gives [@kept] {
  %x = glow.read @value : tensor<4xf32>
  glow.save %x, @kept : tensor<4xf32>
}
glow.func @negate takes [@value] gives [@negative] {
  %x = glow.read @value : tensor<4xf32>
  %y = glow.neg %x : (tensor<4xf32>) -> tensor<4xf32>
  glow.save %y, @negative : tensor<4xf32>
}
