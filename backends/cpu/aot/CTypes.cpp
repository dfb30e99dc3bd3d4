//===- CTypes.cpp - types, names and constants of LLVM IR in C ------------===//
//
// Integers are unsigned, so that an overflow is defined; the few operations
// that have a sign convert. A vector is a struct around an array, which C can
// assign and return. A type is declared once, before the first that needs it.
//
//===----------------------------------------------------------------------===//

#include "CTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

using namespace glow::cpu;
using namespace llvm;

static unsigned bitsOf(Type *type) {
  unsigned bits = type->getIntegerBitWidth();
  return bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
}

std::string CNames::signedType(Type *type) {
  if (type->isIntegerTy(128))
    return "__int128";
  return "int" + std::to_string(bitsOf(type)) + "_t";
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
  if (type->isIntegerTy(128)) // that gcc and clang have
    return "unsigned __int128";
  if (auto found = types.find(type); found != types.end())
    return found->second;
  std::string fields;
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    fields = this->type(vector->getElementType()) + " v[" +
             std::to_string(vector->getNumElements()) + "];";
  } else if (auto *array = dyn_cast<ArrayType>(type)) {
    // C has no arrays of nothing.
    fields = this->type(array->getElementType()) + " v[" +
             std::to_string(std::max<uint64_t>(array->getNumElements(), 1)) +
             "];";
  } else if (auto *structure = dyn_cast<StructType>(type)) {
    for (auto [i, element] : enumerate(structure->elements()))
      fields += this->type(element) + " f" + std::to_string(i) + "; ";
  } else {
    std::string text;
    raw_string_ostream os(text);
    type->print(os);
    // It goes on, so that all that is unknown is told at once.
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
  if (name.empty()) {
    name = "g" + std::to_string(names.size());
    // Enough of the name to find it by; the number before makes it the only
    // one.
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
    return isFloat ? "((float)NAN)" : "((double)NAN)";
  if (real.isInfinity())
    return real.isNegative() ? "(-INFINITY)" : "INFINITY";
  SmallString<40> text;
  char digits[64];
  // Hexadecimal numbers are exact, whatever reads them.
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
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", " : "") + initializer(value->getAggregateElement(i));
  if (text.empty())
    text = "0";
  return list ? "{{" + text + "}}" : "{" + text + "}";
}

std::string CNames::initializer(const llvm::Constant *value) {
  Type *kind = value->getType();
  if (isa<UndefValue>(value) || value->isNullValue())
    return kind->isAggregateType() || kind->isVectorTy() ? "{0}" : "0";
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
