//===- StageCompiler.cpp - compilation of stages --------------------------===//
// SPDX-License-Identifier: MIT

#include "StageCompiler.h"
#include "glow/Base/Counted.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstring>

using namespace glow;

/// Copies the assumed values, which the cache keeps longer than the caller
/// keeps its tensors.
static Result<std::vector<Constant>>
copiesOf(const std::vector<Constant> &values) {
  std::vector<Constant> copies;
  for (const Constant &value : values) {
    Result<Tensor> tensor =
        Tensor::copyOf({const_cast<void *>(value.data), &value.type});
    if (!tensor)
      return tensor.status();
    auto owner = std::make_shared<Tensor>(tensor.take());
    copies.push_back({value.name, owner->type(), owner->data(), owner});
  }
  return copies;
}

/// A text that, with the files of the model, determines the program of a stage:
/// its nodes, and the values that are known. Long constants come from the files
/// or from known values.
static std::string identityOf(ImportedStage &stage) {
  std::string key;
  llvm::raw_string_ostream os(key);
  mlir::OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(32).elideLargeResourceString(0);
  stage.module->print(os, flags);
  for (const Constant &value : stage.assumed)
    os << value.name << " " << value.type.text() << " "
       << llvm::StringRef(static_cast<const char *>(value.data),
                          size_t(value.type.bytes()));
  return key;
}

static void logStage(const std::string &path, size_t nodes, const char *how) {
  if (isLogged(LogLevel::Info))
    logText(LogLevel::Info,
            path + ": a stage of " + counted(nodes, "node") + ": " + how);
}

/// The program of the next stage, of the store or compiled; nothing if no node
/// can be compiled.
Result<std::optional<Program>>
StageCompiler::programFor(const GraphFrame &frame, KnownValues known,
                          ImportedStage &imported) {
  std::shared_ptr<mlir::MLIRContext> context = contexts.next();
  std::optional<Program> kept;
  std::string key;
  Result<std::optional<Program>> program = compileModule(
      context, request, [&]() -> Result<mlir::OwningOpRef<mlir::ModuleOp>> {
        Result<ImportedStage> stage =
            model.importStage(*context, frame, known, request.code.memoryLimit);
        if (!stage)
          return stage.status();
        imported = stage.take();
        if (store && imported.module)
          kept = store->load(key = identityOf(imported));
        return kept ? mlir::OwningOpRef<mlir::ModuleOp>()
                    : std::move(imported.module);
      });
  if (!program || !(kept || *program))
    return program;
  logStage(request.path, imported.nodes.size(),
           kept ? "found in the cache" : "compiled");
  if (kept)
    return kept;
  if (store)
    store->store(key, **program);
  return program;
}

/// Finds or compiles the next stage and loads it, which becomes the first.
Status StageCompiler::compile(const GraphFrame &frame, KnownValues known) {
  ImportedStage imported;
  Result<std::optional<Program>> program = programFor(frame, known, imported);
  if (!program)
    return program.status();
  Result<std::vector<Constant>> assumed = copiesOf(imported.assumed);
  if (!assumed)
    return assumed.status();
  CompiledStage stage{{},
                      frame.graph,
                      frame.done,
                      std::move(imported.looked),
                      assumed.take(),
                      std::move(imported.inputs),
                      std::move(imported.outputs),
                      {},
                      std::move(imported.nodes),
                      std::move(imported.waiting),
                      std::move(imported.refused)};
  if (!*program)
    return programs.add(std::move(stage), nullptr);
  if (observer)
    observer(**program);
  for (const Binding &output : (*program)->outputs)
    stage.outputTypes.push_back(output.type);
  return programs.add(std::move(stage), &**program);
}

/// The treatment of known values after `variants` stages. If values change
/// between runs, nodes that depend on them get a stage of their own, and
/// finally the host runs them.
static KnownValues knownAfter(size_t variants, bool inner) {
  constexpr size_t few = 4, many = 8;
  if (variants >= many)
    return KnownValues::UnlessHost;
  return inner || variants >= few ? KnownValues::Direct
                                  : KnownValues::LookThrough;
}

Result<const CompiledStage *> StageCompiler::next(const GraphFrame &frame) {
  if (const CompiledStage *known = programs.find([&](auto &stage) {
        return stage.isFor(frame) && stage.takesValues(frame);
      }))
    return known;
  auto start = std::chrono::steady_clock::now();
  // Stages that differ only in their assumed values.
  const size_t variants =
      programs.count([&](auto &stage) { return stage.isFor(frame); });
  Status status = compile(frame, knownAfter(variants, frame.outer));
  milliseconds += std::chrono::duration<double, std::milli>(
                      std::chrono::steady_clock::now() - start)
                      .count();
  if (!status.ok())
    return status;
  return &programs.front();
}
