//===- Processor.cpp - throughput of a processor --------------------------===//
// SPDX-License-Identifier: MIT

#include "Processor.h"
#include "ProcessorUnits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

using namespace glow::cpu;

/// A row a processor, and behind them one a set of instructions, the widest
/// first.
static const Processor table[] = {
#include "Processors.inc"
};

namespace {
struct Number {
  const char *name;
  double Processor::*value;
  bool isRate; ///< a rate, which divides work; else a time in cycles
  const char *meaning;
};
} // namespace

static constexpr Number numbers[] = {
    {"real-products", &Processor::realProducts, true,
     "products of vectors of reals a cycle"},
    {"half-products", &Processor::halfProducts, true,
     "products of vectors of 16 bits a cycle"},
    {"word-products", &Processor::wordProducts, true,
     "products of vectors of integers of 16 bits a cycle"},
    {"byte-products", &Processor::byteProducts, true,
     "products of vectors of bytes a cycle"},
    {"tile-products", &Processor::tileProducts, true,
     "products of the matrix unit a cycle"},
    {"first-level", &Processor::firstLevel, true,
     "bytes a cycle of what is in the first cache"},
    {"second-level", &Processor::secondLevel, true,
     "bytes a cycle of what is in the second cache"},
    {"third-level", &Processor::thirdLevel, true,
     "bytes a cycle of what is in the third cache"},
    {"memory", &Processor::memory, true, "bytes a cycle of what is in memory"},
    {"operation", &Processor::operation, false,
     "cycles of an instruction on 16 elements"},
    {"gather", &Processor::gather, false, "cycles of a row that lies apart"},
    {"transform", &Processor::transform, false,
     "cycles of a point of Winograd's algorithm"},
    {"step", &Processor::step, false, "cycles between two steps"},
};

Work &Work::operator+=(const Work &more) {
  factors = more.factors;
  products += more.products, operations += more.operations;
  gathers += more.gathers, transforms += more.transforms;
  return *this;
}

double Processor::cyclesOf(const Work &work) const {
  const double rates[] = {realProducts, halfProducts, wordProducts,
                          byteProducts, tileProducts};
  return work.products / rates[size_t(work.factors)] +
         work.operations * operation + work.gathers * gather +
         work.transforms * transform;
}

double Processor::cyclesToMove(double bytes, double distance) const {
  // The bounds are below the cache sizes: the accessed bytes may be spread
  // unevenly over the sets of a cache, and other cores share the third level.
  constexpr double first = 24 << 10, second = 768 << 10, third = 16 << 20;
  double met = distance + bytes;
  return bytes / (met <= first    ? firstLevel
                  : met <= second ? secondLevel
                  : met <= third  ? thirdLevel
                                  : memory);
}

const Processor &
glow::cpu::processorNamed(llvm::StringRef name,
                          llvm::function_ref<bool(llvm::StringRef)> has) {
  for (const Processor &row : table)
    if (name == row.name)
      return row;
  for (const Processor &row : table)
    if (row.feature && (!*row.feature || has(row.feature)))
      return row;
  return std::end(table)[-1];
}

std::string glow::cpu::unitOf(llvm::StringRef name) {
  const Number *number = llvm::find_if(
      numbers, [&](const Number &one) { return name == one.name; });
  return number == std::end(numbers) ? "" : number->meaning;
}

std::string glow::cpu::textOf(const Processor &processor) {
  std::string text = processor.name + std::string("\n");
  for (const Number &number : numbers) {
    char line[64];
    std::snprintf(line, sizeof line, "%s %.4g\n", number.name,
                  processor.*number.value);
    text += line;
  }
  return text;
}

std::optional<Processor> glow::cpu::processorIn(llvm::StringRef text,
                                                const Processor &shipped) {
  auto [name, rest] = text.split('\n');
  if (name != shipped.name)
    return std::nullopt;
  Processor processor = shipped;
  for (const Number &number : numbers) {
    auto [line, more] = rest.split('\n');
    double value = 0;
    if (!line.consume_front(number.name) || !line.consume_front(" ") ||
        !llvm::to_float(line, value) || !std::isfinite(value) || value <= 0)
      return std::nullopt;
    processor.*number.value = value;
    rest = more;
  }
  return rest.empty() ? std::optional(processor) : std::nullopt;
}

Processor glow::cpu::withCost(Processor processor, llvm::StringRef name,
                              double factor) {
  for (const Number &number : numbers)
    if (name == number.name) {
      double &value = processor.*number.value;
      value = number.isRate ? value / factor : value * factor;
    }
  return processor;
}
