/* SPDX-License-Identifier: MIT */
/* Objects without a session: objects FOLDER. */
#include "application.h"

static void environments(void) {
  OrtThreadingOptions *threads;
  OrtEnv *env, *other;
  const OrtEpDevice *const *devices;
  char **providers;
  size_t count;
  int found, i, on_processor = 0;
  OK(CreateEnv(ORT_LOGGING_LEVEL_ERROR, "application", &env));
  OK(EnableTelemetryEvents(env));
  OK(DisableTelemetryEvents(env));
  OK(SetLanguageProjection(env, 0));
  OK(UpdateEnvWithCustomLogLevel(env, ORT_LOGGING_LEVEL_ERROR));
  OK(CreateThreadingOptions(&threads));
  OK(SetGlobalIntraOpNumThreads(threads, 1));
  OK(SetGlobalInterOpNumThreads(threads, 1));
  OK(SetGlobalSpinControl(threads, 0));
  OK(CreateEnvWithGlobalThreadPools(ORT_LOGGING_LEVEL_ERROR, "second", threads,
                                    &other));
  api->ReleaseThreadingOptions(threads);
  api->ReleaseEnv(other);
  OK(GetAvailableProviders(&providers, &found));
  for (i = 0; i < found; ++i)
    on_processor |= !strcmp(providers[i], "CPUExecutionProvider");
  OK(ReleaseAvailableProviders(providers, found));
  OK(GetEpDevices(env, &devices, &count));
  printf("processor %d, no devices %d, build %d\n", on_processor,
         !count || devices, api->GetBuildInfoString()[0] != 0);
  api->ReleaseEnv(env);
}

static void sessionOptions(void) {
  OrtSessionOptions *options, *copy;
  OrtKeyValuePairs *entries;
  const char *const *keys, *const *values;
  char value[16];
  size_t bytes, count;
  int has;
  OK(CreateSessionOptions(&options));
  OK(SetIntraOpNumThreads(options, 1));
  OK(SetInterOpNumThreads(options, 1));
  OK(SetSessionExecutionMode(options, 0));
  OK(SetSessionGraphOptimizationLevel(options, 99));
  OK(SetSessionLogId(options, "id"));
  OK(SetSessionLogSeverityLevel(options, 3));
  OK(SetSessionLogVerbosityLevel(options, 0));
  OK(EnableMemPattern(options));
  OK(DisableMemPattern(options));
  OK(EnableCpuMemArena(options));
  OK(DisableCpuMemArena(options));
  OK(DisableProfiling(options));
  OK(SetDeterministicCompute(options, true));
  OK(AddFreeDimensionOverrideByName(options, "n", 2));
  OK(AddSessionConfigEntry(options, "some.entry", "value"));
  OK(CloneSessionOptions(options, &copy));
  api->ReleaseSessionOptions(options);
  OK(HasSessionConfigEntry(copy, "some.entry", &has));
  OK(GetSessionConfigEntry(copy, "some.entry", NULL, &bytes));
  OK(GetSessionConfigEntry(copy, "some.entry", value, &bytes));
  printf("entry %d of %d bytes: %s", has, (int)bytes, value);
  OK(HasSessionConfigEntry(copy, "other", &has));
  printf(", other %d\n", has);
  bytes = 2;
  FAILS("little room",
        GetSessionConfigEntry(copy, "some.entry", value, &bytes));
  OK(GetSessionOptionsConfigEntries(copy, &entries));
  api->GetKeyValuePairs(entries, &keys, &values, &count);
  printf("%d entries, %s = %s\n", (int)count, keys[0], values[0]);
  api->AddKeyValuePair(entries, "another", "1");
  api->RemoveKeyValuePair(entries, "some.entry");
  printf("another %s, removed %d\n", api->GetKeyValue(entries, "another"),
         !api->GetKeyValue(entries, "some.entry"));
  api->ReleaseKeyValuePairs(entries);
  api->ReleaseSessionOptions(copy);
}

static void runOptions(void) {
  OrtRunOptions *options;
  const char *tag;
  int verbosity, severity;
  OK(CreateRunOptions(&options));
  OK(RunOptionsSetRunTag(options, "a tag"));
  OK(RunOptionsSetRunLogVerbosityLevel(options, 1));
  OK(RunOptionsSetRunLogSeverityLevel(options, 2));
  OK(AddRunConfigEntry(options, "run.entry", "0"));
  OK(RunOptionsGetRunTag(options, &tag));
  OK(RunOptionsGetRunLogVerbosityLevel(options, &verbosity));
  OK(RunOptionsGetRunLogSeverityLevel(options, &severity));
  OK(RunOptionsSetTerminate(options));
  OK(RunOptionsUnsetTerminate(options));
  printf("run %s %d %d, entry %s\n", tag, verbosity, severity,
         api->GetRunConfigEntry(options, "run.entry"));
  api->ReleaseRunOptions(options);
}

