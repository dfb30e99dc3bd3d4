//===- ReadModel.cpp - from a file to a model that can be imported --------===//
// SPDX-License-Identifier: MIT

#include "Bodies.h"
#include "Functions.h"
#include "Labels.h"
#include "file/Model.h"
#include "nets/NetGraph.h"
#include "rows/ImportRegistry.h"
#include "rows/Refusals.h"
#include <algorithm>
#include <google/protobuf/io/coded_stream.h>

using namespace glow;

/// Parses the file. The skeleton is freed at the end, since the protobuf
/// objects made from it are larger.
static Status parse(ParsedModel &model) {
  Result<Skeleton> skeleton = skeletonOf(model.file->bytes());
  if (!skeleton)
    return skeleton.status();
  // The system maps whole huge pages around each accessed byte, so a walk over
  // the headers of tensors loads much of the data between them.
  model.file->dropPages();
  model.tensors = std::move(skeleton->tensors);
  model.proto = std::make_unique<onnx::ModelProto>();
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t *>(skeleton->message.data()),
      int(skeleton->message.size()));
  stream.SetRecursionLimit(deepestMessage + 1);
  if (!model.proto->ParseFromCodedStream(&stream) ||
      !stream.ConsumedEntireMessage())
    return failure(Code::InvalidArgument,
                   "not an ONNX model: a message in it is damaged");
  return Status();
}

/// Fails for a version of the format that does not exist, as its rules are
/// unknown.
static Status checkVersion(const onnx::ModelProto &model) {
  if (!model.has_ir_version())
    return failure(Code::InvalidArgument,
                   "the model does not say its ir_version");
  if (model.ir_version() >= 1 && model.ir_version() <= newestIrVersion)
    return Status();
  return failure(Code::Unsupported, "ir_version ", model.ir_version(),
                 " does not exist: it should be 1 to ", newestIrVersion);
}

/// Reads a file of ONNX, or the nets of a Caffe2 model.
static Status readFiles(ParsedModel &model, const std::string &path) {
  Result<std::optional<NetPaths>> nets = netPathsOf(path);
  if (!nets)
    return nets.status();
  if (*nets)
    return readNets(model, **nets);
  Result<std::shared_ptr<MappedFile>> file = MappedFile::open(path);
  if (!file)
    return file.status();
  model.file = file.take();
  return parse(model);
}

Result<ParsedModel> ParsedModel::read(const std::string &path) {
  ParsedModel model(path);
  if (Status status = readFiles(model, path); !status.ok())
    return status;
  if (!model.proto->has_graph())
    return failure(Code::InvalidArgument, "not an ONNX model: it has no graph");
  if (model.proto->graph().output().empty())
    return failure(Code::InvalidArgument, "the graph of the model has no "
                                          "outputs, so it computes nothing");
  if (Status status = checkVersion(*model.proto); !status.ok())
    return status;
  Status opsets = addOpsets(model.opsets, model.proto->opset_import());
  if (Status status = expandFunctions(model); !status.ok())
    return opsets.ok() ? status : opsets;
  if (!opsets.ok())
    return withRefused(opsets, model);
  if (Status status = foldFills(model); !status.ok())
    return status;
  numberLabels(model);
  if (Status status = checkBodies(model); !status.ok())
    return status;
  return model;
}

Status glow::addOpsets(Opsets &opsets, const google::protobuf::RepeatedPtrField<
                                           onnx::OperatorSetIdProto> &imports) {
  Status status;
  for (const onnx::OperatorSetIdProto &set : imports) {
    std::string domain(domainName(set.domain()));
    int64_t &version = opsets[domain];
    version = std::max(version, int64_t(set.version()));
    auto newest = ImportRegistry::instance().newest(domain);
    if (newest && version > *newest)
      status = failure(Code::Unsupported, "the model is written for opset ",
                       version, " of '", domain, "', but ", *newest,
                       " is the newest that is supported");
  }
  return status;
}
