//===- CCalls.cpp - calls and intrinsics of LLVM as C ---------------------===//
// SPDX-License-Identifier: MIT
//
// Only the intrinsics are here that Glow's kernels have after LLVM's passes,
// for any model of the tests. A missing intrinsic causes no wrong code: its
// name is collected, and the whole file is refused with it.
//
//===----------------------------------------------------------------------===//

#include "CBody.h"
#include "llvm/ADT/StringExtras.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

/// Prints copies, fills, and masked loads and stores.
bool cpu::BodyPrinter::memory(CallInst &i) {
  auto argument = [&](unsigned index) { return spell(i.getArgOperand(index)); };
  auto lanes = [&](Type *type) {
    return "for (int i = 0; i < " +
           std::to_string(cast<FixedVectorType>(type)->getNumElements()) +
           "; ++i) if (";
  };
  switch (i.getIntrinsicID()) {
  case Intrinsic::arithmetic_fence: {
    // The volatile variable keeps the C compiler from fusing a product with its
    // sum.
    std::string element = names.type(i.getType()->getScalarType());
    auto *type = dyn_cast<FixedVectorType>(i.getType());
    std::string at = type ? ".v[i]" : "";
    line((type ? "for (int i = 0; i < " +
                     std::to_string(type->getNumElements()) + "; ++i) "
               : "") +
         "{ volatile " + element + " t = " + argument(0) + at + "; " +
         spell(&i) + at + " = t; }");
    return true;
  }
  case Intrinsic::memcpy:
  case Intrinsic::memmove:
    line("memmove(" + argument(0) + ", " + argument(1) + ", " + argument(2) +
         ");");
    return true;
  case Intrinsic::memset:
    line("memset(" + argument(0) + ", " + argument(1) + ", " + argument(2) +
         ");");
    return true;
  case Intrinsic::masked_load:
    // The last two operands, whether or not there is one for the alignment.
    assign(i, argument(i.arg_size() - 1));
    line(lanes(i.getType()) + argument(i.arg_size() - 2) + ".v[i]) memcpy(&" +
         spell(&i) + ".v[i], " + argument(0) + " + i * sizeof " + spell(&i) +
         ".v[0], sizeof " + spell(&i) + ".v[0]);");
    return true;
  case Intrinsic::masked_store: {
    Type *type = i.getArgOperand(0)->getType();
    line("{ " + names.type(type) + " t = " + argument(0) + "; " + lanes(type) +
         argument(i.arg_size() - 1) + ".v[i]) memcpy(" + argument(1) +
         " + i * sizeof t.v[0], &t.v[i], sizeof t.v[0]); }");
    return true;
  }
  case Intrinsic::masked_gather:
    assign(i, argument(i.arg_size() - 1));
    line(lanes(i.getType()) + argument(i.arg_size() - 2) + ".v[i]) memcpy(&" +
         spell(&i) + ".v[i], " + argument(0) + ".v[i], sizeof " + spell(&i) +
         ".v[0]);");
    return true;
  case Intrinsic::masked_scatter: {
    Type *type = i.getArgOperand(0)->getType();
    line("{ " + names.type(type) + " t = " + argument(0) + "; " + lanes(type) +
         argument(i.arg_size() - 1) + ".v[i]) memcpy(" + argument(1) +
         ".v[i], &t.v[i], sizeof t.v[0]); }");
    return true;
  }
  default:
    return false;
  }
}

/// Prints a reduction over all lanes.
bool cpu::BodyPrinter::reduction(CallInst &i) {
  const char *step = nullptr;
  switch (i.getIntrinsicID()) {
  case Intrinsic::vector_reduce_or:
    step = "r |= x";
    break;
  case Intrinsic::vector_reduce_and:
    step = "r &= x";
    break;
  case Intrinsic::vector_reduce_add:
    step = "r += x";
    break;
  case Intrinsic::vector_reduce_fmaximum:
    step = "r = r != r || r > x ? r : x";
    break;
  case Intrinsic::vector_reduce_umax:
    step = "r = x > r ? x : r";
    break;
  case Intrinsic::vector_reduce_umin:
    step = "r = x < r ? x : r";
    break;
  case Intrinsic::vector_reduce_fadd: // from a first value on
    step = "r += x";
    break;
  default:
    return false;
  }
  Value *vector = i.getArgOperand(i.arg_size() - 1);
  auto *type = cast<FixedVectorType>(vector->getType());
  std::string name = names.type(i.getType());
  bool starts = i.arg_size() == 2;
  line("{ " + names.type(type) + " t = " + spell(vector) + "; " + name +
       " r = " + (starts ? spell(i.getArgOperand(0)) : "t.v[0]") +
       "; for (int i = " + (starts ? "0" : "1") + "; i < " +
       std::to_string(type->getNumElements()) + "; ++i) { " + name +
       " x = t.v[i]; " + step + "; } " + spell(&i) + " = r; }");
  return true;
}

