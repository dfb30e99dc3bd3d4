//===- Kernels.cpp - from formulas and index notation to C++ kernels ------===//
// SPDX-License-Identifier: MIT
//
// A kernel is a template over the element kind and the ranks that its loops
// depend on; the table's function chooses the instance at run time. A kernel
// that only moves elements has one instance for each element size, as the kind
// does not matter then.
//
//===----------------------------------------------------------------------===//

#include "Emit/loops/KernelEmitter.h"
#include "Expr/Fields.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TableGen/Record.h"
#include <set>

using namespace glow::gen;
using namespace llvm;

static cl::opt<std::string>
    onlyFamily("family", cl::desc("emit kernels of one family only"));

void glow::gen::chooseFamily(StringRef family) { onlyFamily = family.str(); }

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

/// Opens a call for each rank that the template has; returns what closes them.
std::string KernelEmitter::openRanks() {
  std::string closing;
  for (const auto &[list, range] : rankParameters())
    for (const TensorSignature &input : node.inputs)
      for (const Dimension &dim : input.dims)
        if (dim.ranks && dim.value->isName(list)) {
          os << formatv("  return ::glow::kernels::visitRank<{0}, "
                        "{1}>(int64_t({2}"
                        ".type->shape.size()) - {3}, [&](auto rank_{4}) {{\n"
                        "  constexpr int Rank_{4} = rank_{4};\n",
                        range.first, range.second, viewOf(input, "0"),
                        input.dims.size() - 1, list);
          closing += "  });\n";
        }
  return closing;
}

/// Whether elements of results or scratch are written, read again and written
/// once more: by several statements, or by a sum in memory.
bool KernelEmitter::keepsBetween() const {
  auto isBare = [](const ExprPtr &subscript) {
    bool list = subscript->kind == Expr::Kind::Spread;
    return (list ? subscript->children[0] : subscript)->kind ==
           Expr::Kind::Name;
  };
  auto readsItself = [&](const Statement &one) {
    bool found = false;
    forEachElement(node, one.value, [&](const ExprPtr &element) {
      found |= bool(node.findWritten(glow::gen::tensorOf(node, element)->name));
    });
    return found;
  };
  return statements.size() > 1 || any_of(statements, [&](const Statement &one) {
           return readsItself(one) ||
                  (one.op != "=" &&
                   (listOf(node, one) ||
                    !all_of(drop_begin(one.targets[0]->children), isBare)));
         });
}

/// The operands of the instruction that are of the template's kind, as C++.
std::string KernelEmitter::wideOperands() {
  std::string list;
  for (auto [i, buffer] : enumerate(node.buffers()))
    if (buffer->kind == dispatched) {
      StringRef qualifier = node.qualifierOf(*buffer);
      bool isRead = qualifier == "in" || qualifier == "inout";
      bool isWritten = qualifier == "out" || qualifier == "inout";
      list += formatv("{0}{{{1}, {2}, {3}}", list.empty() ? "" : ", ", i,
                      isRead ? "true" : "false", isWritten ? "true" : "false")
                  .str();
    }
  return list;
}

/// `invoke` with the type of a kind, or of the kinds of its size, as T.
/// Elements that statements keep for each other are rounded to f16 or bf16
/// once, at the end.
void KernelEmitter::dispatchKind(StringRef invoke) {
  std::string view = viewOf(dispatchTensor(), "0");
  if (bySize) {
    os << formatv(
        "  return ::glow::kernels::visitSize({0}.type->kind, "
        "[&](auto type) {{\n    using T = typename decltype(type)::type;\n"
        "    {1}\n  });\n",
        view, invoke);
    return;
  }
  os << formatv("  ::glow::ElementKind kind = {0}.type->kind;\n"
                "  switch (kind) {{\n",
                view);
  for (const std::string &kind : dispatchKinds())
    if ((kind == "f16" || kind == "bf16") && keepsBetween())
      os << formatv("  case ::glow::ElementKind::{0}: {{\n"
                    "    using T = float;\n"
                    "    return ::glow::kernels::widened(given, {{{1}}, "
                    "[&](const ::glow::KernelCall &given) {{\n"
                    "      const auto call = ::glow::kernels::{2}::of(given);\n"
                    "      {3}\n    });\n  }\n",
                    enumeratorOf(kind), wideOperands(), callOf(model, node),
                    invoke);
    else
      os << formatv("  case ::glow::ElementKind::{0}: {{\n    using T = {1};\n "
                    "   {2}\n  }\n",
                    enumeratorOf(kind), elementType(kind), invoke);
  os << formatv("  default:\n    return ::glow::kernels::wrongKind({0}, "
                "kind);\n  }\n",
                quoted(node.mnemonic));
}

