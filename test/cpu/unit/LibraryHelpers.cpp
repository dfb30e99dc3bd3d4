//===- LibraryHelpers.cpp - one step by the library and by the reference --===//
// SPDX-License-Identifier: MIT

#include "LibraryHelpers.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <memory>

using namespace glow;
using namespace glow::cpu;

namespace {

/// A tensor between bytes that must not be written.
class Guarded {
public:
  /// `odd`: with some elements that are no finite number.
  Guarded(const TensorType &type, uint32_t seed, bool odd = false)
      : type(type), odd(odd) {
    size_t size = type.bytes();
    memory = std::make_unique<char[]>(size + 2 * fence + 64);
    auto place = reinterpret_cast<uintptr_t>(memory.get()) + fence + 63;
    data = reinterpret_cast<char *>(place / 64 * 64);
    std::memset(memory.get(), 0x5a, size + 2 * fence + 64);
    fill(seed);
  }
  bool isIntact() const {
    auto untouched = [](char byte) { return byte == 0x5a; };
    char *after = data + type.bytes();
    return std::all_of(memory.get(), data, untouched) &&
           std::all_of(after, after + fence, untouched);
  }

  TensorType type;
  char *data;

private:
  void fill(uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    for (uint64_t i = 0; i < type.bytes() / byteSize(type.kind); ++i)
      if (type.kind == ElementKind::F32 && odd && random() % 64 == 0)
        reinterpret_cast<float *>(data)[i] = oddValues[random() % 4];
      else if (type.kind == ElementKind::F32)
        // Some are the same.
        reinterpret_cast<float *>(data)[i] =
            std::round(normal(random) * 64) / 64;
      else
        for (size_t b = 0; b < byteSize(type.kind); ++b)
          data[i * byteSize(type.kind) + b] =
              char(type.kind == ElementKind::Bool ? random() & 1 : random());
  }
  static constexpr size_t fence = 64;
  static constexpr float infinity = std::numeric_limits<float>::infinity();
  static constexpr float quiet = std::numeric_limits<float>::quiet_NaN();
  static constexpr float oddValues[] = {infinity, -infinity, quiet, quiet};
  bool odd;
  std::unique_ptr<char[]> memory;
};

std::vector<Guarded> allocate(const Step &step, uint32_t resultSeed) {
  std::vector<Guarded> buffers;
  for (size_t i = 0; i < step.types.size(); ++i)
    buffers.emplace_back(step.types[i],
                         int(i) < step.results ? resultSeed + uint32_t(i)
                                               : uint32_t(i),
                         step.odd);
  return buffers;
}

Attribute attributeOf(const AttributeValue &value) {
  Attribute result = {};
  if (auto *x = std::get_if<int64_t>(&value))
    result.integer = *x;
  else if (auto *x = std::get_if<bool>(&value))
    result.integer = *x;
  else if (auto *x = std::get_if<double>(&value))
    result.real = *x;
  else if (auto *x = std::get_if<std::string>(&value))
    result.text = x->c_str(), result.count = int64_t(x->size());
  else if (auto *x = std::get_if<Ints>(&value))
    result.ints = x->data(), result.count = int64_t(x->size());
  else if (auto *x = std::get_if<Reals>(&value))
    result.reals = x->data(), result.count = int64_t(x->size());
  else
    result.integer = int64_t(std::get<ElementKind>(value));
  return result;
}

void runLibrary(const LibraryKernel &library, const Step &step,
                std::vector<Guarded> &buffers) {
  std::vector<Shape> shapes;
  std::vector<char *> data;
  for (const Guarded &buffer : buffers) {
    shapes.push_back({buffer.type.shape.data(),
                      int64_t(buffer.type.shape.size()),
                      int64_t(buffer.type.kind)});
    data.push_back(buffer.data);
  }
  std::vector<Attribute> attributes;
  for (const AttributeValue &value : step.attributes)
    attributes.push_back(attributeOf(value));
  std::vector<int64_t> segments(step.segments.begin(), step.segments.end());
  StepInfo info = {shapes.data(), attributes.data(), segments.data(),
                   int64_t(shapes.size())};
  StepWork work = {};
  library.work(&info, &work);
  ASSERT_GE(work.chunks, 1);
  TensorType scratchType = {ElementKind::U8, {work.scratchBytes}};
  Guarded scratch(scratchType, 99);
  // From the last to the first, now one, now two at a time.
  for (int64_t end = work.chunks; end > 0;) {
    int64_t begin = std::max<int64_t>(0, end - 1 - end % 2);
    library.kernel(&info, data.data(), begin, end, scratch.data);
    end = begin;
  }
  EXPECT_TRUE(scratch.isIntact()) << library.name << " leaves its scratch";
}

void runReference(const Kernel &reference, const Step &step,
                  std::vector<Guarded> &buffers) {
  std::vector<TensorView> views;
  for (Guarded &buffer : buffers)
    views.push_back({buffer.data, &buffer.type});
  Status status = reference({views, step.segments, step.attributes});
  ASSERT_TRUE(status.ok()) << status.message();
}

/// Where two tensors differ; -1 if nowhere.
int64_t difference(const Guarded &got, const Guarded &wanted,
                   double tolerance) {
  int64_t count = got.type.elements();
  if (got.type.kind != ElementKind::F32) {
    auto size = int64_t(byteSize(got.type.kind));
    for (int64_t i = 0; i < count * size; ++i)
      if (got.data[i] != wanted.data[i])
        return i / size;
    return -1;
  }
  auto *a = reinterpret_cast<const float *>(got.data);
  auto *b = reinterpret_cast<const float *>(wanted.data);
  double largest = 1e-6;
  for (int64_t i = 0; i < count; ++i)
    if (std::isfinite(b[i]))
      largest = std::max(largest, double(std::fabs(b[i])));
  for (int64_t i = 0; i < count; ++i)
    if (!(std::fabs(a[i] - b[i]) <= tolerance * largest) && a[i] != b[i] &&
        !(std::isnan(a[i]) && std::isnan(b[i])))
      return i;
  return -1;
}

std::string textOf(const Step &step) {
  std::string text;
  for (const TensorType &type : step.types)
    text += type.text() + " ";
  return text;
}

} // namespace

void compare(const LibraryKernel &library, const Kernel &reference,
             const Step &step) {
  // Results begin as different bytes, so that nothing unwritten is the same.
  std::vector<Guarded> got = allocate(step, 1000),
                       wanted = allocate(step, 2000);
  runLibrary(library, step, got);
  runReference(reference, step, wanted);
  for (size_t i = 0; i < got.size(); ++i) {
    EXPECT_TRUE(got[i].isIntact()) << library.name << " writes beside buffer "
                                   << i << ": " << textOf(step);
    int64_t at = difference(got[i], wanted[i], step.tolerance);
    if (at < 0)
      continue;
    auto value = [&](const Guarded &buffer) {
      return buffer.type.kind == ElementKind::F32
                 ? double(reinterpret_cast<const float *>(buffer.data)[at])
                 : double(
                       buffer.data[at * int64_t(byteSize(buffer.type.kind))]);
    };
    ADD_FAILURE() << library.name << ", buffer " << i << ", element " << at
                  << ": " << value(got[i]) << ", not " << value(wanted[i])
                  << ": " << textOf(step);
  }
}

void compare(const LibraryKernel &library, const char *instruction,
             const Step &step) {
  Kernel reference = KernelRegistry::instance().find(instruction);
  ASSERT_TRUE(reference) << instruction;
  compare(library, reference, step);
}
