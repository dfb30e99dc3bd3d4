//===- AppendTest.cpp - rows of a cache that no run writes ----------------===//
// SPDX-License-Identifier: MIT

#include "StatefulProgram.h"
#include "glow/Program/SizeValues.h"
#include "glow/Runtime/Host.h"
#include "glow/Runtime/SessionStates.h"
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace glow;

namespace {

constexpr size_t rowFloats = 2 * 8, capacity = 256;

/// Memory for all rows of a cache, of which whole pages can be protected.
class Cache {
public:
  Cache() {
    memory = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  ~Cache() { ::munmap(memory, bytes()); }
  Cache(const Cache &) = delete;

  float *rows() { return static_cast<float *>(memory); }
  /// Ends the process if one of the first rows is written from now on.
  bool protect(size_t count) {
    return ::mprotect(memory, count * rowFloats * sizeof(float), PROT_READ) ==
           0;
  }

private:
  static size_t bytes() { return (capacity + 4) * rowFloats * sizeof(float); }
  void *memory;
};

Program compiled() {
  CompileRequest request;
  request.path = GLOW_TEST_APPEND;
  request.backend = "cpu";
  request.states.appends = true;
  return statefulProgram(request);
}

/// Runs on `past` rows of the caches and on one row more.
void run(Host &host, ModelId model, const Program &program, size_t past,
         std::array<std::pair<float *, float *>, 2> caches, float *y) {
  std::vector<float> q(4 * 8), k(rowFloats), v(rowFloats);
  std::mt19937 random{uint32_t(past)};
  std::normal_distribution<float> normal;
  for (std::vector<float> *values : {&q, &k, &v})
    for (float &value : *values)
      value = normal(random);
  std::vector<TensorType> types, results;
  void *const in[] = {q.data(), k.data(), v.data(), caches[0].first,
                      caches[1].first};
  void *const out[] = {y, caches[0].second, caches[1].second};
  for (const Binding &input : program.inputs)
    types.push_back(input.type);
  for (size_t i = 0; i < 3; ++i)
    types[i].shape[2] = 1;
  types[3].shape[0] = types[4].shape[0] = int64_t(past);
  Tensors tensors;
  for (size_t i = 0; i < types.size(); ++i)
    tensors.inputs.push_back({in[i], &types[i]});
  SizeValues sizes;
  ASSERT_TRUE(sizes.bind(program.inputs, tensors.inputs).ok());
  for (const Binding &output : program.outputs)
    results.push_back(sizes.typeOf(output.type, output.lengths));
  for (size_t i = 0; i < results.size(); ++i)
    tensors.outputs.push_back({out[i], &results[i]});
  Status status = host.run(model, tensors);
  ASSERT_TRUE(status.ok()) << status.message();
}

} // namespace

// Old rows are in pages that cannot be written, and results are those of runs
// whose caches are copied.
TEST(Append, WritesNoOldRow) {
  const Program program = compiled();
  ASSERT_EQ(program.states->size(), 2u);
  EXPECT_EQ(program.inputs[3].type.text(), "f32[256,1,2,8]");
  DeviceOptions options;
  options.threads = 1;
  Host host(options);
  ModelId model = host.load(program).take();
  Cache keys, values, copiedKeys, copiedValues;
  std::vector<float> moved[2];
  const size_t rowsOfPage =
      size_t(::sysconf(_SC_PAGESIZE)) / rowFloats / sizeof(float);
  for (size_t past = 0; past < capacity; ++past) {
    float y[4 * 8], expected[4 * 8];
    ASSERT_TRUE(keys.protect(past / rowsOfPage * rowsOfPage));
    ASSERT_TRUE(values.protect(past / rowsOfPage * rowsOfPage));
    run(host, model, program, past,
        {{{keys.rows(), keys.rows()}, {values.rows(), values.rows()}}}, y);
    const size_t old = past * rowFloats;
    moved[0].assign(copiedKeys.rows(), copiedKeys.rows() + old);
    moved[1].assign(copiedValues.rows(), copiedValues.rows() + old);
    run(host, model, program, past,
        {{{moved[0].data(), copiedKeys.rows()},
          {moved[1].data(), copiedValues.rows()}}},
        expected);
    for (size_t i = 0; i < std::size(y); ++i)
      ASSERT_EQ(y[i], expected[i]) << "element " << i << " after " << past;
  }
}
