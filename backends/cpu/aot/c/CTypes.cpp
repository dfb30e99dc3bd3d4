//===- CTypes.cpp - types, names and constants of LLVM IR in C ------------===//
// SPDX-License-Identifier: MIT
//
// Integers are unsigned, so that overflow is defined; the few signed operations
// convert. A vector is a struct around an array, which C can assign and return.
// A type is declared once, before its first user. Addresses in memory have 8
// bytes; processors with 32-bit addresses use 4 of them. The code contains
// offsets in memory as numbers, which must not depend on the processor.
//
//===----------------------------------------------------------------------===//

#include "CTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace glow::cpu;
using namespace llvm;

CNames::CNames(const Module &module) : layout(module.getDataLayout()) {
  for (const Function &function : module)
    if (!function.hasLocalLinkage())
      visible.insert(function.getName());
}

bool CNames::isWord(StringRef name) {
  return is_contained(
      {"auto",     "break",  "case",    "char",   "const",    "continue",
       "default",  "do",     "double",  "else",   "enum",     "extern",
       "float",    "for",    "goto",    "if",     "inline",   "int",
       "long",     "main",   "memcpy",  "memset", "memmove",  "register",
       "restrict", "return", "short",   "signed", "sizeof",   "static",
       "struct",   "switch", "typedef", "union",  "unsigned", "void",
       "volatile", "while"},
      name);
}

static unsigned bitsOf(Type *type) {
  unsigned bits = type->getIntegerBitWidth();
  return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
}

std::string CNames::signedType(Type *type) {
  return "int" + std::to_string(bitsOf(type)) + "_t";
}

std::string CNames::aliased(Type *type) {
  return "glow_" + (type->isIntegerTy() ? "u" + std::to_string(bitsOf(type))
                    : type->isFloatTy() ? std::string("f32")
                                        : "f64");
}

std::string CNames::memberType(Type *type) {
  return type->isPointerTy() ? "glow_address" : this->type(type);
}

std::string CNames::type(Type *type) {
  if (type->isVoidTy())
    return "void";
  if (type->isFloatTy())
    return "float";
  if (type->isDoubleTy())
    return "double";
  if (type->isPointerTy())
    return "char *";
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
    return "u" + signedType(type);
  if (auto found = types.find(type); found != types.end())
    return found->second;
  std::string fields;
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    fields = this->type(vector->getElementType()) + " v[" +
             std::to_string(vector->getNumElements()) + "];";
  } else if (auto *array = dyn_cast<ArrayType>(type)) {
    // C has no empty arrays.
    fields = memberType(array->getElementType()) + " v[" +
             std::to_string(std::max<uint64_t>(array->getNumElements(), 1)) +
             "];";
  } else if (auto *structure = dyn_cast<StructType>(type)) {
    for (auto [i, element] : enumerate(structure->elements()))
      fields += memberType(element) + " f" + std::to_string(i) + "; ";
  } else {
    std::string text;
    raw_string_ostream os(text);
    type->print(os);
    // Printing goes on, so that all unknown types are reported at once.
    unknown.insert("type " + text);
  }
  std::string name = "T" + std::to_string(types.size());
  definitions += "typedef struct { " + fields + " } " + name + ";\n";
  return types[type] = name;
}

std::string CNames::global(const GlobalValue *value) {
  if (auto *function = dyn_cast<Function>(value);
      function && (function->isDeclaration() || !function->hasLocalLinkage()))
    return value->getName().str();
  if (!value->hasLocalLinkage() && value->hasName())
    return value->getName().str();
  std::string &name = names[value];
  if (name.empty() && isa<Function>(value)) {
    for (char c : value->getName())
      name += isAlnum(c) ? c : '_';
    for (std::string first = name;
         isWord(name) || visible.contains(name) || !taken.insert(name).second;)
      name = first + "_" + std::to_string(taken.size());
  }
  if (name.empty()) {
    name = "g" + std::to_string(names.size());
    // A prefix of the name, for readers; the number before it makes it unique.
    for (char c : value->getName().take_front(24))
      name += isAlnum(c) ? c : '_';
  }
  return name;
}

