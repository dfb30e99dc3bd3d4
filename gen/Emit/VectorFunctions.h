//===- VectorFunctions.h - formulas of sixteen elements, in C++ -----------===//

#ifndef GLOW_GEN_EMIT_VECTORFUNCTIONS_H
#define GLOW_GEN_EMIT_VECTORFUNCTIONS_H

#include "Emit/Emit.h"

namespace glow::gen {

/// What a library has of a Pointwise node's formula: an operand whose kind the
/// node leaves open, and the kinds of it that there are functions for.
struct VectorKinds {
  size_t operand = 0;
  std::vector<std::string> kinds;
};
VectorKinds vectorKindsOf(const NodeModel &node);

/// Spells a formula as calls of the functions of backends/cpu/library/Vector.h.
/// Names of tensors are vectors; constants and attributes are of the type
/// `scalar`, int64_t or double. Errors have a caret.
class VectorEmitter {
public:
  VectorEmitter(const Functions &functions, const Scope &scope,
                const llvm::Record &record, llvm::StringRef vector,
                llvm::StringRef scalar)
      : functions(functions), scope(scope), record(record), vector(vector),
        scalar(scalar) {}
  std::string emit(const ExprPtr &expr) const;

private:
  std::string name(const ExprPtr &expr) const;
  std::string call(const ExprPtr &expr) const;
  std::string apply(const llvm::Twine &function, const ExprPtr &expr) const;

  const Functions &functions;
  const Scope &scope;
  const llvm::Record &record;
  llvm::StringRef vector, scalar;
};

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_VECTORFUNCTIONS_H
