// RUN: glow-opt %s --split-input-file --verify-diagnostics --check-graph
// Each pass says so too, when it runs alone.
// RUN: not glow-opt %s --split-input-file --generate-instrs 2>&1 | FileCheck %s
// CHECK: error: 'glow.relu' op no storage of the module is named @mask
// CHECK: error: 'glow.relu' op has a predicate of type 'tensor<3xi1>'

glow.placeholder @x input : tensor<2x3xf32>
glow.func @main {
  %x = glow.read @x : tensor<2x3xf32>
  // expected-error@+1 {{'glow.relu' op no storage of the module is named @mask}}
  %y = glow.relu %x {glow.predicate = @mask} : (tensor<2x3xf32>) -> tensor<2x3xf32>
}

// -----

glow.placeholder @x input : tensor<2x3xf32>
glow.placeholder @mask input : tensor<3xi1>
glow.func @main {
  %x = glow.read @x : tensor<2x3xf32>
  // expected-error@+1 {{'glow.relu' op has a predicate of type 'tensor<3xi1>', but its result is of 'tensor<2x3xf32>': it should have a bool for each index of dimension 0}}
  %y = glow.relu %x {glow.predicate = @mask} : (tensor<2x3xf32>) -> tensor<2x3xf32>
}

// -----

glow.placeholder @x input : tensor<2x3xf32>
glow.placeholder @mask input : tensor<2xf32>
glow.func @main {
  %x = glow.read @x : tensor<2x3xf32>
  // expected-error@+1 {{'glow.relu' op has a predicate of type 'tensor<2xf32>'}}
  %y = glow.relu %x {glow.predicate = @mask} : (tensor<2x3xf32>) -> tensor<2x3xf32>
}

// -----

glow.placeholder @x input : tensor<2x3xf32>
glow.func @main {
  %x = glow.read @x : tensor<2x3xf32>
  // expected-error@+1 {{'glow.relu' op has the predicate true, but it should name a storage, as @mask}}
  %y = glow.relu %x {glow.predicate = true} : (tensor<2x3xf32>) -> tensor<2x3xf32>
}

// -----

glow.placeholder @x input : tensor<2x3xf32>
glow.func @main {
  // expected-error@+1 {{'glow.read' op has a predicate, but is neither a node nor an instruction}}
  %x = glow.read @x {glow.predicate = @x} : tensor<2x3xf32>
}

// -----

// expected-error@+1 {{'glow.func' op has the attribute 'glow.predicat', which means nothing}}
glow.func @main attributes {glow.predicat = @x} {
}
