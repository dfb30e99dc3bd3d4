/* SPDX-License-Identifier: MIT */
/* Sessions of models: sessions FOLDER. */
#include "application.h"
#include <pthread.h>
#include <time.h>

static OrtEnv *env;
static const char *folder;

static OrtSession *open(const char *name) {
  OrtSessionOptions *options;
  OrtSession *session;
  OK(CreateSessionOptions(&options));
  OK(SetIntraOpNumThreads(options, 1));
  OK(CreateSession(env, path(folder, name), options, &session));
  api->ReleaseSessionOptions(options);
  return session;
}

static void printType(OrtTypeInfo *type, const char *name) {
  const OrtTensorTypeAndShapeInfo *tensor;
  const OrtSequenceTypeInfo *sequence;
  const OrtMapTypeInfo *map;
  OrtTypeInfo *inner = NULL;
  int kind, key;
  OK(GetOnnxTypeFromTypeInfo(type, &kind));
  printf("%s kind %d ", name, kind);
  OK(CastTypeInfoToTensorInfo(type, &tensor));
  OK(CastTypeInfoToSequenceTypeInfo(type, &sequence));
  OK(CastTypeInfoToMapTypeInfo(type, &map));
  if (tensor)
    printTensorType(tensor);
  if (sequence)
    OK(GetSequenceElementType(sequence, &inner));
  if (map) {
    OK(GetMapKeyType(map, &key));
    OK(GetMapValueType(map, &inner));
    printf("key %d ", key);
  }
  if (inner)
    printType(inner, "of");
  api->ReleaseTypeInfo(type);
}

static void printPorts(OrtSession *session) {
  OrtTypeInfo *type;
  char *name;
  size_t inputs, outputs, others, i;
  OK(SessionGetInputCount(session, &inputs));
  OK(SessionGetOutputCount(session, &outputs));
  OK(SessionGetOverridableInitializerCount(session, &others));
  printf("%d inputs, %d outputs, %d others\n", (int)inputs, (int)outputs,
         (int)others);
  for (i = 0; i < inputs; ++i) {
    OK(SessionGetInputName(session, i, memory(), &name));
    OK(SessionGetInputTypeInfo(session, i, &type));
    printType(type, name);
    drop(name);
  }
  for (i = 0; i < outputs; ++i) {
    OK(SessionGetOutputName(session, i, memory(), &name));
    OK(SessionGetOutputTypeInfo(session, i, &type));
    printType(type, name);
    drop(name);
  }
  for (i = 0; i < others; ++i) {
    OK(SessionGetOverridableInitializerName(session, i, memory(), &name));
    OK(SessionGetOverridableInitializerTypeInfo(session, i, &type));
    printType(type, name);
    drop(name);
  }
}

static void metadata(OrtSession *session) {
  OrtModelMetadata *data;
  char *texts[6], **keys;
  int64_t version, count, i;
  OK(SessionGetModelMetadata(session, &data));
  OK(ModelMetadataGetProducerName(data, memory(), &texts[0]));
  OK(ModelMetadataGetGraphName(data, memory(), &texts[1]));
  OK(ModelMetadataGetDomain(data, memory(), &texts[2]));
  OK(ModelMetadataGetDescription(data, memory(), &texts[3]));
  OK(ModelMetadataGetGraphDescription(data, memory(), &texts[4]));
  OK(ModelMetadataGetVersion(data, &version));
  for (i = 0; i < 5; ++i) {
    printf("%s; ", texts[i]);
    drop(texts[i]);
  }
  OK(ModelMetadataGetCustomMetadataMapKeys(data, memory(), &keys, &count));
  OK(ModelMetadataLookupCustomMetadataMap(data, memory(), "author", &texts[0]));
  OK(ModelMetadataLookupCustomMetadataMap(data, memory(), "none", &texts[1]));
  printf("%d; %d keys, %s, %d\n", (int)version, (int)count, texts[0],
         texts[1] != NULL);
  for (i = 0; i < count; ++i)
    drop(keys[i]);
  drop(keys);
  drop(texts[0]);
  api->ReleaseModelMetadata(data);
}

