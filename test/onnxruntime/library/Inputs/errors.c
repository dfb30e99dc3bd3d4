/* SPDX-License-Identifier: MIT */
/* Failures of the library: errors FOLDER messages. */
#include "application.h"
#include <pthread.h>

static OrtEnv *env;
static const char *folder;

static void versions(void) {
  printf("version %s, %d %d %d\n", OrtGetApiBase()->GetVersionString(),
         OrtGetApiBase()->GetApi(0) != NULL, OrtGetApiBase()->GetApi(1) == api,
         OrtGetApiBase()->GetApi(1000) != NULL);
  fflush(stdout);
}

static void models(OrtSession **session) {
  OrtSessionOptions *options;
  OrtSession *none;
  FAILS("absent", CreateSession(env, path(folder, "none.onnx"), NULL, &none));
  FAILS("broken", CreateSession(env, path(folder, "broken.onnx"), NULL, &none));
  FAILS("bytes", CreateSessionFromArray(env, "nothing", 7, NULL, &none));
  FAILS("no path", CreateSession(env, NULL, NULL, &none));
  OK(CreateSessionOptions(&options));
  FAILS("option", AddSessionConfigEntry(options, "glow.threads", "some"));
  FAILS("name", AddSessionConfigEntry(options, "glow.colour", "blue"));
  OK(AddSessionConfigEntry(options, "glow.threads", "1"));
  OK(SessionOptionsAppendExecutionProvider(options, "CPU", NULL, NULL, 0));
  OK(SessionOptionsAppendExecutionProvider(options, "Glow", NULL, NULL, 0));
  FAILS("provider",
        SessionOptionsAppendExecutionProvider(options, "Other", NULL, NULL, 0));
  FAILS("size", AddFreeDimensionOverrideByName(options, "n", -1));
  OK(CreateSession(env, path(folder, "scale.onnx"), options, session));
  api->ReleaseSessionOptions(options);
}

