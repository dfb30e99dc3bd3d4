//===- OwnPasses.cpp - passes that a user adds to the phases
//---------------===//
// SPDX-License-Identifier: MIT

#include "glow/Pipeline/OwnPasses.h"
#include "glow/Pipeline/Pipeline.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

glow::Status glow::loadPassPlugin(const std::string &file) {
  llvm::Expected<PassPlugin> plugin = PassPlugin::load(file);
  if (!plugin)
    return failure(Code::NotFound, "cannot load passes '", file,
                   "': ", llvm::toString(plugin.takeError()));
  plugin->registerPassRegistryCallbacks();
  return Status();
}

static std::string &pipelineText() {
  static std::string text;
  return text;
}

const std::string &glow::ownPasses() { return pipelineText(); }

glow::Status glow::setOwnPasses(const std::string &pipeline) {
  registerPasses();
  registerTransformsPasses();
  OpPassManager passes(ModuleOp::getOperationName());
  std::string said;
  llvm::raw_string_ostream os(said);
  if (mlir::failed(parsePassPipeline(pipeline, passes, os))) {
    // MLIR shows the location in further lines.
    StringRef first = StringRef(said).split('\n').first;
    first = first.substr(first.find("error: ") == StringRef::npos
                             ? 0
                             : first.find("error: ") + 7);
    return failure(Code::InvalidArgument, "--passes '", pipeline,
                   "': ", first.str());
  }
  pipelineText() = pipeline;
  return Status();
}

void glow::addOwnPasses(OpPassManager &passes) {
  // The text was parsed before, so it is a valid list of passes.
  (void)parsePassPipeline(ownPasses(), passes);
}
