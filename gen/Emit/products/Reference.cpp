//===- Reference.cpp - the page of operators ------------------------------===//
// SPDX-License-Identifier: MIT

#include "Emit/language/Emit.h"
#include "Emit/language/Page.h"
#include "Emit/products/Inverses.h"
#include "Expr/Derivative.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/gradients/Adjoint.h"
#include "Model/gradients/Gradient.h"
#include "Model/rules/Rule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static void emitOperands(StringRef title,
                         const std::vector<TensorSignature> &tensors,
                         raw_ostream &os) {
  for (const TensorSignature &tensor : tensors)
    os << "| " << title << " | `" << tensor.name << "` | `" << tensor.text
       << "` |\n";
}

/// The operators of ONNX, or of Caffe2, that each node is part of.
static StringMap<std::string> importsOf(const Model &model, bool ofCaffe2) {
  StringMap<std::string> lists;
  for (const Record *record :
       model.records.getAllDerivedDefinitions("OnnxImport")) {
    if (record->isSubClassOf("Caffe2Import") != ofCaffe2)
      continue;
    std::string name =
        "`" + textField<"OnnxImport.operator">(*record).str() + "`";
    Parser parser(textField<"OnnxImport.body">(*record), *record);
    for (const auto &[node, at] : nodesIn(model, parser.statements()))
      if (std::string &list = lists[node]; !StringRef(list).contains(name))
        list += (list.empty() ? "" : ", ") + name;
  }
  return lists;
}

/// Emits the source of the gradient, except for a formula: its derivatives are
/// shown beside it.
static void emitGradient(const Model &model, const NodeModel &node,
                         raw_ostream &os) {
  GradientModel gradient = gradientOf(model, node);
  switch (gradient.source) {
  case GradientModel::Source::Given:
    os << "\nGradient\n\n    "
       << oneLine(node.gradient.empty()
                      ? textField<"Gradient.body">(*gradient.record)
                      : StringRef(node.gradient))
       << "\n";
    break;
  case GradientModel::Source::Refused:
    os << "\nCannot be differentiated: " << gradient.reason << ".\n";
    break;
  case GradientModel::Source::Lowering:
    os << "\nIts gradient follows from its lowering, by the chain rule.\n";
    break;
  default:
    break;
  }
  std::vector<Adjoint> derived = derivedNodes(model, node);
  if (!derived.empty())
    os << "\nDerived gradient\n\n";
  for (const Adjoint &adjoint : derived)
    os << "    " << inBrief(adjoint.compute) << "\n";
}

static void emitMeaning(const Model &model, const NodeModel &node,
                        raw_ostream &os) {
  if (node.isPointwise()) {
    ExprPtr formula = node.formulaTree();
    os << "\n    " << node.outputs[0].name << " = " << textOf(formula) << "\n";
    for (const TensorSignature &input : node.inputs)
      os << "    d/d" << input.name << " = "
         << textOf(
                derivativeOf(formula, input.name, model.functions, node.record))
         << "\n";
    bool isReal = any_of(node.kindsOf(node.outputs[0]), [](StringRef kind) {
      return kind == "f32" || kind == "f64";
    });
    int64_t ulps = intField<"Node.ulps">(node.record);
    if (isReal && ulps > 4)
      os << "\nOf f32 at most " << ulps << ", and of f64 " << 8 * ulps
         << " units in the last place off, for each number.\n";
    else if (isReal && ulps)
      os << "\nOf f32 and f64, at most " << ulps
         << " units in the last place off, for each number.\n";
  } else if (!node.compute.empty()) {
    os << "\n    "
       << (node.forward ? inBrief(node.compute) : oneLine(node.compute))
       << "\n";
  } else if (!node.hand.empty()) {
    os << "\nA kernel by hand: " << textField<"Node.reason">(node.record)
       << ".\n";
  }
  emitGradient(model, node, os);
  if (!node.lowering.empty())
    os << "\nLowers, from tier " << node.tier << ", by\n\n    "
       << oneLine(node.lowering) << "\n";
}

static void emitNode(const Model &model, const NodeModel &node,
                     StringRef imports, StringRef caffe2, StringRef written,
                     raw_ostream &os) {
  os << "\n### `glow." << node.mnemonic << "`\n\n"
     << node.record.getValueAsString("summary") << "\n\n    " << grammarOf(node)
     << "\n\n| | name | type |\n"
     << "|---|---|---|\n";
  emitOperands("operand", node.inputs, os);
  emitAttributeRows(node.attributes, os);
  emitOperands("result", node.outputs, os);
  for (const auto &[variable, kinds] : node.kinds)
    os << "\n`" << variable << "` is one of " << join(kinds, ", ") << ".\n";
  emitMeaning(model, node, os);
  if (!node.requirements.empty())
    os << "\nRequires\n\n";
  for (const Requirement &requirement : node.requirements)
    os << "- `[" << requirement.label << "]` `" << textOf(requirement.condition)
       << "`\n";
  if (!imports.empty())
    os << "\nIn ONNX: " << imports << ".\n";
  if (!caffe2.empty())
    os << "\nIn Caffe2: " << caffe2 << ".\n";
  if (!written.empty())
    os << "\nWritten as ONNX: " << written << ".\n";
  if (node.forward)
    os << "\nPart of the gradient of `" << node.forward->getName() << "`.\n";
  os << "\nDeclared in `" << placeOf(node.record) << "`.\n";
}

void glow::gen::emitNodesOf(const Model &model, StringRef backend,
                            raw_ostream &os) {
  std::map<std::string, std::vector<const NodeModel *>> families;
  for (const NodeModel *node : model.ownNodes())
    if (textField<"Node.backend">(node->record) == backend)
      families[node->family].push_back(node);
  StringMap<std::string> imports = importsOf(model, /*ofCaffe2=*/false);
  StringMap<std::string> caffe2 = importsOf(model, /*ofCaffe2=*/true);
  std::map<const NodeModel *, std::string> written = writtenAs(model);
  for (const auto &[family, nodes] : families) {
    if (backend.empty())
      os << "\n## " << family << "\n";
    for (const NodeModel *node : nodes)
      emitNode(model, *node, imports[node->className], caffe2[node->className],
               written[node], os);
  }
}

static bool emitReference(const Model &model, raw_ostream &os) {
  os << "# Operators\n\nMade from the records; do not edit.\n";
  emitNodesOf(model, /*backend=*/"", os);
  return false;
}

static Emitter reference("gen-reference", "emit the reference of operators",
                         emitReference);
