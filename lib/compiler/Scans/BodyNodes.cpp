//===- BodyNodes.cpp - the nodes of a loop's function ---------------------===//
// SPDX-License-Identifier: MIT

#include "BodyNodes.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Shape.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Loops.h"
#include "glow/IR/NodeLoops.h"
#include "glow/Loops/Analysis.h"
#include "glow/Loops/Inline.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace glow;

/// Limits on a composed function: its code is one function.
static constexpr size_t mostNodes = 64;
/// The terms of the largest product that a scan computes.
static constexpr int64_t mostTerms = 1024;
/// The elements of the largest function that a scan without reductions
/// computes: a trip of more costs little for its calls, and formulas of fused
/// nodes have faster code for functions.
static constexpr int64_t mostOfFunction = 1024;

Value glow::valueOf(Operation *op, size_t tensor) {
  const size_t results = op->getNumResults();
  return tensor < results ? Value(op->getResult(unsigned(tensor)))
                          : op->getOperand(unsigned(tensor - results));
}

static std::optional<ElementKind> kindOfValue(Value value) {
  return kindOf(cast<RankedTensorType>(value.getType()).getElementType());
}

bool BodyNodes::isInlined(const Node &node) {
  return !node.program || loops::writesEachOnce(*node.program);
}

/// The terms of all statements, for the greatest sizes.
static int64_t termsOf(const loops::Program &program) {
  int64_t sum = 0;
  for (const loops::Statement &statement : program.statements) {
    int64_t terms = 1;
    for (unsigned index : statement.indices)
      terms = expr::multiply(terms, program.extent(index));
    sum = expr::add(sum, terms);
  }
  return sum;
}

bool BodyNodes::hasKinds(const loops::Program &program, Operation *op,
                         LoopKinds kinds) const {
  const ir::LoopsInfo *info = ir::findLoops(op->getName().stripDialect());
  auto isFloat = [](Value value) {
    std::optional<ElementKind> kind = kindOfValue(value);
    return kind == ElementKind::F32 || kind == ElementKind::Bool;
  };
  auto isKnown = [&](const loops::Tensor &tensor) {
    return !tensor.place &&
           (kinds.empty() || llvm::is_contained(kinds, tensor.kind));
  };
  // Moved elements are computed in any kind.
  return info && (program.computes == ElementKind::F32 || info->moves) &&
         program.scans.empty() &&
         llvm::is_contained(info->kinds, name(ElementKind::F32)) &&
         llvm::all_of(op->getResults(), isFloat) &&
         llvm::all_of(program.tensors, isKnown);
}

/// Whether elements of the first value become those of the second.
static bool isConverted(Value from, Value to, LoopKinds kinds) {
  const auto in = kindOfValue(from), out = kindOfValue(to);
  auto isKnown = [&](std::optional<ElementKind> kind) {
    return kind && (kinds.empty() || llvm::is_contained(kinds, *kind));
  };
  auto isReal = [](std::optional<ElementKind> kind) {
    return kind == ElementKind::F32 || kind == ElementKind::Bool;
  };
  const bool isWhole = in == ElementKind::I32 || in == ElementKind::I64;
  return isKnown(in) && isKnown(out) && isReal(out) && (isReal(in) || isWhole);
}

bool BodyNodes::add(Operation *op, LoopKinds kinds) {
  const NodeInfo *info = findNode(op->getName().getStringRef());
  if (!info || nodes.size() == mostNodes || op->hasAttr(GlowDialect::predicate))
    return false;
  Node node{op, nullptr};
  if (isa<Reshape, Cast>(op)) {
    const bool fits = isConverted(op->getOperand(0), op->getResult(0), kinds);
    if (fits)
      nodes.insert({op, std::move(node)});
    return fits;
  }
  node.program = ir::loopsOfNode(op, ir::typesOf(op));
  if (!node.program || !hasKinds(*node.program, op, kinds) ||
      (info->factors && termsOf(*node.program) > mostTerms))
    return false;
  nodes.insert({op, std::move(node)});
  return true;
}

