//===- QuantizedForms.cpp - facts about quantization, as data -------------===//
// SPDX-License-Identifier: MIT
//
// A node's record has the facts. An operator of ONNX has those of the node that
// its record names: operands and inputs correspond by their numbers.
//
//===----------------------------------------------------------------------===//

#include "Emit/products/QuantizedForms.h"
#include "Emit/language/Emit.h"
#include "Emit/language/Page.h"
#include "Expr/Fields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static std::string rowOf(const Record &entry, size_t input, bool isRest) {
  return formatv("    {{{0}, {1}, {2}, {3}, {4}, {5}},\n", input, isRest,
                 intField<"Integers.channels">(entry),
                 quoted(textField<"Integers.turned">(entry)),
                 bitField<"Integers.isWeights">(entry),
                 bitField<"Integers.isBias">(entry));
}

static std::string rowsOf(const NodeModel &node) {
  std::string rows;
  for (const Record *entry : recordsField<"Node.integers">(node.record)) {
    const TensorSignature *operand =
        node.findInput(textField<"Integers.input">(*entry));
    rows +=
        rowOf(*entry, size_t(operand - node.inputs.data()), operand->variadic);
  }
  return rows;
}

/// The form whose facts are those of `node`, which may be null.
static std::string emitForm(const Twine &name, StringRef rows,
                            const Record *node, bool moves, int64_t bf16From,
                            raw_ostream &os) {
  const std::string table = (name + "Integers").str();
  if (!rows.empty())
    os << formatv("constexpr ::glow::IntegerInput {0}[] = {{\n{1}};\n", table,
                  rows);
  return formatv("{{{0}, {1}, {2}, {3}, {4}}", rows.empty() ? "{}" : table,
                 moves || (node && bitField<"Node.keepsRange">(*node)),
                 moves || (node && bitField<"Node.rescales">(*node)),
                 node && bitField<"Node.isAffine">(*node), bf16From);
}

std::string glow::gen::emitQuantizedForm(const NodeModel &node,
                                         raw_ostream &os) {
  return emitForm(node.className, rowsOf(node), &node.record, /*moves=*/false,
                  /*bf16From=*/0, os);
}

std::string glow::gen::emitQuantizedForm(const Model &model,
                                         const Record &import,
                                         StringRef function,
                                         ArrayRef<StringRef> inputs,
                                         raw_ostream &os) {
  const Record *node = import.isValueUnset("quantizedAs")
                           ? nullptr
                           : recordField<"OnnxImport.quantizedAs">(import);
  std::string rows;
  for (const Record *entry : recordsField<"OnnxImport.integers">(import)) {
    StringRef input = textField<"Integers.input">(*entry);
    const auto *found = find_if(
        inputs, [&](StringRef text) { return text.rtrim("?.") == input; });
    rows +=
        rowOf(*entry, size_t(found - inputs.begin()), found->ends_with("..."));
  }
  if (rows.empty() && node)
    rows = rowsOf(*model.findNode(node->getName()));
  return emitForm(function, rows, node,
                  bitField<"OnnxImport.movesElements">(import),
                  intField<"OnnxImport.bf16From">(import), os);
}
