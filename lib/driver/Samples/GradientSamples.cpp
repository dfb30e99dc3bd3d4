//===- GradientSamples.cpp - gradients against finite differences ---------===//
// SPDX-License-Identifier: MIT
//
// A sample's results, times fixed random weights, add up to one number. Its
// change with each element of an operand must equal the node's gradient, if the
// weights are the gradients of the results. Nodes that were derived for a
// gradient are tested in the same way: that is the second gradient. Other
// backends must agree with the interpreter.
//
// The operands are of kind f64, so that a small step loses no digits. If the
// signature has no wider kind, they are of f32, with larger steps. Random
// values keep away from kinks: the probability of a kink within a step is below
// 1 in 10,000 per sample, and the seeds are fixed.
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

/// Whether the value's kind is a float that shows small changes of an operand.
static bool isReal(Value value) {
  return expr::isFloat(kindOfElements(value)) &&
         expr::bitsOf(kindOfElements(value)) > 8;
}

/// Whether each operand of a float kind may have this kind instead.
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

/// Tests the gradients of a sample's node, or, as order 2, the gradients of
/// those.
class GradientTest {
public:
  GradientTest(MLIRContext &context, const SampleInfo &sample,
               unsigned order = 1)
      : context(context), sample(sample), order(order),
        isWide(allows(sample, "f64")) {
    for (const SampleOperand &operand : sample.operands) {
      operands.push_back(readOperand(&context, operand.text, ""));
      if (expr::isFloat(operands.back().type.getElementType()))
        operands.back() = readOperand(&context, operand.text, kind());
      operands.back().constant = false;
    }
    ofNode = operands.size();
  }

  /// Empty when the test passes; counts the elements that are compared.
  std::string run(unsigned &elements) {
    takeWeights(order - 1);
    SampleModule forward = buildOrder(order - 1);
    if (!forward.built)
      return "is refused in " + kind().str() + ": " + forward.said;
    if (outputs.empty())
      return ""; // a Cast to integers
    size_t count = operands.size();
    operands.append(outputs);
    SampleModule backward = buildOrder(order);
    if (!backward.built || mlir::failed(verify(*backward.module)))
      return "has no gradient: " + backward.said;
    values = std::move(forward.inputs);
    Executable gradient;
    std::string why = program.compile(*forward.module, true);
    if (why.empty())
      why = gradient.compile(*backward.module, true);
    if (why.empty())
      why = gradient.run(backward.inputs, gradients);
    for (size_t i = count; i < backward.inputs.size(); ++i)
      weights.push_back(std::move(backward.inputs[i]));
    for (size_t i = 0; i < count && why.empty(); ++i)
      if (expr::isFloat(operands[i].type.getElementType()) && !isLeftOut(i))
        why = checkOperand(i, elements);
    return why;
  }

  /// Runs on a backend and compares with the reference.
  CaseOutcome runOn(const std::string &backend, const CaseMaker &maker) {
    takeWeights(order);
    SampleModule reference = buildOrder(order), compiled = buildOrder(order);
    if (!reference.built)
      return {"has no gradient: " + reference.said};
    if (std::string why = maker.notTaken(*compiled.module, backend);
        !why.empty())
      return {why, /*skipped=*/true};
    std::vector<glow::Tensor> expected, actual;
    std::string why = execute(reference, true, expected);
    if (why.empty())
      why = execute(compiled, true, actual, backend);
    if (why.empty())
      why = compare(sample.node, actual, expected, /*roundings=*/8);
    return {why};
  }

  /// The nodes that were derived for the gradients.
  std::vector<std::string> derivedNodes() {
    std::vector<std::string> derived;
    takeWeights(1);
    SampleModule backward = buildOrder(1);
    if (backward.built)
      backward.module->walk([&](Operation *op) {
        StringRef name = op->getName().getStringRef();
        const NodeInfo *info = findNode(name);
        if (info && *info->gradientOf && name != sample.node)
          derived.push_back(name.str());
      });
    return derived;
  }

private:
  /// Adds the gradients of the results of all lower orders as operands.
  void takeWeights(unsigned end) {
    for (unsigned below = 0; below < end; ++below)
      if (buildOrder(below).built)
        operands.append(outputs);
  }

  StringRef kind() const { return isWide ? "f64" : "f32"; }
  /// Whether the record takes the operand as a constant, without a gradient.
  bool isLeftOut(size_t operand) const {
    return operand < leftOut.size() && leftOut[operand];
  }

  /// A module of the float results for order 0, or of gradients of such
  /// results; an order differentiates the previous order. Results become
  /// outputs.
  SampleModule buildOrder(unsigned wanted) {
    SmallVector<ElementKind> through;
    for (const OperandText &operand : operands)
      through.push_back(*kindOf(operand.type.getElementType()));
    outputs.clear();
    return buildModule(context, operands, through,
                       [&](OpBuilder &builder, ValueRange inputs,
                           SmallVectorImpl<Value> &results) {
                         if (!build(wanted, builder, inputs, results))
                           return false;
                         for (Value result : results)
                           outputs.push_back({tensorType(result)});
                         return true;
                       });
  }

