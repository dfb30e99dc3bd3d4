// RUN: glow-opt %s --split-input-file --verify-diagnostics

// Calls that do not fit their functions.

glow.placeholder @x input : tensor<4xf32>
glow.placeholder @c input : tensor<i1>
glow.func @missing {
  %c = glow.read @c : tensor<i1>
  // expected-error@+1 {{calls @f, but the module has no function of this name}}
  %y = glow.if %c then @f() else @f() : (tensor<i1>) -> tensor<4xf32>
}

// -----

glow.placeholder @c input : tensor<i1>
glow.func @entry {
}
glow.func @caller {
  %c = glow.read @c : tensor<i1>
  // expected-error@+1 {{calls @entry, which has no parameters and results}}
  %y = glow.if %c then @entry() else @entry() : (tensor<i1>) -> tensor<4xf32>
}

// -----

glow.placeholder @n input : tensor<i64>
glow.placeholder @trip between : tensor<i64>
glow.placeholder @again between : tensor<i64>
glow.func @caller {
  %n = glow.read @n : tensor<i64>
  %d = glow.loop @f trips %n carries() slices() captures() : (tensor<i64>) -> tensor<i64>
}
glow.func @f takes [@trip] gives [] {
  %n = glow.read @trip : tensor<i64>
  %d = glow.loop @g trips %n carries() slices() captures() : (tensor<i64>) -> tensor<i64>
}
glow.func @g takes [@again] gives [] {
  %n = glow.read @again : tensor<i64>
  // expected-error@+1 {{calls @f, which calls @g in turn}}
  %d = glow.loop @f trips %n carries() slices() captures() : (tensor<i64>) -> tensor<i64>
}

// -----

glow.placeholder @n input : tensor<i64>
glow.placeholder @x input : tensor<4xf32>
glow.placeholder @trip between : tensor<i64>
glow.placeholder @h between : tensor<3xf32>
glow.placeholder @next between : tensor<3xf32>
glow.func @types {
  %n = glow.read @n : tensor<i64>
  %x = glow.read @x : tensor<4xf32>
  // expected-error@+1 {{has parameter 1 of type 'tensor<4xf32>' for @f, where it is of 'tensor<3xf32>'}}
  %y:2 = glow.loop @f trips %n carries(%x) slices() captures() : (tensor<i64>, tensor<4xf32>) -> (tensor<4xf32>, tensor<i64>)
}
glow.func @f takes [@trip, @h] gives [@next] {
  %h = glow.read @h : tensor<3xf32>
  glow.save %h, @next : tensor<3xf32>
}

// -----

glow.placeholder @n input : tensor<i64>
glow.placeholder @xs input : tensor<4xf32>
glow.placeholder @trip between : tensor<i64>
glow.placeholder @x between : tensor<f32>
glow.func @counts {
  %xs = glow.read @xs : tensor<4xf32>
  // expected-error@+1 {{slices 'tensor<4xf32>' along axis 0, which has another size than the count}}
  %n = glow.loop @f carries() slices(%xs) captures() count [5] : (tensor<4xf32>) -> tensor<i64>
}
glow.func @f takes [@trip, @x] gives [] {
}

// -----

glow.placeholder @xs input : tensor<4xf32>
glow.func @no_count {
  %xs = glow.read @xs : tensor<4xf32>
  // expected-error@+1 {{has slices, but no count}}
  %n = glow.loop @f carries() slices(%xs) captures() : (tensor<4xf32>) -> tensor<i64>
}

// -----

glow.placeholder @c input : tensor<2xi1>
glow.func @condition {
  %c = glow.read @c : tensor<2xi1>
  // expected-error@+1 {{has 'condition' of type 'tensor<2xi1>', but it should be one bool}}
  %y = glow.if %c then @f() else @f() : (tensor<2xi1>) -> tensor<4xf32>
}

// -----

glow.placeholder @x input : tensor<4xf32>
glow.placeholder @c input : tensor<i1>
glow.func @port {
  %c = glow.read @c : tensor<i1>
  // expected-error@+1 {{calls @f, whose port @x should be a placeholder between functions}}
  glow.if %c then @f() else @f() : (tensor<i1>) -> ()
}
glow.func @f takes [@x] gives [] {
}
