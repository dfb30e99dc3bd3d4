//===- UpdateTest.cpp - rows of a cache that a run does not write ---------===//
// SPDX-License-Identifier: MIT

#include "StatefulProgram.h"
#include "glow/Program/States.h"
#include "glow/Program/Updates.h"
#include "glow/Runtime/Host.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace glow;

namespace {

constexpr size_t heads = 2, room = 1024, columns = 8, most = 4;

/// Memory for a cache, of which a run may write whole pages alone.
class Cache {
public:
  Cache() {
    memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  ~Cache() { ::munmap(memory, bytes); }
  Cache(const Cache &) = delete;

  float *data() { return static_cast<float *>(memory); }

  /// Ends the process if a page is written that has none of these rows.
  void protect(size_t first, size_t count) {
    EXPECT_EQ(::mprotect(memory, bytes, PROT_READ), 0);
    const size_t page = size_t(::sysconf(_SC_PAGESIZE));
    for (size_t head = 0; head < heads; ++head) {
      const size_t from = (head * room + first) * columns * sizeof(float),
                   to = from + count * columns * sizeof(float);
      EXPECT_EQ(::mprotect(static_cast<char *>(memory) + from / page * page,
                           to - from / page * page, PROT_READ | PROT_WRITE),
                0);
    }
  }

private:
  static constexpr size_t bytes = heads * room * columns * sizeof(float);
  void *memory;
};

Program compiled(const char *backend) {
  CompileRequest request;
  request.path = GLOW_TEST_UPDATE;
  request.backend = backend;
  return statefulProgram(request);
}

struct CacheRun {
  std::vector<float> q, k, y;
  TensorType rows;
  int64_t at;

  CacheRun(size_t count, size_t first)
      : q(heads * count * columns), k(q.size()), y(q.size()),
        rows{ElementKind::F32, {1, heads, int64_t(count), columns}},
        at(int64_t(first)) {
    std::mt19937 random{uint32_t(first)};
    std::normal_distribution<float> normal;
    for (std::vector<float> *values : {&q, &k})
      for (float &value : *values)
        value = normal(random);
  }

  Status operator()(Host &host, ModelId model, const Program &program,
                    float *past, float *present) {
    const TensorType *cache = &program.inputs[3].type;
    Tensors tensors{{{q.data(), &rows},
                     {k.data(), &rows},
                     {&at, &program.inputs[2].type},
                     {past, cache}},
                    {{y.data(), &rows}, {present, cache}}};
    return host.run(model, tensors);
  }
};

struct Update : testing::TestWithParam<const char *> {};

} // namespace

// Pages without new rows cannot be written, and results are those of runs that
// copy the cache.
TEST_P(Update, WritesNoOldRow) {
  const Program program = compiled(GetParam());
  ASSERT_EQ(program.states->size(), 1u);
  EXPECT_TRUE(updatesInPlace(program, program.states->front()));
  DeviceOptions options;
  options.threads = 1;
  Host host(options);
  ModelId model = host.load(program).take();
  Cache cache;
  std::vector<float> past(heads * room * columns), present(past.size());
  for (size_t first = 0; first + most <= room; first += 61) {
    const size_t count = 1 + first % most;
    CacheRun inPlace(count, first), copying(count, first);
    cache.protect(first, count);
    Status status = inPlace(host, model, program, cache.data(), cache.data());
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_TRUE(
        copying(host, model, program, past.data(), present.data()).ok());
    past = present;
    EXPECT_EQ(inPlace.y, copying.y);
    EXPECT_TRUE(std::equal(past.begin(), past.end(), cache.data()));
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, Update,
                         testing::Values("cpu", "interpreter"));
