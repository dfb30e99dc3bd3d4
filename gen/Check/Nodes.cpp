//===- Nodes.cpp - refusals that concern one node -------------------------===//
// SPDX-License-Identifier: MIT
//
// A node that nothing could run, a kernel by hand without a reason, and a
// requirement that no sample breaks are refused when Glow is built: what a
// record leaves out would otherwise be missed by the first model that needs it.
//
//===----------------------------------------------------------------------===//

#include "Check/Check.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/node/Node.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static bool hasRule(const Model &model, const NodeModel &node) {
  if (!node.lowering.empty())
    return true;
  return any_of(model.records.getAllDerivedDefinitions("Lowering"),
                [&](const Record *rule) {
                  return recordField<"Lowering.target">(*rule) == &node.record;
                });
}

/// The name that the record writes: the label of the requirement that refuses
/// the sample, or the sample's own.
static std::string nameOf(const SampleModel &sample) {
  return sample.refuses.empty() ? sample.label : sample.refuses;
}

static void checkSamplesOf(const NodeModel &node) {
  for (const SampleModel &sample : node.samples) {
    if (sample.operands.size() != node.inputs.size())
      fatalAt(positionOf("\"" + nameOf(sample) + "\"", node.record),
              node.record,
              "sample '" + sample.label + "' has " +
                  counted(sample.operands.size(), "operand") + ", but '" +
                  node.className + "' takes " + Twine(node.inputs.size()));
    if (!sample.refuses.empty() &&
        none_of(node.requirements, [&](const Requirement &requirement) {
          return requirement.label == sample.refuses;
        }))
      fatalAt(nullptr, node.record,
              "sample '" + sample.label + "' breaks requirement '" +
                  sample.refuses + "', which '" + node.className +
                  "' does not have");
  }
  for (const Requirement &requirement : node.requirements)
    if (none_of(node.samples, [&](const SampleModel &sample) {
          return sample.refuses == requirement.label;
        }))
      fatalAt(nullptr, node.record,
              "requirement '" + requirement.label + "' of '" + node.className +
                  "' has no negative test: a "
                  "Refused<\"" +
                  requirement.label +
                  "\", ...> among the "
                  "samples");
}

/// The first result and the operand that it updates have one buffer.
static void checkInout(const NodeModel &node) {
  StringRef name = textField<"Node.inout">(node.record);
  if (name.empty())
    return;
  auto refuse = [&](const Twine &why) {
    fatalAt(positionOf("\"" + name.str() + "\"", node.record), node.record,
            "'" + node.outputs.front().name + "' of '" + node.className +
                "' cannot update '" + name + "', " + why);
  };
  const TensorSignature *operand = node.findInput(name);
  if (!operand)
    refuse("which is no operand");
  if (operand->optional || operand->variadic)
    refuse("which is not always one tensor");
  auto typeOf = [](const TensorSignature &tensor) {
    return tensor.kind + sizesText(tensor);
  };
  if (typeOf(*operand) != typeOf(node.outputs.front()))
    refuse("which is of another type: " + typeOf(*operand) + ", and not " +
           typeOf(node.outputs.front()));
  if (node.compute.empty())
    refuse(
        "since only statements of index notation start from stored elements");
}

/// A number that a run computes is the size in the attribute `length`.
static void checkLengthFrom(const NodeModel &node) {
  StringRef name = textField<"Node.lengthFrom">(node.record);
  if (name.empty())
    return;
  const TensorSignature *operand = node.findInput(name);
  if (!operand || operand->text != "i64[]")
    fatalAt(positionOf("\"" + name.str() + "\"", node.record), node.record,
            "`lengthFrom` names '" + name +
                "', which should be an operand \"i64[]\" of '" +
                node.className + "'");
  if (none_of(attributesOf(node.record), [](const Attribute &attribute) {
        return attribute.name == "length" &&
               attribute.kind->getName() == "Ints";
      }))
    fatalAt(nullptr, node.record,
            "'" + node.className +
                "' has `lengthFrom`, and no attribute Ints:$length");
  if (!node.irgen.empty() || !node.lowering.empty())
    fatalAt(nullptr, node.record,
            "'" + node.className +
                "' has `lengthFrom`, and should be one instruction");
}

/// Entries of `integers` name operands. A bias belongs to a product, and a
/// product has weights.
static void checkIntegers(const NodeModel &node) {
  auto entries = recordsField<"Node.integers">(node.record);
  for (const Record *entry : entries) {
    StringRef input = textField<"Integers.input">(*entry);
    if (!node.findInput(input))
      fatalAt(nullptr, node.record,
              "`integers` names '" + input +
                  "', which should be an operand of '" + node.className + "'");
  }
  const auto weights = count_if(entries, [](const Record *entry) {
    return bitField<"Integers.isWeights">(*entry);
  });
  const auto biases = count_if(entries, [](const Record *entry) {
    return bitField<"Integers.isBias">(*entry);
  });
  if (weights > 1 || biases > weights)
    fatalAt(nullptr, node.record,
            "`integers` names " + Twine(weights) + " weights and " +
                Twine(biases) +
                " biases; there should be one of each at "
                "most, and no bias without weights");
}

static void checkBackend(const Model &model, const NodeModel &node) {
  StringRef name = textField<"Node.backend">(node.record);
  if (!name.empty() &&
      none_of(model.records.getAllDerivedDefinitions("Backend"),
              [&](const Record *backend) {
                return textField<"Backend.name">(*backend) == name;
              }))
    fatalAt(positionOf("\"" + name.str() + "\"", node.record), node.record,
            "'" + node.className + "' is made by the passes of backend '" +
                name + "', which no record declares");
}

void glow::gen::checkNodes(const Model &model) {
  for (const NodeModel *node : model.ownNodes()) {
    checkBackend(model, *node);
    checkInout(*node);
    checkLengthFrom(*node);
    checkIntegers(*node);
    if (!node->hasKernel() && node->irgen.empty() && !hasRule(model, *node))
      fatalAt(nullptr, node->record,
              "node '" + node->className +
                  "' has neither a formula, index notation, a kernel by hand, "
                  "instructions nor a lowering");
    if (!node->hand.empty() && textField<"Node.reason">(node->record).empty())
      fatalAt(nullptr, node->record,
              "node '" + node->className +
                  "' has a kernel by hand and gives no reason");
    // A gradient is tested by the samples of the node that it belongs to.
    if (node->forward)
      continue;
    bool positive = any_of(node->samples, [](const SampleModel &sample) {
      return sample.refuses.empty();
    });
    if (!positive)
      fatalAt(nullptr, node->record,
              "node '" + node->className + "' has no sample");
    checkSamplesOf(*node);
  }
}

void glow::gen::checkAll(const Model &model) {
  // Checks of syntax come first, and checks of meaning follow: a later check
  // may rely on all earlier ones.
  checkFields(model);
  checkNames(model);
  checkCxxNames(model);
  checkKinds(model);
  checkSignatures(model);
  checkNodes(model);
  checkMemories(model);
  checkEngines(model);
  checkTilings(model);
  checkInstrs(model);
  checkIRGen(model);
  checkCompute(model);
  checkIndices(model);
  checkIndexValues(model);
  checkWrites(model);
  checkRules(model);
  checkGradients(model);
  checkRuleShapes(model);
  checkRewrites(model);
  checkNarrower(model);
  checkTermination(model);
  checkPatterns(model);
  checkSamples(model);
  checkSampleShapes(model);
  checkImports(model);
  checkLegality(model);
  checkOptions(model);
}
