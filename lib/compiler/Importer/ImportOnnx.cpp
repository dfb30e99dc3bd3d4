//===- ImportOnnx.cpp - from an ONNX file to a module ---------------------===//

#include "GraphImporter.h"
#include "Refusals.h"
#include "Shapes.h"
#include "glow/Graph/Dialect.h"
#include "mlir/IR/Diagnostics.h"

using namespace glow;
using namespace mlir;

OwningOpRef<ModuleOp> glow::importOnnx(MLIRContext &context, StringRef path,
                                       const ImportOptions &options,
                                       bool *inStages) {
  context.loadDialect<GlowDialect>();
  auto refuse = [&](const Status &status) {
    Failures::report(FileLineColLoc::get(&context, path, 0, 0), status);
    return OwningOpRef<ModuleOp>();
  };
  Result<Model> model = Model::read(path.str());
  if (!model)
    return refuse(model.status());
  Result<ModelInterface> interface = interfaceOf(*model);
  if (!interface)
    return refuse(interface.status());
  Result<std::vector<Ints>> shapes =
      bindShapes(interface->inputs, options.shapes);
  if (!shapes)
    return refuse(withRefused(shapes.status(), *model));
  ModuleStorage storage(context, path, *interface, options.memoryLimit);
  if (Status status = storage.setValues(options.values); !status.ok())
    return refuse(status);
  GraphImporter importer(*model, storage);
  if (failed(importer.run(*interface, *shapes, inStages)))
    return {};
  return storage.finish();
}
