//===- GradientTest.cpp - gradients against finite differences ------------===//
//
// A sample's results, times fixed random weights, add up to one number. Its
// change with each element of an operand is what the node's gradient must give
// when the weights are the gradients of the results.
//
// The operands are of kind f64, so that a small step loses no digits. Random
// values keep away from kinks: that one lies within a step of the values is
// less likely than 1 in 10,000 a sample, and the seeds are fixed.
//
//===----------------------------------------------------------------------===//

#include "Sample.h"
#include "glow/Base/VisitKind.h"
#include "glow/Graph/Gradients.h"
#include "glow/Graph/Shape.h"
#include "mlir/IR/Verifier.h"
#include <cmath>
#include <map>

using namespace mlir;
using namespace glow;
using namespace glow::test;

static RankedTensorType typeOf(Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}
static bool isReal(Value value) {
  return expr::isFloat(typeOf(value).getElementType());
}

static double element(const glow::Tensor &tensor, int64_t index) {
  double value = 0;
  visitKind(tensor.type().kind, [&](auto identity) {
    using T = typename decltype(identity)::type;
    value = double(static_cast<const T *>(tensor.data())[index]);
  });
  return value;
}
static void shift(glow::Tensor &tensor, int64_t index, double by) {
  visitKind(tensor.type().kind, [&](auto identity) {
    using T = typename decltype(identity)::type;
    T &value = static_cast<T *>(tensor.data())[index];
    if constexpr (std::is_floating_point_v<T>)
      value += T(by);
  });
}

namespace {

class GradientCheck {
public:
  GradientCheck(MLIRContext &context, const SampleInfo &sample)
      : forward(context, sample, "f64"), backward(context, sample, "f64") {}

  std::string run() {
    if (!forward.node)
      return "is refused in f64:";
    if (std::string why = build(); !why.empty())
      return why;
    if (std::string why = first.compile(*forward); !why.empty())
      return why;
    if (std::string why = second.compile(*backward); !why.empty())
      return "its gradient " + why;
    std::vector<NamedTensor> made;
    if (std::string why = second.run(input(), made); !why.empty())
      return "its gradient " + why;
    for (const NamedTensor &gradient : made)
      gradients[gradient.name] = &gradient.tensor;
    for (unsigned i : real)
      if (std::string why = checkOperand(i); !why.empty())
        return why;
    return "";
  }

  unsigned derivatives = 0;

private:
  std::string build() {
    for (auto [i, operand] : llvm::enumerate(forward.operands))
      values.emplace("x" + std::to_string(i), randomTensor(operand, i + 1));
    SmallVector<Value> given;
    for (auto [i, result] : llvm::enumerate(forward.node->getResults())) {
      given.emplace_back();
      if (!isReal(result))
        continue;
      std::string name = std::to_string(i);
      forward.output("y" + name, result);
      given.back() = backward.input("w" + name, result.getType());
      values.emplace("w" + name, randomTensor({typeOf(result)}, 100 + i));
    }
    auto gradient = buildGradients(backward.builder, backward.node, given);
    if (mlir::failed(gradient))
      return "has no gradient:";
    for (auto [i, value] : llvm::enumerate(gradient->values)) {
      if (isReal(backward.node->getOperand(i)) && !gradient->leftOut[i])
        real.push_back(i);
      if (value)
        backward.output("d" + std::to_string(i), value);
    }
    return mlir::succeeded(verify(*backward)) ? "" : "has a wrong gradient:";
  }

  std::function<glow::Tensor(const std::string &)> input() {
    return [&](const std::string &name) {
      return glow::Tensor::copyOf(values.at(name).view()).take();
    };
  }

  /// The weighted sum of the results.
  double sum(std::string &why) {
    std::vector<NamedTensor> results;
    why = first.run(input(), results);
    double total = 0;
    for (const NamedTensor &result : results) {
      const glow::Tensor &weights = values.at("w" + result.name.substr(1));
      for (int64_t i = 0; i < result.tensor.type().elements(); ++i)
        total += element(result.tensor, i) * element(weights, i);
    }
    return total;
  }

  std::string checkOperand(unsigned operand) {
    constexpr double step = 1e-5, tolerance = 1e-6;
    std::string name = std::to_string(operand), why;
    glow::Tensor &values = this->values.at("x" + name);
    auto gradient = gradients.find("d" + name);
    for (int64_t i = 0; i < values.type().elements() && why.empty(); ++i) {
      shift(values, i, step);
      double above = sum(why);
      shift(values, i, -2 * step);
      double below = sum(why);
      shift(values, i, step);
      ++derivatives;
      double wanted = (above - below) / (2 * step);
      double is =
          gradient == gradients.end() ? 0 : element(*gradient->second, i);
      if (!(std::abs(is - wanted) <=
            tolerance * std::max(1.0, std::abs(wanted))))
        why = "has gradient " + std::to_string(is) + " at element " +
              std::to_string(i) + " of operand " + name + ", but changes by " +
              std::to_string(wanted);
    }
    return why;
  }

  SampleModule forward, backward;
  Executable first, second;
  std::map<std::string, glow::Tensor> values;
  std::map<std::string, const glow::Tensor *> gradients;
  SmallVector<unsigned> real;
};

} // namespace

std::string glow::test::checkGradient(MLIRContext &context,
                                      const SampleInfo &sample,
                                      unsigned &derivatives) {
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    said += diagnostic.str() + "\n";
    return success();
  });
  GradientCheck check(context, sample);
  std::string why = check.run();
  derivatives += check.derivatives;
  return why.empty() ? "" : why + " " + said;
}
