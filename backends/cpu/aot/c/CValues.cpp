//===- CValues.cpp - expressions and elements of loops in C ---------------===//
// SPDX-License-Identifier: MIT
//
// A value with a single user becomes part of the user's expression, unless
// memory that it reads is written in between. Integers of 32 and 64 bits are
// signed if their sums are known not to overflow.
//
//===----------------------------------------------------------------------===//

#include "CLoops.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

bool LoopPrinter::isNumber(Type *type) {
  return type->isIntegerTy(32) || type->isIntegerTy(64);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// Whether a text is `name[...]`.
static bool isElement(StringRef text) {
  size_t open = text.find('[');
  return open != text.npos && text.find(']') + 1 == text.size() &&
         all_of(text.take_front(open),
                [](char c) { return isAlnum(c) || c == '_'; });
}

std::string LoopPrinter::enclosed(const std::string &text) {
  bool isOne = text.find(' ') == text.npos || isElement(text);
  return isOne ? text : "(" + text + ")";
}

/// The type of a variable.
std::string LoopPrinter::typeOf(const Value &value) {
  Type *type = value.getType();
  return isNumber(type) ? names.signedType(type) : names.type(type);
}

/// A text without its outer parentheses.
std::string LoopPrinter::bare(const std::string &text) {
  int depth = 0;
  if (text.empty() || text.front() != '(' || text.back() != ')')
    return text;
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    depth += (text[i] == '(') - (text[i] == ')');
    if (!depth)
      return text;
  }
  return text.substr(1, text.size() - 2);
}

/// Gives a value a name; returns its declaration.
std::string LoopPrinter::declare(const Value &value) {
  Type *type = value.getType();
  bool isReal = type->isFloatingPointTy();
  std::string name = (isReal                ? "x"
                      : type->isPointerTy() ? "p"
                                            : "n") +
                     std::to_string(++variables);
  if (isNumber(type))
    haveSign.insert(&value);
  texts[&value] = name;
  std::string spelled = typeOf(value);
  std::string declared = spelled + (spelled.back() == '*' ? "" : " ") + name;
  scopeOf[&value] = scopes.back();
  if (!outer.contains(&value))
    return declared;
  tops += declared + ";\n";
  scopeOf[&value] = 0;
  return name;
}

/// Declares a variable without an initial value.
void LoopPrinter::declareAlone(const Value &value) {
  std::string declared = declare(value);
  if (declared != texts[&value])
    line(declared + ";");
}

/// The text of a value; records the scope of this use.
std::string LoopPrinter::textOf(const Value *value) {
  if (auto *constant = dyn_cast<llvm::Constant>(value)) {
    auto *real = dyn_cast<ConstantFP>(constant);
    if (!real || !real->getType()->isFloatTy() ||
        !real->getValueAPF().isFinite())
      return names.constant(constant);
    char digits[40]; // exact for every compiler
    std::snprintf(digits, sizeof digits, "%.9g",
                  double(real->getValueAPF().convertToFloat()));
    std::string text = digits;
    text += text.find_first_of(".e") == text.npos ? ".0f" : "f";
    return real->isNegative() ? "(" + text + ")" : text;
  }
  if (auto scope = scopeOf.find(value); scope != scopeOf.end() &&
                                        scope->second &&
                                        !is_contained(scopes, scope->second))
    outer.insert(value);
  return texts.lookup(value);
}

std::string LoopPrinter::spell(const Value *value) {
  // An assignment has the name alone.
  if (value == current) {
    if (current == std::exchange(begun, current))
      return texts[value];
    declareAlone(*value);
    return texts[value];
  }
  std::string text = textOf(value);
  if (haveSign.contains(value))
    return "(" + names.type(value->getType()) + ")" + text;
  if (auto *argument = dyn_cast<Argument>(value);
      argument && argument->getType()->isPointerTy())
    return "(char *)" + text;
  return text;
}

