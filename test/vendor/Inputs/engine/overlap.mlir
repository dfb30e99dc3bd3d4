// Copies begin as early as memory allows, and are waited for when their data is needed.

// The second part comes while the first is squared. A memory of 128 bytes holds four
// parts of 32.
// CHECK-LABEL: glowir.func @hidden attributes {cycles = {computing = 40 : i64, copying = 72 : i64, hidden = 36 : i64, in_order = 112 : i64, total = 76 : i64}}
// CHECK:      engine_take {{.*}}starts = [0, 0]
// CHECK:      engine_take {{.*}}starts = [2, 0]
// CHECK-NEXT: landed
glowir.func @hidden declare {
  %x = binding float<4x4>, mutable
  %y = binding float<4x4>, mutable output
} program {
  %taken = alloc i64<1>
  %given = alloc i64<1>
  %taken_too = alloc i64<1>
  %given_too = alloc i64<1>
  %near = alloc float<2x4, pad>
  %near_too = alloc float<2x4, pad>
  %square = alloc float<2x4, pad>
  %square_too = alloc float<2x4, pad>
  %take = engine_take @out %near, @out %taken, @in %x {starts = [0, 0], sizes = [2, 4]}
  %landed = engine_landed @in %taken
  %squared = engine_square @out %square, @in %near
  %give = engine_give @out %y, @out %given, @in %square {starts = [0, 0], sizes = [2, 4]}
  %gone = engine_landed @in %given
  %take_too = engine_take @out %near_too, @out %taken_too, @in %x {starts = [2, 0], sizes = [2, 4]}
  %landed_too = engine_landed @in %taken_too
  %squared_too = engine_square @out %square_too, @in %near_too
  %give_too = engine_give @out %y, @out %given_too, @in %square_too {starts = [2, 0], sizes = [2, 4]}
  %gone_too = engine_landed @in %given_too
  dealloc @out %near
  dealloc @out %near_too
  dealloc @out %square
  dealloc @out %square_too
  dealloc @out %taken
  dealloc @out %given
  dealloc @out %taken_too
  dealloc @out %given_too
}
