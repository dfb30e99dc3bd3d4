//===- LoopsEmitter.h - the loops of one node, as C++ ---------------------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EMIT_LOOPS_LOOPSEMITTER_H
#define GLOW_GEN_EMIT_LOOPS_LOOPSEMITTER_H

#include "Emit/language/Emit.h"
#include "Model/node/Compute.h"
#include "llvm/ADT/StringSet.h"

namespace glow::gen {

/// Writes the function that builds the loops of a node, and its row of the
/// table.
class LoopsEmitter {
public:
  LoopsEmitter(const Model &model, const NodeModel &node, llvm::raw_ostream &os)
      : model(model), node(node), os(os) {}

  void emitLoops(llvm::StringRef instr);
  void emitFormula();
  /// The row of the table; arrays that it refers to are written before.
  std::string row();

private:
  const TensorSignature *tensorOf(const ExprPtr &expr) const {
    return glow::gen::tensorOf(node, expr);
  }
  std::string bufferOf(const TensorSignature &tensor) const;
  std::string typeOf(const TensorSignature &tensor) const {
    return "program.tensors[" + bufferOf(tensor) + "]";
  }
  const TensorSignature &openTensor() const;
  std::string computeKind() const;
  bool movesElements() const;
  std::string formulaRow();

  void fillBefore(const Statement &statement);
  size_t scanned(size_t first);
  void inVariants(const Statement &statement);
  void statement(const Statement &statement);
  std::string openTensors(const Statement &statement);
  void range(const IndexRange &range);
  void indices(const ExprPtr &expr);
  void indexOf(const ExprPtr &subscript, const ExprPtr &access,
               const TensorSignature &tensor, size_t place);

  TypedCode tree(const ExprPtr &expr) const {
    return ValueEmitter(model.functions, scope, node.record, ValueForm::Trees)
        .emit(expr);
  }
  std::string sizeCode(const ExprPtr &expr) const;
  std::string subscripts(const ExprPtr &access);
  std::string load(const ExprPtr &access, llvm::StringRef form,
                   bool inBranch = false);
  std::string boundCode(const ExprPtr &expr);
  ExprPtr withLoads(const ExprPtr &expr);
  std::string element(const ExprPtr &expr, bool inBranch = false);
  std::string wholeOf(const ExprPtr &value);
  std::string operation(llvm::StringRef op, const ExprPtr &expr, bool inBranch);
  std::string binary(const ExprPtr &expr, bool inBranch);
  std::string call(const ExprPtr &expr, bool inBranch);

  const Model &model;
  const NodeModel &node;
  llvm::raw_ostream &os;
  Scope scope;
  std::vector<Statement> statements;
  const Statement *current = nullptr;
  bool inBounds = false;     // of which nothing is inside by construction
  llvm::StringSet<> bound;   // indices of the statement
  llvm::StringSet<> written; // results, by earlier statements
  unsigned counter = 0;
};

/// The number of an operand in the instruction: results come first.
size_t slotOf(const NodeModel &node, const TensorSignature &tensor);

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_LOOPS_LOOPSEMITTER_H
