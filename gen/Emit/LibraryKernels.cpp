//===- LibraryKernels.cpp - the kernels of a backend's library ------------===//

#include "Emit/LibraryKernels.h"
#include "Emit/KernelEmitter.h"
#include "Emit/VectorFunctions.h"
#include "Expr/Fields.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static cl::opt<std::string>
    ofBackend("backend", cl::desc("the backend whose kernels are listed"));

static const Record *theBackend(const Model &model) {
  for (const Record *backend : model.own("Backend"))
    if (textField<"Backend.name">(*backend) == ofBackend)
      return backend;
  return nullptr;
}

/// Calls `visit` with what emits each node whose index notation becomes a
/// kernel.
static void
forEachComputed(const Model &model, const Record &backend, raw_ostream &os,
                function_ref<void(const NodeModel &, KernelEmitter &)> visit) {
  std::vector<StringRef> kinds = textsField<"Backend.computedKinds">(backend);
  for (const Record *record : recordsField<"Backend.computed">(backend)) {
    const NodeModel *node = model.findNode(record->getName());
    auto refuse = [&](const char *why) {
      PrintFatalError(backend.getLoc(),
                      "backend '" + textField<"Backend.name">(backend) +
                          "' has '" + node->className +
                          "' among its computed nodes, " + why);
    };
    auto isVariadic = [](const TensorSignature &t) { return t.variadic; };
    if (node->compute.empty() || any_of(node->inputs, isVariadic) ||
        any_of(node->outputs, isVariadic))
      refuse("which must have `compute` and no list of operands");
    KernelEmitter emitter(model, *node, os, kinds);
    // The table finds a kernel by the kind of one of these two.
    size_t place = emitter.dispatchPlace();
    if (emitter.dispatchKinds().empty() ||
        (place != 0 && place != node->outputs.size()))
      refuse("but neither its first result nor its first operand is of a kind "
             "that they compute in");
    visit(*node, emitter);
  }
}

std::vector<KernelRow> glow::gen::kernelsOf(const Model &model,
                                            const Record &backend) {
  std::vector<KernelRow> rows;
  for (const Record *kernel : recordsField<"Backend.kernels">(backend)) {
    const NodeModel *node =
        model.findNode(recordField<"Kernel.node">(*kernel)->getName());
    std::optional<size_t> operand;
    if (!node->inputs.empty())
      operand = 0;
    rows.push_back({node, textField<"Kernel.kind">(*kernel).str(), operand,
                    "Hand", textField<"Kernel.function">(*kernel).str()});
  }
  forEachComputed(model, backend, nulls(),
                  [&](const NodeModel &node, KernelEmitter &emitter) {
                    emitter.emit();
                    std::optional<size_t> operand;
                    if (emitter.dispatchPlace() != 0)
                      operand = emitter.dispatchPlace() - node.outputs.size();
                    for (const std::string &kind : emitter.dispatchKinds())
                      rows.push_back({&node, kind, operand, "Compute",
                                      "computed_" + node.mnemonic,
                                      emitter.mayFail()});
                  });
  if (bitField<"Backend.vectorises">(backend))
    for (const NodeModel *node : model.ownNodes()) {
      VectorKinds vectors = vectorKindsOf(*node);
      for (const std::string &kind : vectors.kinds)
        rows.push_back({node, kind, vectors.operand, "Formula", ""});
    }
  return rows;
}

/// A line GLOW_LIBRARY_KERNEL(mnemonic, kind, ofResult, function, computed,
/// mayFail) of each kernel.
static bool emitLibraryKernels(const Model &model, raw_ostream &os) {
  const Record *backend = theBackend(model);
  if (!backend)
    return false;
  for (const KernelRow &row : kernelsOf(model, *backend))
    if (!row.function.empty())
      os << formatv("GLOW_LIBRARY_KERNEL({0}, {1}, {2}, {3}, {4}, {5})\n",
                    quoted(row.node->mnemonic),
                    row.kind == "bool" ? "Bool" : StringRef(row.kind).upper(),
                    !row.operand, row.function,
                    StringRef(row.from) == "Compute", row.mayFail);
  return false;
}

/// What a kernel of the library is called with: `using softmax_f32_call = ...`.
/// A function has one form, so that it is for one node.
static bool emitLibraryCalls(const Model &model, raw_ostream &os) {
  std::map<StringRef, std::string> calls;
  if (const Record *backend = theBackend(model))
    for (const Record *kernel : recordsField<"Backend.kernels">(*backend)) {
      const Record *node = recordField<"Kernel.node">(*kernel);
      StringRef function = textField<"Kernel.function">(*kernel);
      std::string call = callOf(model, *model.findNode(node->getName()));
      auto [known, isNew] = calls.try_emplace(function, call);
      if (isNew)
        os << formatv("using {0}_call = {1};\n", function, call);
      else if (known->second != call)
        PrintFatalError(backend->getLoc(),
                        "kernel '" + function + "' of backend '" + ofBackend +
                            "' is for two nodes: it is called with a " +
                            known->second + " and with a " + call);
    }
  return false;
}

/// The kernels of computed nodes, and a line GLOW_COMPUTED(mnemonic, buffers)
/// of each, with as many buffers as it may have.
static bool emitComputedKernels(const Model &model, raw_ostream &os) {
  const Record *backend = theBackend(model);
  if (!backend)
    return false;
  forEachComputed(
      model, *backend, os, [&](const NodeModel &node, KernelEmitter &emitter) {
        os << "namespace {\n\n";
        emitter.emit();
        os << "} // namespace\n\nGLOW_COMPUTED(" << node.mnemonic << ", "
           << node.outputs.size() + node.inputs.size() << ")\n\n";
      });
  return false;
}

static Emitter libraryKernels("gen-library-kernels",
                              "list the kernels of a backend",
                              emitLibraryKernels);
static Emitter
    libraryCalls("gen-library-calls",
                 "emit what the kernels of a backend are called with",
                 emitLibraryCalls);
static Emitter computedKernels("gen-computed-kernels",
                               "emit the computed kernels of a backend",
                               emitComputedKernels);
