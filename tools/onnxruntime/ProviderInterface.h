//===- ProviderInterface.h - what a provider fills and calls ----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The structures of ONNX Runtime that a library of providers fills, with short
// names for the types of its interface. test/onnxruntime calls every used entry
// in a real library.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_TOOLS_ONNXRUNTIME_PROVIDERINTERFACE_H
#define GLOW_TOOLS_ONNXRUNTIME_PROVIDERINTERFACE_H

#include "Interface.h"

namespace glow::ort {

/// The version of the table that the provider asks for: the first that
/// distinguishes scalars from tensors of unknown rank.
inline constexpr uint32_t tableVersion = 24;

/// The version of the structures below, which later ones extend.
inline constexpr uint32_t structureVersion = 23;

using Api = OrtApi;
using Base = OrtApiBase;
using Device = OrtHardwareDevice;
using EpApi = OrtEpApi;
using EpDevice = OrtEpDevice;
using Graph = OrtGraph;
using KernelContext = OrtKernelContext;
using Logger = OrtLogger;
using Node = OrtNode;
using OpAttr = OrtOpAttr;
using Pairs = OrtKeyValuePairs;
using SessionOptions = OrtSessionOptions;
using Status = OrtStatus;
using TensorInfo = OrtTensorTypeAndShapeInfo;
using TypeInfo = OrtTypeInfo;
using Value = OrtValue;
using ValueInfo = OrtValueInfo;
struct Factory;
struct NodeContext;
struct SupportInfo;

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

/// Functions of ONNX Runtime for providers; `void *` stands for those that are
/// not called.
struct OrtEpApi {
  OrtStatus *(*CreateEpDevice)(glow::ort::Factory *, const OrtHardwareDevice *,
                               const OrtKeyValuePairs *metadata,
                               const OrtKeyValuePairs *options, OrtEpDevice **);
  void *ReleaseEpDevice;
  OrtStatus *(*EpGraphSupportInfo_AddNodesToFuse)(
      glow::ort::SupportInfo *, const OrtNode *const *, size_t,
      const glow::ort::FusionOptions *);
  void *EpGraphSupportInfo_AddSingleNode;
};

/// Functions of ONNX Runtime that make nodes. A node takes the attributes.
struct OrtModelEditorApi {
  void *types[6];
  OrtStatus *(*CreateNode)(const char *type, const char *domain,
                           const char *name, const char *const *inputs,
                           size_t inputCount, const char *const *outputs,
                           size_t outputCount, OrtOpAttr **attributes,
                           size_t attributeCount, OrtNode **);
};

#endif
