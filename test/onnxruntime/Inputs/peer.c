/* SPDX-License-Identifier: MIT */
/* A runtime with ONNX Runtime's interface that knows one model: y = max(x, 0),
   f32, where FACTOR is 1. Entries that it lacks are null. */

#include "Interface.h"
#include <stdlib.h>
#include <string.h>

#ifndef FACTOR
#define FACTOR 1
#endif

struct OrtStatus { int code; char text[64]; };
struct OrtValue { float *data; size_t count, rank; int64_t shape[8]; };
struct OrtTensorTypeAndShapeInfo { const OrtValue *value; };

static int object; /* of a kind without content */

static OrtStatus *make(void **out) { *out = &object; return NULL; }
static OrtStatus *env(int level, const char *id, OrtEnv **out) {
  (void)level, (void)id;
  return make((void **)out);
}
static OrtStatus *options(OrtSessionOptions **out) { return make((void **)out); }
static OrtStatus *number(OrtSessionOptions *o, int n) { (void)o, (void)n; return NULL; }
static OrtStatus *session(const OrtEnv *e, const char *path, const OrtSessionOptions *o,
                          OrtSession **out) {
  (void)e, (void)o;
  if (strstr(path, "relu"))
    return make((void **)out);
  OrtStatus *status = calloc(1, sizeof *status);
  strcpy(status->text, "only relu is known here");
  return status;
}
static OrtStatus *memory(int a, int b, OrtMemoryInfo **out) {
  (void)a, (void)b;
  return make((void **)out);
}
static OrtStatus *tensor(const OrtMemoryInfo *i, void *data, size_t bytes, const int64_t *shape,
                         size_t rank, int element, OrtValue **out) {
  (void)i, (void)element;
  OrtValue *value = calloc(1, sizeof *value);
  value->data = data, value->count = bytes / 4, value->rank = rank;
  memcpy(value->shape, shape, rank * sizeof *shape);
  *out = value;
  return NULL;
}
static OrtStatus *outputs(const OrtSession *s, size_t *out) { (void)s; *out = 1; return NULL; }
static OrtStatus *allocator(OrtAllocator **out) { return make((void **)out); }
static OrtStatus *outputName(const OrtSession *s, size_t i, OrtAllocator *a, char **out) {
  (void)s, (void)i, (void)a;
  *out = strdup("y");
  return NULL;
}
static OrtStatus *release(OrtAllocator *a, void *data) { (void)a; free(data); return NULL; }
static OrtStatus *run(OrtSession *s, const OrtRunOptions *o, const char *const *inputNames,
                      const OrtValue *const *inputs, size_t inputCount,
                      const char *const *outputNames, size_t outputCount, OrtValue **outputs) {
  (void)s, (void)o, (void)inputNames, (void)inputCount, (void)outputNames, (void)outputCount;
  if (!outputs[0]) {
    outputs[0] = calloc(1, sizeof **outputs);
    *outputs[0] = *inputs[0];
    outputs[0]->data = malloc(inputs[0]->count * 4);
  }
  for (size_t i = 0; i < inputs[0]->count; ++i)
    outputs[0]->data[i] = inputs[0]->data[i] > 0 ? FACTOR * inputs[0]->data[i] : 0;
  return NULL;
}
static OrtStatus *isTensor(const OrtValue *v, int *out) { (void)v; *out = 1; return NULL; }
static OrtStatus *infoOf(const OrtValue *v, OrtTensorTypeAndShapeInfo **out) {
  *out = malloc(sizeof **out);
  (*out)->value = v;
  return NULL;
}
static OrtStatus *element(const OrtTensorTypeAndShapeInfo *i, int *out) {
  (void)i;
  *out = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
  return NULL;
}
static OrtStatus *rank(const OrtTensorTypeAndShapeInfo *i, size_t *out) {
  *out = i->value->rank;
  return NULL;
}
static OrtStatus *shape(const OrtTensorTypeAndShapeInfo *i, int64_t *out, size_t count) {
  memcpy(out, i->value->shape, count * sizeof *out);
  return NULL;
}
static OrtStatus *data(OrtValue *v, void **out) { *out = v->data; return NULL; }
static const char *text(const OrtStatus *s) { return s->text; }
static void freeStatus(OrtStatus *s) { free(s); }
static void freeValue(OrtValue *v) { free(v); }
static void freeInfo(OrtTensorTypeAndShapeInfo *i) { free(i); }
static void keepEnv(OrtEnv *o) { (void)o; }
static void keepMemory(OrtMemoryInfo *o) { (void)o; }
static void keepSession(OrtSession *o) { (void)o; }
static void keepOptions(OrtSessionOptions *o) { (void)o; }

static const OrtApi api = {.CreateEnv = env,
                           .CreateSessionOptions = options,
                           .SetIntraOpNumThreads = number,
                           .SetInterOpNumThreads = number,
                           .SetSessionGraphOptimizationLevel = number,
                           .CreateSession = session,
                           .CreateCpuMemoryInfo = memory,
                           .CreateTensorWithDataAsOrtValue = tensor,
                           .SessionGetOutputCount = outputs,
                           .GetAllocatorWithDefaultOptions = allocator,
                           .SessionGetOutputName = outputName,
                           .AllocatorFree = release,
                           .Run = run,
                           .IsTensor = isTensor,
                           .GetTensorTypeAndShape = infoOf,
                           .GetTensorElementType = element,
                           .GetDimensionsCount = rank,
                           .GetDimensions = shape,
                           .GetTensorMutableData = data,
                           .GetErrorMessage = text,
                           .ReleaseStatus = freeStatus,
                           .ReleaseValue = freeValue,
                           .ReleaseTensorTypeAndShapeInfo = freeInfo,
                           .ReleaseEnv = keepEnv,
                           .ReleaseMemoryInfo = keepMemory,
                           .ReleaseSession = keepSession,
                           .ReleaseSessionOptions = keepOptions};

static const OrtApi *get(uint32_t version) { return version <= 1 ? &api : NULL; }
static const char *version(void) { return "0.1 of a test"; }
static const OrtApiBase base = {get, version};
const OrtApiBase *OrtGetApiBase(void) { return &base; }
