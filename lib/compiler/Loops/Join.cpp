//===- Join.cpp - indices that are walked as one --------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Loops/Analysis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace glow;
using namespace glow::loops;

namespace {

/// Joins indices that every access of a statement walks as if they were one.
class Joiner {
public:
  Joiner(Program &program, Statement &statement, llvm::ArrayRef<unsigned> outer)
      : program(program), statement(statement), outer(outer) {}

  void run() {
    if (!collect())
      return;
    bool joined = false;
    for (size_t i = 0; i + 1 < statement.indices.size();)
      if (mayJoin(statement.indices[i], statement.indices[i + 1])) {
        join(i);
        joined = true;
        i -= i > 0;
      } else {
        ++i;
      }
    if (joined)
      rebuild();
  }

private:
  /// Collects offsets; false if an element may be out of range, or has a loaded
  /// index.
  bool collect() {
    for (Term term : treesOf(statement))
      if (term->op == Op::Load && !add(term.get(), term->outside,
                                       term->operands, size_t(term->integer)))
        return false;
    return add(
        nullptr,
        areInside(statement.subscripts, program.tensors[statement.tensor])
            ? Outside::Never
            : Outside::Skips,
        statement.subscripts, statement.tensor);
  }
  bool add(const Node *load, Outside outside, const Terms &subscripts,
           size_t tensor) {
    Affine offset =
        affineOf(offsetOf(program, subscripts, program.tensors[tensor]));
    bool isPlain = outside == Outside::Never && offset.others.empty();
    offsets[load] = std::move(offset);
    return isPlain;
  }

  /// Whether an index is used as a value.
  bool isValue(unsigned index) const {
    llvm::SmallVector<Term> open = {statement.value, statement.otherwise,
                                    statement.index, statement.finish};
    for (const Bounds &bounds : statement.bounds)
      open.append({bounds.low, bounds.high});
    while (!open.empty()) {
      Term term = open.pop_back_val();
      if (!term || !term->dependsOn(index) || term->op == Op::Load)
        continue;
      if (term->op == Op::Index)
        return true;
      open.append(term->operands.begin(), term->operands.end());
    }
    return false;
  }

  bool mayJoin(unsigned outer, unsigned inner) const {
    return !isValue(outer) && !isValue(inner) && !statement.boundsOf(outer) &&
           !statement.boundsOf(inner) &&
           llvm::all_of(offsets, [&](const auto &entry) {
             const Affine &offset = entry.second;
             return offset.factorOf(outer) ==
                    offset.factorOf(inner) * program.length(inner);
           });
  }

  void join(size_t place) {
    unsigned outer = statement.indices[place];
    unsigned inner = statement.indices[place + 1];
    Term both =
        program.addIndex(program.length(outer) * program.length(inner),
                         (program.nameOf(outer) + program.nameOf(inner)).str());
    unsigned index = unsigned(both->integer);
    for (auto &[load, offset] : offsets) {
      offset.setFactor(index, offset.factorOf(inner));
      offset.setFactor(outer, 0);
      offset.setFactor(inner, 0);
    }
    statement.indices[place] = index;
    statement.indices.erase(statement.indices.begin() + long(place) + 1);
  }

  Term flatOf(const Affine &offset) const {
    llvm::SmallVector<unsigned> order(outer);
    order.append(statement.indices);
    return termOf(program, offset, order);
  }

  void rebuild() {
    auto flat = [&](Term term) {
      return term->op == Op::Load
                 ? program.load(unsigned(term->integer),
                                {flatOf(offsets.at(term.get()))},
                                Outside::Never, term->form)
                 : Term();
    };
    statement.subscripts = {flatOf(offsets.at(nullptr))};
    for (Term *tree : {&statement.value, &statement.otherwise, &statement.index,
                       &statement.finish})
      *tree = program.replace(*tree, flat);
    for (Bounds &bounds : statement.bounds) {
      bounds.low = program.replace(bounds.low, flat);
      bounds.high = program.replace(bounds.high, flat);
    }
  }

  Program &program;
  Statement &statement;
  llvm::ArrayRef<unsigned> outer;
  std::map<const Node *, Affine> offsets; ///< of loads, and of the result
};

} // namespace

void loops::joinIndices(Program &program, Statement &statement,
                        llvm::ArrayRef<unsigned> outer) {
  Joiner(program, statement, outer).run();
}
