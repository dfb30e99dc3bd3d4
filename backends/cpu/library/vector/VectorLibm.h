//===- VectorLibm.h - functions of doubles from C's library -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Functions of libm are called lane by lane, so that results equal those of the
// interpreter to the last bit. Networks compute in double if they need its
// precision, for which a polynomial would take longer.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BACKENDS_CPU_LIBRARY_VECTOR_VECTORLIBM_H
#define GLOW_BACKENDS_CPU_LIBRARY_VECTOR_VECTORLIBM_H

#include "Vector.h"
#include "glow/Base/Normal.h"

// One function handles all lanes: inlined into loops, the code would be long.
#define GLOW_LIBM(name)                                                        \
  extern "C" double name(double) noexcept;                                     \
  namespace glow::vector {                                                     \
  [[gnu::noinline]] inline void name##Lanes(V16d *x) {                         \
    for (int i = 0; i < lanesOfVector; ++i)                                    \
      (*x)[i] = ::name((*x)[i]);                                               \
  }                                                                            \
  GLOW_INLINE V16d name(V16d x) {                                              \
    name##Lanes(&x);                                                           \
    return x;                                                                  \
  }                                                                            \
  }
GLOW_LIBM(exp)
GLOW_LIBM(expm1)
GLOW_LIBM(log)
GLOW_LIBM(log1p)
GLOW_LIBM(tan)
GLOW_LIBM(asin)
GLOW_LIBM(acos)
GLOW_LIBM(atan)
GLOW_LIBM(sinh)
GLOW_LIBM(cosh)
GLOW_LIBM(tanh)
GLOW_LIBM(asinh)
GLOW_LIBM(acosh)
GLOW_LIBM(atanh)
GLOW_LIBM(erf)
#undef GLOW_LIBM

#define GLOW_LIBM(name)                                                        \
  extern "C" double name(double, double) noexcept;                             \
  namespace glow::vector {                                                     \
  [[gnu::noinline]] inline void name##Lanes(V16d *x, const V16d *y) {          \
    for (int i = 0; i < lanesOfVector; ++i)                                    \
      (*x)[i] = ::name((*x)[i], (*y)[i]);                                      \
  }                                                                            \
  GLOW_INLINE V16d name(V16d x, V16d y) {                                      \
    name##Lanes(&x, &y);                                                       \
    return x;                                                                  \
  }                                                                            \
  }
GLOW_LIBM(pow)
GLOW_LIBM(fmod)
#undef GLOW_LIBM

namespace glow::vector {
[[gnu::noinline]] inline void normcdfLanes(V16d *x) {
  for (int i = 0; i < lanesOfVector; ++i)
    (*x)[i] = glow::normcdf((*x)[i]);
}
GLOW_INLINE V16d normcdf(V16d x) {
  normcdfLanes(&x);
  return x;
}
} // namespace glow::vector

#endif // GLOW_BACKENDS_CPU_LIBRARY_VECTOR_VECTORLIBM_H
