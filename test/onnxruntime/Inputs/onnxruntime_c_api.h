/* SPDX-License-Identifier: MIT */
/* The part of ONNX Runtime's header that docs/OnnxRuntime.md uses: PyPI's
   package has the library alone. */
#ifndef ONNXRUNTIME_C_API_H
#define ONNXRUNTIME_C_API_H

#include <stddef.h>
#include <stdint.h>

#define ORT_API_VERSION 24
#define ORT_LOGGING_LEVEL_WARNING 2

typedef struct OrtStatus OrtStatus;
typedef struct OrtEnv OrtEnv;
typedef struct OrtEpDevice OrtEpDevice;
typedef struct OrtSession OrtSession;
typedef struct OrtSessionOptions OrtSessionOptions;

typedef struct OrtApi {
  void *to2[2];
  const char *(*GetErrorMessage)(const OrtStatus *);
  OrtStatus *(*CreateEnv)(int level, const char *, OrtEnv **);
  void *to7[3];
  OrtStatus *(*CreateSession)(const OrtEnv *, const char *path,
                              const OrtSessionOptions *, OrtSession **);
  void *to10[2];
  OrtStatus *(*CreateSessionOptions)(OrtSessionOptions **);
  void *to92[81];
  void (*ReleaseEnv)(OrtEnv *);
  void (*ReleaseStatus)(OrtStatus *);
  void *to95[1];
  void (*ReleaseSession)(OrtSession *);
  void *to100[4];
  void (*ReleaseSessionOptions)(OrtSessionOptions *);
  void *to301[200];
  OrtStatus *(*RegisterExecutionProviderLibrary)(OrtEnv *, const char *name,
                                                 const char *path);
  OrtStatus *(*UnregisterExecutionProviderLibrary)(OrtEnv *, const char *name);
  OrtStatus *(*GetEpDevices)(const OrtEnv *, const OrtEpDevice *const **,
                             size_t *);
  OrtStatus *(*SessionOptionsAppendExecutionProvider_V2)(
      OrtSessionOptions *, OrtEnv *, const OrtEpDevice *const *, size_t,
      const char *const *keys, const char *const *values, size_t);
  void *to312[7];
  const char *(*EpDevice_EpName)(const OrtEpDevice *);
} OrtApi;

typedef struct OrtApiBase {
  const OrtApi *(*GetApi)(uint32_t version);
  const char *(*GetVersionString)(void);
} OrtApiBase;

const OrtApiBase *OrtGetApiBase(void);

#endif
