// SPDX-License-Identifier: MIT
// A provider that claims nothing, and prints what each entry of the table gives
// for a graph: an entry at a wrong place has other types, or another value.
#include "ProviderInterface.h"
#include <cstdio>
#include <string>
#include <vector>

using namespace glow::ort;

static const Api *api;

static void check(Status *status) {
  if (!status)
    return;
  std::printf("status: %s\n", api->GetErrorMessage(status));
  api->ReleaseStatus(status);
}

template <typename T, typename Of, typename Get>
static T get(Get function, const Of *object) {
  T value = {};
  check(function(object, &value));
  return value;
}

template <typename T, typename Of, typename Count, typename Get>
static std::vector<const T *> list(Count count, Get function,
                                   const Of *object) {
  std::vector<const T *> objects(get<size_t>(count, object));
  if (!objects.empty())
    check(function(object, objects.data(), objects.size()));
  return objects;
}

static const char *nameOf(const ValueInfo *value) {
  return value ? get<const char *>(api->GetValueInfoName, value) : "-";
}

static std::string typeOf(const TensorInfo *info) {
  std::vector<int64_t> sizes(get<size_t>(api->GetDimensionsCount, info));
  check(api->GetDimensions(info, sizes.data(), sizes.size()));
  std::vector<const char *> names(sizes.size(), "");
  check(api->GetSymbolicDimensions(info, names.data(), names.size()));
  std::string text = std::to_string(get<int>(api->GetTensorElementType, info));
  if (!api->TensorTypeAndShape_HasShape(info))
    text += " of unknown rank";
  for (size_t i = 0; i < sizes.size(); ++i)
    text += " " + std::to_string(sizes[i]) + names[i];
  return text;
}

static void printStrings(const Value *value, size_t count) {
  std::string text(get<size_t>(api->GetStringTensorDataLength, value), ' ');
  std::vector<size_t> begins(count);
  check(api->GetStringTensorContent(value, text.data(), text.size(),
                                    begins.data(), count));
  std::printf("    strings '%s', the last from %zu\n", text.c_str(),
              begins.back());
}

static void printTensor(const Value *value) {
  int element = 0;
  const int64_t *sizes = nullptr;
  size_t rank = 0;
  check(api->GetTensorElementTypeAndShapeDataReference(value, &element, &sizes,
                                                       &rank));
  std::printf("    tensor %d", element);
  for (size_t i = 0; i < rank; ++i)
    std::printf(" %d", int(sizes[i]));
  std::printf("\n");
  if (element == 8) {
    printStrings(value, 2);
  } else {
    void *data;
    check(api->GetTensorMutableData(const_cast<Value *>(value), &data));
    std::printf("    %zu bytes, first %g\n",
                get<size_t>(api->GetTensorSizeInBytes, value),
                *static_cast<float *>(data));
  }
}

static void printValue(const ValueInfo *value) {
  const TypeInfo *type =
      get<const TypeInfo *>(api->GetValueInfoTypeInfo, value);
  const bool constant = get<bool>(api->ValueInfo_IsConstantInitializer, value);
  std::printf(
      "  %s: value type %d, %s%s\n", nameOf(value),
      get<int>(api->GetOnnxTypeFromTypeInfo, type),
      typeOf(get<const TensorInfo *>(api->CastTypeInfoToTensorInfo, type))
          .c_str(),
      constant ? ", constant" : "");
  if (constant)
    printTensor(get<const Value *>(api->ValueInfo_GetInitializerValue, value));
}

static void printAttr(const OpAttr *attr) {
  const int type = get<int>(api->OpAttr_GetType, attr);
  std::printf("  attribute %s: type %d",
              get<const char *>(api->OpAttr_GetName, attr), type);
  if (type == ORT_OP_ATTR_TENSOR) {
    Value *value = get<Value *>(api->OpAttr_GetTensorAttributeAsOrtValue, attr);
    std::printf("\n");
    printTensor(value);
    api->ReleaseValue(value);
    return;
  }
  char bytes[64] = {};
  size_t needed = 0;
  if (type != ORT_OP_ATTR_GRAPH)
    check(api->ReadOpAttr(attr, type, bytes, sizeof bytes, &needed));
  if (type == ORT_OP_ATTR_INT || type == ORT_OP_ATTR_INTS)
    std::printf(", %zu bytes, first %lld", needed, *(long long *)bytes);
  if (type == ORT_OP_ATTR_FLOAT || type == ORT_OP_ATTR_FLOATS)
    std::printf(", %zu bytes, first %g", needed, *(float *)bytes);
  if (type == ORT_OP_ATTR_STRING || type == ORT_OP_ATTR_STRINGS)
    std::printf(", %zu bytes, '%s'", needed, bytes);
  std::printf("\n");
}

static void printNode(const Node *node) {
  std::printf("node %s of '%s' named '%s'\n",
              get<const char *>(api->Node_GetOperatorType, node),
              get<const char *>(api->Node_GetDomain, node),
              get<const char *>(api->Node_GetName, node));
  for (auto *in :
       list<ValueInfo>(api->Node_GetNumInputs, api->Node_GetInputs, node))
    std::printf("  reads %s\n", nameOf(in));
  for (auto *in : list<ValueInfo>(api->Node_GetNumImplicitInputs,
                                  api->Node_GetImplicitInputs, node))
    std::printf("  body reads %s\n", nameOf(in));
  for (auto *out :
       list<ValueInfo>(api->Node_GetNumOutputs, api->Node_GetOutputs, node))
    std::printf("  writes %s\n", nameOf(out));
  for (auto *attr :
       list<OpAttr>(api->Node_GetNumAttributes, api->Node_GetAttributes, node))
    printAttr(attr);
  std::vector<const Graph *> graphs(
      get<size_t>(api->Node_GetNumSubgraphs, node));
  std::vector<const char *> names(graphs.size());
  if (!graphs.empty())
    check(api->Node_GetSubgraphs(node, graphs.data(), graphs.size(),
                                 names.data()));
  for (size_t i = 0; i < graphs.size(); ++i)
    std::printf("  graph %s of %s\n",
                get<const char *>(api->Graph_GetName, graphs[i]), names[i]);
}

