//===- ShareCode.cpp - one function for layers of one form ----------------===//
// SPDX-License-Identifier: MIT
//
// Two functions are alike where their instructions are the same, one by one,
// but for numbers. A number that differs becomes a parameter; numbers that
// differ in the same way share one. The range of a parameter is known to loops,
// so that indices have as few bits as before.
//
//===----------------------------------------------------------------------===//

#include "ShareCode.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <map>
#include <optional>

using namespace glow::cpu;
using namespace llvm;

namespace {

/// An operand of an instruction, by their numbers in a function.
using Place = std::pair<unsigned, unsigned>;

/// Functions that are alike, and the places where their numbers differ.
class Alike {
public:
  explicit Alike(Function &first) : functions{&first} {}

  /// Takes in a function that is like the first; false for another one.
  bool add(Function &function);

  /// Whether sharing makes less code than parameters take.
  bool isWorthIt() const {
    size_t size = functions.front()->getInstructionCount();
    return functions.size() > 1 && parameters().size() * 5 <= size;
  }

  /// Replaces all of the functions by one.
  void share();

private:
  bool matches(const Instruction &mine, const Instruction &other,
               unsigned number, SmallVectorImpl<Place> &found);
  bool mayDiffer(const Instruction &i, unsigned operand) const;

  /// The number of each function, for places that differ in the same way.
  using Numbers = SmallVector<Constant *, 4>;
  MapVector<Numbers, SmallVector<Place>, std::map<Numbers, unsigned>>
  parameters() const;

  SmallVector<Function *> functions;
  SetVector<Place> places;
  DenseMap<const Value *, const Value *> mapped; // of the first, while adding
};

} // namespace

static std::vector<Instruction *> instructionsOf(Function &function) {
  std::vector<Instruction *> all;
  for (Instruction &i : instructions(function))
    all.push_back(&i);
  return all;
}

/// Whether a number may be one that only a call knows. A quotient by a known
/// number is no division, and a type is known.
bool Alike::mayDiffer(const Instruction &i, unsigned operand) const {
  switch (i.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
  case Instruction::Alloca:
  case Instruction::Switch:
    return false;
  case Instruction::GetElementPtr:
    return cast<GetElementPtrInst>(i)
        .getSourceElementType()
        ->isSingleValueType();
  case Instruction::Call:
    return !cast<CallInst>(i).paramHasAttr(operand, Attribute::ImmArg);
  default:
    return true;
  }
}

bool Alike::matches(const Instruction &mine, const Instruction &other,
                    unsigned number, SmallVectorImpl<Place> &found) {
  if (!mine.isSameOperationAs(&other) ||
      !mine.hasSameSubclassOptionalData(&other))
    return false;
  if (auto *phi = dyn_cast<PHINode>(&mine))
    for (auto [a, b] : zip_equal(phi->blocks(), cast<PHINode>(other).blocks()))
      if (mapped.lookup(a) != b)
        return false;
  for (unsigned i = 0; i < mine.getNumOperands(); ++i) {
    const Value *a = mine.getOperand(i), *b = other.getOperand(i);
    bool areNumbers = (isa<ConstantInt>(a) && isa<ConstantInt>(b)) ||
                      (isa<ConstantFP>(a) && isa<ConstantFP>(b));
    if (areNumbers && a != b) {
      if (a->getType() != b->getType() || !mayDiffer(mine, i))
        return false;
      found.emplace_back(number, i);
    } else if (isa<Constant>(a) ? a != b : mapped.lookup(a) != b) {
      return false;
    }
  }
  return true;
}

bool Alike::add(Function &function) {
  Function &first = *functions.front();
  if (first.getFunctionType() != function.getFunctionType() ||
      first.getAttributes() != function.getAttributes() ||
      first.size() != function.size() ||
      first.getInstructionCount() != function.getInstructionCount())
    return false;
  mapped.clear();
  for (auto [a, b] : zip_equal(first.args(), function.args()))
    mapped[&a] = &b;
  for (auto [a, b] : zip_equal(first, function)) {
    if (a.size() != b.size())
      return false;
    mapped[&a] = &b;
  }
  // A phi may read what stands behind it.
  auto mine = instructionsOf(first), other = instructionsOf(function);
  for (auto [a, b] : zip_equal(mine, other))
    mapped[a] = b;
  SmallVector<Place> found;
  for (auto [number, pair] : enumerate(zip_equal(mine, other)))
    if (auto [a, b] = pair; !matches(*a, *b, unsigned(number), found))
      return false;
  functions.push_back(&function);
  places.insert_range(found);
  return true;
}

