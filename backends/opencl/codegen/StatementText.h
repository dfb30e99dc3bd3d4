//===- StatementText.h - OpenCL C of one statement --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_BACKENDS_OPENCL_CODEGEN_STATEMENTTEXT_H
#define GLOW_BACKENDS_OPENCL_CODEGEN_STATEMENTTEXT_H

#include "Values.h"

namespace glow::opencl {

/// Prints the body of a statement: the elements of one work-item.
class StatementText {
public:
  StatementText(loops::Program &program, const DevicePlan &plan,
                Values &values);

  /// Binds the indices of work-items to the place of the work-item in all.
  void bindItems();
  /// Opens a loop over the elements that one of `count` work-items of a group
  /// has. An element in memory is that of the first work-item.
  void shareItems(uint64_t count);
  void emit();

  /// The whole body of a statement with factors in local memory.
  void emitLocal();

private:
  void bindLocal();
  void decodeTerm();
  void emitCopies(const std::string &terms);
  void emitProducts(unsigned term, loops::Term rowFactor,
                    const std::string &terms);
  void storeLocal();
  const loops::Statement &statement() const { return plan.statement; }
  void bindItem(unsigned index, const std::string &place);
  void decode(llvm::ArrayRef<unsigned> indices, const std::string &place);

  void emitTile();
  void emitAssigned();
  void emitInMemory(size_t depth);
  void sums(size_t depth);
  void openLoop(unsigned index);
  void addTerms();
  void addTerm(Copy copy);
  std::string factor(loops::Term term, Copy copy);
  void addPlace(Copy copy);
  std::string finished(Copy copy);
  void storeTile();
  void storeElement(const std::string &value, Copy copy, bool isPlace);
  std::string combined(const std::string &sum, const std::string &term) const;
  std::string accumulator(Copy copy) const;
  /// Guards whose last index is bound in this scope, but for those of lanes.
  std::vector<loops::Term> guardsAt(size_t level) const;
  bool masksAreKnown(size_t depth) const;
  std::string assignedValue();

  loops::Program &program;
  const DevicePlan &plan;
  Values &values;
  std::vector<loops::Term> guards, laneGuards, placeGuards;
  std::vector<Copy> copies;
  std::string indexOf(Copy copy);

  std::vector<std::string>
      masked;              ///< masks of vectors, where terms are skipped
  bool isBranched = false; ///< whether the masks of lanes are known
};

} // namespace glow::opencl

#endif // GLOW_BACKENDS_OPENCL_CODEGEN_STATEMENTTEXT_H
