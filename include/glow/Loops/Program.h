//===- Program.h - the loops of one node ------------------------*- C++ -*-===//
//
// What a node computes, from its record and with the sizes of its tensors:
// statements, one after the other, each over indices of known extents. A
// backend makes code of it by whatever scheme suits its processor.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_LOOPS_PROGRAM_H
#define GLOW_LOOPS_PROGRAM_H

#include "glow/Base/ElementKind.h"
#include "glow/Loops/Term.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace glow::loops {

/// How terms are put together.
enum class Combine : uint8_t {
  Assign,
  Sum,
  Product,
  Max,
  Min,
  Or,
  And,
  Mean,
  ArgMax, ///< the index of the first of the largest; of the first NaN
  ArgMin
};
/// Identity element of the reduction, for a result of the kind.
double startOf(Combine combine, ElementKind kind);
inline bool givesPlaces(Combine combine) {
  return combine == Combine::ArgMax || combine == Combine::ArgMin;
}

struct Tensor {
  ElementKind kind;
  Ints shape;
  /// The byte at which it begins in memory that a backend gives the step; none
  /// for a buffer of the instruction.
  std::optional<int64_t> place{};
  std::string name{}; ///< in the text of the program; a number where empty
};

/// The part of its extent that an index runs over, for each choice of those
/// that its bounds depend on: from `low` on, and below `high`.
struct Bounds {
  unsigned index;
  Term low, high;
  /// Whether elements give them, which then must be inside of the extent, or
  /// the run fails, unless nothing is between them.
  bool fails = false;
};

/// One decision of a plan: the indices of a statement that have a use, such as
/// "lanes" or "threads", and how many of their values are taken at a time. The
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

/// Each place of a tensor that the indices lead to becomes `value` or, of many,
/// what they come to; what is not met stays, or is what nothing comes to.
struct Statement {
  Combine combine = Combine::Assign;
  unsigned tensor = 0;
  Terms subscripts{};                    ///< of the place
  llvm::SmallVector<unsigned> indices{}; ///< those of the place first
  std::vector<Bounds> bounds{};          ///< behind those that they depend on
  Term value{};
  Term otherwise{};    ///< where a load of `value` is outside; null for 0
  Term index{};        ///< of ArgMax and ArgMin: what is given
  /// Of a sum, what is put into the place, or null: loads of the place stand in
  /// it for what the terms come to.
  Term finish{};
  bool goesOn = false; ///< a sum begins with what the place holds
  std::optional<unsigned> scan{}; ///< that it stands in
  std::vector<PlanEntry> plan{};  ///< given decisions; a backend takes the rest

  /// Null for an index that runs over all of its extent.
  const Bounds *boundsOf(unsigned index) const;
  /// Whether the bounds of others depend on the index.
  bool isInBounds(unsigned index) const;
  /// The given decision about a use; null if there is none.
  const PlanEntry *planned(llvm::StringRef use) const;
};

/// Statements that hold for one value of an index, all of them, before the next
/// one: from 0 up, or from the last one down.
struct Scan {
  unsigned index;
  bool backwards;
};

/// The kind that elements of a kind are computed in, as Base/ComputedIn.h says.
ElementKind computedIn(ElementKind kind);

class Program {
public:
  /// Tensors in the order of the instruction's buffers.
  explicit Program(std::vector<Tensor> tensors) : tensors(std::move(tensors)) {}
  Program(const Program &) = delete;

  std::vector<Tensor> tensors;
  std::vector<Statement> statements;
  std::vector<Scan> scans;
  ElementKind computes = ElementKind::F32; ///< what elements are, in between

  /// More than there may be of indices end the program: it is incomplete.
  static constexpr unsigned mostIndices = 64;
  bool complete() const { return extents.size() <= mostIndices; }

