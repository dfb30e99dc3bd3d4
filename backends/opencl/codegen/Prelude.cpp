//===- Prelude.cpp - functions that kernels call --------------------------===//
// SPDX-License-Identifier: MIT
//
// The OpenCL C of ScalarFunction records and of conversions. Base/Scalar.h,
// Half.h and Small.h define their results.
//
//===----------------------------------------------------------------------===//

#include "StatementText.h"
#include "llvm/ADT/StringSet.h"

using namespace glow;

/// Functions of a computation kind K, whose type is T. Each is one macro, so
/// that the list of names is in one place.
#define FUNCTIONS_OF_REALS                                                     \
  "F1(exp, exp(a)) F1(expm1, expm1(a)) F1(log, log(a)) F1(log1p, log1p(a)) "   \
  "F1(atan, atan(a)) F1(tan, tan(a)) F1(asin, asin(a)) F1(acos, acos(a)) "     \
  "F1(sinh, sinh(a)) F1(cosh, cosh(a)) F1(tanh, tanh(a)) "                     \
  "F1(asinh, asinh(a)) F1(acosh, acosh(a)) F1(atanh, atanh(a)) "               \
  "F1(erf, erf(a)) F1(normcdf, R(0.5) * erfc(-a * R(0.70710678118654752440)))" \
  " F1(sin, sin(a)) F1(cos, cos(a)) F1(sqrt, sqrt(a)) F1(floor, floor(a)) "    \
  "F1(ceil, ceil(a)) F1(round, rint(a)) "                                      \
  "F1(isNan, isnan(a) ? R(1.0) : R(0.0)) "                                     \
  "F1(isInfinite, isinf(a) ? R(1.0) : R(0.0)) "                                \
  "F1(halfOf, half_value((ushort)(int)a)) "                                    \
  "F2(singleOf, as_float((uint)a | (uint)b << 16)) "                           \
  "F1(abs, fabs(a)) F1(sign, a > 0 ? R(1.0) : a < 0 ? R(-1.0) : a) "           \
  "F2(max, a > b || isnan(a) ? a : b) F2(min, a < b || isnan(a) ? a : b) "     \
  "F2(pow, pow(a, b)) F2(fmod, fmod(a, b)) F2(mod, real_mod(a, b, fmod(a, "    \
  "b)))"

#define FUNCTIONS_OF_INTEGERS                                                  \
  "F1(abs, a < 0 ? (T)(-(ulong)a) : a) "                                       \
  "F1(sign, a > 0 ? (T)1 : a < 0 ? (T)-1 : (T)0) "                             \
  "F2(max, a > b ? a : b) F2(min, a < b ? a : b) "                             \
  "F2(bitAnd, a & b) F2(bitOr, a | b) F2(bitXor, a ^ b) F1(bitNot, ~a) "       \
  "F2(shiftLeft, (ulong)b >= 64 ? (T)0 : (T)((ulong)a << b)) "                 \
  "F1(floor, a) F1(ceil, a) F1(round, a) F1(isNan, (T)0) "                     \
  "F1(isInfinite, (T)0) "

static constexpr const char *header = R"cl(
#pragma OPENCL FP_CONTRACT OFF
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define MULTIPLY_ADD(a, b, c) fma(a, b, c)
// Not every driver converts NaN to 0.
#define NEAREST(type, v) (isnan(v) ? (type)0 : convert_##type##_sat(v))
#define iota4 ((int4)(0, 1, 2, 3))
#define iota8 ((int8)(0, 1, 2, 3, 4, 5, 6, 7))
#define iota16 ((int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

// Stores the first lanes.
static void store_first(float16 value, global float *to, int count) {
  if (count >= 16) {
    vstore16(value, 0, to);
    return;
  }
  private float all[16];
  vstore16(value, 0, all);
  for (int i = 0; i < count; ++i) to[i] = all[i];
}

// Integers; a division by 0 gives 0.
static long floor_div(long a, long b) {
  if (b == 0) return 0;
  const long q = a / b;
  return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}
