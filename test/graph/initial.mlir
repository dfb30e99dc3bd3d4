// The first elements of weights are described, and read as elements.
// RUN: rm -rf %t && split-file %s %t && cd %t && mkdir out wrong && mv w-*.mlir wrong
// RUN: glow-opt good.mlir | FileCheck %s --check-prefix=TEXT
// RUN: glow-opt good.mlir | glow-opt | FileCheck %s --check-prefix=TEXT
// TEXT: glow.constant @zero = dense<0.000000e+00> : tensor<2x3xf32>
// TEXT: glow.constant @ones = dense<1.500000e+00> : tensor<3xf64>
// TEXT: glow.constant @halves = dense<2.500000e-01> : tensor<2xbf16>
// RUN: glow run good.mlir --output-dir=out && %python check.py
// RUN: for f in wrong/*.mlir; do not glow-opt $f 2>&1 | FileCheck $f || exit 1; done

//--- good.mlir
glow.placeholder @a output : tensor<2x3xf32>
glow.placeholder @w output : tensor<1000x10xf32>
glow.placeholder @same output : tensor<1000x10xf32>
glow.placeholder @v output : tensor<10x10x2xf32>
glow.constant @zero = initial "zero" : tensor<2x3xf32>
glow.constant @ones = initial "broadcast 1.5" seed 1 : tensor<3xf64>
glow.constant @halves = initial "broadcast 0.25" : tensor<2xbf16>
glow.constant @kaiming = initial "kaiming" seed 3 : tensor<1000x10xf32>
glow.constant @again = initial "kaiming" seed 3 : tensor<1000x10xf32>
glow.constant @xavier = initial "xavier" seed 3 fan_in 20 : tensor<10x10x2xf32>
glow.func @main {
  %a = glow.read @zero : tensor<2x3xf32>
  glow.save %a, @a : tensor<2x3xf32>
  %w = glow.read @kaiming : tensor<1000x10xf32>
  glow.save %w, @w : tensor<1000x10xf32>
  %same = glow.read @again : tensor<1000x10xf32>
  glow.save %same, @same : tensor<1000x10xf32>
  %v = glow.read @xavier : tensor<10x10x2xf32>
  glow.save %v, @v : tensor<10x10x2xf32>
}

//--- check.py
import numpy

a, w, v, same = (numpy.load(f"out/{name}.npy") for name in ("a", "w", "v", "same"))
assert (a == 0).all() and (same == w).all()
# Uniform, over all of the interval.
for array, bound in ((w, (6 / 1000) ** 0.5), (v, (6 / 30) ** 0.5)):
    assert 0.97 * bound < numpy.abs(array).max() <= bound and abs(array.mean()) < 0.1 * bound

//--- w-word.mlir
// CHECK: error: {{.*}}the initialisation is 'ones', it should be zero, broadcast X, uniform LOW HIGH, normal MEAN DEVIATION, xavier or kaiming
glow.constant @w = initial "ones" : tensor<2xf32>
//--- w-kind.mlir
// CHECK: error: {{.*}}an initialisation is for f32, f64, f16 and bf16, not i32
glow.constant @w = initial "zero" : tensor<2xi32>
//--- w-open.mlir
// CHECK: error: {{.*}}'tensor<?xf32>' is not a tensor of static shape
glow.constant @w = initial "zero" : tensor<?xf32>
//--- w-none.mlir
// CHECK: error: {{.*}}'f32' is not a tensor of static shape
glow.constant @w = initial "zero" : f32
//--- w-large.mlir
// CHECK: error: {{.*}} are needed for elements of 'tensor<4000000x4000000xf32>'; the limit is
glow.constant @w = initial "zero" : tensor<4000000x4000000xf32>
//--- w-seed.mlir
// CHECK: error: {{.*}}expected integer value
glow.constant @w = initial "zero" seed : tensor<2xf32>