static void runs(OrtSession *session) {
  const char *x[] = {"x"}, *w[] = {"w"}, *y[] = {"y"}, *no[] = {NULL};
  const int64_t shape[] = {2, 3}, flat[] = {6}, wide[] = {3, 2},
                less[] = {1, 3};
  float elements[6] = {0};
  const int element = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
  OrtValue *good = tensor(elements, sizeof elements, element, 2, shape);
  OrtValue *rank = tensor(elements, sizeof elements, element, 1, flat);
  OrtValue *size = tensor(elements, sizeof elements, element, 2, wide);
  OrtValue *type = tensor(elements, sizeof elements,
                          ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32, 2, shape);
  OrtValue *small = tensor(elements, sizeof elements, element, 2, less);
  OrtValue *none = NULL, *out[1] = {NULL};
#define RUN(NAMES, VALUE, COUNT, OUTPUTS)                                      \
  Run(session, NULL, NAMES, (const OrtValue *const *)&VALUE, COUNT, OUTPUTS,   \
      1, out)
  FAILS("input name", RUN(w, good, 1, y));
  FAILS("output name", RUN(x, good, 1, w));
  FAILS("null name", RUN(no, good, 1, y));
  FAILS("null value", RUN(x, none, 1, y));
  FAILS("no input", RUN(x, good, 0, y));
  FAILS("rank", RUN(x, rank, 1, y));
  FAILS("size", RUN(x, size, 1, y));
  FAILS("type", RUN(x, type, 1, y));
  FAILS("null outputs",
        Run(session, NULL, x, (const OrtValue *const *)&good, 1, y, 1, NULL));
  FAILS("null session",
        Run(NULL, NULL, x, (const OrtValue *const *)&good, 1, y, 1, out));
  out[0] = small;
  FAILS("output size", RUN(x, good, 1, y));
  out[0] = type;
  FAILS("output type", RUN(x, good, 1, y));
  out[0] = NULL;
  api->ReleaseSession(session);
  FAILS("released", RUN(x, good, 1, y));
  api->ReleaseSession(session);
  api->ReleaseValue(good);
  api->ReleaseValue(rank);
  api->ReleaseValue(size);
  api->ReleaseValue(type);
  api->ReleaseValue(small);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t over = PTHREAD_COND_INITIALIZER;
static size_t ended;

static void done(void *context, OrtValue **outputs, size_t count,
                 OrtStatus *status) {
  (void)context;
  printf("run of a released session: %d outputs, failed %d\n", (int)count,
         status != NULL);
  api->ReleaseValue(outputs[0]);
  pthread_mutex_lock(&mutex);
  ended = 1;
  pthread_cond_signal(&over);
  pthread_mutex_unlock(&mutex);
}

/* The session is released while a run of some 27e9 operations goes on. */
static void release(void) {
  const char *x[] = {"x"}, *y[] = {"y"};
  const int64_t shape[] = {768, 768};
  float *elements = calloc(768 * 768, sizeof(float));
  OrtValue *value, *out[1] = {NULL};
  OrtSession *session;
  OK(CreateSession(env, path(folder, "slow.onnx"), NULL, &session));
  value = tensor(elements, 768 * 768 * sizeof(float),
                 ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, 2, shape);
  OK(RunAsync(session, NULL, x, (const OrtValue *const *)&value, 1, y, 1, out,
              done, NULL));
  api->ReleaseSession(session);
  pthread_mutex_lock(&mutex);
  while (!ended)
    pthread_cond_wait(&over, &mutex);
  pthread_mutex_unlock(&mutex);
  api->ReleaseValue(value);
  free(elements);
}

static void values(void) {
  const int64_t shape[] = {2, 3}, negative[] = {-1};
  const int element = ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
  float elements[6] = {0};
  OrtMemoryInfo *info = processor(), *other;
  OrtValue *value, *words;
  void *data;
  size_t count;
  FAILS("few bytes", CreateTensorWithDataAsOrtValue(info, elements, 4, shape, 2,
                                                    element, &value));
  FAILS("negative", CreateTensorWithDataAsOrtValue(info, elements, 24, negative,
                                                   1, element, &value));
  FAILS("no shape", CreateTensorWithDataAsOrtValue(info, elements, 24, NULL, 2,
                                                   element, &value));
  FAILS("packed", CreateTensorAsOrtValue(memory(), shape, 2, 22, &value));
  FAILS("unknown", CreateTensorAsOrtValue(memory(), shape, 2, 99, &value));
  OK(CreateTensorAsOrtValue(memory(), shape, 2,
                            ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING, &words));
  FAILS("data of strings", GetTensorMutableData(words, &data));
  FAILS("parts of strings", GetValueCount(words, &count));
  api->ReleaseValue(words);
  OK(CreateMemoryInfo("Cuda", OrtDeviceAllocator, 0, OrtMemTypeDefault,
                      &other));
  FAILS("device", CreateTensorWithDataAsOrtValue(other, elements, 24, shape, 2,
                                                 element, &value));
  api->ReleaseMemoryInfo(other);
  api->ReleaseMemoryInfo(info);
  FAILS("level", CreateEnv(9, "id", &env));
}

/* Entries that are not in the library, with arguments that they do not know. */
static void absent(void) {
  OrtSessionOptions *options;
  OK(CreateSessionOptions(&options));
  FAILS("absent entry", RegisterExecutionProviderLibrary(env, "name", "path"));
  refuse(((OrtStatus * (*)(OrtSessionOptions *, const char *))(
              void (*)(void))api->EnableProfiling)(options, "prefix"),
         "absent profiling");
  printf("no result: %d %d\n", api->GetTrainingApi(1) != NULL,
         api->EpDevice_EpName(NULL) != NULL);
  api->ReleaseSessionOptions(options);
  api->ReleaseEnv(NULL);
  api->ReleaseStatus(NULL);
  api->ReleaseValue(NULL);
}

int main(int count, char **arguments) {
  OrtSession *session;
  (void)count;
  start(arguments);
  folder = arguments[1];
  versions();
  OK(CreateEnv(ORT_LOGGING_LEVEL_WARNING, "errors", &env));
  models(&session);
  runs(session);
  release();
  values();
  absent();
  api->ReleaseEnv(env);
  return 0;
}
