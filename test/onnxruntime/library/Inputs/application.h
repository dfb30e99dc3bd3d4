/* SPDX-License-Identifier: MIT */
/* Programs that are linked with a library of ONNX Runtime's interface, Glow's
   or the real one. */
#ifndef APPLICATION_H
#define APPLICATION_H

#include "Interface.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const OrtApi *api;
static int messages; /* whether the texts of failures are printed */

static void take(OrtStatus *status, const char *call, int line) {
  if (!status)
    return;
  printf("line %d: %s: code %d: %s\n", line, call, api->GetErrorCode(status),
         api->GetErrorMessage(status));
  exit(1);
}

static void refuse(OrtStatus *status, const char *what) {
  if (!status) {
    printf("%s: no failure\n", what);
    exit(1);
  }
  printf("%s: code %d%s%s\n", what, api->GetErrorCode(status),
         messages ? ": " : "", messages ? api->GetErrorMessage(status) : "");
  api->ReleaseStatus(status);
}

#define OK(CALL) take(api->CALL, #CALL, __LINE__)
#define FAILS(WHAT, CALL) refuse(api->CALL, WHAT)

/* The application's folder of models, and its other words. */
static void start(char **arguments) {
  messages = arguments[2] && !strcmp(arguments[2], "messages");
  api = OrtGetApiBase()->GetApi(24);
}

static char *path(const char *folder, const char *name) {
  static char text[4096];
  snprintf(text, sizeof text, "%s/%s", folder, name);
  return text;
}

static OrtAllocator *memory(void) {
  OrtAllocator *made;
  OK(GetAllocatorWithDefaultOptions(&made));
  return made;
}

static void drop(void *data) { OK(AllocatorFree(memory(), data)); }

static OrtMemoryInfo *processor(void) {
  OrtMemoryInfo *info;
  OK(CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &info));
  return info;
}

/* A tensor on the application's elements. */
static OrtValue *tensor(void *data, size_t bytes, int element, size_t rank,
                        const int64_t *shape) {
  OrtMemoryInfo *info = processor();
  OrtValue *value;
  OK(CreateTensorWithDataAsOrtValue(info, data, bytes, shape, rank, element,
                                    &value));
  api->ReleaseMemoryInfo(info);
  return value;
}

static void printTensorType(const OrtTensorTypeAndShapeInfo *info) {
  const char *names[8];
  int64_t sizes[8];
  size_t rank, i;
  int element;
  OK(GetTensorElementType(info, &element));
  OK(GetDimensionsCount(info, &rank));
  OK(GetDimensions(info, sizes, rank));
  OK(GetSymbolicDimensions(info, names, rank));
  printf("element %d [", element);
  for (i = 0; i < rank; ++i)
    printf("%s%d%s", i ? ", " : "", (int)sizes[i], names[i]);
  printf("]%s\n", api->TensorTypeAndShape_HasShape(info) ? "" : " no rank");
}

static void printFloats(OrtValue *value) {
  OrtTensorTypeAndShapeInfo *info;
  size_t count, i;
  float *data;
  OK(GetTensorTypeAndShape(value, &info));
  printTensorType(info);
  OK(GetTensorShapeElementCount(info, &count));
  OK(GetTensorMutableData(value, (void **)&data));
  for (i = 0; i < count; ++i)
    printf(" %g", data[i]);
  printf("\n");
  api->ReleaseTensorTypeAndShapeInfo(info);
}

#endif
