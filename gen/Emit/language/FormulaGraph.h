//===- FormulaGraph.h - a formula of elements as nodes on tensors ---------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EMIT_LANGUAGE_FORMULAGRAPH_H
#define GLOW_GEN_EMIT_LANGUAGE_FORMULAGRAPH_H

#include "Emit/language/Emit.h"
#include <map>

namespace glow::gen {

/// Emits C++ that builds a formula from the Pointwise nodes whose own formulas
/// are one operator or function: `exp(x)` is Exp, `a + b` Add. Parts that stand
/// in the formula twice are built once; parts without a tensor are numbers.
class FormulaGraphEmitter {
public:
  /// `tensors` maps names to the C++ of tensors, all of the shape and the kind
  /// of the value `like`; tensors named in `truths` are of kind bool. `values`
  /// are attributes.
  FormulaGraphEmitter(const Model &model, const llvm::Record &record,
                      std::map<std::string, std::string> tensors,
                      std::vector<std::string> truths, Scope values,
                      std::string like, llvm::raw_ostream &os)
      : model(model), record(record), tensors(std::move(tensors)),
        truths(std::move(truths)), values(std::move(values)),
        like(std::move(like)), os(os) {}

  /// The C++ of a tensor of numbers.
  std::string emit(const ExprPtr &expr);

private:
  struct Built {
    std::string code;
    bool truth = false; // of kind bool
  };
  bool isConstant(const ExprPtr &expr) const;
  Built build(const ExprPtr &expr);
  Built buildOnce(const ExprPtr &expr);
  Built splat(const ExprPtr &number);
  std::string number(const ExprPtr &expr);
  std::string truth(const ExprPtr &expr);
  Built node(const NodeModel &node, const std::vector<std::string> &operands);
  /// The node whose formula is this operator or function of its operands.
  const NodeModel &nodeOf(const ExprPtr &expr);

  const Model &model;
  const llvm::Record &record;
  std::map<std::string, std::string> tensors;
  std::vector<std::string> truths;
  Scope values;
  std::string like;
  llvm::raw_ostream &os;
  std::map<std::string, Built> known; // by text
  unsigned counter = 0;
};

} // namespace glow::gen

#endif // GLOW_GEN_EMIT_LANGUAGE_FORMULAGRAPH_H
