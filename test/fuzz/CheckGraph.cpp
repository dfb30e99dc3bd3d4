//===- CheckGraph.cpp - one graph, run in several ways --------------------===//
// SPDX-License-Identifier: MIT

#include "CheckGraph.h"
#include "RandomGraph.h"
#include "glow/Base/VisitKind.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Nodes.h"
#include "glow/Graph/Storage.h"
#include "mlir/IR/Verifier.h"
#include <cmath>

using namespace mlir;
using namespace glow;

using Results = std::vector<glow::Tensor>;

/// The approximate relative error of a kernel: four roundings of its kind, or
/// one rounding of a narrow kind.
static double roundingOf(Type kind) {
  if (kind.isF64())
    return 1e-15;
  if (kind.isF32())
    return 5e-7;
  return kind.isF16() ? 1e-3 : 8e-3;
}

namespace {

/// Where the operands of all nodes move. A step is crossed for certain only
/// when all move one way; a difference of two values only when they do not.
enum class Drift { Up, Down, Anywhere };

/// A result may be off by as many roundings of the operands of all nodes.
constexpr double mostRoundings = 16;

/// One way to disturb a graph: each operand moves by at most so many roundings.
struct Disturbance {
  Drift drift;
  double roundings;
};

/// A result without steps changes in proportion, so that it is disturbed by one
/// rounding. A result behind a step is disturbed by as many as are allowed.
std::vector<Disturbance> disturbancesOf(bool isNarrow) {
  std::vector<Disturbance> all = {{Drift::Up, 1}, {Drift::Down, 1}};
  all.resize(isNarrow ? 20 : 4, {Drift::Anywhere, 1});
  all.push_back({Drift::Anywhere, mostRoundings});
  all.push_back({Drift::Anywhere, mostRoundings});
  return all;
}

} // namespace

/// Numbers for each element of the operand, a constant of their own.
static Value noiseFor(OpBuilder &storage, OpBuilder &builder,
                      OpOperand &operand, double low, double high,
                      const std::string &name, unsigned seed) {
  auto type = cast<RankedTensorType>(operand.get().getType());
  OperandText text{type, low, high, true};
  auto numbers = std::make_shared<glow::Tensor>(
      randomTensor(text, *kindOf(type.getElementType()), seed));
  ArrayRef<char> bytes(static_cast<const char *>(numbers->data()),
                       size_t(numbers->type().bytes()));
  Location location = operand.getOwner()->getLoc();
  ConstantOp::create(storage, location, name,
                     elementsOf(type, {bytes, numbers}, name));
  return ReadOp::create(builder, location, type,
                        FlatSymbolRefAttr::get(builder.getContext(), name));
}

/// Multiplies the operand by 1, give or take a rounding. A result in few bits
/// may be zero because roundings cancelled: it is moved off zero as well.
static void disturb(OpBuilder &storage, OpOperand &operand,
                    const Disturbance &by, unsigned seed) {
  const Drift drift = by.drift;
  Type kind = kindOfElements(operand.get());
  double rounding = by.roundings * roundingOf(kind);
  double low = drift == Drift::Up ? 1 + rounding : 1 - rounding;
  double high = drift == Drift::Down ? 1 - rounding : 1 + rounding;
  Operation *node = operand.getOwner();
  OpBuilder builder(node);
  std::string name = "noise" + std::to_string(seed);
  Value moved =
      createMul(builder, node->getLoc(), operand.get(),
                noiseFor(storage, builder, operand, low, high, name, seed));
  if (drift == Drift::Anywhere && expr::bitsOf(kind) == 16 &&
      !operand.get().getDefiningOp<ReadOp>())
    moved = createAdd(builder, node->getLoc(), moved,
                      noiseFor(storage, builder, operand, -rounding * rounding,
                               rounding * rounding, name + "_zero", ~seed));
  operand.set(moved);
}

/// Whether it is of a float kind that can be multiplied.
static bool isComputedReal(Value value) {
  Type kind = kindOfElements(value);
  return expr::isFloat(kind) && expr::bitsOf(kind) > 8;
}