std::string LoopPrinter::signedText(const Value *value) {
  auto *number = dyn_cast<ConstantInt>(value);
  if (number && isNumber(value->getType())) {
    if (number->getValue().isMinSignedValue())
      return "(" + names.signedType(value->getType()) + ")" +
             names.constant(number);
    return std::to_string(number->getSExtValue()) +
           (number->getValue().isSignedIntN(32) ? "" : "ll");
  }
  if (haveSign.contains(value))
    return textOf(value);
  return "(" + names.signedType(value->getType()) + ")" + textOf(value);
}

/// Whether an operation is known not to overflow.
static bool isExact(const Value *value) {
  auto *sum = dyn_cast<OverflowingBinaryOperator>(value);
  return !sum || sum->hasNoSignedWrap();
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

/// The instruction whose statement contains the expression of a value.
const Instruction *LoopPrinter::evaluatedAt(const Instruction &i) const {
  auto *user = cast<Instruction>(*i.user_begin());
  bool isPart = !isa<PHINode>(user) && user->getParent() == i.getParent() &&
                isInlined(*user);
  return isPart ? evaluatedAt(*user) : user;
}

/// Whether memory is written between a load and the use of its value.
bool LoopPrinter::isOverwritten(const Instruction &load) const {
  const Instruction *end = evaluatedAt(load);
  for (const Instruction *i = load.getNextNode(); i && i != end;
       i = i->getNextNode())
    if (i->mayWriteToMemory())
      return true;
  return !isa<PHINode>(end) && end->getParent() != load.getParent();
}

bool LoopPrinter::isInlined(const Instruction &i) const {
  if (isa<GetElementPtrInst>(i)) // an address is no work
    return true;
  // Nor is a counter by a number, which is part of many addresses.
  bool isWide = isa<SExtInst>(i) || (isa<ZExtInst>(i) && i.hasNonNeg());
  if (isWide && isNumber(i.getOperand(0)->getType()))
    return true;
  if (isNumber(i.getType()) && isa<BinaryOperator>(i) && isExact(&i) &&
      isa<OverflowingBinaryOperator>(i) && isa<ConstantInt>(i.getOperand(1)) &&
      !nextOf.contains(&i))
    return true;
  if (isa<PHINode>(i) || !i.getType()->isSized() || i.use_empty())
    return false;
  if (auto *call = dyn_cast<CallInst>(&i))
    if (!call->doesNotAccessMemory() ||
        call->getIntrinsicID() == Intrinsic::arithmetic_fence)
      return false;
  if (const PHINode *variable = nextOf.lookup(&i);
      variable && counted.contains(variable))
    return true;
  // A loop may carry a value and give it to its exit.
  bool isNext = nextOf.contains(&i);
  auto isElsewhere = [&](const User *user) {
    auto *phi = dyn_cast<PHINode>(user);
    return isNext && phi && phi != nextOf.lookup(&i) &&
           phi->getNumIncomingValues() == 1;
  };
  if (count_if(i.users(), isElsewhere) + 1 != i.getNumUses())
    return false;
  auto *user = cast<Instruction>(*find_if_not(i.users(), isElsewhere));
  auto *phi = dyn_cast<PHINode>(user);
  if (phi ? !isNext || phi != nextOf.lookup(&i)
          : user->getParent() != i.getParent())
    return false;
  if (!i.mayReadFromMemory())
    return true;
  return i.hasOneUse() && !isOverwritten(i);
}

/// Defines a value: as an expression, or as a variable that holds it.
void LoopPrinter::define(Instruction &i, const std::string &given,
                         bool hasSign) {
  if (isInlined(i) && given.size() < 200) {
    texts[&i] = enclosed(given);
    if (hasSign)
      haveSign.insert(&i);
    else
      haveSign.erase(&i);
    return;
  }
  bool isUnused = i.use_empty() || ends.contains(&i);
  if (isUnused && !i.mayHaveSideEffects())
    return;
  line(i.use_empty() ? given + ";" : declare(i) + " = " + bare(given) + ";");
}

void LoopPrinter::assign(Instruction &i, const std::string &given) {
  define(i, given, /*hasSign=*/false);
}
void LoopPrinter::line(const std::string &given) { text += given + "\n"; }

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Collects the element types that are read and written at an address.
static void addElements(const Value &pointer, SetVector<Type *> &types) {
  for (const User *user : pointer.users()) {
    if (isa<GetElementPtrInst>(user))
      addElements(*user, types);
    else if (auto *load = dyn_cast<LoadInst>(user))
      types.insert(load->getType());
    else if (auto *store = dyn_cast<StoreInst>(user))
      types.insert(store->getValueOperand() == &pointer
                       ? nullptr
                       : store->getValueOperand()->getType());
    else if (!isa<IntrinsicInst>(user))
      types.insert(nullptr);
  }
}

Type *cpu::elementOf(const Value &pointer) {
  SetVector<Type *> types;
  addElements(pointer, types);
  Type *type = types.size() == 1 ? types[0] : nullptr;
  bool isKnown = type && (type->isFloatTy() || type->isDoubleTy() ||
                          type->isIntegerTy(8) || type->isIntegerTy(16) ||
                          type->isIntegerTy(32) || type->isIntegerTy(64));
  return isKnown ? type : nullptr;
}

/// Adds an index to a sum, decomposed into counters times constants.
void LoopPrinter::add(Value *index, int64_t factor, Sum &sum) {
  auto *i = dyn_cast<Instruction>(index);
  if (auto *number = dyn_cast<ConstantInt>(index)) {
    sum.constant += number->getSExtValue() * factor;
    return;
  }
  bool isWide = i && (isa<SExtInst>(i) || (isa<ZExtInst>(i) && i->hasNonNeg()));
  if (isWide && isNumber(i->getOperand(0)->getType()))
    return add(i->getOperand(0), factor, sum);
  auto *number = i && i->getNumOperands() == 2
                     ? dyn_cast<ConstantInt>(i->getOperand(1))
                     : nullptr;
  auto *either = dyn_cast<PossiblyDisjointInst>(index);
  bool adds = i && ((i->getOpcode() == Instruction::Add && isExact(i)) ||
                    (either && either->isDisjoint()));
  // A sum that has a variable is one term: taken apart, the variable would have
  // no use.
  if (adds && isInlined(*i)) {
    add(i->getOperand(0), factor, sum);
    return add(i->getOperand(1), factor, sum);
  }
  if (number && isExact(i) && i->getOpcode() == Instruction::Mul)
    return add(i->getOperand(0), factor * number->getSExtValue(), sum);
  if (number && isExact(i) && i->getOpcode() == Instruction::Shl)
    return add(i->getOperand(0),
               factor * (int64_t(1) << number->getZExtValue()), sum);
  sum.terms[index] += factor;
}

/// Adds the offset of an address to a sum; `pointer` becomes its base.
bool LoopPrinter::add(Value *&pointer, Sum &sum) {
  while (auto *gep = dyn_cast<GEPOperator>(pointer)) {
    SmallMapVector<Value *, APInt, 4> scales;
    APInt offset(64, 0);
    if (!gep->collectOffset(names.layout, 64, scales, offset))
      return false;
    for (auto &[index, scale] : scales)
      add(index, scale.getSExtValue(), sum);
    sum.constant += offset.getSExtValue();
    pointer = gep->getPointerOperand();
  }
  return true;
}

/// The text of a sum, in elements of so many bytes.
std::string LoopPrinter::textOf(const Sum &sum, int64_t size) {
  std::string text;
  for (auto &[index, bytes] : sum.terms) {
    int64_t by = bytes / size;
    std::string term = enclosed(signedText(index));
    if (by != 1 && by != -1)
      term += " * " + std::to_string(std::abs(by));
    text += text.empty() ? (by < 0 ? "-" : "") + term
                         : (by < 0 ? " - " : " + ") + term;
  }
  int64_t constant = sum.constant / size;
  if (text.empty())
    return std::to_string(constant);
  if (constant)
    text += (constant < 0 ? " - " : " + ") + std::to_string(std::abs(constant));
  return text;
}

/// An address as a base pointer plus bytes.
std::string LoopPrinter::addressOf(Value *pointer) {
  Sum sum;
  if (!add(pointer, sum))
    names.unknown.insert("an address of unknown place");
  std::string base = spell(pointer), offset = textOf(sum, 1);
  return offset == "0" ? base : base + " + " + offset;
}

/// An element: `in[i * 28 + j]`.
std::string LoopPrinter::placeOf(Value *pointer, Type *element) {
  Sum sum;
  Value *base = pointer;
  auto size = int64_t(names.layout.getTypeAllocSize(element));
  bool isKnown = add(base, sum);
  auto *argument = dyn_cast<Argument>(base);
  bool isPlain = isKnown && argument && !isEntry(from) &&
                 elementOf(*argument) == element && sum.constant % size == 0 &&
                 all_of(sum.terms, [&](const auto &term) {
                   return term.second % size == 0;
                 });
  if (isPlain)
    return cpu::LoopPrinter::textOf(argument) + "[" + textOf(sum, size) + "]";
  return "*(" + names.aliased(element) + " *)(" + addressOf(pointer) + ")";
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

bool LoopPrinter::visitKnown(Instruction &i) {
  auto isAligned = [&](Type *type, Align align) {
    return !type->isPointerTy() &&
           align.value() >= names.layout.getTypeAllocSize(type) &&
           isPowerOf2_64(names.layout.getTypeSizeInBits(type)) &&
           !type->isIntegerTy(1);
  };
  if (auto *load = dyn_cast<LoadInst>(&i);
      load && isAligned(load->getType(), load->getAlign())) {
    define(i, placeOf(load->getPointerOperand(), load->getType()), false);
    return true;
  }
  if (auto *store = dyn_cast<StoreInst>(&i)) {
    Value *value = store->getValueOperand();
    if (!isAligned(value->getType(), store->getAlign()))
      return false;
    line(placeOf(store->getPointerOperand(), value->getType()) + " = " +
         bare(spell(value)) + ";");
    return true;
  }
  if (isa<GetElementPtrInst>(i)) {
    texts[&i] = "(" + addressOf(&i) + ")";
    return true;
  }
  if (i.getType()->isIntegerTy(1) && visitBoolean(i))
    return true;
  if (auto *binary = dyn_cast<BinaryOperator>(&i))
    return visitArithmetic(*binary);
  if (auto *cast = dyn_cast<CastInst>(&i);
      cast && isNumber(i.getType()) && isNumber(cast->getSrcTy()) &&
      (isa<SExtInst>(i) || cast->hasNonNeg())) {
    // Arithmetic of C has the type of its operands; subscripts have any.
    bool isSubscript = all_of(
        i.users(), [](User *user) { return isa<GetElementPtrInst>(user); });
    std::string text = signedText(cast->getOperand(0));
    define(i, isSubscript ? text : widened(i, text), true);
    return true;
  }
  if (isa<BitCastInst>(i)) {
    Value *value = i.getOperand(0);
    std::string bits = spell(value);
    declareAlone(i);
    line("{");
    line(names.type(value->getType()) + " bits = " + bare(bits) + ";");
    line("memcpy(&" + texts[&i] + ", &bits, sizeof bits);");
    line("}");
    return true;
  }
  if (auto *made = dyn_cast<SIToFPInst>(&i);
      made && isNumber(made->getSrcTy())) {
    define(i,
           "(" + names.type(i.getType()) + ")" +
               enclosed(signedText(made->getOperand(0))),
           false);
    return true;
  }
  if (auto *choice = dyn_cast<SelectInst>(&i);
      choice && isNumber(i.getType())) {
    std::string text = spell(choice->getCondition()) + " ? " +
                       signedText(choice->getTrueValue()) + " : " +
                       signedText(choice->getFalseValue());
    bool isConstant = isa<Constant>(choice->getTrueValue()) &&
                      isa<Constant>(choice->getFalseValue());
    define(i, isConstant ? widened(i, text) : text, true);
    return true;
  }
  auto *call = dyn_cast<CallInst>(&i);
  return call && visitCall(*call);
}

/// Prints comparisons and operations on booleans.
bool LoopPrinter::visitBoolean(Instruction &i) {
  auto truth = [&](const std::string &text) {
    define(i, text, false);
    return true;
  };
  if (auto *test = dyn_cast<ICmpInst>(&i);
      test && isNumber(test->getOperand(0)->getType()) &&
      (test->isSigned() || test->isEquality()))
    return truth(signedText(test->getOperand(0)) + " " +
                 symbolOf(test->getPredicate()) + " " +
                 signedText(test->getOperand(1)));
  // A shift or a quotient that is a part of the expression is signed.
  auto isSigned = [&](const Value *value) {
    auto *part = dyn_cast<BinaryOperator>(value);
    return part && !haveSign.contains(part) && isInlined(*part) &&
           is_contained(
               {Instruction::AShr, Instruction::SDiv, Instruction::SRem},
               part->getOpcode());
  };
  if (auto *test = dyn_cast<ICmpInst>(&i);
      test && isNumber(test->getOperand(0)->getType()) &&
      any_of(test->operand_values(), isSigned)) {
    auto natural = [&](const Value *value) {
      return (isSigned(value) ? "(" + names.type(value->getType()) + ")" : "") +
             spell(value);
    };
    return truth(natural(test->getOperand(0)) + " " +
                 symbolOf(test->getPredicate()) + " " +
                 natural(test->getOperand(1)));
  }
  if (auto *test = dyn_cast<FCmpInst>(&i)) {
    std::string a = spell(test->getOperand(0)), b = spell(test->getOperand(1));
    bool isNumber = isa<llvm::Constant>(test->getOperand(1)) || a == b;
    if (test->getPredicate() == CmpInst::FCMP_UNO && isNumber)
      return truth(a + " != " + a);
    return truth(bare(comparison(test->getPredicate(), a, b)));
  }
  std::string a, b;
  if (isa<BinaryOperator>(i))
    a = spell(i.getOperand(0)), b = spell(i.getOperand(1));
  if (i.getOpcode() == Instruction::Or)
    return truth(a + " || " + b);
  if (i.getOpcode() == Instruction::And)
    return truth(a + " && " + b);
  return false;
}

bool LoopPrinter::visitCall(CallInst &i) {
  if (isNumber(i.getType()) && (i.getIntrinsicID() == Intrinsic::smin ||
                                i.getIntrinsicID() == Intrinsic::smax)) {
    std::string a = signedText(i.getArgOperand(0));
    std::string b = signedText(i.getArgOperand(1));
    bool isLeast = i.getIntrinsicID() == Intrinsic::smin;
    define(i, a + (isLeast ? " < " : " > ") + b + " ? " + a + " : " + b, true);
    return true;
  }
  Function *callee = i.getCalledFunction();
  if (!callee || callee->isIntrinsic() || callee->isDeclaration())
    return false;
  std::string given;
  for (auto [value, parameter] : zip(i.args(), callee->args())) {
    Type *element =
        value->getType()->isPointerTy() ? elementOf(parameter) : nullptr;
    given += (given.empty() ? "" : ", ");
    given +=
        element ? "(" + names.aliased(element) + " *)(" + addressOf(value) + ")"
                : spell(value);
  }
  define(i, names.global(callee) + "(" + given + ")", false);
  return true;
}
