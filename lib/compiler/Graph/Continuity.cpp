//===- Continuity.cpp - values that a step depends on ---------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Continuity.h"
#include "glow/Graph/ControlFlow.h"
#include "glow/Graph/Format.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Scan.h"
#include "glow/Graph/Verify.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace glow;

namespace {

/// The effect that the last bits of an operand have on the results.
enum class Effect {
  None,   ///< other roundings cover them
  Passes, ///< they are last bits of the results
  Jumps   ///< a result may be another one by them
};

} // namespace

static Type elementOf(Type type) {
  auto tensor = dyn_cast<ShapedType>(type);
  return tensor ? tensor.getElementType() : Type();
}
/// Whether the element kind has so many bits that arithmetic rounds finely.
static bool isFine(Type type) {
  auto number = dyn_cast_or_null<FloatType>(elementOf(type));
  return number && number.getWidth() >= 16;
}

/// The inputs of a formula on which a step function in it depends.
static llvm::SmallBitVector inputsOfSteps(const Formula &formula) {
  llvm::SmallBitVector inputs(unsigned(formula.inputs()));
  std::vector<bool> leads(formula.calls.size()); // to a step
  for (size_t i = formula.calls.size(); i-- > 0;) {
    const Formula::Call &call = formula.calls[i];
    const NodeInfo *info = findNode("glow." + call.mnemonic);
    if (!leads[i] && !(info && info->jumps))
      continue;
    for (const Formula::Argument &argument : call.arguments)
      if (auto *input = std::get_if<Formula::Input>(&argument))
        inputs.set(unsigned(input->index));
      else if (auto *value = std::get_if<Formula::Value>(&argument))
        leads[value->index] = true;
  }
  return inputs;
}

/// Whether a step function in a formula of the node depends on the input; with
/// nullopt, on any input.
static bool hasStep(Operation *node, std::optional<size_t> input) {
  return anyAttribute(node, [&](Attribute attribute) {
    auto formula = dyn_cast<FormulaAttr>(attribute);
    if (!formula || !formula.isValid())
      return false;
    llvm::SmallBitVector inputs = inputsOfSteps(formula.value());
    return input ? *input < inputs.size() && inputs.test(unsigned(*input))
                 : inputs.any();
  });
}

/// The record's operand for an operand number, and the matching input of the
/// node's formula. Where the node sums products, the sum is input 0. Variadic
/// operands give the inputs after it.
static std::pair<size_t, std::optional<size_t>>
placeOf(const NodeInfo &info, Operation *node, unsigned number) {
  size_t first = 0, inputs = info.factors ? 1 : 0;
  std::optional<size_t> input;
  for (auto [operand, size] : llvm::enumerate(sizesOfOperands(info, node))) {
    bool counts = info.operands[operand].count == Count::Many;
    if (number < first + size_t(size))
      return {operand,
              counts ? std::optional(inputs + number - first) : std::nullopt};
    first += size_t(size);
    if (counts)
      inputs += size_t(size);
  }
  return {info.operands.size(), std::nullopt};
}

static Effect effectOf(OpOperand &use) {
  Operation *node = use.getOwner();
  if (auto scan = dyn_cast<ScanOp>(node))
    return !isFine(use.get().getType()) ? Effect::None
           : scan.getJumps()            ? Effect::Jumps
                                        : Effect::Passes;
  const NodeInfo *info = findNode(node->getName().getStringRef());
  if (!info || !isFine(use.get().getType()))
    return Effect::None;
  auto [operand, input] = placeOf(*info, node, use.getOperandNumber());
  if (operand < 64 && info->factors >> operand & 1)
    return Effect::None;
  bool isStep = info->jumps || !llvm::all_of(node->getResultTypes(), isFine) ||
                (input && hasStep(node, input));
  return isStep ? Effect::Jumps : Effect::Passes;
}

namespace {

/// The symbols of a module, the reads of its storage and the calls of its
/// functions, by name.
struct StorageOfModule {
  explicit StorageOfModule(ModuleOp module)
      : symbols(module), callers(callersIn(module)) {
    for (FuncOp function : module.getOps<FuncOp>())
      for (auto read : function.block().getOps<ReadOp>())
        reads[read.getStorageAttr().getAttr()].push_back(read.getOut());
  }

  SymbolTable symbols;
  Callers callers;
  llvm::DenseMap<StringAttr, SmallVector<Value, 1>> reads;
};

} // namespace

/// The storage of the module that the current thread walks; null where it may
/// change meanwhile.
static thread_local StorageOfModule *knownStorage = nullptr;

/// Adds the values that other functions read from the storage. True if the
/// storage must be exact: an unknown step may read it.
static bool follow(SaveOp save, SmallVectorImpl<Value> &values) {
  auto module = save->getParentOfType<ModuleOp>();
  if (!module)
    return false;
  const StringAttr name = save.getStorageAttr().getAttr();
  PlaceholderOp storage =
      knownStorage ? knownStorage->symbols.lookup<PlaceholderOp>(name)
                   : module.lookupSymbol<PlaceholderOp>(name);
  if (!storage)
    return false;
  addResults(save, values, knownStorage ? &knownStorage->callers : nullptr);
  const bool isBetween = storage.getRole() == PlaceholderRole::Between;
  if (isBetween && knownStorage)
    llvm::append_range(values, knownStorage->reads[name]);
  else if (isBetween)
    for (FuncOp function : module.getOps<FuncOp>())
      for (auto read : function.block().getOps<ReadOp>())
        if (read.getStorageAttr().getAttr() == name)
          values.push_back(read.getOut());
  return storage->hasAttr(GlowDialect::exact);
}

