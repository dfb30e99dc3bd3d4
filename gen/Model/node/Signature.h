//===- Signature.h - the shapes that a node's operands and results have ---===//
// SPDX-License-Identifier: MIT
//
//   signature := kind `[` dims `]` (`?` | `...`)?
//   kind      := a variable (`T`), a kind (`i64`), or an attribute of kind Kind
//   dim       := name | expression          a size
//              | `*`                        sizes of any number, without a name
//              | `*` `<=` expression        the same, which broadcast to those
//              of
//                                           the list, or of the result, so
//                                           named
//              | `*` name                   the rest of the sizes
//              | `*` name `:` expression    so many of them
//              | `*` name `:` lo `..` hi    the rest, from lo to hi of them
//              | name `...`                 a size of each variadic operand
//              | expression `...`           a result for each element
//
// A name binds at its first use among the operands and is checked later.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_MODEL_NODE_SIGNATURE_H
#define GLOW_GEN_MODEL_NODE_SIGNATURE_H

#include "Expr/Ast.h"
#include <optional>

namespace llvm {
class Init;
class Record;
} // namespace llvm

namespace glow::gen {

struct Dimension {
  enum class Form { Size, Rest, Any, Each };
  Form form = Form::Size;
  ExprPtr value;
  ExprPtr within;                           // of `*<=out`
  ExprPtr count;                            // of `*a:axis`
  std::optional<std::pair<int, int>> ranks; // of `*x:1..3`
};

struct TensorSignature {
  std::string name;
  std::string kind;
  std::vector<Dimension> dims;
  bool optional = false, variadic = false;
  std::string text;
  const char *at = nullptr;
};

/// The sizes as a result has them, where all names are bound: "[d, cg, *r]".
std::string sizesText(const TensorSignature &tensor);

/// Reads one signature; errors end ClassGen with a caret.
TensorSignature parseSignature(llvm::StringRef name, llvm::StringRef text,
                               const llvm::Record &record);

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_NODE_SIGNATURE_H
