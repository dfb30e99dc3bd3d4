//===- Means.cpp - by what a backend runs a node --------------------------===//

#include "glow/Backend/Backend.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/InstrInfo.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

using namespace glow;
using llvm::StringRef;

namespace {

struct Registry {
  std::deque<CodeInfo> code; // whose rows stay where they are
  std::deque<KernelInfo> kernels;
};

Registry &registry() {
  static Registry instance;
  return instance;
}

/// The rows of a table for one node; of any, for "".
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

const char *textOf(KernelInfo::From from) {
  switch (from) {
  case KernelInfo::From::Hand:
    return "kernel";
  case KernelInfo::From::Compute:
    return "loops from the record";
  case KernelInfo::From::Formula:
    return "formula from the record";
  }
  llvm_unreachable("no such origin");
}

std::string textOf(const CodeInfo &code) {
  if (*code.algorithm)
    return code.algorithm;
  return "way of " + StringRef(code.becomes).split('.').second.str();
}

bool saysNothing(StringRef backend) {
  return rowsOf(registry().code, backend, "").empty() &&
         rowsOf(registry().kernels, backend, "").empty();
}

/// What has no operands is known when a model is compiled.
bool hasNoOperands(StringRef node) {
  const ir::InstrInfo *info = ir::findInstr(node.split('.').second);
  return info && info->operands.size() == 1;
}

bool isFor(const KernelInfo &kernel, mlir::Operation *node) {
  mlir::Value value = kernel.operand < 0 ? node->getResult(0)
                      : size_t(kernel.operand) < node->getNumOperands()
                          ? node->getOperand(unsigned(kernel.operand))
                          : mlir::Value();
  std::optional<ElementKind> kind;
  if (value)
    kind = kindOf(kindOfElements(value));
  return kind && name(*kind) == std::string_view(kernel.kind);
}

} // namespace

void glow::registerCode(std::span<const CodeInfo> code,
                        std::span<const KernelInfo> kernels) {
  Registry &r = registry();
  r.code.insert(r.code.end(), code.begin(), code.end());
  r.kernels.insert(r.kernels.end(), kernels.begin(), kernels.end());
}

const CodeInfo *glow::codeFor(StringRef backend, mlir::Operation *node) {
  for (const CodeInfo *code :
       rowsOf(registry().code, backend, node->getName().getStringRef()))
    if (code->holds(node))
      return code;
  return nullptr;
}

Means glow::meansOf(const BackendInfo &backend, mlir::Operation *node) {
  if (saysNothing(backend.name))
    return {"", true};
  StringRef name = node->getName().getStringRef();
  if (const CodeInfo *code = codeFor(backend.name, node))
    return {textOf(*code), true};
  for (const KernelInfo *kernel :
       rowsOf(registry().kernels, backend.name, name))
    if (isFor(*kernel, node))
      return {textOf(kernel->from), true};
  if (hasNoOperands(name))
    return {"a constant", true};
  return {reference, false};
}

Means glow::meansOf(const BackendInfo &backend, StringRef node) {
  if (saysNothing(backend.name))
    return {"", true};
  std::string text;
  auto add = [&](const std::string &means) {
    text += (text.empty() ? "" : ", ") + means;
  };
  for (const CodeInfo *code : rowsOf(registry().code, backend.name, node)) {
    add(textOf(*code));
    if (!*code->when)
      return {text, true};
    text += " when " + std::string(code->when);
  }
  auto kernels = rowsOf(registry().kernels, backend.name, node);
  for (auto from : {KernelInfo::From::Hand, KernelInfo::From::Compute,
                    KernelInfo::From::Formula}) {
    std::string kinds;
    for (const KernelInfo *kernel : kernels)
      if (kernel->from == from)
        kinds += (kinds.empty() ? "" : ", ") + std::string(kernel->kind);
    if (!kinds.empty())
      add((text.empty() ? "" : "else ") + std::string(textOf(from)) + " (" +
          kinds + ")");
  }
  if (text.empty() && hasNoOperands(node))
    return {"a constant", true};
  if (runsReferenceOf(backend, node) &&
      !llvm::any_of(kernels, [](auto *kernel) { return kernel->whole; }))
    add((text.empty() ? "" : "else ") + std::string(reference));
  return {text, text != reference};
}