bool BodyNodes::jumps() const {
  auto isOf = [](ElementKind kind) {
    return [kind](Value value) { return kindOfValue(value) == kind; };
  };
  return llvm::any_of(nodes, [&](const auto &one) {
    const NodeInfo *info = findNode(one.first->getName().getStringRef());
    return info->jumps ||
           (llvm::any_of(one.first->getResults(), isOf(ElementKind::Bool)) &&
            llvm::any_of(one.first->getOperands(), isOf(ElementKind::F32)));
  });
}

bool BodyNodes::find(LoopKinds kinds) {
  for (Operation &op : body.function.block())
    if (!isa<ReadOp, SaveOp>(op) && !add(&op, kinds))
      return false;
  for (SaveOp save : body.saves)
    if (save.getIn().getDefiningOp<ReadOp>() == nullptr)
      stored.insert(save.getIn());
  for (auto &[op, node] : nodes) {
    if (!isInlined(node))
      stored.insert(op->result_begin(), op->result_end());
    addReadWhole(node);
  }
  addShared();
  return !nodes.empty() && !isLarge();
}

/// Adds the operands of which a node needs more than elements: those by which
/// it decides whether terms count, and those of a reshape that moves elements.
void BodyNodes::addReadWhole(const Node &node) {
  if (!node.program) {
    auto reshape = dyn_cast<Reshape>(node.op);
    if (!reshape)
      return;
    auto withoutOnes = [](Value value) {
      return llvm::filter_to_vector(
          cast<RankedTensorType>(value.getType()).getShape(),
          [](int64_t size) { return size != 1; });
    };
    if (withoutOnes(reshape.getIn()) != withoutOnes(reshape.getOut()))
      stored.insert(reshape.getIn());
    return;
  }
  for (const loops::Statement &statement : node.program->statements)
    for (loops::Term term : loops::treesOf(statement))
      if (term->op == loops::Op::Load &&
          (term->outside == loops::Outside::Fails ||
           (term->outside == loops::Outside::Skips && !isInlined(node))))
        stored.insert(valueOf(node.op, size_t(term->integer)));
}

static bool calls(const BodyNodes::Node &node) {
  return node.program &&
         llvm::any_of(node.program->statements, [](const auto &statement) {
           return llvm::any_of(loops::treesOf(statement), [](loops::Term term) {
             return term->op == loops::Op::Call ||
                    (term->op == loops::Op::Divide &&
                     term->form == loops::Form::Element);
           });
         });
}

static int64_t elementsIn(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

bool BodyNodes::isLarge() const {
  return llvm::all_of(nodes,
                      [](const auto &one) { return isInlined(one.second); }) &&
         llvm::any_of(nodes, [](const auto &one) {
           return calls(one.second) &&
                  elementsIn(one.first->getResult(0)) > mostOfFunction;
         });
}

/// Adds values of functions that several statements, or several elements of
/// one, would compute again.
void BodyNodes::addShared() {
  llvm::DenseSet<Value> costly;
  for (auto &[op, node] : nodes) {
    auto isCostly = [&](Value operand) {
      return costly.contains(operand) && !stored.contains(operand);
    };
    if (calls(node) || llvm::any_of(op->getOperands(), isCostly))
      costly.insert(op->result_begin(), op->result_end());
  }
  DenseMap<Value, llvm::SmallSetVector<Value, 2>> readers; // with memory
  for (auto &[op, node] : llvm::reverse(nodes)) {
    if (!isInlined(node))
      continue;
    Value value = op->getResult(0);
    llvm::SmallSetVector<Value, 2> own;
    bool isRepeated = false;
    for (Operation *user : value.getUsers()) {
      if (isa<SaveOp>(user))
        continue;
      Value read = user->getResult(0);
      if (stored.contains(read))
        own.insert(read);
      else
        own.insert_range(readers[read]);
      const loops::Program *program = nodeOf(read).program.get();
      isRepeated |= program && termsOf(*program) > elementsIn(value);
    }
    if (costly.contains(value) && (own.size() > 1 || isRepeated))
      stored.insert(value);
    readers[value] = std::move(own);
  }
}
