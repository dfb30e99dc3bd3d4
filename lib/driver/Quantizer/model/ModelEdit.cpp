//===- ModelEdit.cpp - an ONNX model that is changed ----------------------===//
// SPDX-License-Identifier: MIT

#include "ModelEdit.h"
#include "glow/Importer/ModelFile.h"
#include "glow/TensorFiles/File.h"
#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>

using namespace glow;
namespace fs = std::filesystem;

int64_t glow::intAttribute(const onnx::NodeProto &node, std::string_view name,
                           int64_t missing) {
  for (const onnx::AttributeProto &attribute : node.attribute())
    if (attribute.name() == name)
      return attribute.i();
  return missing;
}

bool glow::hasOneResult(const onnx::NodeProto &node) {
  return node.output_size() > 0 &&
         std::all_of(node.output().begin() + 1, node.output().end(),
                     [](const std::string &output) { return output.empty(); });
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static std::optional<uint64_t> numberOf(const std::string &text) {
  if (text.empty() || text.size() > 18 ||
      text.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoull(text);
}

/// Copies external data of a tensor into the message.
static Status takeIn(onnx::TensorProto &tensor, const fs::path &folder) {
  std::string location;
  std::optional<uint64_t> offset = 0, length;
  for (const auto &entry : tensor.external_data()) {
    if (entry.key() == "location")
      location = entry.value();
    if (entry.key() == "offset")
      offset = numberOf(entry.value());
    if (entry.key() == "length")
      length = numberOf(entry.value());
  }
  Result<std::string> bytes = readFile((folder / location).string());
  if (!bytes)
    return bytes.status();
  if (!offset || *offset > bytes->size() ||
      (length && *length > bytes->size() - *offset))
    return failure(Code::InvalidArgument, "tensor '", tensor.name(),
                   "' ends behind the end of '", location, "'");
  tensor.set_raw_data(
      bytes->substr(*offset, length ? *length : std::string::npos));
  tensor.clear_external_data();
  tensor.clear_data_location();
  return Status();
}

static void addNames(const onnx::GraphProto &graph,
                     std::set<std::string> &names) {
  auto addAll = [&](const auto &values) {
    for (const auto &value : values)
      names.insert(value.name());
  };
  addAll(graph.input()), addAll(graph.output()), addAll(graph.initializer());
  for (const onnx::NodeProto &node : graph.node()) {
    names.insert(node.name());
    names.insert(node.input().begin(), node.input().end());
    names.insert(node.output().begin(), node.output().end());
    for (const onnx::AttributeProto &attribute : node.attribute())
      if (attribute.has_g())
        addNames(attribute.g(), names);
  }
}

/// Adds the contents of files.
static Status addFiles(HashOfParts &hash,
                       const std::vector<std::string> &files) {
  for (const std::string &file : files) {
    Result<std::string> bytes = readFile(file);
    if (!bytes)
      return bytes.status();
    hash.add(*bytes);
  }
  return Status();
}

Result<ModelEdit> ModelEdit::read(const std::string &path,
                                  const QuantizationRun &run) {
  // A session reports errors of the model with its name.
  Result<std::unique_ptr<Session>> opened = run.sessions->open(path);
  if (!opened)
    return opened.status();
  ModelEdit edit;
  edit.path = path;
  HashOfParts hash;
  // A net has no form of its own for integers: it becomes ONNX first, for the
  // shapes of the run. Its profile holds for all shapes.
  const bool isNet = isNetPath(path);
  CompileRequest request = run.request;
  request.path = path;
  request.shapes = run.shapes;
  Result<std::string> bytes =
      isNet ? (*opened)->print(request, "onnx", false) : readFile(path);
  if (!bytes)
    return bytes.status();
  if (!isNet)
    hash.add(*bytes);
  else if (Status status = addFiles(hash, (*opened)->files()); !status.ok())
    return status;
  if (bytes->size() > size_t(std::numeric_limits<int>::max()) ||
      !edit.proto.ParseFromString(*bytes) || !edit.proto.has_graph())
    return failure(Code::InvalidArgument, path,
                   ": not an ONNX model of at most 2 GB; glow compile "
                   "--emit=onnx writes other models as one");
  for (onnx::TensorProto &tensor : *edit.graph().mutable_initializer()) {
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL)
      continue;
    if (Status status = takeIn(tensor, fs::path(path).parent_path());
        !status.ok())
      return status.prefixed(path + ": ");
    hash.add(tensor.raw_data());
  }
  edit.hash = hash.finish();
  addNames(edit.graph(), edit.names);
  return edit;
}

Result<std::string> ModelEdit::bytes() const {
  std::string bytes;
  if (!proto.SerializeToString(&bytes))
    return failure(Code::Unsupported, path,
                   ": the model would have more than 2 GB");
  return bytes;
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

static std::string_view oneName(std::string_view domain) {
  return domain == "ai.onnx" ? "" : domain;
}

int64_t ModelEdit::opset(std::string_view domain) const {
  int64_t version = 0;
  for (const onnx::OperatorSetIdProto &set : proto.opset_import())
    if (oneName(set.domain()) == oneName(domain))
      version = std::max(version, int64_t(set.version()));
  return version;
}

const QuantizedForm &ModelEdit::form(const onnx::NodeProto &node) const {
  return quantizedForm(node.domain(), node.op_type(), opset(node.domain()));
}

/// The values that a node reads, also in its inner graphs.
static void forEachRead(const onnx::NodeProto &node,
                        const std::function<void(const std::string &)> &what) {
  for (const std::string &input : node.input())
    if (!input.empty())
      what(input);
  for (const onnx::AttributeProto &attribute : node.attribute()) {
    if (attribute.has_g()) {
      for (const onnx::NodeProto &inner : attribute.g().node())
        forEachRead(inner, what);
      for (const onnx::ValueInfoProto &output : attribute.g().output())
        what(output.name());
    }
  }
}

std::set<std::string> ModelEdit::varying() const {
  std::set<std::string> varying;
  for (const onnx::ValueInfoProto &input : graph().input())
    if (!initializer(input.name()))
      varying.insert(input.name());
  // Nodes of a file may be in another order than that of execution.
  for (size_t before = ~size_t(0); before != varying.size();) {
    before = varying.size();
    for (const onnx::NodeProto &node : graph().node()) {
      bool varies = false;
      forEachRead(node, [&](const std::string &name) {
        varies |= varying.count(name) != 0;
      });
      if (varies)
        varying.insert(node.output().begin(), node.output().end());
    }
  }
  varying.erase("");
  return varying;
}

std::vector<int> ModelEdit::readersOf(const std::string &value) const {
  std::vector<int> readers;
  for (int i = 0; i < graph().node_size(); ++i) {
    bool isRead = false;
    forEachRead(graph().node(i),
                [&](const std::string &name) { isRead |= name == value; });
    if (isRead)
      readers.push_back(i);
  }
  return readers;
}

bool ModelEdit::isOutput(const std::string &value) const {
  return std::ranges::any_of(graph().output(), [&](const auto &output) {
    return output.name() == value;
  });
}

int ModelEdit::producerOf(const std::string &value) const {
  for (int i = 0; i < graph().node_size(); ++i)
    if (std::ranges::count(graph().node(i).output(), value))
      return i;
  return -1;
}

const onnx::TensorProto *ModelEdit::initializer(const std::string &name) const {
  for (const onnx::TensorProto &tensor : graph().initializer())
    if (tensor.name() == name)
      return &tensor;
  return nullptr;
}

onnx::TensorProto *ModelEdit::initializer(const std::string &name) {
  return const_cast<onnx::TensorProto *>(
      std::as_const(*this).initializer(name));
}

//===----------------------------------------------------------------------===//
// Changing
//===----------------------------------------------------------------------===//

void ModelEdit::addInitializer(const std::string &name, int32_t dataType,
                               const Ints &dims, std::string bytes) {
  onnx::TensorProto &tensor = *graph().add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(dataType);
  for (int64_t size : dims)
    tensor.add_dims(size);
  tensor.set_raw_data(std::move(bytes));
}

void ModelEdit::addFloats(const std::string &name, const Ints &dims,
                          std::span<const float> values) {
  addInitializer(name, onnx::TensorProto::FLOAT, dims,
                 std::string(reinterpret_cast<const char *>(values.data()),
                             values.size_bytes()));
}

std::string ModelEdit::freshName(const std::string &hint) {
  std::string name = hint;
  for (int number = 2; !names.insert(name).second; ++number)
    name = hint + "_" + std::to_string(number);
  return name;
}

std::set<std::string> ModelEdit::allRead() const {
  std::set<std::string> read;
  for (const onnx::NodeProto &node : graph().node())
    forEachRead(node, [&](const std::string &name) { read.insert(name); });
  for (const onnx::ValueInfoProto &output : graph().output())
    read.insert(output.name());
  return read;
}

/// Removes elements of a list and keeps the order of the others.
template <typename List, typename IsDropped>
static void drop(List *list, IsDropped isDropped) {
  int kept = 0;
  for (int i = 0; i < list->size(); ++i)
    if (!isDropped(list->Get(i)))
      list->SwapElements(kept++, i);
  list->DeleteSubrange(kept, list->size() - kept);
}

void ModelEdit::dropUnreadNodes() {
  const std::set<std::string> varying = this->varying();
  for (int before = -1; before != graph().node_size();) {
    before = graph().node_size();
    const std::set<std::string> read = allRead();
    drop(graph().mutable_node(), [&](const onnx::NodeProto &node) {
      return std::ranges::none_of(node.output(), [&](const auto &output) {
        return read.count(output) || varying.count(output);
      });
    });
  }
}

void ModelEdit::tidy() {
  const std::set<std::string> read = allRead();
  // Before version 4 of the format, every initializer had to be an input.
  constexpr int64_t freeInitializers = 4;
  bool isOld = proto.ir_version() < freeInitializers;
  if (isOld)
    proto.set_ir_version(freeInitializers);
  drop(graph().mutable_input(), [&](const auto &input) {
    return initializer(input.name()) && (isOld || !read.count(input.name()));
  });
  drop(graph().mutable_initializer(),
       [&](const auto &tensor) { return !read.count(tensor.name()); });
}
