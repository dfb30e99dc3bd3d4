// Copies of parts of one buffer may be under way together where no element is in both.

glowir.func @apart declare {
  %x = binding float<4x2>, mutable
  %y = binding float<4x2>, mutable output
} program {
  %taken = alloc i64<1>
  %one = alloc i64<1>
  %other = alloc i64<1>
  %near = alloc float<2x2, pad>
  %take = engine_take @out %near, @out %taken, @in %x {starts = [1, 0], sizes = [2, 2]}
  %landed = engine_landed @in %taken
  %give = engine_give @out %y, @out %one, @in %near {starts = [0, 0], sizes = [2, 2]}
  %give_too = engine_give @out %y, @out %other, @in %near {starts = [2, 0], sizes = [2, 2]}
  %first = engine_landed @in %one
  %second = engine_landed @in %other
  dealloc @out %near
  dealloc @out %taken
  dealloc @out %one
  dealloc @out %other
}

// -----

glowir.func @a_row_is_in_both declare {
  %x = binding float<4x2>, mutable
  %y = binding float<4x2>, mutable output
} program {
  %taken = alloc i64<1>
  %one = alloc i64<1>
  %other = alloc i64<1>
  %near = alloc float<2x2, pad>
  %take = engine_take @out %near, @out %taken, @in %x {starts = [1, 0], sizes = [2, 2]}
  %landed = engine_landed @in %taken
  // expected-note@+1 {{it is started here}}
  %give = engine_give @out %y, @out %one, @in %near {starts = [0, 0], sizes = [2, 2]}
  // expected-error@+1 {{touches 'y' before an instruction waits for 'give' by its token 'one' [wait-before-use]}}
  %give_too = engine_give @out %y, @out %other, @in %near {starts = [1, 0], sizes = [2, 2]}
  %first = engine_landed @in %one
  %second = engine_landed @in %other
  dealloc @out %near
  dealloc @out %taken
  dealloc @out %one
  dealloc @out %other
}

// -----

glowir.func @outside declare {
  %x = binding float<4x2>, mutable
} program {
  %taken = alloc i64<1>
  %near = alloc float<2x2, pad>
  // expected-error@+1 {{touches [2, 2] elements from [3, 0] on of 'x', which has [4, 2] [box-inside]}}
  %take = engine_take @out %near, @out %taken, @in %x {starts = [3, 0], sizes = [2, 2]}
}

// -----

glowir.func @each_waits_for_the_other declare {
  %x = binding float<2x2>, mutable
} program {
  %taken = alloc i64<1>
  %near = alloc float<2x2, pad>
  // expected-error@+1 {{waits for 'take' by its token 'taken', and that begins after it: each waits for the other [no-circular-wait]}}
  %landed = engine_landed @in %taken
  // expected-note@+1 {{it is started here}}
  %take = engine_take @out %near, @out %taken, @in %x {starts = [0, 0], sizes = [2, 2]}
  %again = engine_landed @in %taken
  dealloc @out %near
  dealloc @out %taken
}
