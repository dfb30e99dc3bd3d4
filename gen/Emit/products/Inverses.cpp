//===- Inverses.cpp - table of exports to ONNX ----------------------------===//
// SPDX-License-Identifier: MIT

#include "Emit/products/Inverses.h"
#include "Emit/language/Graph.h"
#include "Expr/Fields.h"
#include "Model/rules/Inverse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// Writes a function that computes an attribute of a node; returns its name.
static std::string emitComputed(const Model &model, const Record &record,
                                const NodeModel &node,
                                const InverseValue &value, StringRef array,
                                raw_ostream &os) {
  std::string name = (array + "_" + value.name).str();
  os << formatv(
      "::mlir::Attribute {0}(::mlir::Operation *op) {{\n"
      "  auto node = ::llvm::cast<{1}>(op);\n"
      "  {2}Shape shape;\n"
      "  if (failed(shape.bind(node, [](const ::llvm::Twine &) {{})))\n"
      "    return {{};\n",
      name, qualified(node), node.className);
  Scope scope = operandScope(node, os);
  os << formatv(
      "  return ::glow::attributeOf(op->getContext(), {0});\n}\n",
      ValueEmitter(model.functions, scope, record)
          .emitAs(value.computed, value.type, "'" + value.name + "'"));
  return name;
}

/// Writes the arrays of a proposal; returns its row.
static std::string emitInverse(const Model &model, const Record &record,
                               const Inverse &inverse, StringRef array,
                               raw_ostream &os) {
  std::vector<std::string> computed;
  for (const InverseValue &value : inverse.values)
    computed.push_back(
        value.computed
            ? emitComputed(model, record, *inverse.node, value, array, os)
            : "nullptr");
  os << formatv("constexpr ::glow::InverseValue {0}[] = {{\n", array);
  for (auto [value, function] : zip_equal(inverse.values, computed)) {
    auto from = [&](size_t i) {
      return quoted(i < value.from.size() ? value.from[i] : "");
    };
    os << formatv("    {{{0}, {1}, {2}, {3}, {4}, {5}, {6}},\n",
                  quoted(value.name), from(0), from(1), quoted(value.word),
                  function, quoted(value.paths), value.isList);
  }
  os << "};\n";
  std::string results = "{}";
  if (!inverse.results.empty()) {
    results = (array + "Results").str();
    os << formatv("constexpr int {0}[] = {{", results);
    interleaveComma(inverse.results, os);
    os << "};\n";
  }
  return formatv("    {{{0}, {1}, {2}, {3}, {4}, {5}},\n",
                 quoted("glow." + inverse.node->mnemonic),
                 quoted(textField<"OnnxImport.domain">(record)),
                 quoted(textField<"OnnxImport.operator">(record)),
                 intField<"OnnxImport.since">(record), array, results);
}

/// Nodes that are no operator by themselves.
static std::set<const NodeModel *> unwrittenIn(const Model &model) {
  std::set<const NodeModel *> nodes;
  for (const auto &node : model.nodes)
    nodes.insert(node.get());
  for (const Record *record :
       model.records.getAllDerivedDefinitionsIfDefined("OnnxImport"))
    for (const Inverse &inverse : inversesOf(model, *record))
      nodes.erase(inverse.node);
  return nodes;
}

void glow::gen::emitInverses(const Model &model, raw_ostream &os) {
  std::string table;
  size_t number = 0;
  const std::set<const NodeModel *> unwritten = unwrittenIn(model);
  for (const Record *record : model.own("OnnxImport"))
    for (const std::set<const NodeModel *> *nodes :
         {static_cast<decltype(&unwritten)>(nullptr), &unwritten})
      for (const Inverse &inverse : inversesOf(model, *record, nodes))
        table += emitInverse(model, *record, inverse,
                             "inverse" + std::to_string(number++), os);
  os << "const ::std::vector<::glow::ImportInverse> inverseTable = {\n"
     << table << "};\n\n";
}

std::map<const NodeModel *, std::string>
glow::gen::writtenAs(const Model &model) {
  std::map<const NodeModel *, std::string> all;
  const std::set<const NodeModel *> unwritten = unwrittenIn(model);
  for (const Record *record :
       model.records.getAllDerivedDefinitionsIfDefined("OnnxImport")) {
    StringRef domain = textField<"OnnxImport.domain">(*record);
    std::string name = ("`" + domain + (domain.empty() ? "" : ".") +
                        textField<"OnnxImport.operator">(*record) + "`")
                           .str();
    std::vector<Inverse> inverses = inversesOf(model, *record);
    append_range(inverses, inversesOf(model, *record, &unwritten));
    for (const Inverse &inverse : inverses)
      if (std::string &list = all[inverse.node];
          !StringRef(list).contains(name))
        list += (list.empty() ? "" : ", ") + name;
  }
  return all;
}