static void memories(void) {
  OrtMemoryInfo *one, *two;
  const OrtMemoryInfo *of;
  const char *name;
  int id, kind, type, device, differs;
  void *data;
  OK(CreateMemoryInfo("Cpu", OrtDeviceAllocator, 0, OrtMemTypeDefault, &one));
  OK(CreateCpuMemoryInfo(OrtArenaAllocator, OrtMemTypeDefault, &two));
  OK(CompareMemoryInfo(one, one, &differs));
  OK(MemoryInfoGetName(one, &name));
  OK(MemoryInfoGetId(one, &id));
  OK(MemoryInfoGetMemType(one, &kind));
  OK(MemoryInfoGetType(two, &type));
  api->MemoryInfoGetDeviceType(one, &device);
  printf("memory %s %d %d %d, device %d, differs %d\n", name, id, kind, type,
         device, differs);
  OK(CompareMemoryInfo(one, two, &differs));
  printf("another differs %d\n", differs != 0);
  api->ReleaseMemoryInfo(one);
  api->ReleaseMemoryInfo(two);
  OK(AllocatorAlloc(memory(), 100, &data));
  memset(data, 1, 100);
  OK(AllocatorFree(memory(), data));
  OK(AllocatorGetInfo(memory(), &of));
  OK(MemoryInfoGetName(of, &name));
  printf("allocator of %s\n", name);
}

static void tensors(void) {
  const int64_t shape[] = {2, 3}, second[] = {1, 2};
  const int64_t *sizes;
  OrtTensorTypeAndShapeInfo *info;
  const OrtTensorTypeAndShapeInfo *inner;
  const OrtMemoryInfo *place;
  OrtTypeInfo *type;
  float elements[6] = {0, 1, 2, 3, 4, 5}, *at;
  OrtValue *value, *own;
  size_t rank, bytes;
  int is, kind, element;
  const void *data;
  value = tensor(elements, sizeof elements, ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT,
                 2, shape);
  OK(IsTensor(value, &is));
  OK(GetValueType(value, &kind));
  printf("tensor %d kind %d", is, kind);
  OK(HasValue(value, &is));
  printf(" has %d", is);
  OK(IsSparseTensor(value, &is));
  printf(" sparse %d\n", is);
  printFloats(value);
  OK(TensorAt(value, second, 2, (void **)&at));
  OK(GetTensorData(value, &data));
  OK(GetTensorSizeInBytes(value, &bytes));
  OK(GetTensorMemoryInfo(value, &place));
  printf("at 1, 2: %g, the same memory %d, %d bytes\n", *at, data == elements,
         (int)bytes);
  OK(GetTensorElementTypeAndShapeDataReference(value, &element, &sizes, &rank));
  printf("element %d, %d sizes, first %d\n", element, (int)rank, (int)sizes[0]);
  OK(GetTypeInfo(value, &type));
  OK(GetOnnxTypeFromTypeInfo(type, &kind));
  OK(CastTypeInfoToTensorInfo(type, &inner));
  printf("type %d ", kind);
  printTensorType(inner);
  api->ReleaseTypeInfo(type);
  api->ReleaseValue(value);
  OK(CreateTensorAsOrtValue(memory(), shape, 2,
                            ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, &own));
  OK(GetTensorSizeInBytes(own, &bytes));
  printf("own %d bytes\n", (int)bytes);
  api->ReleaseValue(own);
  OK(CreateTensorAsOrtValue(memory(), NULL, 0,
                            ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT, &own));
  OK(GetTensorMutableData(own, (void **)&at));
  *at = 7;
  printFloats(own);
  api->ReleaseValue(own);
  OK(CreateTensorTypeAndShapeInfo(&info));
  OK(SetTensorElementType(info, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32));
  OK(SetDimensions(info, shape, 2));
  printTensorType(info);
  api->ReleaseTensorTypeAndShapeInfo(info);
}

static void strings(void) {
  const char *words[] = {"one", "", "three"};
  const int64_t shape[] = {3};
  size_t offsets[3], bytes, length;
  char all[16], *room;
  OrtValue *value;
  OK(CreateTensorAsOrtValue(memory(), shape, 1,
                            ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING, &value));
  OK(FillStringTensor(value, words, 3));
  OK(FillStringTensorElement(value, "2", 1));
  OK(GetStringTensorDataLength(value, &bytes));
  OK(GetStringTensorContent(value, all, bytes, offsets, 3));
  printf("%.*s at %d %d %d", (int)bytes, all, (int)offsets[0], (int)offsets[1],
         (int)offsets[2]);
  OK(GetStringTensorElementLength(value, 2, &length));
  OK(GetStringTensorElement(value, length, 2, all));
  printf(", %.*s", (int)length, all);
  OK(GetResizedStringTensorElementBuffer(value, 0, 2, &room));
  memcpy(room, "1.", 2);
  OK(GetStringTensorElement(value, 2, 0, all));
  printf(", %.2s\n", all);
  FAILS("few strings", FillStringTensor(value, words, 2));
  FAILS("string 3", GetStringTensorElementLength(value, 3, &length));
  api->ReleaseValue(value);
}

int main(int count, char **arguments) {
  (void)count;
  start(arguments);
  environments();
  sessionOptions();
  runOptions();
  memories();
  tensors();
  strings();
  return 0;
}