std::string CNames::lane(Type *type, const std::string &value,
                         const std::string &index) {
  return type->isVectorTy() ? value + ".v[" + index + "]" : value;
}

std::string CNames::number(const llvm::Constant *value) {
  if (auto *integer = dyn_cast<ConstantInt>(value))
    return std::to_string(integer->getZExtValue()) + "u" +
           (integer->getBitWidth() > 32 ? "ll" : "");
  const APFloat &real = cast<ConstantFP>(value)->getValueAPF();
  bool isFloat = value->getType()->isFloatTy();
  if (real.isNaN())
    return isFloat ? "(0.0f / 0.0f)" : "(0.0 / 0.0)";
  if (real.isInfinity())
    return std::string(real.isNegative() ? "(-1.0" : "(1.0") +
           (isFloat ? "f / 0.0f)" : " / 0.0)");
  SmallString<40> text;
  char digits[64];
  // Hexadecimal literals are exact for every compiler.
  real.convertToHexString(digits, 0, false, APFloat::rmNearestTiesToEven);
  return "(" + std::string(digits) + (isFloat ? "f)" : ")");
}

std::string CNames::aggregate(const llvm::Constant *value) {
  uint64_t count = 0;
  if (auto *vector = dyn_cast<FixedVectorType>(value->getType()))
    count = vector->getNumElements();
  else if (auto *array = dyn_cast<ArrayType>(value->getType()))
    count = array->getNumElements();
  bool list = !isa<StructType>(value->getType());
  if (!list)
    count = cast<StructType>(value->getType())->getNumElements();
  std::string text;
  for (unsigned i = 0; i < count; ++i) {
    llvm::Constant *element = value->getAggregateElement(i);
    std::string spelled = initializer(element);
    bool isAddress =
        element->getType()->isPointerTy() && !value->getType()->isVectorTy();
    text += (i ? ", " : "") + (isAddress ? "{" + spelled + "}" : spelled);
  }
  if (text.empty())
    text = "0";
  return list ? "{{" + text + "}}" : "{" + text + "}";
}

/// A zero initializer with the braces of all members, as compilers warn of
/// missing braces.
std::string CNames::zero(Type *type) {
  auto member = [&](Type *of) { return of->isPointerTy() ? "{0}" : zero(of); };
  if (auto *structure = dyn_cast<StructType>(type)) {
    std::string text;
    for (Type *element : structure->elements())
      text += (text.empty() ? "" : ", ") + member(element);
    return "{" + text + "}";
  }
  if (auto *array = dyn_cast<ArrayType>(type))
    return "{{" + member(array->getElementType()) + "}}";
  return type->isVectorTy() ? "{{0}}" : "0";
}

std::string CNames::initializer(const llvm::Constant *value) {
  Type *kind = value->getType();
  if (isa<UndefValue>(value) || value->isNullValue())
    return zero(kind);
  if (isa<ConstantInt, ConstantFP>(value) && !kind->isVectorTy())
    return number(value);
  if (kind->isAggregateType() || kind->isVectorTy())
    return aggregate(value);
  if (auto *named = dyn_cast<GlobalValue>(value))
    return "(char *)&" + global(named);
  if (auto *gep = dyn_cast<GEPOperator>(value)) {
    APInt offset(64, 0);
    if (gep->accumulateConstantOffset(layout, offset))
      return "(" + initializer(cast<llvm::Constant>(gep->getPointerOperand())) +
             " + " + std::to_string(offset.getSExtValue()) + ")";
  }
  unknown.insert("a constant expression");
  return "0";
}

std::string CNames::constant(const llvm::Constant *value) {
  Type *kind = value->getType();
  std::string text = initializer(value);
  if (kind->isAggregateType() || kind->isVectorTy())
    return "(" + type(kind) + ")" + text;
  return text;
}
