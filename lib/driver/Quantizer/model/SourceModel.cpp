//===- SourceModel.cpp - a model that passes change -----------------------===//
// SPDX-License-Identifier: MIT

#include "SourceModel.h"
#include "glow/Base/Hash.h"
#include "glow/Importer/ModelFile.h"
#include "glow/Importer/WholeModel.h"
#include "glow/TensorFiles/File.h"
#include <cstring>
#include <onnx/onnx_pb.h>

using namespace glow;

bool glow::isModule(const std::string &path) {
  return path.ends_with(".mlir") || path.ends_with(".mlirbc");
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

static Result<std::string> hashOf(const std::vector<std::string> &files) {
  HashOfParts hash;
  for (const std::string &file : files) {
    Result<std::string> bytes = readFile(file);
    if (!bytes)
      return bytes.status();
    hash.add(*bytes);
  }
  return hash.finish().text();
}

Status SourceModel::openSession(const std::string &file) {
  Result<std::unique_ptr<Session>> opened = run.sessions->open(file);
  if (!opened)
    return opened.status();
  theSession = opened.take(), path = file;
  request = run.request;
  request.path = name;
  request.cacheDir.clear();
  request.mayComputeSizes = false; // a file of ONNX has other operators
  return Status();
}

/// Opens a changed copy of the file.
Status SourceModel::openChanged(const std::string &bytes) {
  Result<std::shared_ptr<const MemoryFile>> file =
      MemoryFile::make(name, bytes);
  if (!file)
    return file.status();
  memory = file.take();
  return openSession(memory->path());
}

Status SourceModel::openNet() {
  CompileRequest asked = request;
  asked.shapes = run.shapes;
  Result<std::string> bytes = theSession->print(asked, "onnx");
  return bytes ? openChanged(*bytes) : bytes.status();
}

Result<SourceModel> SourceModel::open(const std::string &path,
                                      const QuantizationRun &how) {
  SourceModel model;
  model.name = path, model.run = how;
  if (Status status = model.openSession(path); !status.ok())
    return status;
  Result<std::string> hash = hashOf(model.theSession->files());
  if (!hash)
    return hash.status();
  model.theHash = hash.take();
  if (isModule(path))
    return model;
  if (isNetPath(path))
    if (Status status = model.openNet(); !status.ok())
      return status;
  onnx::ModelProto whole;
  if (Status status = readWhole(model.path, whole); !status.ok())
    return status;
  model.theOpset = opsetOf(whole);
  Result<bool> isOther = inlineFunctions(whole);
  if (!isOther)
    return isOther.status().prefixed(path + ": ");
  if (model.branches.hoist(whole) || *isOther)
    if (Status status = model.openChanged(whole.SerializeAsString());
        !status.ok())
      return status;
  model.setInputs({});
  return model;
}

Result<SourceModel> SourceModel::raised(int64_t least, int64_t wanted,
                                        std::string &blocker) const {
  onnx::ModelProto whole;
  if (Status status = readWhole(path, whole); !status.ok())
    return status;
  blocker = raiseOpset(whole, least, wanted);
  SourceModel model = *this;
  if (!blocker.empty())
    return model;
  model.theOpset = opsetOf(whole);
  if (Status status = model.openChanged(whole.SerializeAsString());
      !status.ok())
    return status;
  model.request.shapes = request.shapes, model.request.values = request.values;
  return model;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

/// A size that a model takes: of a picture, or a sequence.
static int64_t likelySize(const Binding &input, size_t dimension) {
  const Ints &shape = input.type.shape;
  const bool isImage = shape.size() == 4 && (shape[1] == 1 || shape[1] == 3 ||
                                             shape[3] == 1 || shape[3] == 3);
  return dimension == 0 && shape.size() > 1 ? 1 : isImage ? 224 : 16;
}

static Constant constantOf(const std::string &name, const InputProfile &input) {
  const TensorType type{input.kind, input.shape};
  auto bytes = std::make_shared<std::string>();
  for (int64_t value : input.values)
    bytes->append(reinterpret_cast<const char *>(&value),
                  type.bytes() / input.values.size());
  return {name, type, bytes->data(), bytes};
}

void SourceModel::setInputs(const std::map<std::string, InputProfile> &inputs) {
  if (!isOnnx())
    return;
  request.sizes.clear(), request.shapes.clear(), request.values.clear();
  given.clear();
  std::map<std::string, int64_t> named;
  const auto nameOf = [](const Binding &input, size_t i) {
    return i < input.dimensions.size() ? input.dimensions[i] : "";
  };
  std::map<std::string, Ints> known = run.shapes;
  for (const auto &[name, input] : inputs) {
    known.try_emplace(name, input.shape);
    given[name] = {input.kind, input.shape};
    if (!input.values.empty())
      request.values.push_back(constantOf(name, input));
  }
  for (const Binding &input : theSession->inputs())
    if (auto found = known.find(input.name); found != known.end())
      for (size_t i = 0; i < found->second.size(); ++i)
        named.try_emplace(nameOf(input, i), found->second[i]);
  for (const Binding &input : theSession->inputs()) {
    auto found = known.find(input.name);
    if (!input.other.empty() || (!input.ranked && found == known.end()))
      continue;
    Ints &shape = request.shapes[input.name];
    shape = found == known.end() ? input.type.shape : found->second;
    for (size_t i = 0; i < shape.size(); ++i)
      if (shape[i] < 0) {
        const std::string name = nameOf(input, i);
        auto size = named.find(name);
        shape[i] = !name.empty() && size != named.end() ? size->second
                                                        : likelySize(input, i);
        named.try_emplace(name, shape[i]);
      }
  }
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

Result<std::string>
SourceModel::changed(const std::shared_ptr<GraphQuantization> &pass) const {
  CompileRequest own = request;
  own.quantization = pass;
  if (pass)
    pass->given = given;
  if (!isOnnx())
    return theSession->print(own, "import", /*bytecode=*/true);
  return pass ? sunk(theSession->print(own, "onnx")) : withOutputs({});
}

/// The model with the nodes of its branches in them again.
Result<std::string> SourceModel::sunk(Result<std::string> bytes) const {
  onnx::ModelProto model;
  if (!bytes || branches.empty() || !model.ParseFromString(*bytes))
    return bytes;
  branches.sink(model);
  return model.SerializeAsString();
}

Result<std::string>
SourceModel::withOutputs(const std::vector<std::string> &names) const {
  onnx::ModelProto whole;
  if (Status status = readWhole(path, whole); !status.ok())
    return status;
  if (!names.empty())
    whole.mutable_graph()->clear_output();
  for (const std::string &name : names)
    whole.mutable_graph()->add_output()->set_name(name);
  branches.sink(whole);
  return whole.SerializeAsString();
}

/// Text has no weights that take time to write.
Status SourceModel::look(const std::shared_ptr<GraphQuantization> &pass) const {
  CompileRequest own = request;
  own.quantization = pass;
  pass->given = given;
  return theSession->print(own, "import", /*bytecode=*/false).status();
}

Result<std::string>
SourceModel::file(const std::shared_ptr<GraphQuantization> &pass,
                  ModelForm form, const CompileRequest &given) const {
  CompileRequest own = given;
  own.path = name;
  const bool isBytecode = form == ModelForm::Bytecode;
  if (!isOnnx()) {
    own.quantization = pass;
    return theSession->print(own, form == ModelForm::Onnx ? "onnx" : "import",
                             isBytecode);
  }
  Result<std::string> bytes = changed(pass);
  if (form == ModelForm::Onnx || !bytes)
    return bytes;
  Result<std::shared_ptr<const MemoryFile>> file =
      MemoryFile::make(name, *bytes);
  if (!file)
    return file.status();
  Result<std::unique_ptr<Session>> session =
      run.sessions->open((*file)->path());
  return session ? (*session)->print(own, "import", isBytecode)
                 : session.status();
}
