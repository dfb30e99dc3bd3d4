// A place that a run gives is checked by one comparison, and the row that all lanes share
// is added to the address once.
// RUN: glow compile %s --emit=llvm --cpu=x86-64-v4 -o - | FileCheck %s --implicit-check-not='icmp sle' --implicit-check-not='icmp sge'
// CHECK: icmp ult <16 x i64> %{{.*}}, splat (i64 48)
// CHECK: [[ROW:%.*]] = getelementptr i32, ptr %{{.*}}, i64 %{{.*}}
// CHECK-NEXT: getelementptr i32, ptr [[ROW]], <16 x i64>
// CHECK-NEXT: call <16 x i32> @llvm.masked.gather

// RUN: glow run %s --random=3 --compare=interpreter --rtol=0 --atol=0 | FileCheck %s --check-prefix=SAME
// SAME: {{^}}PASSED

glow.placeholder @x input : tensor<20x48xf32>
glow.placeholder @places input : tensor<20x48xi64>
glow.placeholder @y output : tensor<20x48xf32>
glow.func @main {
  %x = glow.read @x : tensor<20x48xf32>
  %places = glow.read @places : tensor<20x48xi64>
  %y = glow.gather_elements %x, %places axis 1 : (tensor<20x48xf32>, tensor<20x48xi64>) -> tensor<20x48xf32>
  glow.save %y, @y : tensor<20x48xf32>
}
