//===- ImporterFuzzer.cpp - any bytes as a model --------------------------===//
// SPDX-License-Identifier: MIT
//
// A libFuzzer program: the bytes pass through every phase, and run if the
// program is small. A diagnostic is as good as a result; a crash, a hang or too
// much memory is a finding. docs/Fuzzing.md documents its use.
//
//===----------------------------------------------------------------------===//

#include "glow/Session/ModelRunner.h"
#include "glow/Toolchain/Toolchain.h"
#include <cstring>
#include <fstream>
#include <onnx/onnx_pb.h>
#include <random>
#include <unistd.h>

using namespace glow;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/// The memory limit of a model's tensors: enough for the operator tests.
static constexpr uint64_t memoryLimit = 4 << 20;

/// The limit of a run's passes over graphs in nodes: a loop may have no end.
static constexpr uint64_t mostGraphs = 100;

/// Small numbers of either sign: among them indices out of range.
static Result<Tensor> inputOf(TensorType type) {
  for (int64_t &size : type.shape)
    size = size < 0 ? 2 : size;
  constexpr uint64_t most = memoryLimit;
  if (!type.isStatic() || type.bytes() > most)
    return Status(Code::OutOfMemory, "an input is too large");
  Result<Tensor> tensor = Tensor::zeros(type);
  if (!tensor)
    return tensor;
  char *bytes = static_cast<char *>(tensor->data());
  for (uint64_t i = 0; i < type.bytes(); ++i)
    bytes[i] = type.kind == ElementKind::Bool ? char(i % 2)
                                              : char(int(i * 37 % 5) - 1);
  return tensor;
}

static void runModel(const std::string &path) {
  Result<std::unique_ptr<Session>> opened = toolchain().open(path);
  if (!opened)
    return;
  std::shared_ptr<Session> session = opened.take();
  std::vector<NamedValue> inputs, outputs;
  for (const Binding &input : session->inputs()) {
    Result<Tensor> tensor = inputOf(input.type);
    if (!tensor)
      return;
    inputs.push_back({input.name, HostValue(tensor.take())});
  }
  CompileRequest request;
  request.path = path;
  request.backend = "interpreter";
  request.memoryLimit = memoryLimit;
  ModelRunner runner(session, request);
  if (!runner.prepare(inputs).ok())
    return;
  if (runner.stages())
    runner.stages()->stopAfter(mostGraphs);
  if (runner.runPrepared(inputs, outputs).ok())
    (void)tensorsOf(outputs);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const std::string path =
      "/tmp/glow-fuzz-" + std::to_string(::getpid()) + ".onnx";
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char *>(data), std::streamsize(size));
  file.close();
  runModel(path);
  ::unlink(path.c_str());
  return 0;
}

namespace {

/// Changes one field somewhere in a message.
class FieldMutator {
public:
  explicit FieldMutator(unsigned seed) : random(seed) {}

  void mutate(Message &message) {
    const auto *reflection = message.GetReflection();
    std::vector<const FieldDescriptor *> set;
    reflection->ListFields(message, &set);
    if (set.empty())
      return;
    const FieldDescriptor *field = set[below(set.size())];
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE && below(8) != 0)
      return mutate(field->is_repeated()
                        ? *reflection->MutableRepeatedMessage(
                              &message, field, pick(message, field))
                        : *reflection->MutableMessage(&message, field));
    if (field->is_repeated())
      return mutateList(message, field);
    if (below(8) == 0)
      return reflection->ClearField(&message, field);
    setValue(message, field);
  }

private:
  size_t below(size_t end) { return random() % end; }
  int pick(const Message &message, const FieldDescriptor *field) {
    return int(
        below(size_t(message.GetReflection()->FieldSize(message, field))));
  }

  /// Swaps, doubles, drops or changes an element.
  void mutateList(Message &message, const FieldDescriptor *field) {
    const auto *reflection = message.GetReflection();
    int at = pick(message, field);
    switch (below(4)) {
    case 0:
      return reflection->SwapElements(&message, field, at,
                                      pick(message, field));
    case 1:
      return reflection->RemoveLast(&message, field);
    case 2:
      if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
        reflection->AddMessage(&message, field)
            ->CopyFrom(reflection->GetRepeatedMessage(message, field, at));
      return;
    default:
      if (field->type() == FieldDescriptor::TYPE_INT64)
        reflection->SetRepeatedInt64(&message, field, at, number());
      else if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING)
        reflection->SetRepeatedString(
            &message, field, at,
            reflection->GetRepeatedString(message, field,
                                          pick(message, field)));
    }
  }

  void setValue(Message &message, const FieldDescriptor *field) {
    const auto *reflection = message.GetReflection();
    if (field->type() == FieldDescriptor::TYPE_INT64)
      reflection->SetInt64(&message, field, number());
    else if (field->type() == FieldDescriptor::TYPE_INT32)
      reflection->SetInt32(&message, field, int32_t(number()));
    else if (field->type() == FieldDescriptor::TYPE_FLOAT)
      reflection->SetFloat(&message, field, float(number()));
    else if (field->type() == FieldDescriptor::TYPE_STRING ||
             field->type() == FieldDescriptor::TYPE_BYTES)
      reflection->SetString(&message, field, text());
  }
  int64_t number() {
    const int64_t limits[] = {0,
                              -1,
                              1,
                              2,
                              INT64_MAX,
                              INT64_MIN,
                              INT32_MIN,
                              int64_t(1) << 32,
                              int64_t(1) << 62};
    return below(2) ? limits[below(std::size(limits))] : int64_t(below(20)) - 5;
  }
  std::string text() {
    const char *texts[] = {"", "x", "y", "Add", "a\nb", "\x1b[31m", "../x"};
    return texts[below(std::size(texts))];
  }

  std::minstd_rand random;
};

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t most, unsigned seed) {
  onnx::ModelProto model;
  if (seed % 4 == 0 || !model.ParseFromArray(data, int(size)))
    return LLVMFuzzerMutate(data, size, most);
  FieldMutator mutator(seed);
  for (unsigned count = 0; count <= seed % 3; ++count)
    mutator.mutate(model);
  std::string bytes = model.SerializeAsString();
  if (bytes.size() > most)
    return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, bytes.data(), bytes.size());
  return bytes.size();
}
