//===- Graph.h - statements of a rule to C++ that builds nodes ------------===//

#ifndef GLOW_GEN_EMIT_GRAPH_H
#define GLOW_GEN_EMIT_GRAPH_H

#include "Emit/Emit.h"
#include <set>

namespace glow::gen {

/// The names of operands as tensors, of attributes and dimensions as values of
/// `shape`. Writes a variable for each operand of `node`.
Scope operandScope(const NodeModel &node, llvm::raw_ostream &os);

/// Emits the statements of a lowering, a gradient or an import as C++ in a
/// function that returns LogicalResult and has `builder` and `location`.
///
/// Node calls, infix on tensors and `if` on tensors build nodes; everything
/// else is a compile-time value. Types are checked; errors have a caret.
class GraphEmitter {
public:
  /// Which function is being written; says how `require` refuses.
  enum class Purpose { Rule, Import, Gradient };

  GraphEmitter(const Model &model, const llvm::Record &record, Scope scope,
               llvm::raw_ostream &os, Purpose purpose = Purpose::Rule)
      : model(model), record(record), scope(std::move(scope)), os(os),
        purpose(purpose) {}

  void statement(const Statement &statement);

  /// Emits what `expr` needs and returns its type and its C++.
  TypedCode emit(const ExprPtr &expr);
  /// The same, and it must be a tensor.
  std::string tensor(const ExprPtr &expr);

  Scope &names() { return scope; }
  /// The classes of the nodes that statements so far may build.
  const std::set<std::string> &nodesBuilt() const { return built; }

private:
  bool isTensorExpr(const ExprPtr &expr);
  TypedCode node(const ExprPtr &expr, const NodeModel &node);
  TypedCode infix(const ExprPtr &expr);
  TypedCode choose(const ExprPtr &expr);
  TypedCode element(const ExprPtr &expr);
  TypedCode fold(const ExprPtr &expr);
  TypedCode map(const ExprPtr &expr);
  TypedCode every(const ExprPtr &expr);
  TypedCode apply(const ExprPtr &expr);
  /// What a call asks of a tensor (`shape(x)`), or of a constant input.
  std::optional<TypedCode> query(const ExprPtr &expr);
  TypedCode axesOf(const ExprPtr &call);
  std::string operand(const ExprPtr &value, llvm::ArrayRef<ExprPtr> given);
  std::string splat(const ExprPtr &value, const std::string &like);
  std::string attribute(const ExprPtr &expr, const NodeModel &node,
                        const Attribute &attribute);
  /// Replaces calls that read tensors (`shape(x)`) by names of local values.
  ExprPtr flatten(const ExprPtr &expr);
  void require(const Statement &statement);
  std::string fresh();
  [[noreturn]] void failUnknown(const ExprPtr &call);
  [[noreturn]] void fail(const ExprPtr &at, const llvm::Twine &message);

  const Model &model;
  const llvm::Record &record;
  Scope scope;
  llvm::raw_ostream &os;
  Purpose purpose;
  unsigned counter = 0;
  std::set<std::string> built;
};

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_GRAPH_H
