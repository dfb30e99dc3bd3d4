//===- Program.h - the loops of one node ------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The computation of a node, from its record and the sizes of its tensors:
// statements, one after the other, each over indices of known extents. Each
// backend has its own scheme of code generation for a program.
//
// A size may be a value of the run: a Length of the program's size variables.
// Then the extent of an index is the greatest value of its length, and a tensor
// has memory for its greatest sizes, in which elements are dense for the sizes
// of the run.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LOOPS_PROGRAM_H
#define GLOW_LOOPS_PROGRAM_H

#include "glow/Base/ElementKind.h"
#include "glow/Loops/Term.h"
#include "glow/Program/Size.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace glow::loops {

/// Reductions: the way a statement combines its terms.
enum class ReductionKind : uint8_t {
  Assign,
  Sum,
  Product,
  Max,
  Min,
  Or,
  And,
  Mean,
  ArgMax, ///< index of the first maximum, or of the first NaN
  ArgMin
};
/// Identity element of the reduction, for a result of the kind.
double identityOf(ReductionKind combine, ElementKind kind);
inline bool givesIndex(ReductionKind combine) {
  return combine == ReductionKind::ArgMax || combine == ReductionKind::ArgMin;
}

using Lengths = std::vector<Length>;

struct Tensor {
  ElementKind kind;
  Ints shape; ///< the sizes or, of sizes that a run gives, the greatest ones
  /// Byte offset of the tensor in the memory that a backend gives the step;
  /// absent for a buffer of the instruction.
  std::optional<int64_t> place{};
  std::string name{}; ///< name in the text form; a number if empty
  Lengths lengths{};  ///< the sizes in a run; empty if all of them are fixed

  Length length(size_t dim) const {
    return lengths.empty() ? Length(shape[dim]) : lengths[dim];
  }
  /// The number of elements.
  Length count() const;
  Sizes sizes() const;
  bool hasSizesOf(const Tensor &other) const {
    return shape == other.shape && lengths == other.lengths;
  }
};
/// A tensor of these sizes.
Tensor tensorOf(ElementKind kind, const Sizes &sizes,
                llvm::StringRef name = {});

/// The range of an index, from `low` up to `high`, exclusive. The bounds may
/// depend on other indices of the statement.
struct Bounds {
  unsigned index;
  Term low, high;
  /// Whether the bounds are loaded from tensors. Loaded bounds must lie inside
  /// the extent, unless the range is empty; otherwise the run fails.
  bool fails = false;
};

/// One decision of a plan: the indices of a statement that have a use, such as
/// "lanes" or "threads", and the number of values that are taken at a time. The
/// backend that runs the statement defines the uses.
struct PlanEntry {
  struct Part {
    unsigned index;
    int64_t size = 1;
    bool operator==(const Part &) const = default;
  };
  std::string use;
  llvm::SmallVector<Part, 4> parts{};
};

/// Assigns `value`, or a reduction of its values, to each element of a tensor
/// that the subscripts select. An element without values is left unchanged by
/// an assignment, and becomes the identity element in a reduction.
struct Statement {
  ReductionKind combine = ReductionKind::Assign;
  unsigned tensor = 0;
  Terms subscripts{};                    ///< the written element
  llvm::SmallVector<unsigned> indices{}; ///< `subscripts` come first
  std::vector<Bounds> bounds{}; ///< after the bounds that they depend on
  Term value{};
  Term otherwise{}; ///< the value if a load of `value` is outside; null for 0
  Term index{};     ///< the result of ArgMax and ArgMin
  /// The final value of a reduction, or null for the reduced value itself. In
  /// this tree, loads of the written element stand for the reduced value.
  Term finish{};
  bool accumulates = false; ///< a reduction that starts from the stored element
  std::optional<unsigned> scan{}; ///< the scan that contains the statement
  std::vector<PlanEntry> plan{};  ///< fixed decisions; the backend makes the
                                  ///< others

  /// The bounds of an index; null if it runs over its whole extent.
  const Bounds *boundsOf(unsigned index) const;
  /// Whether bounds of other indices depend on the index.
  bool isInBounds(unsigned index) const;
  /// The fixed decision about a use; null if there is none.
  const PlanEntry *planned(llvm::StringRef use) const;
};

/// A sequential loop over an index. All of its statements run for one value of
/// the index before the next value: from 0 up, or from the last value down.
struct Scan {
  unsigned index;
  bool backwards;
};

/// The kind in which elements of `kind` are computed; see Base/ComputedIn.h.
ElementKind computedIn(ElementKind kind);

class Program {
public:
  /// `tensors` are in the order of the instruction's buffers.
  explicit Program(std::vector<Tensor> given);
  Program(const Program &) = delete;

  std::vector<Tensor> tensors;
  std::vector<Statement> statements;
  std::vector<Scan> scans;
  /// The size variables of tensors, indices and trees. Code gets their values
  /// in this order.
  std::vector<SizeVariable> sizes;
  ElementKind computes = ElementKind::F32; ///< the kind of intermediate
                                           ///< elements

  /// Limit on the number of indices. A program that exceeds it is incomplete.
  static constexpr unsigned mostIndices = 128;
  bool complete() const { return extents.size() <= mostIndices; }