/// Whether results are of a 16-bit kind, in which many are equal by rounding:
/// random disturbances need many tries to separate them.
static bool hasNarrow(ModuleOp module) {
  auto isNarrow = [](Value value) {
    return isComputedReal(value) && expr::bitsOf(kindOfElements(value)) == 16;
  };
  return module
      .walk([&](Operation *op) {
        return llvm::any_of(op->getResults(), isNarrow)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

static void disturb(ModuleOp module, const Disturbance &by, unsigned seed) {
  FuncOp function = *module.getOps<FuncOp>().begin();
  OpBuilder storage(function);
  SmallVector<Operation *> nodes;
  function.walk([&](Operation *op) { nodes.push_back(op); });
  for (Operation *node : nodes)
    if (findNode(node->getName().getStringRef()))
      for (OpOperand &operand : node->getOpOperands())
        if (isComputedReal(operand.get()))
          disturb(storage, operand, by, ++seed);
}

static std::string run(ModuleOp module, ArrayRef<NamedTensor> inputs,
                       bool optimise, StringRef backend, Results &results,
                       const CodeOptions &options = {}) {
  OwningOpRef<ModuleOp> copy = module.clone();
  Executable executable;
  std::string why = executable.compile(*copy, optimise, backend, options);
  return why.empty() ? executable.run(inputs, results) : why;
}

template <typename T>
static std::vector<double> widen(const glow::Tensor &tensor) {
  const T *data = static_cast<const T *>(tensor.data());
  return std::vector<double>(data, data + tensor.type().elements());
}

static std::vector<double> valuesOf(const glow::Tensor &tensor) {
  return visitKind(tensor.type().kind, [&](auto identity) {
    using T = typename decltype(identity)::type;
    if constexpr (isBits<T>) {
      const T *data = static_cast<const T *>(tensor.data());
      std::vector<double> values;
      for (int64_t i = 0; i < tensor.type().elements(); ++i)
        values.push_back(double(float(data[i])));
      return values;
    } else {
      return widen<T>(tensor);
    }
  });
}

namespace {

/// The right results, and how far each element may be off.
class Expectation {
public:
  Expectation(const Results &exact, ArrayRef<Results> disturbed,
              ArrayRef<Disturbance> disturbances) {
    for (auto [i, tensor] : llvm::enumerate(exact)) {
      expected.push_back(valuesOf(tensor));
      shapes.push_back(tensor.type());
      std::vector<double> slack(expected.back().size());
      for (auto [other, by] : llvm::zip(disturbed, disturbances))
        widen(valuesOf(other[i]), expected.back(), mostRoundings / by.roundings,
              slack);
      slacks.push_back(std::move(slack));
    }
  }

  std::string compare(const Results &actual) const {
    for (auto [i, tensor] : llvm::enumerate(actual)) {
      if (tensor.type().shape != shapes[i].shape)
        return "result " + std::to_string(i) + " is " +
               shapeText(tensor.type().shape) + ", not " +
               shapeText(shapes[i].shape);
      if (std::string why = compareOne(i, valuesOf(tensor)); !why.empty())
        return "result " + std::to_string(i) + why;
    }
    return "";
  }

private:
  static void widen(const std::vector<double> &other,
                    const std::vector<double> &exact, double times,
                    std::vector<double> &slack) {
    for (auto [o, e, s] : llvm::zip_equal(other, exact, slack)) {
      double off = o == e || (std::isnan(o) && std::isnan(e))
                       ? 0
                       : times * std::abs(o - e);
      s = std::isfinite(off) ? std::max(s, off) : INFINITY;
    }
  }

  /// Beside a pole, a little more or less is another sign, or no number.
  static bool decidedByRounding(double value, double slack, double usual) {
    return std::isinf(slack) || slack > std::max(std::abs(value), usual);
  }

  /// A number too large for a narrow kind fits the wide kind that a backend may
  /// use between two nodes.
  static bool overflows(double value, ElementKind kind) {
    return !std::isfinite(value) && byteSize(kind) == 2;
  }

  std::string compareOne(size_t i, const std::vector<double> &actual) const {
    // Some algorithms are exact relative to the largest element only.
    double largest = 1;
    for (double value : expected[i])
      if (std::isfinite(value))
        largest = std::max(largest, std::abs(value));
    double usual = mostRoundings * toleranceOf("", shapes[i].kind) * largest;
    for (auto [j, a] : llvm::enumerate(actual)) {
      double e = expected[i][j];
      if (a == e || (std::isnan(a) && std::isnan(e)) ||
          overflows(e, shapes[i].kind) ||
          decidedByRounding(e, slacks[i][j] / mostRoundings, usual) ||
          std::abs(a - e) <= usual + slacks[i][j])
        continue;
      return " at element " + std::to_string(j) + " is " + std::to_string(a) +
             ", not " + std::to_string(e) + " +- " +
             std::to_string(usual + slacks[i][j]);
    }
    return "";
  }

  std::vector<std::vector<double>> expected, slacks;
  std::vector<glow::TensorType> shapes;
};

} // namespace

std::string glow::checkGraph(ModuleOp module, StringRef backend,
                             const std::string &cpu, bool &compared) {
  CodeOptions options;
  options.settings["cpu"] = cpu;
  if (failed(verify(module)))
    return "does not verify";
  if (std::string why = roundTrip(module); !why.empty())
    return why;
  std::vector<NamedTensor> inputs = randomInputs(module);
  Results exact;
  compared = run(module, inputs, false, "interpreter", exact).empty();
  std::vector<Results> disturbed;
  const std::vector<Disturbance> disturbances =
      disturbancesOf(hasNarrow(module));
  for (const Disturbance &by : disturbances) {
    if (!compared)
      break;
    OwningOpRef<ModuleOp> copy = module.clone();
    Results &results = disturbed.emplace_back();
    disturb(*copy, by, unsigned(disturbed.size()) << 16);
    std::string why = run(*copy, inputs, false, "interpreter", results);
    // A disturbed index that comes from reals may be out of range.
    if (StringRef(why).contains("is out of range")) {
      compared = false;
      disturbed.clear();
    } else if (!why.empty()) {
      return "disturbed, " + why;
    }
  }
  Expectation expectation(exact, disturbed, disturbances);
  for (StringRef where : {StringRef("interpreter"), backend}) {
    Results results;
    std::string why = run(module, inputs, true, where, results, options);
    if (!compared)
      continue;
    if (why.empty())
      why = expectation.compare(results);
    if (!why.empty())
      return "optimised on backend '" + where.str() + "': " + why;
  }
  return "";
}
