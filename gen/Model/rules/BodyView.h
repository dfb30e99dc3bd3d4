//===- BodyView.h - the names of a body, looked through -------------------===//
// SPDX-License-Identifier: MIT
//
// A name of a body stands for an expression, which has names of its own; a
// function of the language is looked into as if its body stood in the place of
// the call.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_MODEL_RULES_BODYVIEW_H
#define GLOW_GEN_MODEL_RULES_BODYVIEW_H

#include "Expr/Let.h"
#include "Model/node/Node.h"

namespace glow::gen {

struct BodyFrame;

/// An expression and the names that it may use. `result` is the number of one
/// result of a call with several, else -1. Without an expression the name
/// cannot be looked through.
struct BodyPlace {
  ExprPtr expr;
  const BodyFrame *frame = nullptr;
  int result = -1;

  BodyPlace at(const ExprPtr &other) const { return {other, frame, -1}; }
  bool isSameCall(const BodyPlace &other) const {
    return expr && expr == other.expr && frame == other.frame;
  }
};

/// The values of names. A name without an entry is the record's own.
struct BodyFrame {
  llvm::StringMap<BodyPlace> names;
};

class BodyView {
public:
  BodyView(const Model &model, const llvm::Record &record,
           const std::vector<Statement> &body);

  /// The value of a name of the body itself.
  BodyPlace named(llvm::StringRef name) const {
    return root.names.lookup(name);
  }

  /// The expression behind a name or a call of a function, resolved as far as
  /// possible; the given place where it cannot be resolved.
  BodyPlace resolved(BodyPlace place);

  /// The record's own name that a place stands for; "" for none.
  std::string ownName(const BodyPlace &place);

  /// The conditions of `if` and `require`, in functions that are called too.
  std::vector<BodyPlace> conditions();

private:
  void bind(const std::vector<Statement> &statements, BodyFrame &frame);
  bool asksRun(const BodyPlace &condition);
  const BodyFrame *inside(const LetFunction &function, const BodyPlace &call);
  void addConditions(const ExprPtr &expr, const BodyFrame &frame,
                     std::vector<BodyPlace> &all);
  void addConditions(const std::vector<Statement> &statements,
                     const BodyFrame &frame, std::vector<BodyPlace> &all);

  const Model &model;
  const llvm::Record &record;
  const std::vector<Statement> &body;
  BodyFrame root;
  std::map<std::pair<const Expr *, const BodyFrame *>,
           std::unique_ptr<BodyFrame>>
      calls;
};

} // namespace glow::gen

#endif // GLOW_GEN_MODEL_RULES_BODYVIEW_H