  /// Adds an index to the current statement. An extent of 1 gives the number 0
  /// instead. Names are for the text form; `indices` appends a number to each.
  Term index(int64_t extent, llvm::StringRef name = {});
  Term index(const Length &length, llvm::StringRef name = {});
  Term index(const Size &size, llvm::StringRef name = {}) {
    return index(size.length(), name);
  }
  Terms indices(const Sizes &sizes, llvm::StringRef name = {});
  /// Adds an index with bounds, which stays an index even if its extent is 1.
  Term boundedIndex(const Size &size, llvm::StringRef name = {});
  void bound(Term index, Term low, Term high);
  /// Splits an index into a quotient and a remainder by `by`, which must divide
  /// the length. The two new indices belong to no statement yet.
  std::pair<Term, Term> split(unsigned index, int64_t by);
  /// Adds an index that belongs to no statement yet.
  Term addIndex(const Length &length, llvm::StringRef name = {});
  /// Appends a tensor and returns its number.
  unsigned addTensor(Tensor tensor);
  Term indexTerm(unsigned index) const { return indexTerms[index]; }
  /// The greatest length of an index.
  int64_t extent(unsigned index) const { return extents[index]; }
  /// The number of an index's values in a run, which are 0 and up.
  const Length &length(unsigned index) const { return lengths[index]; }
  /// The same as a tree.
  Term end(unsigned index) { return size(length(index)); }
  /// The name of an index; may be empty, and need not be unique.
  llvm::StringRef nameOf(unsigned index) const { return indexNames[index]; }

  Term number(int64_t value);
  /// A length as a tree. Its variables become size variables of the program.
  Term size(const Length &length);
  Term size(const SizeVariable &variable);
  Terms numbers(const Ints &values);
  Term real(double value);
  /// Loads an element of a tensor, or an integer if it is part of a subscript.
  /// In a float program, an integer element stays an integer until it meets a
  /// float.
  Term load(unsigned tensor, Terms subscripts, Outside outside, Form form);
  Term call(llvm::StringRef function, llvm::ArrayRef<Term> operands);
  /// The formula of fused Pointwise nodes on elements. Each call of the formula
  /// is rounded by itself, whatever surrounds the formula.
  Term formula(llvm::StringRef text, llvm::ArrayRef<Term> operands);

  /// Begins a scan, which contains the statements up to endScan. Returns the
  /// index of the scan, which belongs to none of these statements. An extent of
  /// 1 makes no scan and returns the number 0.
  Term beginScan(const Size &size, bool backwards, llvm::StringRef name = {});
  void endScan() { openScan.reset(); }

  /// Begins a statement, whose indices follow.
  void begin(ReductionKind combine, unsigned tensor, bool accumulates = false);
  /// Ends the statement. `last` is the value that is assigned where a load is
  /// outside or, for ArgMax and ArgMin, the resulting index.
  void end(Terms subscripts, Term value, Term last = Term());
  /// Adds a statement that fills a tensor with the identity element of the
  /// reduction.
  void fill(ReductionKind combine, unsigned tensor);

  /// A fill for the tensor of `sum`, in the same scan. It is not added to the
  /// program.
  Statement fillOf(const Statement &sum);

  /// Returns the unique tree that equals `node`, and makes it if there is none.
  Term unique(Node node);

  /// The tree with `to` in place of index `from`.
  Term replace(Term term, unsigned from, Term to);
  /// Rewrites a tree: `to` gives the replacement of a subtree, or null to keep
  /// it and visit its operands.
  Term replace(Term term, llvm::function_ref<Term(Term)> to);

private:
  void addVariables(const Length &length);

  struct Less {
    bool operator()(const Node *a, const Node *b) const;
  };
  std::vector<int64_t> extents;
  Lengths lengths;
  std::vector<std::string> indexNames;
  std::vector<Term> indexTerms;
  std::optional<unsigned> openScan;
  std::vector<std::unique_ptr<Node>> nodes;
  std::map<const Node *, const Node *, Less> known;
};

/// The length that a tree of numbers and sizes is; nothing for another tree.
std::optional<Length> lengthOf(Term term);

/// Whether the bounds of the subscripts keep them inside a tensor.
bool areInside(const Terms &subscripts, const Tensor &tensor);

/// The conditions, beyond the bounds of the subscripts, under which the
/// subscripts are inside a tensor, or one is inside a size.
Terms conditionsOf(const Terms &subscripts, const Tensor &tensor);
Terms conditionsOf(Term subscript, const Length &size);

/// A linear combination: a constant, indices with factors, and other trees with
/// factors. A run may give a part of the constant, and factors of indices.
struct Affine {
  int64_t constant = 0;
  /// Factors are never 0. A factor that a run gives is here one of its ends,
  /// which is neither 1 nor -1, and exact in `open`.
  std::map<unsigned, int64_t> indices;
  std::vector<std::pair<Term, int64_t>> others;
  Length start{}; ///< added to `constant`
  std::map<unsigned, Length> open{};

  int64_t of(unsigned index) const;
  Length factorOf(unsigned index) const;
  void setFactor(unsigned index, const Length &factor);
  /// Whether all factors and the constant are the same in all runs.
  bool isFixed() const { return open.empty() && start.isFixed(); }
  /// Whether a tree in `others` depends on the index.
  bool isOpaqueIn(unsigned index) const;
};
Affine affineOf(Term term);

/// The tree of a linear combination. `order` gives the order of its indices and
/// may contain others.
Term termOf(Program &program, const Affine &sum);
Term termOf(Program &program, const Affine &sum,
            llvm::ArrayRef<unsigned> order);

/// Linear offset of an element from the start of its tensor. A single subscript
/// of a tensor of another rank is already that offset.
Term offsetOf(Program &program, const Terms &subscripts, const Tensor &tensor);

} // namespace glow::loops

#endif // GLOW_LOOPS_PROGRAM_H