static long floor_mod(long a, long b) {
  if (b == 0) return 0;
  const long r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
static long divide_i64(long a, long b) {
  return b == 0 ? 0 : b == -1 ? (long)(-(ulong)a) : a / b;
}
static ulong divide_u64(ulong a, ulong b) { return b == 0 ? 0 : a / b; }
static long glow_fmod_i64(long a, long b) {
  return b == 0 || b == -1 ? 0 : a % b;
}
static ulong glow_fmod_u64(ulong a, ulong b) { return b == 0 ? 0 : a % b; }
static long glow_mod_i64(long a, long b) {
  const long r = glow_fmod_i64(a, b);
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
static ulong glow_mod_u64(ulong a, ulong b) { return glow_fmod_u64(a, b); }
static long glow_shiftRight_i64(long a, long b) {
  return a >> (b >= 64 || b < 0 ? 63 : b);
}
static ulong glow_shiftRight_u64(ulong a, ulong b) {
  return b >= 64 ? 0 : a >> b;
}
static long glow_pow_i64(long a, long b) {
  if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
  ulong result = 1, factor = (ulong)a;
  for (; b; b /= 2, factor *= factor)
    if (b % 2) result *= factor;
  return (long)result;
}
static ulong glow_pow_u64(ulong a, ulong b) {
  ulong result = 1;
  for (; b; b /= 2, a *= a)
    if (b % 2) result *= a;
  return result;
}

// Elements of 16 bits and fewer.
static float half_value(ushort bits) {
  private ushort one = bits;
  return vload_half(0, (private const half *)&one);
}
#define load_f16(p, i) vload_half(i, (global const half *)(p))
#define store_f16(p, i, v) vstore_half_rte(v, i, (global half *)(p))
#define load_bf16(p, i) as_float((uint)((global const ushort *)(p))[i] << 16)
static ushort bf16_bits(float value) {
  const uint bits = as_uint(value);
  const uint kept =
      isnan(value) ? bits | 0x400000u : bits + 0x7fffu + (bits >> 16 & 1u);
  return (ushort)(kept >> 16);
}
#define store_bf16(p, i, v) ((global ushort *)(p))[i] = bf16_bits(v)
static int few_value(uchar bits, int width, int is_signed) {
  const int low = bits & ((1 << width) - 1);
  return is_signed && low >= 1 << (width - 1) ? low - (1 << width) : low;
}
#define load_i4(p, i) few_value((p)[i], 4, 1)
#define load_u4(p, i) few_value((p)[i], 4, 0)
#define load_i2(p, i) few_value((p)[i], 2, 1)
#define load_u2(p, i) few_value((p)[i], 2, 0)
static uchar few_bits(float value, int width, int is_signed) {
  const int most = (1 << (width - is_signed)) - 1;
  const int least = is_signed ? -most - 1 : 0;
  return (uchar)clamp(NEAREST(int, value), least, most);
}
)cl";

/// Functions of vectors of each width. A lane of `first` and up is stored.
static std::string lanes() {
  std::string text;
  const char digits[] = "0123456789abcdef";
  for (int width : {4, 8, 16}) {
    const std::string n = std::to_string(width);
    auto list = [&](bool isHalf, const char *step, bool isMasked) {
      std::string all;
      for (int i = 0; i < width; ++i) {
        std::string at = std::to_string(i) + step;
        std::string one =
            isHalf ? "vload_half(" + at + ", from)" : "from[" + at + "]";
        all += (i ? ", " : "") + (isMasked ? std::string("m.s") + digits[i] +
                                                 " ? " + one + " : 0.0f"
                                           : one);
      }
      return "(float" + n + ")(" + all + ")";
    };
    for (bool isHalf : {false, true}) {
      const std::string type = isHalf ? "half" : "float",
                        name = (isHalf ? "_half" : "") + n,
                        pointer = "(global const " + type + " *from, ";
      text += "static float" + n + " gather" + name + pointer +
              "int by) {\n  return " + list(isHalf, " * by", false) +
              ";\n}\nstatic float" + n + " masked_gather" + name + pointer +
              "int by, int" + n + " m) {\n  return " +
              list(isHalf, " * by", true) + ";\n}\n";
      // A whole vector is read where it is inside of the tensor.
      text += "static float" + n + " masked_vload" + name + pointer +
              "long at, long count, int" + n +
              " m) {\n  from += at;\n  if (at >= 0 && at + " + n +
              " <= count) return select((float" + n + ")(0.0f), vload" + name +
              "(0, from), m);\n  return " + list(isHalf, "", true) + ";\n}\n";
    }
    text += "static void store_lanes" + n + "(float" + n +
            " value, global float *to, int first) {\n  if (first <= 0) {\n"
            "    vstore" +
            n + "(value, 0, to);\n    return;\n  }\n";
    for (int i = 1; i < width; ++i)
      text += "  if (first <= " + std::to_string(i) + ") to[" +
              std::to_string(i) + "] = value.s" + digits[i] + ";\n";
    text += "}\n";
  }
  return text;
}

static std::string functions(const std::string &kind, const std::string &type,
                             const std::string &real, const char *list) {
  return "#define T " + type + "\n#define R(x) (" + real +
         ")(x)\n#define F1(name, value) static T glow_##name##_" + kind +
         "(T a) { return (T)(value); }\n"
         "#define F2(name, value) static T glow_##name##_" +
         kind + "(T a, T b) { return (T)(value); }\n" + list +
         "\n#undef T\n#undef R\n#undef F1\n#undef F2\n";
}

std::string opencl::prelude() {
  static const std::string text = [] {
    std::string both =
        "#define real_mod(a, b, r) "
        "((r) != 0 && ((r) < 0) != ((b) < 0) ? (r) + (b) : (r))\n";
    std::string all = header + lanes() + both +
                      functions("f32", "float", "float", FUNCTIONS_OF_REALS);
    all += functions("i64", "long", "long", FUNCTIONS_OF_INTEGERS);
    all += functions("u64", "ulong", "ulong", FUNCTIONS_OF_INTEGERS);
    all += R"cl(
#ifdef cl_khr_fp64
// A double as a float that rounds once more to the nearest of fewer bits.
static float odd_f64(double value) {
  const float near = (float)value;
  const uint bits = as_uint(near);
  if ((double)near == value || isnan(value) || (bits & 1)) return near;
  return as_float(fabs((double)near) > fabs(value) ? bits - 1 : bits + 1);
}
)cl" + functions("f64", "double", "double", FUNCTIONS_OF_REALS) +
           "#endif\n";
    return all;
  }();
  return text;
}

/// The names in a list of functions.
static llvm::StringSet<> namesIn(llvm::StringRef list) {
  llvm::StringSet<> names;
  while (!list.empty()) {
    auto [before, rest] = list.split('(');
    if (before.ends_with("F1") || before.ends_with("F2"))
      names.insert(rest.split(',').first);
    list = rest;
  }
  return names;
}

bool opencl::hasFunction(llvm::StringRef function, ElementKind computes) {
  static const llvm::StringSet<> reals = namesIn(FUNCTIONS_OF_REALS);
  static const llvm::StringSet<> integers = [] {
    llvm::StringSet<> names = namesIn(FUNCTIONS_OF_INTEGERS);
    for (const char *name : {"fmod", "mod", "pow", "shiftRight"})
      names.insert(name);
    return names;
  }();
  return (isFloat(computes) ? reals : integers).contains(function);
}
