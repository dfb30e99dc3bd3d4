//===- Interface.h - the functions of ONNX Runtime that are used -*- C++ -*-==//
// SPDX-License-Identifier: MIT
//
// ONNX Runtime's C interface is a table of functions. The table only grows: an
// entry keeps its number in all later versions. This header has the numbers and
// the types of the entries that the provider calls, and the structures that the
// provider fills. test/onnxruntime calls every entry in a real library.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TOOLS_ONNXRUNTIME_INTERFACE_H
#define GLOW_TOOLS_ONNXRUNTIME_INTERFACE_H

#include <cstddef>
#include <cstdint>

namespace glow::ort {

/// The version of the table that the provider asks for: the first that
/// distinguishes scalars from tensors of unknown rank.
inline constexpr uint32_t tableVersion = 24;

/// The version of the structures below, which later ones extend.
inline constexpr uint32_t structureVersion = 23;

// Objects of ONNX Runtime.
struct Device;
struct EpDevice;
struct Factory;
struct FusionOptions;
struct Graph;
struct KernelContext;
struct Logger;
struct Node;
struct NodeContext;
struct OpAttr;
struct Pairs;
struct SessionOptions;
struct Status;
struct SupportInfo;
struct TensorInfo;
struct TypeInfo;
struct Value;
struct ValueInfo;

/// Codes of a status.
enum ErrorCode {
  Fail = 1,
  InvalidArgument = 2,
  NotImplemented = 9,
  EpFail = 11
};
enum LogLevel { Verbose, Info, Warning, Error };
enum DeviceType { Cpu };
enum ValueType { TensorValue = 1 };
enum AttrType {
  AttrInt = 1,
  AttrInts,
  AttrFloat,
  AttrFloats,
  AttrString,
  AttrStrings,
  AttrGraph,
  AttrTensor
};

/// Defines a member that returns an entry of `table`.
#define GLOW_ORT_ENTRY(NUMBER, RESULT, NAME, ...)                              \
  auto NAME() const {                                                          \
    return reinterpret_cast<RESULT (*)(__VA_ARGS__)>(table[NUMBER]);           \
  }

/// Functions of a provider.
struct EpApi {
  void *table[4];

  GLOW_ORT_ENTRY(0, Status *, createEpDevice, Factory *, const Device *,
                 const Pairs *metadata, const Pairs *options, EpDevice **)
  GLOW_ORT_ENTRY(2, Status *, addNodesToFuse, SupportInfo *,
                 const Node *const *, size_t, const FusionOptions *)
};

/// The table.
struct Api {
  void *table[415];

