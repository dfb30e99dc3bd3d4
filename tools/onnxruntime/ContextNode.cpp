//===- ContextNode.cpp - EPContext nodes of the host ----------------------===//
// SPDX-License-Identifier: MIT
//
// The attributes of EPContext are those that ONNX Runtime documents for all
// providers.
//
//===----------------------------------------------------------------------===//

#include "ContextNode.h"
#include <filesystem>
#include <fstream>

using namespace glow;
using namespace glow::ort;
namespace fs = std::filesystem;

static constexpr std::string_view type = "EPContext", domain = "com.microsoft";

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static const OpAttr *attrOf(const Host &host, const Node *node,
                            const char *name) {
  const OpAttr *attr = nullptr;
  host.check(host.api.Node_GetAttributeByName(node, name, &attr));
  return attr;
}

static std::string textOf(const Host &host, const OpAttr *attr) {
  if (!attr)
    return "";
  size_t needed = 0;
  if (Status *status =
          host.api.ReadOpAttr(attr, ORT_OP_ATTR_STRING, nullptr, 0, &needed))
    host.api.ReleaseStatus(status); // there is no room yet
  std::string text(needed, '\0');
  host.check(host.api.ReadOpAttr(attr, ORT_OP_ATTR_STRING, text.data(), needed,
                                 &needed));
  return text;
}

static int64_t integerOf(const Host &host, const OpAttr *attr,
                         int64_t otherwise) {
  size_t needed;
  int64_t value = otherwise;
  if (attr)
    host.check(host.api.ReadOpAttr(attr, ORT_OP_ATTR_INT, &value, sizeof value,
                                   &needed));
  return value;
}

static std::string readFile(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Failure(ORT_EP_FAIL, "cannot read the context " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

bool ort::hasContext(const Host &host, const Node *node, const char *source) {
  return host.get<const char *>(host.api.Node_GetOperatorType, node) == type &&
         host.get<const char *>(host.api.Node_GetDomain, node) == domain &&
         textOf(host, attrOf(host, node, "source")) == source;
}

std::string ort::contextIn(const Host &host, const Graph *graph,
                           const Node *node) {
  std::string context = textOf(host, attrOf(host, node, "ep_cache_context"));
  if (integerOf(host, attrOf(host, node, "embed_mode"), 1))
    return context;
  const fs::path model =
      host.get<const char *>(host.api.Graph_GetModelPath, graph);
  return readFile(model.parent_path() / fs::path(context).filename());
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
/// Attributes until a node takes them.
class Attributes {
public:
  explicit Attributes(const Host &host) : host(host) {}
  ~Attributes() {
    for (OpAttr *attr : all)
      host.api.ReleaseOpAttr(attr);
  }
  void text(const char *name, std::string_view value) {
    add(name, value.data(), value.size(), ORT_OP_ATTR_STRING);
  }
  void integer(const char *name, int64_t value) {
    add(name, &value, 1, ORT_OP_ATTR_INT);
  }
  std::vector<OpAttr *> all;

private:
  void add(const char *name, const void *data, size_t length, int type) {
    if (length > INT32_MAX)
      throw Failure(ORT_EP_FAIL, "a context of " + std::to_string(length) +
                                     " bytes is too large for a node: "
                                     "ep.context_embed_mode should be 0");
    OpAttr *made;
    host.check(host.api.CreateOpAttr(name, data, int(length), type, &made));
    all.push_back(made);
  }
  const Host &host;
};
} // namespace

/// The file of a context beside the model that ONNX Runtime writes.
static fs::path fileOf(const Host &host, const Graph *graph, const Node *fused,
                       const ContextSettings &settings) {
  fs::path model = settings.path;
  if (model.empty()) {
    const fs::path from =
        host.get<const char *>(host.api.Graph_GetModelPath, graph);
    model = from.parent_path() / (from.stem().string() + "_ctx.onnx");
  }
  const std::string name = host.get<const char *>(host.api.Node_GetName, fused);
  return model.parent_path() / (model.stem().string() + "_" + name + ".glow");
}

static std::string writeFile(const fs::path &path, const std::string &context) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!(file << context) || !file.flush())
    throw Failure(ORT_EP_FAIL, "cannot write the context " + path.string());
  return path.filename().string();
}

static std::vector<std::string>
namesOf(const Host &host, const std::vector<const ValueInfo *> &values) {
  std::vector<std::string> names;
  for (const ValueInfo *value : values)
    names.push_back(host.nameOf(value));
  return names;
}

static std::vector<const char *>
pointersTo(const std::vector<std::string> &names) {
  std::vector<const char *> pointers;
  for (const std::string &name : names)
    pointers.push_back(name.c_str());
  return pointers;
}

Node *ort::makeContextNode(const Host &host, const Graph *graph,
                           const Node *fused, const std::string &context,
                           const ContextSettings &settings,
                           const char *source) {
  Attributes attributes(host);
  attributes.text(
      "ep_cache_context",
      settings.embedded
          ? context
          : writeFile(fileOf(host, graph, fused, settings), context));
  attributes.integer("embed_mode", settings.embedded);
  attributes.integer("main_context", 1);
  attributes.text("source", source);
  attributes.text("ep_sdk_version", glow_version());
  attributes.text("partition_name",
                  host.get<const char *>(host.api.Node_GetName, fused));
  const std::vector<std::string> inputs = namesOf(host, host.inputsOf(fused)),
                                 outputs = namesOf(host, host.outputsOf(fused));
  const std::vector<const char *> ins = pointersTo(inputs),
                                  outs = pointersTo(outputs);
  Node *node = nullptr;
  host.check(host.api.GetModelEditorApi()->CreateNode(
      type.data(), domain.data(),
      host.get<const char *>(host.api.Node_GetName, fused), ins.data(),
      ins.size(), outs.data(), outs.size(), attributes.all.data(),
      attributes.all.size(), &node));
  attributes.all.clear();
  return node;
}
