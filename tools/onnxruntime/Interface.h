/* SPDX-License-Identifier: MIT */
/*===- Interface.h - ONNX Runtime's C interface ---------------------------===*/
/*
   The types of ONNX Runtime's C interface that Glow uses or implements, for C
   and C++. The functions are in table/Table.def. test/onnxruntime calls them in
   a real library.
*/
/*===----------------------------------------------------------------------===*/
/* clang-format off */

#ifndef GLOW_TOOLS_ONNXRUNTIME_INTERFACE_H
#define GLOW_TOOLS_ONNXRUNTIME_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The last version of the interface that the table has, and its release. */
#define ORT_API_VERSION 32
#define ORT_RELEASE "1.32.0"

/* Codes of a status. */
enum {
  ORT_OK,
  ORT_FAIL,
  ORT_INVALID_ARGUMENT,
  ORT_NO_SUCHFILE,
  ORT_NO_MODEL,
  ORT_ENGINE_ERROR,
  ORT_RUNTIME_EXCEPTION,
  ORT_INVALID_PROTOBUF,
  ORT_MODEL_LOADED,
  ORT_NOT_IMPLEMENTED,
  ORT_INVALID_GRAPH,
  ORT_EP_FAIL
};

enum {
  ORT_LOGGING_LEVEL_VERBOSE,
  ORT_LOGGING_LEVEL_INFO,
  ORT_LOGGING_LEVEL_WARNING,
  ORT_LOGGING_LEVEL_ERROR,
  ORT_LOGGING_LEVEL_FATAL
};

/* Kinds of values. */
enum {
  ONNX_TYPE_UNKNOWN,
  ONNX_TYPE_TENSOR,
  ONNX_TYPE_SEQUENCE,
  ONNX_TYPE_MAP,
  ONNX_TYPE_OPAQUE,
  ONNX_TYPE_SPARSETENSOR,
  ONNX_TYPE_OPTIONAL
};

/* Elements of tensors that code names; elementName() has all. */
enum {
  ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32 = 6,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 = 7,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING = 8
};

/* Allocators, kinds of memory and devices. */
enum { OrtDeviceAllocator, OrtArenaAllocator };
enum { OrtMemTypeCPUInput = -2, OrtMemTypeCPUOutput, OrtMemTypeDefault };
enum { OrtDeviceTypeCpu };

/* Types of attributes of nodes. */
enum {
  ORT_OP_ATTR_UNDEFINED,
  ORT_OP_ATTR_INT,
  ORT_OP_ATTR_INTS,
  ORT_OP_ATTR_FLOAT,
  ORT_OP_ATTR_FLOATS,
  ORT_OP_ATTR_STRING,
  ORT_OP_ATTR_STRINGS,
  ORT_OP_ATTR_GRAPH,
  ORT_OP_ATTR_TENSOR
};

typedef struct OrtEnv OrtEnv;
typedef struct OrtEpApi OrtEpApi;
typedef struct OrtEpDevice OrtEpDevice;
typedef struct OrtExternalInitializerInfo OrtExternalInitializerInfo;
typedef struct OrtGraph OrtGraph;
typedef struct OrtHardwareDevice OrtHardwareDevice;
typedef struct OrtIoBinding OrtIoBinding;
typedef struct OrtKernelContext OrtKernelContext;
typedef struct OrtKeyValuePairs OrtKeyValuePairs;
typedef struct OrtLogger OrtLogger;
typedef struct OrtMapTypeInfo OrtMapTypeInfo;
typedef struct OrtMemoryInfo OrtMemoryInfo;
typedef struct OrtModelEditorApi OrtModelEditorApi;
typedef struct OrtModelMetadata OrtModelMetadata;
typedef struct OrtNode OrtNode;
typedef struct OrtOpAttr OrtOpAttr;
typedef struct OrtOptionalTypeInfo OrtOptionalTypeInfo;
typedef struct OrtRunOptions OrtRunOptions;
typedef struct OrtSequenceTypeInfo OrtSequenceTypeInfo;
typedef struct OrtSession OrtSession;
typedef struct OrtSessionOptions OrtSessionOptions;
typedef struct OrtStatus OrtStatus;
typedef struct OrtSyncStream OrtSyncStream;
typedef struct OrtTensorTypeAndShapeInfo OrtTensorTypeAndShapeInfo;
typedef struct OrtThreadingOptions OrtThreadingOptions;
typedef struct OrtTypeInfo OrtTypeInfo;
typedef struct OrtValue OrtValue;
typedef struct OrtValueInfo OrtValueInfo;

/* Memory of an application or of the library. Members from `Reserve` on exist
   from version 18 of the structure on, and from `GetStats` on from 23. */
typedef struct OrtAllocator {
  uint32_t version;
  void *(*Alloc)(struct OrtAllocator *, size_t bytes);
  void (*Free)(struct OrtAllocator *, void *data);
  const OrtMemoryInfo *(*Info)(const struct OrtAllocator *);
  void *(*Reserve)(struct OrtAllocator *, size_t bytes);
  OrtStatus *(*GetStats)(const struct OrtAllocator *, OrtKeyValuePairs **out);
  void *(*AllocOnStream)(struct OrtAllocator *, size_t bytes, OrtSyncStream *);
} OrtAllocator;

/* Receives a message of a log, on any thread. */
typedef void (*OrtLoggingFunction)(void *context, int level,
                                   const char *category, const char *id,
                                   const char *place, const char *message);

/* Receives the end of RunAsync, with the outputs that were given to it and a
   status that it owns. */
typedef void (*OrtRunAsyncCallback)(void *context, OrtValue **outputs,
                                    size_t count, OrtStatus *status);

typedef struct OrtApi {
#define ORT_ENTRY(HOW, RESULT, NAME, ARGUMENTS) RESULT (*NAME) ARGUMENTS;
#include "table/Table.def"
} OrtApi;

typedef struct OrtApiBase {
  const OrtApi *(*GetApi)(uint32_t version); /* null: not that version */
  const char *(*GetVersionString)(void);
} OrtApiBase;

const OrtApiBase *OrtGetApiBase(void);

#ifdef __cplusplus
}
#endif

#endif /* GLOW_TOOLS_ONNXRUNTIME_INTERFACE_H */
