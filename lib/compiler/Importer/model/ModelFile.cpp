//===- ModelFile.cpp - an ONNX file, parsed once --------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Importer/ModelFile.h"
#include "Shapes.h"
#include "rows/Refusals.h"

using namespace glow;

ModelFile::ModelFile(const std::string &path,
                     std::shared_ptr<ParsedModel> model)
    : thePath(path), theModel(std::move(model)) {}
ModelFile::~ModelFile() = default;

static Result<std::shared_ptr<ParsedModel>> readModel(const std::string &path) {
  Result<ParsedModel> model = ParsedModel::read(path);
  if (!model)
    return model.status();
  return std::make_shared<ParsedModel>(model.take());
}

Result<std::unique_ptr<ModelFile>> ModelFile::open(const std::string &path) {
  Result<std::shared_ptr<ParsedModel>> model = readModel(path);
  if (!model)
    return model.status().prefixed(path + ": ");
  std::unique_ptr<ModelFile> file(new ModelFile(path, model.take()));
  Result<ModelInterface> interface = interfaceOf(*file->theModel);
  if (!interface)
    return interface.status().prefixed(path + ": ");
  file->theInterface = interface.take();
  file->theInterface.files = file->theModel->files();
  return file;
}

Result<std::shared_ptr<ParsedModel>> ModelFile::model() {
  std::lock_guard lock(mutex);
  if (theModel->isAsRead())
    return theModel;
  Result<std::shared_ptr<ParsedModel>> model = readModel(thePath);
  if (model)
    theModel = *model;
  return model;
}

Status ModelFile::withRefusedNodes(const Status &status) {
  Result<std::shared_ptr<ParsedModel>> known = model();
  return known ? withRefused(status, **known) : status;
}
