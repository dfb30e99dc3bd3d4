// A buffer is where the instructions have it that touch it, and no memory has more than
// its record says.

glowir.func @full declare {
  %x = binding float<16>, mutable
  %y = binding float<16>, mutable output
} program {
  %first = alloc i64<1>
  %second = alloc i64<1>
  %near = alloc float<16, pad>
  %nearer = alloc float<16, pad>
  %fetch = engine_fetch @out %near, @out %first, @in %x
  %fetch_too = engine_fetch @out %nearer, @out %second, @in %x
  %arrive = engine_arrive @inout %near, @in %first
  %arrive_too = engine_arrive @inout %nearer, @in %second
  %sums = alloc float<16, pad>
  // expected-error@+1 {{needs 192 bytes of memory 'pad', which has 128: 'near' has 64, 'nearer' has 64, 'sums' has 64 [fits-memory]}}
  %sum = engine_sum @out %y, @in %near, @in %nearer, @scratch %sums
  dealloc @out %near
  dealloc @out %nearer
  dealloc @out %sums
  dealloc @out %first
  dealloc @out %second
}

// -----

glowir.func @fetched_to_the_arena declare {
  %x = binding float<4>, mutable
} program {
  %token = alloc i64<1>
  %far = alloc float<4>
  // expected-error@+1 {{has 'dest' in memory 'pad', but 'far' is in the arena [memory-of-operand]}}
  %fetch = engine_fetch @out %far, @out %token, @in %x
}

// -----

glowir.func @others_have_no_way_there declare {
  %y = binding float<4>, mutable output
} program {
  %near = alloc float<4, pad>
  // expected-error@+1 {{has 'x' in the arena, but 'near' is in memory 'pad' [memory-of-operand]}}
  %relu = relu @out %y, @in %near
}

// -----

// expected-error@+1 {{uses "all" of memory 'pad', but should use a number of bytes}}
glowir.func @used attributes {memoryBytes = {pad = "all"}} declare {
} program {
}

// -----

// expected-error@+1 {{has "many" for cycles 'total', but should have a number of them}}
glowir.func @lasting attributes {cycles = {total = "many"}} declare {
} program {
}
