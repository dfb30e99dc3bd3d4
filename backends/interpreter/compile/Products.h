//===- Products.h - products of large constant matrices ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_INTERPRETER_PRODUCTS_H
#define GLOW_BACKENDS_INTERPRETER_PRODUCTS_H

#include <cstdint>

namespace glow {

/// out[n,m] = the sum over k of lhs[n,k] * rhs[k,m], for row-major matrices.
/// The result has every bit of the interpreter's kernel: sums are of doubles,
/// which hold products of f32 exactly, and add terms in the order of k.
void multiplyMatrices(const float *lhs, const float *rhs, int64_t rows,
                      int64_t inner, int64_t columns, float *out);

} // namespace glow

#endif // GLOW_BACKENDS_INTERPRETER_PRODUCTS_H