  bool build(unsigned wanted, OpBuilder &builder, ValueRange inputs,
             SmallVectorImpl<Value> &results) {
    if (wanted == 0) {
      Operation *node = buildNode(builder, inputs);
      if (node)
        llvm::copy_if(node->getResults(), std::back_inserter(results), isReal);
      return bool(node);
    }
    places.clear();
    return wanted == 1 ? buildFirst(builder, inputs, results)
                       : buildSecond(builder, inputs, results);
  }

  Operation *buildNode(OpBuilder &builder, ValueRange inputs) {
    return sample.build(builder, builder.getUnknownLoc(),
                        inputs.take_front(ofNode),
                        [&](const char *, const char *written) {
                          return kindNamed(&context, written);
                        });
  }

  void give(Value gradient, SmallVectorImpl<Value> &results) {
    places.push_back(gradient ? int(results.size()) : -1);
    if (gradient)
      results.push_back(gradient);
  }

  /// Builds the gradients that exist; the weights are inputs, too.
  bool buildFirst(OpBuilder &builder, ValueRange inputs,
                  SmallVectorImpl<Value> &results) {
    Operation *node = buildNode(builder, inputs);
    if (!node)
      return false;
    SmallVector<Value> given;
    size_t next = ofNode;
    for (Value result : node->getResults())
      given.push_back(isReal(result) ? inputs[next++] : Value());
    auto made = buildGradients(builder, node, given);
    if (mlir::failed(made))
      return false;
    leftOut = made->leftOut;
    for (Value gradient : made->values)
      give(gradient, results);
    return true;
  }

  /// Builds second gradients by the chain rule, through the nodes of the first.
  bool buildSecond(OpBuilder &builder, ValueRange inputs,
                   SmallVectorImpl<Value> &results) {
    Block *block = builder.getInsertionBlock();
    Operation *before = block->empty() ? nullptr : &block->back();
    SmallVector<Value> first;
    if (!buildFirst(builder, inputs, first))
      return false;
    SmallVector<Operation *> nodes;
    for (Operation *op = before ? before->getNextNode() : &block->front(); op;
         op = op->getNextNode())
      nodes.push_back(op);
    GradientSums sums;
    for (auto [result, weight] :
         llvm::zip_equal(first, inputs.take_back(first.size())))
      if (mlir::failed(
              sums.add(builder, builder.getUnknownLoc(), result, weight)))
        return false;
    if (mlir::failed(sums.flowBack(builder, nodes)))
      return false;
    places.clear();
    for (Value input : inputs.drop_back(first.size()))
      give(sums.of(input), results);
    return true;
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
  const unsigned order;
  bool isWide;
  size_t ofNode; // of the operands
  SmallVector<OperandText> operands, outputs;
  SmallVector<int> places; // of an operand's gradient among the results, or -1
  llvm::BitVector leftOut;
  std::vector<glow::Tensor> values, weights, gradients;
  Executable program;
};

} // namespace

/// Whether the node has a gradient to compare.
static bool hasGradient(StringRef node) {
  const GradientInfo *info = findGradient(node);
  return info && info->build;
}

static void addSampleCases(const std::shared_ptr<CaseMaker> &maker,
                           const SampleInfo &sample,
                           llvm::StringSet<> &tested) {
  std::string name =
      (" sample '" + Twine(sample.label) + "' differentiated").str();
  std::string place = placeOf(sample.node);
  auto add = [&](const Twine &more, auto run) {
    maker->add(CaseKind::Gradient, sample.node, name + more, place, run);
  };
  auto differentiate = [&](unsigned order, const Twine &more) {
    add(more, [&sample, order](MLIRContext &context) {
      CaseOutcome outcome;
      outcome.why = GradientTest(context, sample, order).run(outcome.elements);
      return outcome;
    });
  };
  auto compareBackends = [&](unsigned order, const Twine &more) {
    for (const std::string &backend : maker->backendsFor(sample.node))
      add(more + " on backend " + backend,
          [&sample, order, maker, backend](MLIRContext &context) {
            return GradientTest(context, sample, order).runOn(backend, *maker);
          });
  };
  tested.insert(sample.node);
  differentiate(1, "");
  std::vector<std::string> derived =
      GradientTest(maker->context(), sample).derivedNodes();
  if (derived.empty())
    return;
  compareBackends(1, "");
  if (!llvm::all_of(derived, hasGradient))
    return;
  tested.insert_range(derived);
  differentiate(2, " twice");
  compareBackends(2, " twice");
}

void glow::addGradientCases(const std::shared_ptr<CaseMaker> &maker) {
  llvm::StringSet<> tested;
  for (const SampleInfo &sample : allSamples())
    if (maker->isChosen(sample.node) && !*sample.refuses &&
        hasGradient(sample.node))
      addSampleCases(maker, sample, tested);
  for (const NodeInfo &node : allNodes())
    if (maker->isChosen(node.name) && hasGradient(node.name) &&
        !tested.contains(node.name))
      maker->add(CaseKind::Gradient, node.name, " differentiated", node.place,
                 [](MLIRContext &) {
                   return CaseOutcome{"has a gradient that no sample checks"};
                 });
}