MapVector<Alike::Numbers, SmallVector<Place>,
          std::map<Alike::Numbers, unsigned>>
Alike::parameters() const {
  MapVector<Numbers, SmallVector<Place>, std::map<Numbers, unsigned>> result;
  std::vector<std::vector<Instruction *>> all;
  for (Function *function : functions)
    all.push_back(instructionsOf(*function));
  for (Place place : places) {
    Numbers numbers;
    for (const auto &one : all)
      numbers.push_back(
          cast<Constant>(one[place.first]->getOperand(place.second)));
    result[numbers].push_back(place);
  }
  return result;
}

/// Limits of integers; nothing for reals.
static std::optional<ConstantRange> rangeOf(ArrayRef<Constant *> numbers) {
  if (!isa<ConstantInt>(numbers.front()))
    return std::nullopt;
  ConstantRange range(cast<ConstantInt>(numbers.front())->getValue());
  for (Constant *number : numbers)
    range =
        range.unionWith(ConstantRange(cast<ConstantInt>(number)->getValue()),
                        ConstantRange::Signed);
  return range;
}

void Alike::share() {
  auto known = parameters();
  Function &first = *functions.front();
  SmallVector<Type *> types(first.getFunctionType()->params());
  for (auto &[numbers, at] : known)
    types.push_back(numbers.front()->getType());
  Function *shared = Function::Create(
      FunctionType::get(first.getReturnType(), types, /*isVarArg=*/false),
      first.getLinkage(), "", first.getParent());
  shared->copyAttributesFrom(&first);
  shared->takeName(&first);
  std::vector<Instruction *> body = instructionsOf(first);
  shared->splice(shared->begin(), &first);
  for (auto [mine, theirs] : zip(shared->args(), first.args()))
    theirs.replaceAllUsesWith(&mine);
  unsigned next = unsigned(first.arg_size());
  for (auto &[numbers, at] : known) {
    if (auto range = rangeOf(numbers); range && !range->isFullSet())
      shared->addParamAttr(
          next, Attribute::get(shared->getContext(), Attribute::Range, *range));
    for (Place place : at)
      body[place.first]->setOperand(place.second, shared->getArg(next));
    ++next;
  }
  for (auto [number, function] : enumerate(functions)) {
    for (User *user : make_early_inc_range(function->users())) {
      auto *call = cast<CallInst>(user);
      SmallVector<Value *> arguments(call->args());
      for (auto &[numbers, at] : known)
        arguments.push_back(numbers[number]);
      auto *made = CallInst::Create(shared->getFunctionType(), shared,
                                    arguments, "", call->getIterator());
      made->setCallingConv(call->getCallingConv());
      if (!call->getType()->isVoidTy())
        call->replaceAllUsesWith(made);
      call->eraseFromParent();
    }
    function->eraseFromParent();
  }
}

/// Whether all that is known of a function is that it is called.
static bool isOnlyCalled(const Function &function) {
  return !function.isDeclaration() && function.hasLocalLinkage() &&
         !function.isVarArg() && all_of(function.uses(), [](const Use &use) {
           auto *call = dyn_cast<CallInst>(use.getUser());
           return call && call->isCallee(&use) && !call->isMustTailCall();
         });
}

PreservedAnalyses ShareCodePass::run(Module &module, ModuleAnalysisManager &) {
  std::vector<Alike> groups;
  for (Function &function : module)
    if (isOnlyCalled(function) &&
        none_of(groups, [&](Alike &group) { return group.add(function); }))
      groups.emplace_back(function);
  bool isChanged = false;
  for (Alike &group : groups)
    if (group.isWorthIt()) {
      group.share();
      isChanged = true;
    }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