  /// An index of the statement that is begun; the only one there is of an
  /// extent of 1 is 0. Names stand in the text of the program, those of a list
  /// with a number behind them.
  Term index(int64_t extent, llvm::StringRef name = {});
  Terms indices(const Ints &extents, llvm::StringRef name = {});
  /// One that has bounds, which stays an index whatever its extent.
  Term boundedIndex(int64_t extent, llvm::StringRef name = {});
  void bound(Term index, Term low, Term high);
  /// Two indices, of which the first counts how often `by` is in an index, and
  /// the second what is left; it must divide the extent. Of no statement yet.
  std::pair<Term, Term> split(unsigned index, int64_t by);
  /// An index of no statement yet.
  Term addIndex(int64_t extent, llvm::StringRef name = {});
  /// A tensor behind all others. Returns its number.
  unsigned addTensor(Tensor tensor) {
    tensors.push_back(std::move(tensor));
    return unsigned(tensors.size()) - 1;
  }
  Term indexTerm(unsigned index) const { return indexTerms[index]; }
  int64_t extent(unsigned index) const { return extents[index]; }
  /// May be empty, and need not be unique.
  llvm::StringRef nameOf(unsigned index) const { return indexNames[index]; }

  Term number(int64_t value);
  Terms numbers(const Ints &values);
  Term real(double value);
  /// An element, or in a subscript an integer, of a tensor. Among floats, an
  /// integer stays what it is until it meets one.
  Term load(unsigned tensor, Terms subscripts, Outside outside, Form form);
  Term call(llvm::StringRef function, llvm::ArrayRef<Term> operands);
  /// What Pointwise nodes that are fused make of elements. They are rounded one
  /// by one, whatever stands beside them.
  Term formula(llvm::StringRef text, llvm::ArrayRef<Term> operands);

  /// Begins a scan, in which statements stand up to its end. Returns its index,
  /// which is of none of them; of a single step there is no scan.
  Term beginScan(int64_t extent, bool backwards, llvm::StringRef name = {});
  void endScan() { openScan.reset(); }

  /// Begins a statement, whose indices follow.
  void begin(Combine combine, unsigned tensor, bool goesOn = false);
  /// Ends it. `last` is what is assigned where a load is outside or, of ArgMax
  /// and ArgMin, the index that is given.
  void end(Terms subscripts, Term value, Term last = Term());
  /// A statement that makes all of a tensor what nothing comes to.
  void fill(Combine combine, unsigned tensor);

  /// Such a statement for the places of a sum, in the scan that it stands in,
  /// and of none yet.
  Statement fillOf(const Statement &sum);

  /// The tree, if there is none like it yet.
  Term unique(Node node);

  /// The tree with `to` in the place of index `from`.
  Term replace(Term term, unsigned from, Term to);
  /// The tree with what `to` gives in the place of trees; null leaves one.
  Term replace(Term term, llvm::function_ref<Term(Term)> to);

private:
  struct Less {
    bool operator()(const Node *a, const Node *b) const;
  };
  std::vector<int64_t> extents;
  std::vector<std::string> indexNames;
  std::vector<Term> indexTerms;
  std::optional<unsigned> openScan;
  std::vector<std::unique_ptr<Node>> nodes;
  std::map<const Node *, const Node *, Less> known;
};

/// Whether subscripts lead inside of a tensor of that shape, by their bounds.
bool areInside(const Terms &subscripts, const Ints &shape);

/// What must hold, beyond the bounds of its subscripts, for them to lead inside
/// of the shape.
Terms conditionsOf(const Terms &subscripts, const Ints &shape);

/// A sum of indices, each by a number, of a number, and of other trees, each by
/// a number.
struct Affine {
  int64_t constant = 0;
  std::map<unsigned, int64_t> indices; ///< never by 0
  std::vector<std::pair<Term, int64_t>> others;

  int64_t of(unsigned index) const;
  /// Whether one of the others depends on the index.
  bool isOpaqueIn(unsigned index) const;
};
Affine affineOf(Term term);

/// The tree of such a sum; its indices in the order of those given, which may
/// be more.
Term termOf(Program &program, const Affine &sum);
Term termOf(Program &program, const Affine &sum,
            llvm::ArrayRef<unsigned> order);

/// How many elements from the first one on the place lies. One subscript of a
/// tensor of several dimensions is that number.
Term offsetOf(Program &program, const Terms &subscripts, const Ints &shape);

} // namespace glow::loops

#endif // GLOW_LOOPS_PROGRAM_H
