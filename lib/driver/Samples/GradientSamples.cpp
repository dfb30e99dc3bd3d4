//===- GradientSamples.cpp - gradients against finite differences ---------===//
//
// A sample's results, times fixed random weights, add up to one number. Its
// change with each element of an operand is what the node's gradient must give
// when the weights are the gradients of the results.
//
// The operands are of kind f64, so that a small step loses no digits, or of f32
// where the signature has no wider kind, with larger steps. Random values keep
// away from kinks: that one lies within a step of the values is
// less likely than 1 in 10,000 a sample, and the seeds are fixed.
//
//===----------------------------------------------------------------------===//

#include "CaseMaker.h"
#include "glow/Base/VisitKind.h"
#include "glow/Graph/Build.h"
#include "glow/Graph/Gradients.h"
#include "glow/Graph/NodeInfo.h"
#include "glow/Graph/Storage.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace mlir;
using namespace glow;

/// Of a float kind fine enough that a small change of an operand shows.
static bool isReal(Value value) {
  return expr::isFloat(kindOfElements(value)) &&
         expr::bitsOf(kindOfElements(value)) > 8;
}

/// Whether each operand of a float kind may be of this kind instead.
static bool allows(const SampleInfo &sample, StringRef kind) {
  return llvm::all_of(sample.operands, [&](const SampleOperand &operand) {
    for (const KindVariable &variable : sample.variables)
      if (StringRef(variable.name) == operand.variable)
        return llvm::is_contained(variable.kinds, kind) ||
               llvm::none_of(variable.kinds, [](const char *allowed) {
                 return isFloat(*elementKindNamed(std::string_view(allowed)));
               });
    return true;
  });
}

static double element(const glow::Tensor &tensor, int64_t index) {
  double value = 0;
  visitKind(tensor.type().kind, [&](auto identity) {
    using T = typename decltype(identity)::type;
    value = double(static_cast<const T *>(tensor.data())[index]);
  });
  return value;
}

static void setElement(glow::Tensor &tensor, int64_t index, double value) {
  visitKind(tensor.type().kind, [&](auto identity) {
    using T = typename decltype(identity)::type;
    static_cast<T *>(tensor.data())[index] = T(value);
  });
}

namespace {

class GradientTest {
public:
  GradientTest(MLIRContext &context, const SampleInfo &sample)
      : context(context), sample(sample), isWide(allows(sample, "f64")) {
    for (const SampleOperand &operand : sample.operands) {
      operands.push_back(readOperand(&context, operand.text, ""));
      if (expr::isFloat(operands.back().type.getElementType()))
        operands.back() = readOperand(&context, operand.text, kind());
      operands.back().constant = false;
    }
  }

  /// Empty when all is well; counts the elements that it compares.
  std::string run(unsigned &elements) {
    SampleModule forward = buildForward();
    if (!forward.built)
      return "is refused in " + kind().str() + ": " + forward.said;
    if (outputs.empty())
      return ""; // a Cast to integers
    SampleModule backward = buildBackward();
    if (!backward.built || mlir::failed(verify(*backward.module)))
      return "has no gradient: " + backward.said;
    values = std::move(forward.inputs);
    Executable gradient;
    std::string why = program.compile(*forward.module, true);
    if (why.empty())
      why = gradient.compile(*backward.module, true);
    if (why.empty())
      why = gradient.run(backward.inputs, gradients);
    for (size_t i = operands.size(); i < backward.inputs.size(); ++i)
      weights.push_back(std::move(backward.inputs[i]));
    for (size_t i = 0; i < operands.size() && why.empty(); ++i)
      if (expr::isFloat(operands[i].type.getElementType()) && !leftOut[i])
        why = checkOperand(i, elements);
    return why;
  }

private:
  StringRef kind() const { return isWide ? "f64" : "f32"; }

  SampleModule build(ArrayRef<OperandText> inputs, BuildResults results) {
    SmallVector<ElementKind> through;
    for (const OperandText &input : inputs)
      through.push_back(*kindOf(input.type.getElementType()));
    return buildModule(context, inputs, through, results);
  }

  Operation *buildNode(OpBuilder &builder, ValueRange inputs) {
    return sample.build(builder, builder.getUnknownLoc(),
                        inputs.take_front(operands.size()),
                        [&](const char *, const char *written) {
                          return kindNamed(&context, written);
                        });
  }

