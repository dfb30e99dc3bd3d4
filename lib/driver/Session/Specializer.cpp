//===- Specializer.cpp - programs of sizes that come often ----------------===//
// SPDX-License-Identifier: MIT

#include "glow/Session/Specializer.h"
#include "glow/Base/Log.h"
#include "glow/Program/SizeValues.h"
#include <algorithm>
#include <cstring>
#include <system_error>
#include <unordered_map>

using namespace glow;

/// Runs after which a size has come often. A compilation takes as long as
/// hundreds of runs of a small model.
static constexpr unsigned oftenRuns = 16;
/// Sizes that are counted; the one that was not used for longest is forgotten.
static constexpr size_t mostSizes = 32;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

uint64_t glow::shareConstants(Program &program,
                              std::span<const Constant> kept) {
  // A page is the least that is worth a comparison. Kernels read constants at
  // addresses of this alignment.
  constexpr uint64_t leastBytes = 4096, alignment = 64;
  std::unordered_multimap<uint64_t, const Constant *> bySize;
  for (const Constant &constant : kept)
    if (constant.owner && constant.type.bytes() >= leastBytes &&
        reinterpret_cast<uintptr_t>(constant.data) % alignment == 0)
      bySize.emplace(constant.type.bytes(), &constant);
  uint64_t shared = 0;
  for (Constant &constant : program.constants) {
    const uint64_t bytes = constant.type.bytes();
    auto [begin, end] = bySize.equal_range(bytes);
    auto found = std::find_if(begin, end, [&](const auto &entry) {
      return std::memcmp(entry.second->data, constant.data, bytes) == 0;
    });
    if (found == end)
      continue;
    constant.data = found->second->data;
    constant.owner = found->second->owner;
    shared += bytes;
  }
  return shared;
}

//===----------------------------------------------------------------------===//
// Compilations
//===----------------------------------------------------------------------===//

Specializer::Specializer(Session &session, CompileRequest given,
                         std::vector<Constant> kept)
    : session(session), request(std::move(given)), kept(std::move(kept)) {
  // Dimensions of inputs have one size; the sizes of outputs keep their ranges.
  for (const Binding &input : session.inputs())
    for (size_t d = 0; d < input.type.shape.size(); ++d)
      std::erase_if(request.sizes, [&](const SizeVariable &size) {
        return size.name == sizeName(input, d);
      });
}

Specializer::~Specializer() = default;

void Specializer::count(const Shapes &shapes,
                        const std::vector<Constant> &values) {
  auto found = std::ranges::find(sizes, shapes, &Size::shapes);
  if (found == sizes.end()) {
    if (sizes.size() == mostSizes)
      sizes.pop_back();
    sizes.push_front({shapes});
  } else {
    sizes.splice(sizes.begin(), sizes, found);
  }
  Size &size = sizes.front();
  const unsigned needed =
      request.specialize == Specialize::Eager ? 1 : oftenRuns;
  if (++size.runs >= needed && !size.isDone && !compiling.valid())
    begin(shapes, values);
}

void Specializer::begin(const Shapes &shapes,
                        const std::vector<Constant> &values) {
  if (!other) {
    Result<std::unique_ptr<Session>> opened = session.another();
    if (!opened)
      return;
    other = opened.take();
  }
  request.shapes = underWay = shapes;
  request.values = values;
  try {
    compiling = std::async(std::launch::async,
                           [this, request = request]() -> Result<Program> {
                             // A failure is none of the user's: the program of
                             // ranges serves.
                             ErrorsOfThread errors;
                             Result<Program> program = other->compile(request);
                             if (program)
                               shareConstants(*program, kept);
                             return program;
                           });
  } catch (const std::system_error &) {
    // The system gives no thread; the program of ranges serves as before.
    underWay.clear();
  }
}

static std::string textOf(const Specializer::Shapes &shapes) {
  std::string text;
  for (const auto &[name, shape] : shapes)
    text += (text.empty() ? "" : ", ") + name + "=" + shapeText(shape);
  return text;
}

std::optional<Specialized> Specializer::take() {
  if (!compiling.valid() ||
      compiling.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return std::nullopt;
  Result<Program> program = compiling.get();
  auto size = std::ranges::find(sizes, underWay, &Size::shapes);
  if (isLogged(LogLevel::Debug))
    logText(LogLevel::Debug,
            request.path +
                (program ? ": a program for " : ": no program for ") +
                textOf(underWay) +
                (program ? "" : ": " + program.status().message()));
  if (size != sizes.end())
    size->isDone = true;
  if (!program)
    return std::nullopt;
  return Specialized{std::move(underWay), program.take()};
}
