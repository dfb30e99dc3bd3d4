//===- Means.cpp - ways to run a node on a backend ------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Backend/Backend.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/InstrInfo.h"
#include "glow/IR/Loops.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

using namespace glow;
using llvm::StringRef;

namespace {

struct MeansRegistry {
  std::deque<CodeInfo> code; // whose rows stay where they are
  std::deque<KernelInfo> kernels;
};

MeansRegistry &means() {
  static MeansRegistry instance;
  return instance;
}

/// The rows of a table for one node; for "", the rows for all nodes.
template <typename Info>
std::vector<const Info *> rowsOf(const std::deque<Info> &table,
                                 StringRef backend, StringRef node) {
  std::vector<const Info *> rows;
  for (const Info &row : table)
    if (backend == row.backend && (node.empty() || node == row.node))
      rows.push_back(&row);
  return rows;
}

constexpr const char *reference = "the reference's kernel";
constexpr const char *kernelText = "kernel";
constexpr const char *instructions = "the instructions of its record";

/// Whether the record of a node lists the instructions that it becomes.
bool listsInstructions(StringRef node) {
  const NodeInfo *info = findNode(node);
  return info && info->kernel == NodeKernel::Instrs;
}

const char *textOf(const ir::LoopsInfo &loops) {
  return loops.formula ? "formula from the record" : "loops from the record";
}

std::string textOf(const CodeInfo &code) {
  if (*code.algorithm)
    return code.algorithm;
  return "way of " + StringRef(code.becomes).split('.').second.str();
}

bool saysNothing(StringRef backend) {
  return rowsOf(means().code, backend, "").empty() &&
         rowsOf(means().kernels, backend, "").empty();
}

/// Whether the node has no operands: its result is known at compile time.
bool hasNoOperands(StringRef node) {
  const ir::InstrInfo *info = ir::findInstr(node.split('.').second);
  return info && info->operands.size() == 1;
}

/// The kind of an operand or, for -1, of the first result; "" if it is absent.
std::string_view kindOfOperand(mlir::Operation *node, int operand) {
  mlir::Value value = operand < 0 ? node->getResult(0)
                      : size_t(operand) < node->getNumOperands()
                          ? node->getOperand(unsigned(operand))
                          : mlir::Value();
  std::optional<ElementKind> kind;
  if (value)
    kind = kindOf(kindOfElements(value));
  return kind ? name(*kind) : "";
}

/// The loops by which the backend may run a node; null where it has none.
const ir::LoopsInfo *loopsOf(const BackendInfo &backend, StringRef node) {
  return backend.loops.empty() ? nullptr
                               : ir::findLoops(node.split('.').second);
}
bool isFor(const ir::LoopsInfo &loops, const BackendInfo &backend,
           std::string_view kind) {
  return llvm::is_contained(loops.kinds, kind) &&
         (loops.moves || llvm::is_contained(backend.loops, kind));
}

} // namespace

bool glow::runsLoopsOf(const BackendInfo &backend, StringRef node) {
  const ir::LoopsInfo *loops =
      backend.runsLoops ? loopsOf(backend, node) : nullptr;
  return loops && (loops->moves || !loops->kinds.empty());
}

bool glow::runsLoopsOf(const BackendInfo &backend, mlir::Operation *node) {
  StringRef name = node->getName().getStringRef();
  const ir::LoopsInfo *loops =
      backend.runsLoops ? loopsOf(backend, name) : nullptr;
  if (!loops || !isFor(*loops, backend, kindOfOperand(node, loops->operand)))
    return false;
  auto isKnown = [&](mlir::Value value) {
    std::optional<ElementKind> kind = kindOf(kindOfElements(value));
    return kind && llvm::is_contained(backend.loops, glow::name(*kind));
  };
  return loops->moves || (llvm::all_of(node->getOperands(), isKnown) &&
                          llvm::all_of(node->getResults(), isKnown));
}

void glow::registerCode(std::span<const CodeInfo> code,
                        std::span<const KernelInfo> kernels) {
  MeansRegistry &r = means();
  r.code.insert(r.code.end(), code.begin(), code.end());
  r.kernels.insert(r.kernels.end(), kernels.begin(), kernels.end());
}

const CodeInfo *glow::codeFor(StringRef backend, mlir::Operation *node) {
  for (const CodeInfo *code :
       rowsOf(means().code, backend, node->getName().getStringRef()))
    if (!(code->vectors && isScalar(node)) && code->holds(node))
      return code;
  return nullptr;
}

Means glow::meansOf(const BackendInfo &backend, mlir::Operation *node) {
  if (saysNothing(backend.name))
    return {"", true};
  StringRef name = node->getName().getStringRef();
  if (const CodeInfo *code = codeFor(backend.name, node))
    return {textOf(*code), true};
  for (const KernelInfo *kernel : rowsOf(means().kernels, backend.name, name))
    if (kindOfOperand(node, kernel->operand) == kernel->kind)
      return {kernelText, true};
  if (listsInstructions(name))
    return {instructions, true};
  if (hasNoOperands(name))
    return {"a constant", true};
  if (const ir::LoopsInfo *loops = loopsOf(backend, name))
    if (isFor(*loops, backend, kindOfOperand(node, loops->operand)))
      return {textOf(*loops), true};
  return {reference, false};
}

Means glow::meansOf(const BackendInfo &backend, StringRef node) {
  if (saysNothing(backend.name))
    return {"", true};
  std::string text;
  auto add = [&](const std::string &means) {
    text += (text.empty() ? "" : ", ") + means;
  };
  for (const CodeInfo *code : rowsOf(means().code, backend.name, node)) {
    add(textOf(*code));
    if (!*code->when)
      return {text, true};
    text += " when " + std::string(code->when);
  }
  if (listsInstructions(node)) {
    add(instructions);
    return {text, true};
  }
  auto addFor = [&](StringRef means, const std::string &kinds) {
    if (!kinds.empty())
      add(((text.empty() ? "" : "else ") + means + " (" + kinds + ")").str());
  };
  auto kernels = rowsOf(means().kernels, backend.name, node);
  std::string kinds;
  bool whole = false;
  for (const KernelInfo *kernel : kernels) {
    kinds += (kinds.empty() ? "" : ", ") + std::string(kernel->kind);
    whole |= kernel->whole;
  }
  addFor(kernelText, kinds);
  if (hasNoOperands(node)) {
    add((text.empty() ? "" : "else ") + std::string("a constant"));
    return {text, true};
  }
  const ir::LoopsInfo *loops = whole ? nullptr : loopsOf(backend, node);
  if (loops) {
    whole = loops->whole;
    kinds.clear();
    for (const char *kind : loops->kinds)
      if (isFor(*loops, backend, kind))
        kinds += (kinds.empty() ? "" : ", ") + std::string(kind);
      else
        whole = false;
    addFor(textOf(*loops), whole ? "all kinds" : kinds);
  }
  // Nodes of a backend's own come from its passes, which create them only where
  // there is code for them.
  const NodeInfo *info = findNode(node);
  bool isOwn = info && backend.name == StringRef(info->backend);
  if (runsReferenceOf(backend, node) && !whole && !isOwn)
    add((text.empty() ? "" : "else ") + std::string(reference));
  return {text, text != reference};
}
