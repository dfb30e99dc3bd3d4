//===- Type.h - types, names and functions of the record language ---------===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_GEN_EXPR_TYPE_H
#define GLOW_GEN_EXPR_TYPE_H

#include "Expr/Ast.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <optional>

namespace llvm {
class Record;
class RecordKeeper;
} // namespace llvm

namespace glow::gen {

enum class Type {
  Int,
  Bool,
  Real,
  Text,
  Ints,
  Reals,
  Kind, // known when a model is compiled
  Tensor,
  Tensors, // values of a graph
};

llvm::StringRef nameOf(Type type);
std::optional<Type> typeNamed(llvm::StringRef name);
inline bool isNumber(Type type) {
  return type == Type::Int || type == Type::Real;
}
/// The values that an expression computes with.
enum class ValueForm {
  Sizes,   // integers that may be lengths (glow/Program/Size.h), for a compiler
  Numbers, // integers, for kernels
  Trees    // integers, and trees over indices (Loops/Language.h)
};

/// The C++ type of a compile-time value.
llvm::StringRef cxxType(Type type, ValueForm form = ValueForm::Sizes);
/// A variable of a function that is emitted; never a word of C++.
std::string local(llvm::StringRef name);
inline bool isTensor(Type type) {
  return type == Type::Tensor || type == Type::Tensors;
}

/// A function on compile-time values, from a Function record.
struct FunctionType {
  std::string name;
  std::vector<std::string> parameters; // a type's name, or `number`
  std::string result;
};

/// A function of one element, from a ScalarFunction record.
struct ScalarType {
  std::string name;
  unsigned arity;
  std::vector<std::string> derivatives; // in a, b and c
  unsigned operations;                  // that it takes, about
  const llvm::Record *record;
};

struct LetFunction;

/// The functions that the records declare.
class Functions {
public:
  explicit Functions(const llvm::RecordKeeper &records);
  ~Functions();
  /// A function on compile-time values.
  const FunctionType *find(llvm::StringRef name) const;
  /// Whether a Function or a ScalarFunction record has the name.
  bool isDeclared(llvm::StringRef name) const;
  /// A function that a Let record writes; null when there is none.
  const LetFunction *findLet(llvm::StringRef name) const;
  /// All Let functions, each after its callees.
  const std::vector<const LetFunction *> &lets() const { return inOrder; }
  /// The expression with what Let functions say in the place of their calls,
  /// where a function of C++ would not do: in formulas, index notation and
  /// equations. `record` is the one that the calls are in.
  ExprPtr written(const ExprPtr &expr, const llvm::Record &record) const;
  /// A function of one element; null when there is none.
  const ScalarType *findScalar(llvm::StringRef name) const;
  /// The function of a call in a formula of `record`; an error with a caret if
  /// there is none, or if it takes another number of arguments.
  /// Whether a call in a formula is one on compile-time values.
  bool isOfAttributes(const ExprPtr &call) const;
  const ScalarType &scalarOf(const ExprPtr &call,
                             const llvm::Record &record) const;

private:
  std::map<std::string, FunctionType, std::less<>> functions;
  std::map<std::string, ScalarType, std::less<>> scalars;

  void order(const LetFunction &function,
             std::vector<const LetFunction *> &open);
  /// Whether a function needs a graph, or else elements.
  bool needsGraph(const LetFunction &function) const;
  bool needsElements(const LetFunction &function) const;
  std::map<std::string, std::unique_ptr<LetFunction>, std::less<>> letFunctions;
  std::vector<const LetFunction *> inOrder;
};

/// The names that an expression may use, and how each is spelled in C++.
class Scope {
public:
  struct Entry {
    Type type;
    std::string spelling;
    const llvm::Record *kind = nullptr; // of an attribute
  };
  void define(llvm::StringRef name, Type type, llvm::StringRef spelling,
              const llvm::Record *kind = nullptr);
  const Entry *find(llvm::StringRef name) const;
  /// The known name most like `name`, or nothing.
  std::optional<std::string> closest(llvm::StringRef name) const;

private:
  std::map<std::string, Entry, std::less<>> entries;
};

/// "unknown name 'n'; did you mean 'm'?"
std::string unknownName(llvm::StringRef name, const Scope &scope);

/// The type and the C++ of an expression on compile-time values.
struct TypedCode {
  Type type;
  std::string code;
};

/// Checks an expression on compile-time values and spells it in C++. Any error
/// (an unknown name, a wrong type, a wrong number of arguments) ends ClassGen
/// with a caret.
class ValueEmitter {
public:
  /// C++ cannot branch on a comparison of trees, so that functions select and
  /// compare in the form Trees.
  ValueEmitter(const Functions &functions, const Scope &scope,
               const llvm::Record &record, ValueForm form = ValueForm::Sizes)
      : functions(functions), scope(scope), record(record), form(form),
        onTrees(form == ValueForm::Trees) {}
  TypedCode emit(const ExprPtr &expr) const;
  /// The same, and the type must be `wanted` (an int serves as a real).
  std::string emitAs(const ExprPtr &expr, Type wanted,
                     llvm::StringRef what) const;
  [[noreturn]] void fail(const ExprPtr &at, const llvm::Twine &message) const;

  /// Refuses a text that is none of the words of a Choice.
  void checkWords(const ExprPtr &expr, const llvm::Record *kind) const;

private:
  TypedCode emitName(const ExprPtr &expr) const;
  TypedCode emitCall(const ExprPtr &expr) const;
  TypedCode emitIf(const ExprPtr &expr) const;
  TypedCode emitBinary(const ExprPtr &expr) const;
  TypedCode emitUnary(const ExprPtr &expr) const;
  TypedCode emitSubscript(const ExprPtr &expr) const;
  TypedCode emitList(const ExprPtr &expr) const;
  TypedCode emitLet(const LetFunction &function, const ExprPtr &call) const;
  TypedCode emitEach(const ExprPtr &expr) const;

  const Functions &functions;
  const Scope &scope;
  const llvm::Record &record;
  const ValueForm form;
  const bool onTrees;
};

/// "1 argument", "2 arguments".
std::string counted(size_t count, llvm::StringRef noun);

/// The C++ literal of a text.
std::string quoted(llvm::StringRef text);

} // namespace glow::gen

#endif // GLOW_GEN_EXPR_TYPE_H
