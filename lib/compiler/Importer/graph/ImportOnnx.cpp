//===- ImportOnnx.cpp - from an ONNX file to a module ---------------------===//
// SPDX-License-Identifier: MIT

#include "GraphImporter.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/File/Origin.h"
#include "glow/Graph/Shape.h"
#include "glow/Importer/ModelFile.h"
#include "mlir/IR/Diagnostics.h"
#include "model/Shapes.h"
#include "rows/Refusals.h"

using namespace glow;
using namespace mlir;

/// Whether a size is that of an axis of a node's output: "y.0".
static bool isOfNode(const ParsedModel &model, llvm::StringRef size) {
  const llvm::StringRef output = size.rsplit('.').first;
  return llvm::any_of(model.proto->graph().node(), [&](const auto &node) {
    return node.output_size() > 0 && node.output(0) == output;
  });
}

OwningOpRef<ModuleOp> glow::importOnnx(MLIRContext &context, ModelFile &file,
                                       const ImportOptions &options,
                                       bool *inStages) {
  context.loadDialect<GlowDialect>();
  auto refuse = [&](const Status &status) {
    Failures::report(FileLineColLoc::get(&context, file.path(), 0, 0), status);
    return OwningOpRef<ModuleOp>();
  };
  Result<std::shared_ptr<ParsedModel>> known = file.model();
  if (!known)
    return refuse(known.status());
  const std::shared_ptr<ParsedModel> model = *known;
  Result<ModelInterface> interface = interfaceOf(*model);
  if (!interface)
    return refuse(interface.status());
  for (const ModelPort &port : interface->overridable)
    if (options.shapes.contains(port.name))
      interface->inputs.push_back(port);
  std::vector<SizeVariable> ofInputs, ofNodes;
  for (const SizeVariable &size : options.sizes)
    (isOfNode(*model, size.name) ? ofNodes : ofInputs).push_back(size);
  Result<std::vector<Sizes>> shapes =
      bindShapes(interface->inputs, options.shapes, ofInputs, options.lengths);
  if (!shapes)
    return refuse(withRefused(shapes.status(), *model));
  ModuleStorage storage(context, file.path(), *interface, options.memoryLimit);
  if (Status status = storage.setValues(options.values); !status.ok())
    return refuse(status);
  SizeDecisions decisions;
  GraphImporter importer(*model, storage);
  importer.computed = options.computedLengths;
  importer.maxIterations = options.maxIterations;
  importer.ranges = std::move(ofNodes);
  importer.isForTraining = options.isForTraining;
  if (options.isForChanges)
    importer.forChanges = &options;
  if (failed(importer.run(*interface, *shapes, inStages)))
    return {};
  OwningOpRef<ModuleOp> module = storage.finish();
  if (module && options.isForChanges)
    for (auto constant : module->getOps<ConstantOp>())
      setOrigin(constant, {});
  if (module)
    addConditions(*module, decisions.conditions());
  return module;
}