/// The function of the table: chooses the template's instance.
void KernelEmitter::dispatch() {
  os << formatv("::glow::Status {0}(const ::glow::KernelCall &given) {{\n"
                "  const auto call = ::glow::kernels::{1}::of(given);\n",
                kernelName(node), callOf(model, node));
  std::string arguments = dispatched.empty() ? "" : "T";
  for (const auto &[list, range] : rankParameters())
    arguments += (arguments.empty() ? "Rank_" : ", Rank_") + list;
  std::string invoke = "return " + node.mnemonic + "Of" +
                       (arguments.empty() ? "" : "<" + arguments + ">") +
                       "(call);";
  std::string closing = openRanks();
  if (dispatched.empty())
    os << "  " << invoke << "\n";
  else
    dispatchKind(invoke);
  os << closing << "}\n\n";
}

static bool emitKernels(const Model &model, raw_ostream &os) {
  std::string table;
  auto addRow = [&](const Record &record, StringRef mnemonic, StringRef kernel,
                    StringRef call) {
    table += formatv("    {{{0}, {1}, {2}, {3}},\n", quoted(mnemonic), kernel,
                     checkedCall(call), quoted(placeOf(record)));
  };
  os << "namespace {\n\n";
  for (const NodeModel *node : model.ownNodes()) {
    if (!node->hasKernel() ||
        (!onlyFamily.empty() && node->family != onlyFamily))
      continue;
    if (node->hand.empty())
      KernelEmitter(model, *node, os).emit();
    std::string call = callOf(model, *node);
    addRow(node->record, node->mnemonic,
           node->hand.empty() ? kernelName(*node)
                              : typedKernel(call, node->hand),
           call);
  }
  for (const Record *instr : model.own("Instr"))
    if (StringRef hand = textField<"Instr.hand">(*instr); !hand.empty())
      if (onlyFamily.empty() || familyOf(*instr) == onlyFamily)
        addRow(*instr, instr->getValueAsString("opName"),
               typedKernel(callOf(*instr), hand), callOf(*instr));
  os << "const ::std::vector<::glow::KernelEntry> kernelTable = {\n"
     << table
     << "};\n\nconst ::glow::RegisterKernels registration(kernelTable);\n\n} "
        "// namespace\n";
  return false;
}

/// Kernels by hand, those that backends name among them: a
/// definition as `Status kernels::name(...)` is held to it by the compiler.
static bool emitHandDeclarations(const Model &model, raw_ostream &os) {
  std::set<std::pair<StringRef, std::string>> seen;
  auto add = [&](const Record &record, StringRef function, std::string call) {
    // Several nodes may share a function, and the compiler holds it to all of
    // their calls.
    if (!seen.emplace(function, call).second)
      return;
    os << formatv("/// {0}: {1}\nStatus {2}(const {3} &call);\n",
                  placeOf(record), record.getValueAsString("summary"), function,
                  call);
    // The compiler shows this line where a plug-in defines what it refuses.
    if (isOfPlugin() && !function.contains(':'))
      os << formatv("Status {0}(const KernelCall &) = delete; // now: Status "
                    "{0}(const {1} &call)\n",
                    function, call);
  };
  auto declare = [&](const NodeModel &node, StringRef function) {
    add(node.record, function, callOf(model, node));
  };
  for (const NodeModel *node : model.ownNodes())
    if (!node->hand.empty())
      declare(*node, node->hand);
  for (const Record *instr : model.own("Instr"))
    if (StringRef hand = textField<"Instr.hand">(*instr); !hand.empty())
      add(*instr, hand, callOf(*instr));
  for (const Record *backend : model.own("Backend"))
    if (!bitField<"Backend.linksKernels">(*backend))
      for (const Record *kernel : recordsField<"Backend.kernels">(*backend))
        declare(*model.findNode(recordField<"Kernel.node">(*kernel)->getName()),
                textField<"Kernel.function">(*kernel));
  return false;
}

static Emitter kernels("gen-kernels", "emit the interpreter's kernels",
                       emitKernels);
static Emitter handDeclarations("gen-hand-decls",
                                "declare the kernels written by hand",
                                emitHandDeclarations);
