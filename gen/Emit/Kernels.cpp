//===- Kernels.cpp - from formulas and index notation to C++ kernels ------===//

#include "Emit/KernelEmitter.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TableGen/Record.h"
#include <set>

using namespace glow::gen;
using namespace llvm;

static cl::opt<std::string>
    onlyFamily("family", cl::desc("emit kernels of one family only"));

std::string glow::gen::elementType(StringRef kind) {
  return StringSwitch<std::string>(kind)
#define GLOW_ELEMENT_KIND(enumerator, name, type, family, bits, onnx)          \
  .Case(name, #type)
#include "glow/Base/ElementKinds.def"
      .Default("");
}

static std::string kernelName(const NodeModel &node) {
  return node.mnemonic + "Kernel";
}

static std::string enumeratorOf(StringRef kind) {
  return kind == "bool" ? "Bool" : kind.upper();
}

/// The function of the table: chooses the template's instance.
void KernelEmitter::dispatch() {
  os << formatv("::glow::Status {0}(const ::glow::KernelCall &call) {{\n",
                kernelName(node));
  auto ranks = rankParameters();
  std::string call = node.mnemonic + "Of";
  std::string arguments;
  if (!dispatched.empty())
    arguments = "T";
  for (const auto &[list, range] : ranks)
    arguments += (arguments.empty() ? "Rank_" : ", Rank_") + list;
  std::string invoke = "return " + call +
                       (arguments.empty() ? "" : "<" + arguments + ">") +
                       "(call);";
  std::string closing;
  if (!ranks.empty()) {
    os << "  ::glow::kernels::Operands operands(call);\n";
    for (const auto &[list, range] : ranks)
      for (auto [i, input] : enumerate(node.inputs))
        for (const Dimension &dim : input.dims)
          if (dim.ranks && dim.value->isName(list)) {
            os << formatv("  return ::glow::kernels::visitRank<{0}, "
                          "{1}>(int64_t(operands.view({2})"
                          ".type->shape.size()) - {3}, [&](auto rank_{4}) {{\n"
                          "  constexpr int Rank_{4} = rank_{4};\n",
                          range.first, range.second, node.outputs.size() + i,
                          input.dims.size() - 1, list);
            closing += "  });\n";
          }
  }
  if (dispatched.empty()) {
    os << "  " << invoke << "\n";
  } else if (bySize) {
    os << formatv(
        "  return ::glow::kernels::visitSize(call.buffers[0].type->kind, "
        "[&](auto type) {{\n    using T = typename decltype(type)::type;\n"
        "    {0}\n  });\n",
        invoke);
  } else {
    os << formatv("  ::glow::ElementKind kind = ::glow::kernels::Operands(call)"
                  ".view({0}).type->kind;\n  switch (kind) {{\n",
                  dispatchSlot);
    for (const std::string &kind : dispatchKinds())
      os << formatv("  case ::glow::ElementKind::{0}: {{\n    using T = {1};\n "
                    "   {2}\n  }\n",
                    enumeratorOf(kind), elementType(kind), invoke);
    os << formatv("  default:\n    return ::glow::kernels::wrongKind({0}, "
                  "kind);\n  }\n",
                  quoted(node.mnemonic));
  }
  os << closing << "}\n\n";
}

static bool emitKernels(const Model &model, raw_ostream &os) {
  std::string table;
  os << "namespace {\n\n";
  for (const NodeModel *node : model.ownNodes()) {
    if (!node->hasKernel() ||
        (!onlyFamily.empty() && node->family != onlyFamily))
      continue;
    if (node->hand.empty())
      KernelEmitter(model, *node, os).emit();
    table += formatv("    {{{0}, {1}},\n", quoted(node->mnemonic),
                     node->hand.empty() ? kernelName(*node)
                                        : "::glow::kernels::" + node->hand);
  }
  os << "const ::std::vector<::glow::KernelEntry> kernelTable = {\n"
     << table
     << "};\n\nconst ::glow::RegisterKernels registration(kernelTable);\n\n} "
        "// namespace\n";
  return false;
}

/// Kernels by hand, so that a missing one is an error at compile time.
static bool emitHandDeclarations(const Model &model, raw_ostream &os) {
  std::set<StringRef> seen; // nodes may share one
  for (const NodeModel *node : model.ownNodes())
    if (!node->hand.empty() && seen.insert(node->hand).second)
      os << formatv("/// {0}: {1}\nStatus {2}(const KernelCall &call);\n",
                    placeOf(node->record),
                    node->record.getValueAsString("summary"), node->hand);
  return false;
}

static Emitter kernels("gen-kernels", "emit the interpreter's kernels",
                       emitKernels);
static Emitter handDeclarations("gen-hand-decls",
                                "declare the kernels written by hand",
                                emitHandDeclarations);