/// The libm function of an intrinsic; null if there is none.
static const char *functionOf(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::fabs:
    return "fabs";
  case Intrinsic::sqrt:
    return "sqrt";
  case Intrinsic::floor:
    return "floor";
  case Intrinsic::ceil:
    return "ceil";
  case Intrinsic::trunc:
    return "trunc";
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  // rint rounds to even in the default mode, which no kernel changes.
  case Intrinsic::roundeven:
    return "rint";
  case Intrinsic::copysign:
    return "copysign";
  case Intrinsic::minnum:
    return "fmin";
  case Intrinsic::maxnum:
    return "fmax";
  case Intrinsic::fma:
    return "fma";
  default:
    return nullptr;
  }
}

/// Prints sums, differences and products of signed 64-bit numbers with overflow
/// handling: they saturate, or return a flag.
bool cpu::BodyPrinter::checked(CallInst &i) {
  if (i.arg_size() != 2 || !i.getArgOperand(0)->getType()->isIntegerTy(64))
    return false;
  std::string a = spell(i.getArgOperand(0)), b = spell(i.getArgOperand(1));
  std::string sum = "(" + a + " + " + b + ")";
  std::string difference = "(" + a + " - " + b + ")";
  // A sum overflows if its sign differs from that of both numbers; a
  // difference, if its sign differs from the first number and not from the
  // second.
  std::string noSum =
      "((" + a + " ^ " + sum + ") & (" + b + " ^ " + sum + ")) >> 63";
  std::string noDifference =
      "((" + a + " ^ " + b + ") & (" + a + " ^ " + difference + ")) >> 63";
  std::string end = "(" + a + " >> 63) + 0x7fffffffffffffffull";
  auto give = [&](const std::string &value, const std::string &overflows) {
    line(spell(&i) + ".f0 = " + value + ";");
    line(spell(&i) + ".f1 = " + overflows + ";");
  };
  switch (i.getIntrinsicID()) {
  case Intrinsic::sadd_sat:
    assign(i, noSum + " ? " + end + " : " + sum);
    return true;
  case Intrinsic::ssub_sat:
    assign(i, noDifference + " ? " + end + " : " + difference);
    return true;
  case Intrinsic::sadd_with_overflow:
    give(sum, noSum);
    return true;
  case Intrinsic::ssub_with_overflow:
    give(difference, noDifference);
    return true;
  case Intrinsic::smul_with_overflow:
    // Dividing the smallest number by -1 would be undefined.
    give(a + " * " + b, a + " == ~0ull ? " + b + " == 1ull << 63 : " + a +
                            " && (int64_t)(" + a + " * " + b + ") / (int64_t)" +
                            a + " != (int64_t)" + b);
    return true;
  default:
    return false;
  }
}

