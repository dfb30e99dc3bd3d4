// A started copy goes on until an instruction reads its token.

glowir.func @awaited declare {
  %x = binding float<5>, mutable
  %y = binding float<5>, mutable output
} program {
  %token = alloc i64<1>
  %start = engine_start @out %y, @out %token, @in %x
  %wait = engine_wait @inout %y, @in %token
  dealloc @out %token
}

// -----

glowir.func @never declare {
  %x = binding float<5>, mutable
  %y = binding float<5>, mutable output
  %token = binding i64<1>, mutable output
} program {
  // expected-error@+1 {{is asynchronous, and no instruction after it reads its token 'token' [start-is-awaited]}}
  %start = engine_start @out %y, @out %token, @in %x
}

// -----

glowir.func @read_too_early declare {
  %x = binding float<5>, mutable
  %z = binding float<5>, mutable output
} program {
  %token = alloc i64<1>
  %y = alloc float<5>
  // expected-note@+1 {{it is started here}}
  %start = engine_start @out %y, @out %token, @in %x
  // expected-error@+1 {{touches 'y' before an instruction waits for 'start' by its token 'token' [wait-before-use]}}
  %relu = relu @out %z, @in %y
  %wait = engine_wait @inout %y, @in %token
  dealloc @out %y
  dealloc @out %token
}

// -----

glowir.func @source_changed_too_early declare {
  %x = binding float<5>, mutable
  %z = binding float<5>, mutable
  %y = binding float<5>, mutable output
} program {
  %token = alloc i64<1>
  // expected-note@+1 {{it is started here}}
  %start = engine_start @out %y, @out %token, @in %x
  // expected-error@+1 {{touches 'x' before an instruction waits for 'start' by its token 'token' [wait-before-use]}}
  %relu = relu @out %x, @in %z
  %wait = engine_wait @inout %y, @in %token
  dealloc @out %token
}

// -----

glowir.func @freed_too_early declare {
  %z = binding float<5>, mutable
  %y = binding float<5>, mutable output
} program {
  %token = alloc i64<1>
  %x = alloc float<5>
  %relu = relu @out %x, @in %z
  // expected-note@+1 {{it is started here}}
  %start = engine_start @out %y, @out %token, @in %x
  // expected-error@+1 {{touches 'x' before an instruction waits for 'start' by its token 'token' [wait-before-use]}}
  dealloc @out %x
  %wait = engine_wait @inout %y, @in %token
  dealloc @out %token
}
