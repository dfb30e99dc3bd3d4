// RUN: glow-opt %s --split-input-file --check-partition=memory=1000 --verify-diagnostics

// In order, each in 1000 bytes.
glow.placeholder @x input : tensor<100xf32>
glow.placeholder @m between : tensor<100xf32>
glow.placeholder @y output : tensor<100xf32>
glow.func @a {
  %x = glow.read @x : tensor<100xf32>
  glow.save %x, @m : tensor<100xf32>
}
glow.func @b {
  %m = glow.read @m : tensor<100xf32>
  glow.save %m, @y : tensor<100xf32>
}

// -----

glow.placeholder @x input : tensor<2xf32>
glow.placeholder @m between : tensor<2xf32>
glow.placeholder @n between : tensor<2xf32>
glow.placeholder @y output : tensor<2xf32>
glow.func @a {
  // expected-error@+1 {{@a reads @n, which no function before it saves}}
  %n = glow.read @n : tensor<2xf32>
  glow.save %n, @m : tensor<2xf32>
}
glow.func @b {
  %m = glow.read @m : tensor<2xf32>
  glow.save %m, @n : tensor<2xf32>
  // expected-error@+1 {{@b saves @m, and so does @a}}
  glow.save %m, @m : tensor<2xf32>
  glow.save %m, @y : tensor<2xf32>
}

// -----

glow.placeholder @x input : tensor<100xf32>
glow.placeholder @y output : tensor<100xf32>
// expected-error@+1 {{@main needs 1.2 KiB or more, but a device has 1000 bytes}}
glow.func @main {
  %x = glow.read @x : tensor<100xf32>
  %relu = glow.relu %x : (tensor<100xf32>) -> tensor<100xf32>
  glow.save %relu, @y : tensor<100xf32>
}

// -----

glow.placeholder @y output : tensor<100xf32>
// expected-error@+1 {{has the device -1 : i64, but it should be a name in quotes}}
glow.func @main attributes {glow.device = -1} {
}

// -----

// expected-error@+1 {{has a device, but is neither a function nor a module}}
glow.placeholder @y output {glow.device = "left"} : tensor<100xf32>
