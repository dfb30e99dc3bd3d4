// Rows of one vector and of many, sixteen rows and a rest, dimensions that are one
// run, columns of every width, running sums and products, and NaN, which is the
// largest and the least. Kinds without kernels have sums side by side.
// RUN: glow run %s --random=5 --compare=interpreter --threads=1 | FileCheck %s
// RUN: glow run %s --random=5 --compare=interpreter --threads=2 | FileCheck %s
// RUN: %if x86-64-v3 %{ glow run %s --random=5 --compare=interpreter --cpu=haswell | FileCheck %s %}
// RUN: %python -c "import numpy as n; x = n.random.RandomState(0).rand(5, 7, 3, 131).astype('f'); x[1, 2, 1, 9] = x[4, 6, 2, 130] = n.nan; n.save('%t.npy', x)"
// RUN: glow run %s --random=5 --input=x=%t.npy --compare=interpreter | FileCheck %s
// CHECK: {{^}}PASSED
glow.placeholder @x input : tensor<5x7x3x131xf32>
glow.placeholder @wide input : tensor<2x70x477xf32>
glow.placeholder @long input : tensor<3x1003xf64>
glow.placeholder @whole input : tensor<2x300xi32>
glow.placeholder @longSums output : tensor<3xf64>
glow.placeholder @longMeans output : tensor<3xf64>
glow.placeholder @longest output : tensor<3xf64>
glow.placeholder @wholeLeast output : tensor<2xi32>
glow.placeholder @wholeSums output : tensor<2x300xi32>
glow.placeholder @backwards output : tensor<5x7x3x131xf32>
glow.placeholder @sums output : tensor<5x7x3xf32>
glow.placeholder @means output : tensor<5x7x3x1xf32>
glow.placeholder @largest output : tensor<5x7x3xf32>
glow.placeholder @least output : tensor<5x3xf32>
glow.placeholder @columns output : tensor<2x477xf32>
glow.placeholder @greatest output : tensor<2x477xf32>
glow.placeholder @all output : tensor<477xf32>
glow.placeholder @running output : tensor<2x70x477xf32>
glow.placeholder @products output : tensor<5x7x3x131xf32>
glow.placeholder @before output : tensor<5x7x3x131xf32>
glow.func @main {
  %x = glow.read @x : tensor<5x7x3x131xf32>
  %wide = glow.read @wide : tensor<2x70x477xf32>
  %long = glow.read @long : tensor<3x1003xf64>
  %whole = glow.read @whole : tensor<2x300xi32>
  %longSums = glow.reduce_sum %long axes [1] keepDims false : (tensor<3x1003xf64>) -> tensor<3xf64>
  %longMeans = glow.reduce_mean %long axes [1] keepDims false : (tensor<3x1003xf64>) -> tensor<3xf64>
  %longest = glow.reduce_max %long axes [1] keepDims false : (tensor<3x1003xf64>) -> tensor<3xf64>
  %wholeLeast = glow.reduce_min %whole axes [1] keepDims false : (tensor<2x300xi32>) -> tensor<2xi32>
  %wholeSums = glow.cum_sum %whole axis 1 exclusive true backwards false : (tensor<2x300xi32>) -> tensor<2x300xi32>
  %backwards = glow.cum_sum %x axis 3 exclusive true backwards true : (tensor<5x7x3x131xf32>) -> tensor<5x7x3x131xf32>
  glow.save %longSums, @longSums : tensor<3xf64>
  glow.save %longMeans, @longMeans : tensor<3xf64>
  glow.save %longest, @longest : tensor<3xf64>
  glow.save %wholeLeast, @wholeLeast : tensor<2xi32>
  glow.save %wholeSums, @wholeSums : tensor<2x300xi32>
  glow.save %backwards, @backwards : tensor<5x7x3x131xf32>
  %sums = glow.reduce_sum %x axes [3] keepDims false : (tensor<5x7x3x131xf32>) -> tensor<5x7x3xf32>
  %means = glow.reduce_mean %x axes [3] keepDims true : (tensor<5x7x3x131xf32>) -> tensor<5x7x3x1xf32>
  %largest = glow.reduce_max %x axes [3] keepDims false : (tensor<5x7x3x131xf32>) -> tensor<5x7x3xf32>
  %least = glow.reduce_min %x axes [1, 3] keepDims false : (tensor<5x7x3x131xf32>) -> tensor<5x3xf32>
  %columns = glow.reduce_mean %wide axes [1] keepDims false : (tensor<2x70x477xf32>) -> tensor<2x477xf32>
  %greatest = glow.reduce_max %wide axes [1] keepDims false : (tensor<2x70x477xf32>) -> tensor<2x477xf32>
  %all = glow.reduce_sum %wide axes [0, 1] keepDims false : (tensor<2x70x477xf32>) -> tensor<477xf32>
  %running = glow.cum_sum %wide axis 1 exclusive false backwards true : (tensor<2x70x477xf32>) -> tensor<2x70x477xf32>
  %products = glow.cum_prod %x axis 3 exclusive false backwards false : (tensor<5x7x3x131xf32>) -> tensor<5x7x3x131xf32>
  %before = glow.cum_prod %x axis 1 exclusive true backwards true : (tensor<5x7x3x131xf32>) -> tensor<5x7x3x131xf32>
  glow.save %running, @running : tensor<2x70x477xf32>
  glow.save %products, @products : tensor<5x7x3x131xf32>
  glow.save %before, @before : tensor<5x7x3x131xf32>
  glow.save %sums, @sums : tensor<5x7x3xf32>
  glow.save %means, @means : tensor<5x7x3x1xf32>
  glow.save %largest, @largest : tensor<5x7x3xf32>
  glow.save %least, @least : tensor<5x3xf32>
  glow.save %columns, @columns : tensor<2x477xf32>
  glow.save %greatest, @greatest : tensor<2x477xf32>
  glow.save %all, @all : tensor<477xf32>
}
