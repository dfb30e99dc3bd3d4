//===- GradientRecords.cpp - gradients of index notation, as records ------===//
//
// The gradient of a node with `compute` is a node too: its record is written
// here, and then read like one by hand. It takes the operands of the node, its
// results where these are read, and the gradient of the result.
//
//===----------------------------------------------------------------------===//

#include "Emit/Emit.h"
#include "Expr/Fields.h"
#include "Model/Adjoint.h"
#include "Model/Gradient.h"
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

/// The kinds of the node's variables; those of real numbers are floats.
static std::string kindsDag(const NodeModel &node,
                            const TensorSignature &operand,
                            std::vector<const TensorSignature *> reals) {
  std::string result;
  StringSet<> seen;
  auto bind = [&](StringRef variable, StringRef kinds) {
    if (seen.insert(variable).second)
      result += (result.empty() ? " " : ", ") + (kinds + ":$" + variable).str();
  };
  reals.insert(reals.begin(), &operand);
  for (const TensorSignature *tensor : reals)
    if (isUpper(tensor->kind[0]))
      bind(tensor->kind, "Floats");
  const DagInit *types = dagField<"Node.types">(node.record);
  for (auto [kinds, name] : llvm::zip(types->getArgs(), types->getArgNames()))
    bind(name->getValue(), cast<DefInit>(kinds)->getDef()->getName());
  return "(kinds" + result + ")";
}

static void emitRecord(const Model &model, const NodeModel &node,
                       const TensorSignature &operand, raw_ostream &os) {
  Adjoint adjoint = adjointOf(model, node, operand);
  std::string inputs, gradients;
  for (const TensorSignature *input : adjoint.operands)
    inputs += typed(input->text, input->name) + ", ";
  for (const TensorSignature *result : adjoint.reads)
    inputs += typed(resultText(*result), result->name) + ", ";
  for (const TensorSignature *result : adjoint.results)
    gradients += (gradients.empty() ? "" : ", ") +
                 typed(resultText(*result), "d_" + result->name);
  inputs += gradients;
  std::string outputs = typed(resultText(operand), "d_" + operand.name);
  if (adjoint.countsTies)
    outputs += ", " + typed(resultText(*adjoint.results[0]), "ties");
  std::string name = adjointName(node, operand);
  os << formatv(R"(
// {0}
def {1} : Node<{2},
    (ins {3}),
    (outs {4}), !cast<Node>("{5}").attributes> {{
  let summary = "gradient of {6} as to '{7}'";
  let gradientOf = {5};
  let origin = "{0}";
  let backend = !cast<Node>("{5}").backend;
  let types = {8};
  let requires = !cast<Node>("{5}").requires;
  let compute = [{{ {9} }];
}
)",
                placeOf(node.record), name,
                quoted(convertToSnakeFromCamelCase(name)), inputs, outputs,
                node.record.getName(), node.mnemonic, operand.name,
                kindsDag(node, operand, adjoint.results), adjoint.compute);
}

static bool emitGradientRecords(const Model &model, raw_ostream &os) {
  os << "include \"" << includedRoot() << "\"\n";
  for (const NodeModel *node : model.ownNodes())
    for (const TensorSignature *operand : derivedOperands(model, *node))
      emitRecord(model, *node, *operand, os);
  return false;
}

static Emitter records("gen-gradient-records",
                       "derive gradients of index notation, as records",
                       emitGradientRecords);
