//===- Tilings.cpp - tables of tilings ------------------------------------===//
// SPDX-License-Identifier: MIT

#include "Emit/backends/Legality.h"
#include "Emit/language/Emit.h"
#include "Expr/Fields.h"
#include "Expr/Parser.h"
#include "Model/rules/Tiling.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

/// Emits a function on a node and on one of its tiles, which returns `result`.
static std::string emitFunction(const NodeModel &node, StringRef name,
                                StringRef type, StringRef none,
                                StringRef result, bool hasTile,
                                raw_ostream &os) {
  os << formatv(R"({0} {1}(::mlir::Operation *op{2}) {{
  {3}Shape shape;
  auto silent = [](const ::llvm::Twine &) {{};
  if (failed(shape.bind(::llvm::cast<{4}>(op), silent)))
    return {5};
  return {6};
}

)",
                type, name, hasTile ? ", const ::glow::Ints &tile" : "",
                node.className, qualified(node), none, result);
  return name.str();
}

std::string glow::gen::emitTiling(const Model &model, const Record &backend,
                                  const Record &tiling, raw_ostream &os) {
  const NodeModel &node =
      *model.findNode(recordField<"Tiling.node">(tiling)->getName());
  Scope scope = node.scope("shape.");
  std::string cuts, multiples, sizes, memories, needs;
  auto emitAs = [&](StringRef text, const Record &record, StringRef what) {
    Parser parser(text, record);
    ExprPtr value = parser.expression();
    parser.expectEnd();
    return ValueEmitter(model.functions, scope, record)
        .emitAs(value, Type::Int, what);
  };
  std::vector<const Record *> all = recordsField<"Tiling.cuts">(tiling);
  for (const Record *cut : all) {
    cuts += quoted(textField<"Cut.name">(*cut)) + ", ";
    multiples += std::to_string(intField<"Cut.multiple">(*cut)) + ", ";
    sizes += emitAs(textField<"Cut.size">(*cut), *cut, "the size") + ", ";
  }
  for (auto [index, cut] : enumerate(all))
    scope.define(textField<"Cut.name">(*cut), Type::Int,
                 ("tile[" + Twine(index) + "]").str());
  for (const Record *need : recordsField<"Tiling.needs">(tiling)) {
    memories += quoted(textField<"MemorySpace.name">(
                    *recordField<"Need.memory">(*need))) +
                ", ";
    needs += emitAs(textField<"Need.bytes">(*need), *need, "the bytes") + ", ";
  }
  std::string name = (tiling.getName() + "Of" + backend.getName()).str();
  std::string sizesOf = emitFunction(node, name + "Sizes", "::glow::Ints", "{}",
                                     "{" + sizes + "}", false, os);
  std::string needsOf = emitFunction(node, name + "Needs", "::glow::Ints", "{}",
                                     "{" + needs + "}", true, os);
  std::string costOf = emitFunction(
      node, name + "Cost", "int64_t", "0",
      emitAs(textField<"Tiling.cost">(tiling), tiling, "the cost"), true, os);
  return formatv("    {{{0}, \"glow.{1}\", {{{2}}, {{{3}}, {{{4}}, {5}, {6}, "
                 "{7}},\n",
                 quoted(textField<"Backend.name">(backend)), node.mnemonic,
                 cuts, multiples, memories, sizesOf, needsOf, costOf);
}
