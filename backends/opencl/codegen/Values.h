//===- Values.h - trees over indices as OpenCL C ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_OPENCL_CODEGEN_VALUES_H
#define GLOW_BACKENDS_OPENCL_CODEGEN_VALUES_H

#include "KernelText.h"
#include <map>
#include <set>

namespace glow::opencl {

using plans::DevicePlan;

/// One element or vector of a tile: its row, and its vector.
struct Copy {
  int64_t row = 0, vector = 0;
};

/// The text of a kernel under construction: nested scopes, each with the values
/// that are known in it. A value is computed in the outermost scope in which
/// all of its indices are bound.
class Values {
public:
  Values(loops::Program &program, KernelText &kernel);

  //===--------------------------------------------------------------------===//
  // Scopes
  //===--------------------------------------------------------------------===//

  void open(const std::string &head);
  void close();
  void line(const std::string &text);
  size_t depth() const { return scopes.size() - 1; }
  /// The text of the outermost scope, after all others are closed.
  std::string take();

  /// Binds an index to a variable in the current scope.
  void bind(unsigned index, const std::string &variable, bool isLong = false);
  void unbind(unsigned index) { bound.erase(index); }

  /// The plan that decides about vectors; null for none.
  const DevicePlan *plan = nullptr;
  /// Loads of these tensors stay where they are: the kernel writes them.
  std::set<unsigned> changed;
  /// The reduced value for loads of tensor `resultOf`.
  std::string result;
  std::optional<unsigned> resultOf;

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  /// A number of the launch; small numbers are literals.
  std::string number(int64_t value);
  /// The value of a tree, of the first lane only if `isFirst`.
  std::string get(loops::Term term, Copy copy = {}, bool isFirst = false);
  /// The same as an index of 64 bits.
  std::string getLong(loops::Term term, Copy copy = {});
  bool isVector(loops::Term term, bool isFirst = false) const;
  bool isLong(loops::Term term) const;
  /// All conditions; "" if there are none.
  std::string all(llvm::ArrayRef<loops::Term> conditions, Copy copy = {},
                  bool isFirst = false);
  /// Whether all indices of the tree are bound.
  bool isKnown(loops::Term term) const;
  /// The innermost scope in which an index of the tree is bound.
  size_t levelOf(loops::Term term) const;
  /// Whether all loads stay in the current scope.
  bool pinsAll = false;
  /// The lanes that loads which may be skipped read; "" for all.
  std::string mask;
  /// Whether the current scope is reached only where no term is skipped.
  bool isGuarded = false;

  std::string pointer(unsigned tensor);
  /// The statement that stores an element.
  std::string store(unsigned tensor, const std::string &place,
                    const std::string &value);
  std::string load(unsigned tensor, const std::string &place, bool asIndex);
  std::string elementType() const;
  /// A literal of the computation kind.
  std::string literal(double value) const;
  std::string fresh(const char *prefix = "v");
  void checkInside(const std::string &holds);
  /// The reason why the kernel cannot be printed; "" for none.
  std::string refused;
  ElementKind moved; ///< the kind of elements that are only moved
  bool moves = false;

private:
  using Key = std::tuple<const loops::Node *, int64_t, int64_t, bool>;
  struct Scope {
    std::string text, head;
    std::map<Key, std::string> values;
  };
  struct Bound {
    std::string variable;
    size_t level;
    bool isLong;
  };

  std::string make(loops::Term term, Copy copy, bool isFirst);
  std::string makeIndex(loops::Term term, Copy copy, bool isFirst);
  std::string makeElement(loops::Term term, Copy copy, bool isFirst);
  std::string makeBoolean(loops::Term term, Copy copy, bool isFirst);
  std::string loaded(loops::Term term, Copy copy, bool isFirst);
  std::string loadedLanes(loops::Term term, Copy copy);
  std::string called(loops::Term term, Copy copy, bool isFirst);
  std::string typeOf(loops::Term term, bool isFirst) const;
  bool isPinned(loops::Term term) const;
  Key keyOf(loops::Term term, Copy copy, bool isFirst) const;

  loops::Program &program;
  KernelText &kernel;
  std::vector<Scope> scopes;
  std::map<unsigned, Bound> bound;
  unsigned names = 0;
};

/// The suffix of functions on a kind: "f32".
std::string suffixOf(ElementKind computes);

} // namespace glow::opencl

#endif // GLOW_BACKENDS_OPENCL_CODEGEN_VALUES_H