  /// Gives the results of a float kind.
  SampleModule buildForward() {
    return build(operands, [&](OpBuilder &builder, ValueRange inputs,
                               SmallVectorImpl<Value> &results) {
      Operation *node = buildNode(builder, inputs);
      if (node)
        llvm::copy_if(node->getResults(), std::back_inserter(results), isReal);
      for (Value result : results)
        outputs.push_back({tensorType(result)});
      return bool(node);
    });
  }

  /// Takes the weights too, and gives the gradients that there are.
  SampleModule buildBackward() {
    SmallVector<OperandText> inputs(operands);
    inputs.append(outputs);
    return build(inputs, [&](OpBuilder &builder, ValueRange inputs,
                             SmallVectorImpl<Value> &results) {
      Operation *node = buildNode(builder, inputs);
      SmallVector<Value> given;
      size_t next = operands.size();
      for (Value result : node->getResults())
        given.push_back(isReal(result) ? inputs[next++] : Value());
      auto made = buildGradients(builder, node, given);
      if (mlir::failed(made))
        return false;
      leftOut = made->leftOut;
      for (Value gradient : made->values) {
        places.push_back(gradient ? int(results.size()) : -1);
        if (gradient)
          results.push_back(gradient);
      }
      return true;
    });
  }

  /// The weighted sum of the results.
  double sum(std::string &why) {
    std::vector<glow::Tensor> results;
    why = program.run(values, results);
    double total = 0;
    for (auto [result, weight] : llvm::zip(results, weights))
      for (int64_t i = 0; i < result.type().elements(); ++i)
        total += element(result, i) * element(weight, i);
    return total;
  }

  std::string checkOperand(size_t operand, unsigned &elements) {
    const double step = isWide ? 1e-5 : 1. / 64;
    const double tolerance = isWide ? 1e-6 : 2e-2;
    std::string why;
    glow::Tensor &changed = values[operand];
    for (int64_t i = 0; i < changed.type().elements() && why.empty(); ++i) {
      ++elements;
      double value = element(changed, i);
      setElement(changed, i, value + step);
      double above = sum(why);
      setElement(changed, i, value - step);
      double below = sum(why);
      setElement(changed, i, value);
      double wanted = (above - below) / (2 * step);
      double is = places[operand] < 0
                      ? 0
                      : element(gradients[size_t(places[operand])], i);
      if (!(std::abs(is - wanted) <=
            tolerance * std::max(1.0, std::abs(wanted))))
        why = "has gradient " + std::to_string(is) + " at element " +
              std::to_string(i) + " of operand " + std::to_string(operand) +
              ", but changes by " + std::to_string(wanted);
    }
    return why;
  }

  MLIRContext &context;
  const SampleInfo &sample;
  bool isWide;
  SmallVector<OperandText> operands, outputs;
  SmallVector<int> places; // of an operand's gradient among the results, or -1
  llvm::BitVector leftOut;
  std::vector<glow::Tensor> values, weights, gradients;
  Executable program;
};

} // namespace

/// Whether there is something to compare.
static bool hasGradient(StringRef node) {
  const GradientInfo *info = findGradient(node);
  return info && info->build;
}

void glow::addGradientCases(CaseMaker &maker) {
  llvm::StringSet<> nodes;
  for (const SampleInfo &sample : allSamples()) {
    if (!maker.isChosen(sample.node) || *sample.refuses ||
        !hasGradient(sample.node))
      continue;
    nodes.insert(sample.node);
    maker.add(CaseKind::Gradient, sample.node,
              " sample '" + Twine(sample.label) + "' differentiated",
              placeOf(sample.node), [&sample](MLIRContext &context) {
                CaseOutcome outcome;
                outcome.why =
                    GradientTest(context, sample).run(outcome.elements);
                return outcome;
              });
  }
  for (const NodeInfo &node : allNodes())
    if (maker.isChosen(node.name) && hasGradient(node.name) &&
        !nodes.contains(node.name))
      maker.add(CaseKind::Gradient, node.name, " differentiated", node.place,
                [](MLIRContext &) {
                  return CaseOutcome{"has a gradient that no sample checks"};
                });
}