  GLOW_ORT_ENTRY(0, Status *, createStatus, int code, const char *)
  GLOW_ORT_ENTRY(2, const char *, errorMessage, const Status *)
  GLOW_ORT_ENTRY(51, Status *, tensorData, Value *, void **)
  GLOW_ORT_ENTRY(53, Status *, stringBytes, const Value *, size_t *)
  GLOW_ORT_ENTRY(54, Status *, strings, const Value *, void *, size_t bytes,
                 size_t *offsets, size_t count)
  GLOW_ORT_ENTRY(55, Status *, tensorInfoOf, const TypeInfo *,
                 const TensorInfo **)
  GLOW_ORT_ENTRY(56, Status *, valueTypeOf, const TypeInfo *, int *)
  GLOW_ORT_ENTRY(60, Status *, elementType, const TensorInfo *, int *)
  GLOW_ORT_ENTRY(61, Status *, rank, const TensorInfo *, size_t *)
  GLOW_ORT_ENTRY(62, Status *, sizes, const TensorInfo *, int64_t *, size_t)
  GLOW_ORT_ENTRY(63, Status *, sizeNames, const TensorInfo *, const char **,
                 size_t)
  GLOW_ORT_ENTRY(90, Status *, input, const KernelContext *, size_t,
                 const Value **)
  GLOW_ORT_ENTRY(91, Status *, output, KernelContext *, size_t, const int64_t *,
                 size_t rank, Value **)
  GLOW_ORT_ENTRY(93, void, releaseStatus, Status *)
  GLOW_ORT_ENTRY(96, void, releaseValue, Value *)
  GLOW_ORT_ENTRY(247, Status *, log, const Logger *, int level,
                 const char *text, const char *file, int line,
                 const char *function)
  GLOW_ORT_ENTRY(272, Status *, readAttr, const OpAttr *, int type, void *,
                 size_t bytes, size_t *needed)
  GLOW_ORT_ENTRY(289, Status *, valueName, const ValueInfo *, const char **)
  GLOW_ORT_ENTRY(290, Status *, valueType, const ValueInfo *, const TypeInfo **)
  GLOW_ORT_ENTRY(298, void, pairs, const Pairs *, const char *const **keys,
                 const char *const **values, size_t *)
  GLOW_ORT_ENTRY(300, void, releasePairs, Pairs *)
  GLOW_ORT_ENTRY(307, int, deviceType, const Device *)
  GLOW_ORT_ENTRY(317, const EpApi *, epApi)
  GLOW_ORT_ENTRY(318, Status *, tensorBytes, const Value *, size_t *)
  GLOW_ORT_ENTRY(326, Status *, initializer, const ValueInfo *, const Value **)
  GLOW_ORT_ENTRY(331, Status *, isConstant, const ValueInfo *, bool *)
  GLOW_ORT_ENTRY(333, Status *, graphName, const Graph *, const char **)
  GLOW_ORT_ENTRY(334, Status *, modelPath, const Graph *, const char **)
  GLOW_ORT_ENTRY(335, Status *, irVersion, const Graph *, int64_t *)
  GLOW_ORT_ENTRY(336, Status *, operatorSetCount, const Graph *, size_t *)
  GLOW_ORT_ENTRY(337, Status *, operatorSets, const Graph *,
                 const char **domains, int64_t *versions, size_t)
  GLOW_ORT_ENTRY(338, Status *, graphInputCount, const Graph *, size_t *)
  GLOW_ORT_ENTRY(339, Status *, graphInputs, const Graph *, const ValueInfo **,
                 size_t)
  GLOW_ORT_ENTRY(340, Status *, graphOutputCount, const Graph *, size_t *)
  GLOW_ORT_ENTRY(341, Status *, graphOutputs, const Graph *, const ValueInfo **,
                 size_t)
  GLOW_ORT_ENTRY(342, Status *, initializerCount, const Graph *, size_t *)
  GLOW_ORT_ENTRY(343, Status *, initializers, const Graph *, const ValueInfo **,
                 size_t)
  GLOW_ORT_ENTRY(344, Status *, nodeCount, const Graph *, size_t *)
  GLOW_ORT_ENTRY(345, Status *, nodes, const Graph *, const Node **, size_t)
  GLOW_ORT_ENTRY(346, Status *, parentNode, const Graph *, const Node **)
  GLOW_ORT_ENTRY(349, Status *, nodeName, const Node *, const char **)
  GLOW_ORT_ENTRY(350, Status *, operatorType, const Node *, const char **)
  GLOW_ORT_ENTRY(351, Status *, operatorDomain, const Node *, const char **)
  GLOW_ORT_ENTRY(353, Status *, inputCountOf, const Node *, size_t *)
  GLOW_ORT_ENTRY(354, Status *, inputsOf, const Node *, const ValueInfo **,
                 size_t)
  GLOW_ORT_ENTRY(355, Status *, outputCountOf, const Node *, size_t *)
  GLOW_ORT_ENTRY(356, Status *, outputsOf, const Node *, const ValueInfo **,
                 size_t)
  GLOW_ORT_ENTRY(357, Status *, implicitCountOf, const Node *, size_t *)
  GLOW_ORT_ENTRY(358, Status *, implicitInputsOf, const Node *,
                 const ValueInfo **, size_t)
  GLOW_ORT_ENTRY(359, Status *, attrCountOf, const Node *, size_t *)
  GLOW_ORT_ENTRY(360, Status *, attrsOf, const Node *, const OpAttr **, size_t)
  GLOW_ORT_ENTRY(362, Status *, attrTensor, const OpAttr *, Value **)
  GLOW_ORT_ENTRY(363, Status *, attrType, const OpAttr *, int *)
  GLOW_ORT_ENTRY(364, Status *, attrName, const OpAttr *, const char **)
  GLOW_ORT_ENTRY(365, Status *, subgraphCountOf, const Node *, size_t *)
  GLOW_ORT_ENTRY(366, Status *, subgraphsOf, const Node *, const Graph **,
                 size_t, const char **attributes)
  GLOW_ORT_ENTRY(379, Status *, sessionEntries, const SessionOptions *,
                 Pairs **)
  GLOW_ORT_ENTRY(390, bool, hasShape, const TensorInfo *)
  GLOW_ORT_ENTRY(414, Status *, typeOf, const Value *, int *,
                 const int64_t **shape, size_t *rank)
};

#undef GLOW_ORT_ENTRY

/// The functions that ONNX Runtime gives to the library of a provider.
struct Base {
  const Api *(*api)(uint32_t version); ///< null: not that version
  const char *(*version)();
};

/// How claimed nodes become one node.
struct FusionOptions {
  uint32_t version = structureVersion;
  bool dropConstants = false;
};

/// The functions of a node that was made of claimed nodes.
struct ComputeInfo {
  uint32_t version;
  Status *(*createState)(ComputeInfo *, NodeContext *, void **state);
  Status *(*compute)(ComputeInfo *, void *state, KernelContext *);
  void (*releaseState)(ComputeInfo *, void *state);
};

/// The functions of a provider in a session. Null: not there.
struct Ep {
  uint32_t version;
  const char *(*name)(const Ep *);
  Status *(*getCapability)(Ep *, const Graph *, SupportInfo *);
  Status *(*compile)(Ep *, const Graph **, const Node **fused, size_t,
                     ComputeInfo **, Node **contexts);
  void (*releaseComputeInfos)(Ep *, ComputeInfo **, size_t);
  void *optional[8];
};

/// The functions of a library of providers. Functions must not be null; members
/// of type `void *` may be.
struct Factory {
  uint32_t version;
  const char *(*name)(const Factory *);
  const char *(*vendor)(const Factory *);
  Status *(*devices)(Factory *, const Device *const *, size_t, EpDevice **,
                     size_t most, size_t *);
  Status *(*createEp)(Factory *, const Device *const *,
                      const Pairs *const *metadata, size_t,
                      const SessionOptions *, const Logger *, Ep **);
  void (*releaseEp)(Factory *, Ep *);
  uint32_t (*vendorId)(const Factory *);
  const char *(*providerVersion)(const Factory *);
  void *validateCompiled;
  Status *(*createAllocator)(Factory *, const void *memory, const Pairs *,
                             void **);
  void (*releaseAllocator)(Factory *, void *);
  Status *(*createDataTransfer)(Factory *, void **);
  bool (*isStreamAware)(const Factory *);
  void *createStream;
};

} // namespace glow::ort

#endif
