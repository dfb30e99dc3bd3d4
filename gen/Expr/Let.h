//===- Let.h - functions of the language, written in the language ---------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EXPR_LET_H
#define GLOW_GEN_EXPR_LET_H

#include "Expr/Type.h"

namespace glow::gen {

/// A Let record: parameters, statements, and the names of its results.
struct LetFunction {
  struct Parameter {
    std::string name;
    Type type;
    std::string initially; // an expression; empty when it must be given
    const llvm::Record *kind;
  };
  std::string name;
  const llvm::Record *record;
  std::vector<Parameter> parameters;
  std::vector<std::string> results;
  std::vector<Statement> body;

  enum class Form {
    Values,   // of compile-time values one: a function of C++
    Elements, // of one element, as in formulas, where it is written out
    Graph,    // builds nodes, or looks at tensors, where it is called
  };
  Form form = Form::Graph;
  Type result = Type::Int; // of one on values

  bool onValues() const { return form == Form::Values; }
  bool onGraph() const { return form == Form::Graph; }
};

/// Reads a Let record; an error has a caret.
LetFunction readLet(const llvm::Record &record);

/// Refuses, with a caret, a function of elements whose body has a foreign name,
/// or that cannot be inlined.
void checkElements(const LetFunction &function);

/// The argument for each parameter of a call, with defaults for omitted ones;
/// an error with a caret, in the text of `record`, if they do not fit.
std::vector<ExprPtr> argumentsOf(const LetFunction &function,
                                 const ExprPtr &call,
                                 const llvm::Record &record);

/// The C++ type of a parameter.
std::string parameterType(Type type, ValueForm form = ValueForm::Sizes);

/// `int64_t name(int64_t x)`, of a function on values.
std::string declarationOf(const LetFunction &function);

/// The type of the result of a function on values; its C++ goes to `os`.
Type defineLet(const LetFunction &function, const Functions &functions,
               llvm::raw_ostream &os);

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_LET_H
