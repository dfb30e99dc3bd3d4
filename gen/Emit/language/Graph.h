//===- Graph.h - statements of a rule to C++ that builds nodes ------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EMIT_LANGUAGE_GRAPH_H
#define GLOW_GEN_EMIT_LANGUAGE_GRAPH_H

#include "Emit/language/Emit.h"
#include "Expr/Let.h"
#include "Expr/Statements.h"
#include <set>

namespace glow::gen {

/// The names of operands as tensors, of attributes and dimensions as values of
/// `shape`. Writes a variable for each operand of `node`.
Scope operandScope(const NodeModel &node, llvm::raw_ostream &os);

/// The kind of function that is emitted. It determines how `require` refuses,
/// and the questions about tensors that the body may ask.
enum class Purpose {
  Import, // has `import`, an ImportContext
  Graph,  // has `builder`, `location` and `refuse`, which takes a message
};

/// The functions of Let records that build nodes, as far as one product calls
/// them.
class GraphFunctions {
public:
  GraphFunctions(const Model &model, Purpose purpose)
      : model(model), purpose(purpose) {}

  struct Made {
    std::vector<Type> results;
    std::set<std::string> built; // classes of the nodes that it may build
  };
  /// Writes the function, and what it calls, unless that was done.
  const Made &make(const LetFunction &function);

  /// The code of all functions, each after its callees.
  llvm::StringRef code() const { return text; }

  const Model &model;
  const Purpose purpose;

private:
  std::map<const LetFunction *, Made> made;
  std::string text;
};

/// Writes the functions that `code` calls, and then `code`.
inline void emitBehind(const GraphFunctions &functions, llvm::StringRef code,
                       llvm::raw_ostream &os) {
  os << "namespace {\n\n" << functions.code() << code;
}

/// Emits the statements of a lowering, a gradient or an import as C++ in a
/// function that returns LogicalResult and has what its purpose says.
///
/// Node calls, infix on tensors and `if` on tensors build nodes; everything
/// else is a compile-time value. Types are checked; errors have a caret.
class GraphEmitter final : public StatementEmitter {
public:
  GraphEmitter(GraphFunctions &functions, const llvm::Record &record,
               Scope scope, llvm::raw_ostream &os)
      : StatementEmitter(record, std::move(scope), os), functions(functions),
        model(functions.model), purpose(functions.purpose) {}

  /// Emits what `expr` needs and returns its type and its C++.
  TypedCode emit(const ExprPtr &expr) override;
  /// The same, and it must be a tensor.
  std::string tensor(const ExprPtr &expr);

  /// The classes of the nodes that statements so far may build.
  const std::set<std::string> &nodesBuilt() const { return built; }

private:
  bool isTensorExpr(const ExprPtr &expr);
  TypedCode node(const ExprPtr &expr, const NodeModel &node);
  TypedCode infix(const ExprPtr &expr);
  TypedCode choose(const ExprPtr &expr);
  TypedCode element(const ExprPtr &expr);
  TypedCode fold(const ExprPtr &expr);
  TypedCode every(const ExprPtr &expr);
  TypedCode apply(const ExprPtr &expr);
  TypedCode build(const ExprPtr &call);
  /// The value of a call that asks about a tensor (`shape(x)`) or a constant
  /// input.
  std::optional<TypedCode> query(const ExprPtr &call);
  std::optional<TypedCode> importQuery(const ExprPtr &call);
  const ExprPtr &onlyArgument(const ExprPtr &call) const;
  TypedCode isPresent(const ExprPtr &call) const;
  TypedCode countOf(const ExprPtr &call);
  TypedCode largestAlong(const ExprPtr &call);
  TypedCode elementKind(const ExprPtr &call) const;
  TypedCode onnxKind(const ExprPtr &call);
  TypedCode axesOf(const ExprPtr &call);
  TypedCode computedLength(const ExprPtr &call);
  TypedCode mostOf(const ExprPtr &call);
  std::string constantList(const ExprPtr &input, Type list);
  TypedCode constants(const ExprPtr &call, Type list);
  TypedCode constant(const ExprPtr &call, Type list);
  std::vector<ExprPtr> givenTo(const NodeModel &node,
                               const ExprPtr &expr) const;
  std::string operand(const ExprPtr &value, const TensorSignature &input,
                      llvm::ArrayRef<ExprPtr> given);
  std::string operands(const ExprPtr &value, const NodeModel &node,
                       const TensorSignature &input);
  /// A tensor of one number, of the shape of `like`, and of its kind where
  /// `kind` is empty.
  std::string splat(const ExprPtr &value, const std::string &like,
                    llvm::StringRef kind = "");
  static std::string kindCode(llvm::StringRef kind);
  std::string attribute(const ExprPtr &expr, const NodeModel &node,
                        const Attribute &attribute);
  /// Replaces calls that read tensors (`shape(x)`) by names of local values.
  ExprPtr flatten(const ExprPtr &expr);
  /// Emits `if` on values, which evaluates only the branch that is taken.
  ExprPtr flattenIf(const ExprPtr &expr);
  /// [x for x in xs]: a loop.
  TypedCode each(const ExprPtr &expr);
  /// Calls a function of a Let record; its results by name.
  std::vector<TypedCode> callLet(const LetFunction &function,
                                 const ExprPtr &call);
  TypedCode oneResult(const LetFunction &function, const ExprPtr &call);
  /// The Let function of a call that builds nodes or asks about tensors; null
  /// for any other call.
  const LetFunction *graphLet(const ExprPtr &expr) const;
  /// A name for a value that was emitted.
  ExprPtr held(const TypedCode &value, const ExprPtr &at);
  void call(const Statement &statement) override;
  void unpack(const Statement &statement) override;
  [[noreturn]] void failUnknown(const ExprPtr &call);

  GraphFunctions &functions;
  const Model &model;
  const Purpose purpose;
  std::set<std::string> built;
};

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_LANGUAGE_GRAPH_H
