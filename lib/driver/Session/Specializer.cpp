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
    : session(session), request(std::move(given)), kept(std::move(kept)) {}

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

/// Restricts a range to the values of an expression that it equals.
static void restrict(SizeVariable &range, const Length &equal,
                     const std::vector<SizeVariable> &sizes) {
  std::vector<SizeVariable> variables = sizes;
  equal.visitVariables([&](const SizeVariable &one) {
    if (std::ranges::find(variables, one.name, &SizeVariable::name) ==
        variables.end())
      variables.push_back(one);
  });
  Result<Length> narrower = Length::parse(equal.text(), variables);
  if (!narrower || range.multiple != 1)
    return;
  const LengthRange values = narrower->range();
  range.low = std::max(range.low, values.low);
  range.high = std::min(range.high, values.high);
}

/// A condition such as T == P + S gives T a part of its range if S has one
/// value: with any other greatest value, extents would not fit each other.
static void restrict(std::vector<SizeVariable> &sizes,
                     const std::vector<SizeCondition> &conditions) {
  auto follow = [&](const Length &one, const Length &other) {
    const SizeVariable *variable = one.variable();
    auto range =
        variable ? std::ranges::find(sizes, variable->name, &SizeVariable::name)
                 : sizes.end();
    if (range != sizes.end() && range->low != range->high)
      restrict(*range, other, sizes);
  };
  for (const SizeCondition &condition : conditions)
    if (condition.relation == SizeCondition::Relation::Equal) {
      follow(condition.left, condition.right);
      follow(condition.right, condition.left);
    }
}

/// Gives dimensions of inputs one size. A dimension of -1 keeps its range, and
/// so do those of inputs that are not in `shapes`, and the sizes of outputs.
static void specialise(CompileRequest &request,
                       const std::vector<Binding> &inputs,
                       const Specializer::Shapes &shapes) {
  std::vector<SizeVariable> one;
  bool isPart = false;
  for (const Binding &input : inputs) {
    auto shape = shapes.find(input.name);
    if (shape == shapes.end()) {
      isPart |= !input.type.isStatic();
      continue;
    }
    for (size_t d = 0; d < shape->second.size(); ++d) {
      const std::string name = sizeName(input, d);
      const int64_t size = shape->second[d];
      isPart |= size < 0;
      if (size < 0 ||
          !std::erase_if(
              request.sizes,
              [&](const auto &range) { return range.name == name; }))
        continue;
      one.push_back({name, size, size});
    }
  }
  if (isPart)
    std::ranges::move(one, std::back_inserter(request.sizes));
  else
    request.shapes = shapes;
}

void Specializer::begin(const Shapes &shapes,
                        const std::vector<Constant> &values) {
  if (!other) {
    Result<std::unique_ptr<Session>> opened = session.another();
    if (!opened)
      return;
    other = opened.take();
  }
  underWay = shapes;
  CompileRequest asked = request;
  specialise(asked, session.inputs(), shapes);
  restrict(asked.sizes, conditions);
  asked.values = values;
  try {
    compiling =
        std::async(std::launch::async, [this, asked]() -> Result<Program> {
          // A failure is none of the user's: the program of
          // ranges serves.
          ErrorsOfThread errors;
          Result<Program> program = other->compile(asked);
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
