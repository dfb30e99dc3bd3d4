//===- GradientRecords.cpp - gradients of index notation, as records ------===//
// SPDX-License-Identifier: MIT
//
// The gradient of a node with `compute` is a node too: its record is written
// here, and then read like one by hand. It takes the operands of the node, its
// results where these are read, and the gradient of the result.
//
//===----------------------------------------------------------------------===//

#include "Emit/language/Emit.h"
#include "Expr/Fields.h"
#include "Model/gradients/Adjoint.h"
#include "Model/gradients/Gradient.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// A signature whose names are bound already: "T[d, cg, *r]".
static std::string resultText(const TensorSignature &tensor) {
  return tensor.kind + sizesText(tensor);
}

static std::string typed(const std::string &text, const std::string &name) {
  return quoted(text) + ":$" + name;
}

/// The kind bindings of the gradient node; variables of gradients and results
/// bind to Floats.
static std::string kindsDag(const NodeModel &node, const Adjoint &adjoint) {
  std::string result;
  StringSet<> seen;
  auto bind = [&](StringRef variable, StringRef kinds) {
    if (seen.insert(variable).second)
      result += (result.empty() ? " " : ", ") + (kinds + ":$" + variable).str();
  };
  for (const auto *list : {&adjoint.gives, &adjoint.results})
    for (const TensorSignature *tensor : *list)
      if (isUpper(tensor->kind[0]))
        bind(tensor->kind, "Floats");
  const DagInit *types = dagField<"Node.types">(node.record);
  for (auto [kinds, name] : llvm::zip(types->getArgs(), types->getArgNames()))
    bind(name->getValue(), cast<DefInit>(kinds)->getDef()->getName());
  return "(kinds" + result + ")";
}

static std::string namesOf(ArrayRef<const TensorSignature *> operands) {
  return join(map_range(operands,
                        [](const TensorSignature *operand) {
                          return "'" + operand->name + "'";
                        }),
              ", ");
}

static void emitRecord(const NodeModel &node, const Adjoint &adjoint,
                       raw_ostream &os) {
  std::vector<std::string> inputs, outputs, scratch;
  for (const TensorSignature *input : adjoint.operands)
    inputs.push_back(typed(input->text, input->name));
  for (const TensorSignature *result : adjoint.reads)
    inputs.push_back(typed(resultText(*result), result->name));
  for (const TensorSignature *result : adjoint.results)
    inputs.push_back(typed(resultText(*result), gradientTensor(node, *result)));
  for (const TensorSignature *operand : adjoint.gives)
    outputs.push_back(
        typed(resultText(*operand), gradientTensor(node, *operand)));
  for (const auto &[name, signature] : adjoint.scratch)
    scratch.push_back(typed(signature, name));
  os << formatv(R"(
// {0}
def {1} : Node<{2},
    (ins {3}),
    (outs {4}), !cast<Node>("{5}").attributes> {{
  let summary = "gradient of {6} as to {7}";
  let gradientOf = {5};
  let origin = "{0}";
  let backend = !cast<Node>("{5}").backend;
  let types = {8};
  let requires = !cast<Node>("{5}").requires;
  let with = !cast<Node>("{5}").with;
)",
                placeOf(node.record), adjoint.name,
                quoted(convertToSnakeFromCamelCase(adjoint.name)),
                join(inputs, ", "), join(outputs, ", "), node.record.getName(),
                node.mnemonic, namesOf(adjoint.gives), kindsDag(node, adjoint));
  if (!scratch.empty())
    os << "  let scratch = (ins " << join(scratch, ", ") << ");\n";
  os << "  let compute = [{ " << adjoint.compute << " }];\n}\n";
}

/// Gradients of nodes, or of nodes that are gradients themselves.
template <bool Second>
static bool emitGradientRecords(const Model &model, raw_ostream &os) {
  os << "include \"" << includedRoot() << "\"\n";
  for (const NodeModel *node : model.ownNodes())
    if (bool(node->forward) == Second)
      for (const Adjoint &adjoint : derivedNodes(model, *node))
        emitRecord(*node, adjoint, os);
  return false;
}

static Emitter records("gen-gradient-records",
                       "derive gradients of index notation, as records",
                       emitGradientRecords<false>);
static Emitter second("gen-second-gradient-records",
                      "derive gradients of those, as records",
                      emitGradientRecords<true>);
