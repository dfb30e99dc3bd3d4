//===- LoopFactors.cpp - factors that are computed once -------------------===//
// SPDX-License-Identifier: MIT
//
// In `out[n,m] += in[n,i] * number(packed[m,i / 2], i % 2)` the second factor
// depends only on m and i. Inside of the sum it would be computed for every n,
// or for every few n in registers. It is first computed into its own tensor, so
// that the sum is a product of two tensors.
//
//===----------------------------------------------------------------------===//

#include "LoopFactors.h"
#include "LoopPlan.h"
#include "glow/Base/Functions.h"
#include "glow/Base/SortByKey.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cpu;
using namespace glow::loops;

/// The least number of uses of a factor's element: rows in registers share an
/// element already.
static constexpr int64_t leastUses = 8;
/// The least number of its operations: fewer are as fast as a load.
static constexpr unsigned leastOperations = 2;
/// The most bytes of all factors of a step. Further ones are computed where
/// they are used.
static constexpr int64_t mostBytes = int64_t(64) << 20;

unsigned cpu::operationsIn(Term element) {
  unsigned sum = 0;
  for (Term term : treesOf({element}))
    if (term->op == Op::Formula)
      sum += operationsOf(*Formula::parse(term->name));
    else if (term->form != Form::Index && term->op != Op::Load &&
             !term->isNumber())
      sum += term->op == Op::Call ? 2 : 1;
  return sum;
}

static bool hasLoad(Term root, Outside outside) {
  return llvm::any_of(treesOf({root}), [&](Term term) {
    return term->op == Op::Load && term->outside == outside;
  });
}

static void addFactors(Term product, Terms &factors) {
  if (product->op != Op::Multiply || product->form != Form::Element)
    return factors.push_back(product);
  for (Term operand : product->operands)
    addFactors(operand, factors);
}

static Term productOf(llvm::ArrayRef<Term> factors) {
  Term product;
  for (Term factor : factors)
    product = product ? make(Op::Multiply, {product, factor}) : factor;
  return product;
}

namespace {

class FactorWriter {
public:
  FactorWriter(const CodeModule &module, Program &program, Statement statement,
               int64_t &bytes)
      : module(module), program(program), statement(std::move(statement)),
        bytes(bytes) {
    for (Term subscript : this->statement.subscripts)
      placed |= subscript->indices;
  }

  std::vector<Statement> run() {
    while (isSum() && writeOne())
      ;
    statements.push_back(std::move(statement));
    return std::move(statements);
  }

private:
  /// Whether the sum has a term for every combination of its indices.
  bool isSum() const {
    return statement.combine == ReductionKind::Sum && !statement.scan &&
           statement.bounds.empty() &&
           (program.computes == ElementKind::F32 ||
            program.computes == ElementKind::F64);
  }

  int64_t countOf(loops::IndexSet indices) const {
    int64_t count = 1;
    for (unsigned index : statement.indices)
      if (indices >> index & 1)
        count = expr::multiply(count, program.extent(index));
    return count;
  }
  int64_t bytesOf(Term factor) const {
    int64_t size = int64_t(byteSize(program.computes));
    return (expr::multiply(countOf(factor->indices), size) + 63) / 64 * 64;
  }

  /// Whether a factor is evaluated, and may fail, for every combination of its
  /// indices.
  bool countsAlways(Term factor) const {
    return !hasLoad(factor, Outside::Skips) &&
           !(hasLoad(factor, Outside::Fails) &&
             hasLoad(statement.value, Outside::Skips));
  }

  bool isWorthIt(Term factor) const {
    int64_t uses = countOf(~factor->indices), size = bytesOf(factor);
    // A factor that does not depend on an index of terms is computed before the
    // sum.
    bool isOfTerms = factor->indices & ~placed;
    return isOfTerms && uses >= leastUses && size > 0 &&
           operationsIn(factor) >= leastOperations && countsAlways(factor) &&
           size <= mostBytes - bytes && module.hasPlaceFor(bytes + size, 0);
  }

  bool writeOne() {
    Terms factors;
    addFactors(statement.value, factors);
    auto *found =
        llvm::find_if(factors, [&](Term factor) { return isWorthIt(factor); });
    if (found == factors.end())
      return false;
    Term factor = *found;
    Terms others;
    // In strict mode products are rounded in their order.
    if (module.math != Math::Strict) {
      Terms mine;
      for (Term other : factors)
        (other->indices & ~factor->indices ? others : mine).push_back(other);
      factor = productOf(mine);
    }
    Term read = write(factor, others.empty() ? Terms{statement.value} : others);
    if (module.math == Math::Strict)
      statement.value = program.replace(statement.value, [&](Term term) {
        return term == factor ? read : Term();
      });
    else
      statement.value =
          others.empty() ? read : make(Op::Multiply, {productOf(others), read});
    return true;
  }

  /// The indices of a factor's tensor: indices of the result first, and last
  /// the index along which the other factors are contiguous.
  llvm::SmallVector<unsigned> orderOf(Term factor, const Terms &others) const {
    llvm::SmallVector<unsigned> order;
    for (unsigned index : statement.indices)
      if (factor->dependsOn(index))
        order.push_back(index);
    auto stepOf = [&](unsigned index) {
      int64_t step = 0;
      for (Term term : treesOf(others))
        if (term->op == Op::Load && term->dependsOn(index)) {
          const Tensor &tensor = program.tensors[size_t(term->integer)];
          Affine offset = affineOf(offsetOf(program, term->operands, tensor));
          step = std::max(step, std::abs(offset.of(index)));
        }
      return step;
    };
    sortGreatestFirst(order, [&](unsigned index) {
      bool isPlaced = placed >> index & 1;
      return std::pair(isPlaced, isPlaced ? 0 : stepOf(index));
    });
    return order;
  }

  /// Adds a statement that computes a factor; returns the load of its result.
  Term write(Term factor, const Terms &others) {
    Statement filled{.combine = ReductionKind::Assign};
    Sizes sizes;
    for (unsigned index : orderOf(factor, others)) {
      sizes.push_back(Size(program.length(index)));
      filled.subscripts.push_back(program.indexTerm(index));
      filled.indices.push_back(index);
    }
    Tensor tensor = tensorOf(program.computes, sizes, "factor");
    tensor.place = bytes;
    filled.tensor = program.addTensor(std::move(tensor));
    bytes += bytesOf(factor);
    filled.value = factor;
    Term read = program.load(filled.tensor, filled.subscripts, Outside::Never,
                             Form::Element);
    statements.push_back(std::move(filled));
    return read;
  }

  const CodeModule &module;
  Program &program;
  Statement statement;
  int64_t &bytes;
  loops::IndexSet placed = 0; ///< indices of the result
  std::vector<Statement> statements;
};

} // namespace

std::vector<Statement> cpu::withFactors(const CodeModule &module,
                                        Program &program, Statement statement,
                                        int64_t &bytes) {
  return FactorWriter(module, program, std::move(statement), bytes).run();
}
