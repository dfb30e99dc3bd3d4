//===- OpenLoops.cpp - code of loops for sizes that a run gives -----------===//
// SPDX-License-Identifier: MIT

#include "OpenLoops.h"
#include "glow/Base/VisitKind.h"
#include "glow/IR/LoopsText.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace glow;
using namespace glow::cpu;
using namespace glow::cpu::test;

std::unique_ptr<LoopStep> LoopStep::make(const Target &target,
                                         const std::string &text) {
  Result<std::vector<loops::NamedProgram>> programs =
      ir::readLoops(text, "open.loops");
  if (!programs) {
    ADD_FAILURE() << programs.status().message();
    return nullptr;
  }
  loops::Program &program = *programs->front().program;
  auto made = std::make_unique<LoopStep>();
  made->all = program.tensors;
  made->results.resize(program.tensors.size());
  for (const loops::Statement &statement : program.statements)
    made->results[statement.tensor] = true;
  llvm::LLVMContext context;
  CodeModule module(context, target);
  module.sizes = program.sizes;
  std::optional<NativeStep> step = emitProgram(
      module, program, "step", "", unsigned(program.tensors.size()));
  if (!step)
    return nullptr;
  made->variables = program.sizes;
  made->sharedBytes = step->sharedBytes;
  std::vector<std::array<std::string, 2>> names;
  for (const NativeStep::Phase &phase : step->phases)
    names.push_back({phase.function->getName().str(),
                     measureOf(*phase.function)
                         ? measureOf(*phase.function)->getName().str()
                         : ""});
  auto code = std::make_shared<MadeCode>();
  code->object = makeObject(module).take();
  made->image = Image::load(code).take();
  for (auto [phase, name] : llvm::zip_equal(step->phases, names))
    made->phases.push_back(
        {reinterpret_cast<StepKernel>(made->image->find(name[0])),
         !name[1].empty()
             ? reinterpret_cast<StepMeasure>(made->image->find(name[1]))
             : nullptr,
         phase.chunks});
  return made;
}

int64_t LoopStep::at(const Length &length, const Ints &values) const {
  return length.at([&](const SizeVariable &variable) {
    return values[size_t(llvm::find(variables, variable) - variables.begin())];
  });
}

GLOW_CALLS_MADE_CODE
bool LoopStep::run(const Ints &values, const std::vector<char *> &buffers,
                   bool everyChunk) const {
  StepInfo info{};
  info.sizes = values.data();
  std::vector<char> shared(size_t(std::max<int64_t>(sharedBytes, 64)) + 64);
  std::vector<char *> given = buffers;
  const size_t at = reinterpret_cast<size_t>(shared.data());
  given.push_back(shared.data() + (64 - at % 64));
  for (const Phase &phase : phases) {
    StepWork work{phase.chunks, 0};
    if (phase.measure && !everyChunk)
      phase.measure(&info, &work);
    for (int64_t chunk = 0; chunk < work.chunks; ++chunk)
      phase.kernel(&info, given.data(), chunk, chunk + 1, nullptr);
  }
  int64_t flag;
  std::memcpy(&flag, given.back(), sizeof flag);
  return flag == 0;
}

std::string test::withSizes(const std::string &text,
                            const std::vector<SizeVariable> &sizes,
                            const Ints &values) {
  std::string line;
  for (size_t i = 0; i < sizes.size(); ++i)
    line += (i ? ", " : "  sizes ") + sizes[i].name + " = " +
            std::to_string(values[i]) + ".." + std::to_string(values[i]);
  const size_t begin = text.find("  sizes ");
  return text.substr(0, begin) + line + text.substr(text.find('\n', begin));
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static constexpr size_t guardBytes = 256;

static void storeNumber(ElementKind kind, char *to, double number) {
  visitKind(kind, [&]<typename T>(std::type_identity<T>) {
    const T element(number);
    std::memcpy(to, &element, sizeof element);
  });
}
static double numberAt(ElementKind kind, const char *from) {
  return visitKind(kind, [&]<typename T>(std::type_identity<T>) {
    T element;
    std::memcpy(&element, from, sizeof element);
    return double(element);
  });
}

/// Byte `i` behind the elements of a tensor: NaN, or an index out of range.
static char poison(size_t i) { return char(0x7f | (i % 2 ? 0x80 : 0)); }

Buffers::Buffers(const LoopStep &step, const Ints &values, unsigned seed)
    : step(step) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> small(-3, 3), index(0, 2);
  for (const loops::Tensor &tensor : step.tensors()) {
    const size_t size = byteSize(tensor.kind);
    int64_t most = 1, count = 1;
    for (size_t i = 0; i < tensor.shape.size(); ++i) {
      most *= tensor.shape[i];
      count *= step.at(tensor.length(i), values);
    }
    counts.push_back(size_t(count));
    std::vector<char> &memory =
        bytes.emplace_back(size_t(most) * size + guardBytes);
    for (size_t i = 0; i < memory.size(); ++i)
      memory[i] = poison(i);
    for (size_t i = 0; i < counts.back(); ++i) {
      const double value = tensor.name == "at" ? index(random)
                           : isFloat(tensor.kind)
                               ? small(random) + 0.25 * index(random)
                               : small(random) & 0x3;
      storeNumber(tensor.kind, memory.data() + i * size, value);
    }
  }
  before = bytes;
}

std::vector<char *> Buffers::pointers() {
  std::vector<char *> result;
  for (std::vector<char> &memory : bytes)
    result.push_back(memory.data());
  return result;
}

std::string Buffers::differenceOf(size_t tensor, const Buffers &other) const {
  const loops::Tensor &type = step.tensors()[tensor];
  const size_t size = byteSize(type.kind), end = counts[tensor] * size;
  for (size_t i = 0; i < counts[tensor] && step.isResult(tensor); ++i) {
    const double mine = numberAt(type.kind, bytes[tensor].data() + i * size);
    const double its =
        numberAt(type.kind, other.bytes[tensor].data() + i * size);
    const double bound = type.kind == ElementKind::F16 ? 2e-3 : 2e-5;
    if (!(std::abs(mine - its) <= bound * (1 + std::abs(its))) && mine != its)
      return type.name + "[" + std::to_string(i) + "] is " +
             std::to_string(mine) + ", not " + std::to_string(its);
  }
  for (size_t i = step.isResult(tensor) ? end : 0; i < bytes[tensor].size();
       ++i)
    if (bytes[tensor][i] != before[tensor][i])
      return "byte " + std::to_string(i) + " of " + type.name + ", which has " +
             std::to_string(end) + ", is written";
  return "";
}

std::string Buffers::difference(const Buffers &other) const {
  for (size_t i = 0; i < bytes.size(); ++i)
    if (std::string text = differenceOf(i, other); !text.empty())
      return text;
  return "";
}