static Status *print(Ep *, const Graph *graph, SupportInfo *) {
  const Node *parent = get<const Node *>(api->Graph_GetParentNode, graph);
  std::printf("graph %s, parent %s, path '%s', IR version %d\n",
              get<const char *>(api->Graph_GetName, graph),
              parent ? get<const char *>(api->Node_GetName, parent) : "none",
              get<const char *>(api->Graph_GetModelPath, graph),
              int(get<int64_t>(api->Graph_GetOnnxIRVersion, graph)));
  std::vector<const char *> domains(
      get<size_t>(api->Graph_GetNumOperatorSets, graph));
  std::vector<int64_t> versions(domains.size());
  check(api->Graph_GetOperatorSets(graph, domains.data(), versions.data(),
                                   domains.size()));
  for (size_t i = 0; i < domains.size(); ++i)
    if (versions[i] == 13 || versions[i] == 2)
      std::printf("operators '%s' %d\n", domains[i], int(versions[i]));
  const struct {
    const char *what;
    std::vector<const ValueInfo *> values;
  } lists[] = {
      {"inputs",
       list<ValueInfo>(api->Graph_GetNumInputs, api->Graph_GetInputs, graph)},
      {"outputs",
       list<ValueInfo>(api->Graph_GetNumOutputs, api->Graph_GetOutputs, graph)},
      {"initializers", list<ValueInfo>(api->Graph_GetNumInitializers,
                                       api->Graph_GetInitializers, graph)}};
  for (const auto &[what, values] : lists) {
    std::printf("%zu %s\n", values.size(), what);
    for (const ValueInfo *value : values)
      printValue(value);
  }
  for (const Node *node :
       list<Node>(api->Graph_GetNumNodes, api->Graph_GetNodes, graph))
    printNode(node);
  std::fflush(stdout);
  return nullptr;
}

static Status *devices(Factory *factory, const Device *const *all, size_t count,
                       EpDevice **out, size_t, size_t *found) {
  for (*found = 0; !*found && count--; ++all)
    if (api->HardwareDevice_Type(*all) == OrtDeviceTypeCpu)
      check(api->GetEpApi()->CreateEpDevice(factory, *all, nullptr, nullptr,
                                            &out[(*found)++]));
  return nullptr;
}

static Status *create(Factory *, const Device *const *, const Pairs *const *,
                      size_t, const SessionOptions *options,
                      const Logger *logger, Ep **ep) {
  Pairs *pairs = get<Pairs *>(api->GetSessionOptionsConfigEntries, options);
  const char *const *keys, *const *values;
  size_t count;
  api->GetKeyValuePairs(pairs, &keys, &values, &count);
  for (size_t i = 0; i < count; ++i)
    if (std::string(keys[i]).find("colour") != std::string::npos)
      std::printf("option %s is %s\n", keys[i], values[i]);
  api->ReleaseKeyValuePairs(pairs);
  check(api->Logger_LogMessage(logger, ORT_LOGGING_LEVEL_WARNING,
                               "the probe's message", "probe", 1, "probe"));
  static Ep made = {};
  made.version = structureVersion;
  made.name = [](const Ep *) { return "Probe"; };
  made.getCapability = print;
  made.compile = [](Ep *, const Graph **, const Node **, size_t, ComputeInfo **,
                    Node **) -> Status * { return nullptr; };
  made.releaseComputeInfos = [](Ep *, ComputeInfo **, size_t) {};
  *ep = &made;
  return nullptr;
}

extern "C" Status *CreateEpFactories(const char *, const Base *base,
                                     const Logger *, Factory **factories,
                                     size_t, size_t *count) {
  api = base->GetApi(tableVersion);
  if (!api)
    return nullptr;
  std::printf("the same table for all versions: %d, ONNX Runtime %s\n",
              base->GetApi(1) == api, base->GetVersionString());
  std::fflush(stdout); // Python has a buffer of its own
  static Factory made = {};
  made.version = structureVersion;
  made.name = [](const Factory *) { return "Probe"; };
  made.vendor = [](const Factory *) { return "Test"; };
  made.devices = devices;
  made.createEp = create;
  made.releaseEp = [](Factory *, Ep *) { std::printf("released\n"); };
  made.vendorId = [](const Factory *) { return uint32_t(7); };
  made.providerVersion = [](const Factory *) { return "1.2.3"; };
  made.createAllocator = [](Factory *, const void *, const Pairs *,
                            void **out) -> Status * {
    *out = nullptr;
    return nullptr;
  };
  made.releaseAllocator = [](Factory *, void *) {};
  made.createDataTransfer = [](Factory *, void **out) -> Status * {
    *out = nullptr;
    return nullptr;
  };
  made.isStreamAware = [](const Factory *) { return false; };
  factories[0] = &made;
  *count = 1;
  return nullptr;
}

extern "C" Status *ReleaseEpFactory(Factory *) { return nullptr; }
