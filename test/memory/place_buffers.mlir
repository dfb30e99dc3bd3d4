// RUN: glow-opt %s --place-buffers | FileCheck %s
// RUN: glow-opt %s --place-buffers | glow-opt --verify-placement
// RUN: glow-opt %s --place-buffers=alignment=256 | FileCheck %s --check-prefix=WIDE

// %c begins when %a has ended, and takes its place; %b is in use with both.
// CHECK-LABEL: @one_after_another
// CHECK-SAME:    attributes {arenaBytes = 192 : i64, liveBytes = 192 : i64}
// CHECK-DAG:     %a = alloc float<10 x 2> at [[A:[0-9]+]]
// CHECK-DAG:     %c = alloc float<9 x 2> at [[A]]
// CHECK-DAG:     %b = alloc float<2 x 2> at
// WIDE-LABEL:  @one_after_another
// WIDE-SAME:     attributes {arenaBytes = 512 : i64, liveBytes = 512 : i64}
glowir.func @one_after_another declare {
  %x = binding float<10 x 2>, mutable
  %p = binding float<2 x 10>, constant
  %q = binding float<9 x 2>, constant
  %y = binding float<9 x 2>, mutable output
} program {
  %a = alloc float<10 x 2>
  %b = alloc float<2 x 2>
  %c = alloc float<9 x 2>
  %first = relu @out %a, @in %x
  %second = matmul @out %b, @in %p, @in %a
  %third = matmul @out %c, @in %q, @in %b
  %fourth = relu @out %y, @in %c
  dealloc @out %a
  dealloc @out %b
  dealloc @out %c
}

// The reshape works in place: both are one piece of memory.
// CHECK-LABEL: @in_place
// CHECK-SAME:    arenaBytes = 64
// CHECK:         %a = alloc float<4 x 4> at 0
// CHECK:         %b = alloc float<16> reuse %a at 0
glowir.func @in_place declare {
  %x = binding float<4 x 4>, mutable
  %y = binding float<16>, mutable output
} program {
  %a = alloc float<4 x 4>
  %first = relu @out %a, @in %x
  %b = alloc float<16> reuse %a
  %second = reshape @out %b, @in %a {dims = [16]}
  dealloc @out %a
  %third = relu @out %y, @in %b
  dealloc @out %b
}

// A permission that is no longer true counts for nothing: %a is read once more.
// CHECK-LABEL: @read_again
// CHECK-SAME:    arenaBytes = 128
glowir.func @read_again declare {
  %x = binding float<4 x 4>, mutable
  %y = binding float<16>, mutable output
  %z = binding float<4 x 4>, mutable output
} program {
  %a = alloc float<4 x 4>
  %first = relu @out %a, @in %x
  %b = alloc float<16> reuse %a
  %second = reshape @out %b, @in %a {dims = [16]}
  %third = relu @out %y, @in %b
  %fourth = relu @out %z, @in %a
  dealloc @out %a
  dealloc @out %b
}

// A buffer without uses has no place.
// CHECK-LABEL: @unused
// CHECK-SAME:    attributes {arenaBytes = 0 : i64, liveBytes = 0 : i64}
// CHECK:         %near = alloc float<4, local>{{$}}
// CHECK:         %unused = alloc float<4>{{$}}
glowir.func @unused declare {
  %x = binding float<4>, mutable
  %y = binding float<4>, mutable output
} program {
  %near = alloc float<4, local>
  %unused = alloc float<4>
  %first = relu @out %y, @in %x
  dealloc @out %near
  dealloc @out %unused
}