static void run(OrtSession *session) {
  const char *in[] = {"x"}, *out[] = {"z", "y"}, *second[] = {"y"};
  float elements[15], results[6];
  OrtValue *x, *outputs[2] = {NULL, NULL};
  int64_t shape[] = {0, 3};
  int i;
  for (i = 0; i < 15; ++i)
    elements[i] = (float)i;
  for (shape[0] = 1; shape[0] <= 5; shape[0] += 2) {
    x = tensor(elements, sizeof elements, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT,
               2, shape);
    OK(Run(session, NULL, in, (const OrtValue *const *)&x, 1, out, 2, outputs));
    printFloats(outputs[0]);
    printFloats(outputs[1]);
    api->ReleaseValue(outputs[0]);
    api->ReleaseValue(outputs[1]);
    outputs[0] = outputs[1] = NULL;
    api->ReleaseValue(x);
  }
  shape[0] = 2;
  x = tensor(elements, sizeof elements, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, 2,
             shape);
  outputs[0] = tensor(results, sizeof results,
                      ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, 2, shape);
  OK(Run(session, NULL, in, (const OrtValue *const *)&x, 1, second, 1,
         outputs));
  printf("given memory has %g and %g\n", results[1], results[5]);
  api->ReleaseValue(outputs[0]);
  api->ReleaseValue(x);
}

