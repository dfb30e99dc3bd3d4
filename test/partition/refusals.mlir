// RUN: not glow-opt %s --partition-graph 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not glow-opt %s --partition-graph=devices=left 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not glow-opt %s --partition-graph=devices=left:interpreter:memory=much 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not glow-opt %s --partition-graph=devices=left:abacus 2>&1 | FileCheck %s --check-prefix=BACKEND
// RUN: not glow-opt %s --partition-graph="devices=left:interpreter mode=best" 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not glow-opt %s --partition-graph="devices=left:interpreter assign=sum=middle" 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: not glow-opt %s --partition-graph="devices=left:interpreter assign=sums=left" 2>&1 | FileCheck %s --check-prefix=NODE
// RUN: not glow-opt %s --partition-graph="devices=left:interpreter assign=sum" 2>&1 | FileCheck %s --check-prefix=PIN
// RUN: not glow-opt %s --partition-graph="devices=left:interpreter assign=[=left" 2>&1 | FileCheck %s --check-prefix=PATTERN

// RUN: not glow-opt %s --partition-graph="devices=left:interpreter,right:interpreter:memory=1M mode=saturate" 2>&1 | FileCheck %s --check-prefix=EQUAL

// NONE: error: there are no devices to share the model out to
// TEXT: error: device 'left' should be NAME:BACKEND, and behind it any of :memory=SIZE, :threads=N, :link=BYTES_PER_SECOND and :delay=SECONDS
// SIZE: error: device 'left:interpreter:memory=much' should be NAME:BACKEND
// BACKEND: error: no backend is named 'abacus', which device 'left' is of
// MODE: error: the mode is 'best', but it should be latency, pipeline or saturate
// DEVICE: error: cannot assign 'sum' to 'middle': there is no device of that name
// NODE: error: cannot assign 'sums' to 'left': no node has such a name
// PIN: error: 'sum' should be PATTERN=DEVICE, the names of nodes and where they run
// EQUAL: error: devices 'left' and 'right' differ, but copies of a model saturate equal ones
// PATTERN: error: cannot assign '[' to 'left':

glow.placeholder @x input : tensor<4xf32>
glow.placeholder @y output : tensor<4xf32>
glow.func @main {
  %x = glow.read @x : tensor<4xf32>
  %sum = glow.add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("sum")
  glow.save %sum, @y : tensor<4xf32>
}