bool cpu::BodyPrinter::intrinsic(CallInst &i) {
  Intrinsic::ID id = i.getIntrinsicID();
  Type *type = i.getType()->getScalarType();
  auto all = [&](auto of) {
    each(i, [&](const std::string &lane) {
      auto x = [&](unsigned index) { return operand(i, index, lane); };
      return of(x);
    });
    return true;
  };
  auto choose = [&](const char *symbol, bool isSigned) {
    return all([&](auto x) {
      auto side = [&](unsigned index) {
        return isSigned ? extended(type, x(index)) : x(index);
      };
      return side(0) + " " + symbol + " " + side(1) + " ? " + x(0) + " : " +
             x(1);
    });
  };
  switch (id) {
  case Intrinsic::fmuladd:
    // fmuladd permits both: the C compiler may fuse it or not.
    return all([](auto x) { return x(0) + " * " + x(1) + " + " + x(2); });
  case Intrinsic::smin:
    return choose("<", true);
  case Intrinsic::smax:
    return choose(">", true);
  case Intrinsic::umin:
    return choose("<", false);
  case Intrinsic::umax:
    return choose(">", false);
  case Intrinsic::scmp:
    return all([&](auto x) {
      Type *of = i.getArgOperand(0)->getType()->getScalarType();
      std::string a = extended(of, x(0)), b = extended(of, x(1));
      return "(" + a + " > " + b + ") - (" + a + " < " + b + ")";
    });
  case Intrinsic::ucmp:
    return all([](auto x) {
      return "(" + x(0) + " > " + x(1) + ") - (" + x(0) + " < " + x(1) + ")";
    });
  case Intrinsic::usub_sat:
    return all([](auto x) {
      return x(0) + " > " + x(1) + " ? " + x(0) + " - " + x(1) + " : 0";
    });
  case Intrinsic::uadd_sat: {
    const std::string word =
        "(uint" + std::to_string(type->getIntegerBitWidth()) + "_t)";
    return all([&](auto x) {
      return x(1) + " > " + word + "~" + x(0) + " ? " + word + "-1 : " + x(0) +
             " + " + x(1);
    });
  }
  case Intrinsic::fptosi_sat: { // the nearest number that fits, and 0 for NaN
    if (!type->isIntegerTy(32) && !type->isIntegerTy(64))
      return false;
    bool isWide = type->isIntegerTy(64);
    const std::string limit = isWide ? "0x1p63" : "0x1p31f";
    const std::string name = isWide ? "INT64" : "INT32";
    return all([&](auto x) {
      return x(0) + " != " + x(0) + " ? 0 : " + x(0) + " >= " + limit + " ? " +
             name + "_MAX : " + x(0) + " < -" + limit + " ? " + name +
             "_MIN : (int" + (isWide ? "64" : "32") + "_t)" + x(0);
    });
  }
  case Intrinsic::cttz: // the place of the one bit that x and -x share
    if (!type->isIntegerTy(32) && !type->isIntegerTy(64))
      return false;
    return all([&](auto x) {
      const unsigned bits = type->getIntegerBitWidth();
      std::string bit = "(" + x(0) + " & (0u - " + x(0) + "))";
      std::string place = x(0) + " == 0 ? " + std::to_string(bits) + " : 0";
      for (unsigned step = 1; step < bits; step *= 2) {
        const uint64_t mask = ~uint64_t(0) / ((uint64_t(1) << step) + 1)
                              << step;
        place += " + (" + bit + " & 0x" + utohexstr(mask, true) + "ull ? " +
                 std::to_string(step) + " : 0)";
      }
      return place;
    });
  case Intrinsic::abs:
    return all([&](auto x) {
      return extended(type, x(0)) + " < 0 ? 0u - " + x(0) + " : " + x(0);
    });
  case Intrinsic::minimum:
  case Intrinsic::maximum:
    return all([&](auto x) { // NaN where either is
      return x(0) + " != " + x(0) + " || " + x(0) +
             (id == Intrinsic::minimum ? " < " : " > ") + x(1) + " ? " + x(0) +
             " : " + x(1);
    });
  default:
    break;
  }
  const char *name = functionOf(id);
  if (!name)
    return memory(i) || reduction(i) || checked(i);
  return all([&](auto x) {
    SmallVector<std::string> operands;
    for (unsigned index = 0; index < i.arg_size(); ++index)
      operands.push_back(x(index));
    return function(name, type, operands);
  });
}

void cpu::BodyPrinter::visitCallInst(CallInst &i) {
  Function *callee = i.getCalledFunction();
  if (!callee)
    return unknown("call through a pointer");
  if (callee->isIntrinsic()) {
    if (!intrinsic(i))
      unknown(callee->getName());
    return;
  }
  std::string text = names.global(callee) + "(";
  for (auto [index, argument] : enumerate(i.args()))
    text += (index ? ", " : "") +
            std::string(argument->getType()->isPointerTy() ? "(void *)" : "") +
            spell(argument);
  text += ");";
  line(i.use_empty() ? text : spell(&i) + " = " + text);
}