static void bind(OrtSession *session) {
  float elements[6] = {0, 1, 2, 3, 4, 5}, results[6];
  const int64_t shape[] = {2, 3};
  OrtMemoryInfo *info = processor();
  OrtIoBinding *binding;
  OrtAllocator *own;
  OrtValue *x, *y, **values;
  size_t count, *lengths, i;
  char *names;
  x = tensor(elements, sizeof elements, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, 2,
             shape);
  y = tensor(results, sizeof results, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, 2,
             shape);
  OK(CreateIoBinding(session, &binding));
  OK(BindInput(binding, "x", x));
  OK(BindOutput(binding, "y", y));
  OK(BindOutputToDevice(binding, "z", info));
  OK(SynchronizeBoundInputs(binding));
  OK(RunWithBinding(session, NULL, binding));
  OK(SynchronizeBoundOutputs(binding));
  OK(GetBoundOutputNames(binding, memory(), &names, &lengths, &count));
  printf("%d bound, %.*s, y %g\n", (int)count, (int)(lengths[0] + lengths[1]),
         names, results[5]);
  drop(names);
  drop(lengths);
  OK(GetBoundOutputValues(binding, memory(), &values, &count));
  for (i = 0; i < count; ++i) {
    printFloats(values[i]);
    api->ReleaseValue(values[i]);
  }
  drop(values);
  api->ClearBoundInputs(binding);
  api->ClearBoundOutputs(binding);
  FAILS("nothing bound", RunWithBinding(session, NULL, binding));
  api->ReleaseIoBinding(binding);
  OK(CreateAllocator(session, info, &own));
  api->ReleaseAllocator(own);
  api->ReleaseMemoryInfo(info);
  api->ReleaseValue(x);
  api->ReleaseValue(y);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t over = PTHREAD_COND_INITIALIZER;
static int ended;

static void done(void *context, OrtValue **outputs, size_t count,
                 OrtStatus *status) {
  printf("%s: %d outputs, failed %d\n", (const char *)context, (int)count,
         status != NULL);
  if (count)
    printFloats(outputs[0]);
  if (status)
    api->ReleaseStatus(status);
  pthread_mutex_lock(&mutex);
  ended = 1;
  pthread_cond_signal(&over);
  pthread_mutex_unlock(&mutex);
}

static void waitUntilEnded(void) {
  pthread_mutex_lock(&mutex);
  while (!ended)
    pthread_cond_wait(&over, &mutex);
  ended = 0;
  pthread_mutex_unlock(&mutex);
}

/* A session of more than one thread: the real library runs in its pool. */
static void background(void) {
  const char *in[] = {"x"}, *out[] = {"y"};
  float elements[3] = {1, 2, 3};
  const int64_t shape[] = {1, 3};
  OrtValue *x, *outputs[1] = {NULL};
  OrtSessionOptions *options;
  OrtSession *session;
  OK(CreateSessionOptions(&options));
  OK(SetIntraOpNumThreads(options, 2));
  OK(CreateSession(env, path(folder, "scale.onnx"), options, &session));
  api->ReleaseSessionOptions(options);
  x = tensor(elements, sizeof elements, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, 2,
             shape);
  OK(RunAsync(session, NULL, in, (const OrtValue *const *)&x, 1, out, 1,
              outputs, done, "background"));
  waitUntilEnded();
  api->ReleaseValue(outputs[0]);
  api->ReleaseValue(x);
  api->ReleaseSession(session);
}

static OrtRunOptions *running;

static void *terminate(void *context) {
  struct timespec a_tenth = {0, 100000000};
  (void)context;
  nanosleep(&a_tenth, NULL);
  OK(RunOptionsSetTerminate(running));
  return NULL;
}

/* 27e9 operations take longer than the tenth of a second after which another
   thread ends them. */
static void end(void) {
  const char *in[] = {"x"}, *out[] = {"y"};
  const int64_t shape[] = {768, 768};
  float *elements = calloc(768 * 768, sizeof(float));
  OrtSession *session = open("slow.onnx");
  OrtValue *x, *outputs[1] = {NULL};
  pthread_t other;
  x = tensor(elements, 768 * 768 * sizeof(float),
             ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, 2, shape);
  OK(CreateRunOptions(&running));
  pthread_create(&other, NULL, terminate, NULL);
  FAILS("ended", Run(session, running, in, (const OrtValue *const *)&x, 1, out,
                     1, outputs));
  pthread_join(other, NULL);
  FAILS("still ended", Run(session, running, in, (const OrtValue *const *)&x, 1,
                           out, 1, outputs));
  OK(RunOptionsUnsetTerminate(running));
  OK(Run(session, running, in, (const OrtValue *const *)&x, 1, out, 1,
         outputs));
  printf("goes on\n");
  api->ReleaseRunOptions(running);
  api->ReleaseValue(outputs[0]);
  api->ReleaseValue(x);
  api->ReleaseSession(session);
  free(elements);
}

static void words(void) {
  const char *in[] = {"words"}, *out[] = {"same", "ids"};
  const char *texts[] = {"bc", "", "a"};
  const int64_t shape[] = {3};
  OrtSession *session = open("words.onnx");
  OrtValue *value, *outputs[2] = {NULL, NULL};
  size_t bytes, offsets[3];
  char all[8];
  int64_t *ids;
  printPorts(session);
  OK(CreateTensorAsOrtValue(memory(), shape, 1,
                            ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING, &value));
  OK(FillStringTensor(value, texts, 3));
  OK(Run(session, NULL, in, (const OrtValue *const *)&value, 1, out, 2,
         outputs));
  OK(GetStringTensorDataLength(outputs[0], &bytes));
  OK(GetStringTensorContent(outputs[0], all, bytes, offsets, 3));
  OK(GetTensorMutableData(outputs[1], (void **)&ids));
  printf("%.*s %d %d %d\n", (int)bytes, all, (int)ids[0], (int)ids[1],
         (int)ids[2]);
  api->ReleaseValue(outputs[0]);
  api->ReleaseValue(outputs[1]);
  api->ReleaseValue(value);
  api->ReleaseSession(session);
}

static void maps(void) {
  const char *in[] = {"x"}, *out[] = {"m"};
  const int64_t shape[] = {2, 2};
  float elements[] = {0.25f, 0.75f, 1, 0};
  OrtSession *session = open("maps.onnx");
  OrtValue *x, *map, *keys, *values, *again, *outputs[1] = {NULL};
  OrtValue *pair[2];
  OrtStatus *failed;
  size_t count, parts, length;
  char key[8];
  printPorts(session);
  x = tensor(elements, sizeof elements, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, 2,
             shape);
  OK(Run(session, NULL, in, (const OrtValue *const *)&x, 1, out, 1, outputs));
  OK(GetValueCount(outputs[0], &count));
  OK(GetValue(outputs[0], 0, memory(), &map));
  OK(GetValueCount(map, &parts));
  OK(GetValue(map, 0, memory(), &keys));
  OK(GetValue(map, 1, memory(), &values));
  OK(GetStringTensorElementLength(keys, 1, &length));
  OK(GetStringTensorElement(keys, length, 1, key));
  printf("%d maps of %d, key %.*s\n", (int)count, (int)parts, (int)length, key);
  printFloats(values);
  pair[0] = keys;
  pair[1] = values;
  OK(CreateValue((const OrtValue *const *)pair, 2, ONNX_TYPE_MAP, &again));
  OK(GetValueCount(again, &parts));
  printf("a map of %d\n", (int)parts);
  api->ReleaseValue(again);
  failed =
      api->CreateValue((const OrtValue *const *)pair, 1, ONNX_TYPE_MAP, &again);
  printf("a map of one fails: %d\n", failed != NULL);
  api->ReleaseStatus(failed);
  api->ReleaseValue(keys);
  api->ReleaseValue(values);
  api->ReleaseValue(map);
  api->ReleaseValue(outputs[0]);
  api->ReleaseValue(x);
  api->ReleaseSession(session);
}

static void others(void) {
  const char *in[] = {"x", "two"}, *out[] = {"y"}, *places[] = {"places"};
  const int64_t shape[] = {2, 3}, four[] = {4}, one[] = {1};
  float elements[6] = {0, 1, 2, 3, 0, 5}, ten = 10;
  OrtSession *session = open("override.onnx");
  OrtValue *values[2], *outputs[1] = {NULL};
  OrtTensorTypeAndShapeInfo *info;
  printPorts(session);
  values[0] = tensor(elements, sizeof elements,
                     ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, 2, shape);
  values[1] =
      tensor(&ten, sizeof ten, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, 1, one);
  for (size_t count = 1; count <= 2; ++count) {
    OK(Run(session, NULL, in, (const OrtValue *const *)values, count, out, 1,
           outputs));
    printFloats(outputs[0]);
    api->ReleaseValue(outputs[0]);
    outputs[0] = NULL;
  }
  api->ReleaseValue(values[0]);
  api->ReleaseValue(values[1]);
  api->ReleaseSession(session);
  session = open("computed.onnx");
  values[0] = tensor(elements, sizeof elements,
                     ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, 1, four);
  OK(Run(session, NULL, in, (const OrtValue *const *)values, 1, places, 1,
         outputs));
  OK(GetTensorTypeAndShape(outputs[0], &info));
  printTensorType(info);
  api->ReleaseTensorTypeAndShapeInfo(info);
  api->ReleaseValue(outputs[0]);
  api->ReleaseValue(values[0]);
  api->ReleaseSession(session);
}

static void fromMemory(void) {
  static char bytes[4096];
  FILE *file = fopen(path(folder, "scale.onnx"), "rb");
  size_t count = fread(bytes, 1, sizeof bytes, file);
  OrtSessionOptions *options;
  OrtSession *session;
  fclose(file);
  OK(CreateSessionOptions(&options));
  OK(AddFreeDimensionOverrideByName(options, "n", 4));
  OK(CreateSessionFromArray(env, bytes, count, options, &session));
  api->ReleaseSessionOptions(options);
  memset(bytes, 0, sizeof bytes);
  printPorts(session);
  metadata(session);
  api->ReleaseSession(session);
}

int main(int count, char **arguments) {
  OrtSession *session;
  (void)count;
  start(arguments);
  folder = arguments[1];
  OK(CreateEnv(ORT_LOGGING_LEVEL_FATAL, "sessions", &env));
  session = open("scale.onnx");
  printPorts(session);
  metadata(session);
  run(session);
  bind(session);
  api->ReleaseSession(session);
  fromMemory();
  background();
  words();
  maps();
  others();
  fflush(stdout);
  end();
  api->ReleaseEnv(env);
  return 0;
}