/// The steps that the current thread knows.
static thread_local StepsOfModule *knownSteps = nullptr;

/// Whether a step is, or may be, part of a node.
static bool mayBeStep(Operation *node) {
  if (auto storage = dyn_cast<PlaceholderOp>(node))
    return storage->hasAttr(GlowDialect::exact);
  if (auto scan = dyn_cast<ScanOp>(node))
    return scan.getJumps();
  const NodeInfo *info = findNode(node->getName().getStringRef());
  return info &&
         (info->jumps || !llvm::all_of(node->getResultTypes(), isFine) ||
          hasStep(node, std::nullopt));
}

StepsOfModule::StepsOfModule(Operation *root)
    : module(isa<ModuleOp>(root)
                 ? root
                 : root->getParentOfType<ModuleOp>().getOperation()),
      outer(knownSteps) {
  knownSteps = this;
}
StepsOfModule::~StepsOfModule() { knownSteps = outer; }

void StepsOfModule::add(Operation *node) {
  if (hasNone.value_or(false))
    hasNone = !mayBeStep(node);
}

bool StepsOfModule::areNone(Operation *of) {
  if (of != module)
    return false;
  if (!hasNone)
    hasNone = !module
                   ->walk([](Operation *node) {
                     return mayBeStep(node) ? WalkResult::interrupt()
                                            : WalkResult::advance();
                   })
                   .wasInterrupted();
  return *hasNone;
}

bool glow::mayMeetStep(Value value) {
  if (knownSteps)
    if (Region *region = value.getParentRegion())
      if (auto module = region->getParentOfType<ModuleOp>();
          module && knownSteps->areNone(module))
        return false;
  SmallVector<Value> values = {value};
  llvm::DenseSet<Value> seen;
  while (!values.empty()) {
    Value next = values.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    for (OpOperand &use : next.getUses()) {
      if (auto save = dyn_cast<SaveOp>(use.getOwner())) {
        if (follow(save, values))
          return true;
        continue;
      }
      addParameters(use, values,
                    knownStorage ? &knownStorage->symbols : nullptr);
      Effect effect = effectOf(use);
      if (effect == Effect::Jumps)
        return true;
      if (effect == Effect::Passes)
        llvm::append_range(values, use.getOwner()->getResults());
    }
  }
  return false;
}

/// Whether the node's formula has a step function. Where the node sums
/// products, only the formula's input 0, the sum, counts.
static bool hasOwnStep(Operation *node) {
  if (auto scan = dyn_cast<ScanOp>(node))
    return scan.getJumps();
  const NodeInfo *info = findNode(node->getName().getStringRef());
  return info &&
         hasStep(node, info->factors ? std::optional<size_t>(0) : std::nullopt);
}

/// Whether the operation computes, so that its code may round in several ways.
static bool rounds(Operation *node) {
  return isa<ScanOp>(node) || findNode(node->getName().getStringRef());
}

bool glow::mayMeetStep(Operation *node) {
  return rounds(node) && (hasOwnStep(node) ||
                          llvm::any_of(node->getResults(), [](Value result) {
                            return mayMeetStep(result);
                          }));
}

llvm::DenseSet<Operation *> glow::nodesBeforeSteps(FuncOp function) {
  llvm::DenseSet<Operation *> nodes;
  llvm::DenseSet<Value> values;
  // Calls lie in one another, and each walk would look for storage again.
  auto module = function->getParentOfType<ModuleOp>();
  StorageOfModule storage(module);
  llvm::SaveAndRestore known(knownStorage, &storage);
  auto meets = [&](Value value) { return values.contains(value); };
  auto leadsToStep = [&](OpOperand &use) {
    if (auto save = dyn_cast<SaveOp>(use.getOwner())) {
      SmallVector<Value> others;
      return follow(save, others) ||
             llvm::any_of(others, [](Value read) { return mayMeetStep(read); });
    }
    if (isControlFlow(use.getOwner())) {
      SmallVector<Value> parameters;
      addParameters(use, parameters, &storage.symbols);
      return llvm::any_of(parameters,
                          [](Value read) { return mayMeetStep(read); });
    }
    Effect effect = effectOf(use);
    return effect == Effect::Jumps ||
           (effect == Effect::Passes &&
            llvm::any_of(use.getOwner()->getResults(), meets));
  };
  // The uses of a value come after its definition, so the order is reversed.
  for (Operation &node : llvm::reverse(function.block())) {
    for (Value result : node.getResults())
      if (llvm::any_of(result.getUses(), leadsToStep))
        values.insert(result);
    if (rounds(&node) &&
        (hasOwnStep(&node) || llvm::any_of(node.getResults(), meets)))
      nodes.insert(&node);
  }
  return nodes;
}
