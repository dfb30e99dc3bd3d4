// Buffers in two memories, each with places of its own.

glowir.func @placed declare {
  %x = binding float<5>, mutable
  %y = binding float<5>, mutable output
} program {
  %token = alloc i64<1>
  %near = alloc float<5, pad>
  %fetch = engine_fetch @out %near, @out %token, @in %x
  %arrive = engine_arrive @inout %near, @in %token
  %again = alloc i64<1>
  %other = alloc float<5, pad>
  %refetch = engine_fetch @out %other, @out %again, @in %x
  %rearrive = engine_arrive @inout %other, @in %again
  %sums = alloc float<5, pad>
  %sum = engine_sum @out %y, @in %near, @in %other, @scratch %sums
  dealloc @out %near
  dealloc @out %sums
  dealloc @out %other
  dealloc @out %token
  dealloc @out %again
}
