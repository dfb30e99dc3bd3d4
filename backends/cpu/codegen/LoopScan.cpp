//===- LoopScan.cpp - statements that hold step by step -------------------===//
//
// A step needs what the one before left, but often of its own items alone:
// where all statements read and write what they change at the same value of an
// index, that index is the outermost, and its values are shared out to threads.
// The index along which places are neighbours stays inside, for lanes.
//
//===----------------------------------------------------------------------===//

#include "LoopScan.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

using loops::Op;
using loops::Statement;
using loops::Term;

namespace {

/// Finds indices that stand for the same in all statements, by the places of
/// changed tensors in which they stand.
class SharedIndices {
public:
  SharedIndices(const loops::Program &program, ArrayRef<Statement> statements)
      : program(program), statements(statements) {
    for (const Statement &statement : statements)
      changed.insert(statement.tensor);
    for (auto [number, statement] : enumerate(statements)) {
      visit(number, statement.tensor, statement.subscripts);
      for (Term term : treesOf(statement))
        if (term->op == Op::Load)
          visit(number, unsigned(term->integer), term->operands);
    }
  }

  std::vector<SharedIndex> find() const {
    std::vector<SharedIndex> result;
    for (auto leader = classes.begin(); leader != classes.end(); ++leader)
      if ((*leader)->isLeader())
        if (std::optional<SharedIndex> shared = indicesOf(**leader))
          result.push_back(*shared);
    return result;
  }

private:
  /// A tensor and the number of a place, or a statement, counted on behind the
  /// tensors, and an index.
  using Member = std::pair<size_t, size_t>;
  using Classes = EquivalenceClasses<Member>;

  bool isPlace(const Member &member) const {
    return member.first < program.tensors.size();
  }
  size_t ownerOf(size_t statement) const {
    return program.tensors.size() + statement;
  }

  void visit(size_t statement, unsigned tensor, const loops::Terms &places) {
    if (!changed.contains(tensor))
      return;
    for (auto [number, subscript] : enumerate(places)) {
      Member place(tensor, number);
      if (subscript->op == Op::Index &&
          is_contained(statements[statement].indices,
                       unsigned(subscript->integer)) &&
          !statements[statement].boundsOf(unsigned(subscript->integer)))
        classes.unionSets(place,
                          {ownerOf(statement), size_t(subscript->integer)});
      else
        mixed.insert(place);
    }
  }

  /// Nothing where a statement or a changed tensor has none, or several.
  std::optional<SharedIndex> indicesOf(const Classes::ECValue &leader) const {
    std::map<size_t, size_t> indices, places;
    for (auto member = classes.member_begin(leader);
         member != classes.member_end(); ++member) {
      if (isPlace(*member) && mixed.contains(*member))
        return std::nullopt;
      auto &known = isPlace(*member) ? places : indices;
      if (!known.insert(*member).second)
        return std::nullopt;
    }
    if (indices.size() != statements.size() || places.size() != changed.size())
      return std::nullopt;
    SharedIndex shared;
    for (auto [statement, index] : indices)
      shared.push_back(unsigned(index));
    return shared;
  }

  const loops::Program &program;
  ArrayRef<Statement> statements;
  std::set<unsigned> changed;
  std::set<Member> mixed; ///< where not always an index stands
  Classes classes;
};

/// Whether lanes would be neighbours along the index.
bool isForLanes(loops::Program &program, ArrayRef<Statement> statements,
                const SharedIndex &shared) {
  return any_of(zip_equal(statements, shared), [&](auto pair) {
    auto &[statement, index] = pair;
    return affineOf(offsetOf(program, statement.subscripts,
                             program.tensors[statement.tensor].shape))
               .of(index) == 1;
  });
}

} // namespace

ScanPlan::ScanPlan(loops::Program &program, ArrayRef<Statement> given,
                   const Target &target)
    : program(program), scan(program.scans[*given.front().scan]) {
  std::vector<Statement> statements;
  for (const Statement &statement : given) {
    // What nothing comes to, in places that a sum may not meet.
    LoopPlan plan(program, statement, target, {scan.index});
    if (plan.sums() && !plan.covers && !statement.goesOn)
      statements.push_back(program.fillOf(statement));
    statements.push_back(statement);
  }
  for (const SharedIndex &found : SharedIndices(program, statements).find())
    if (!isForLanes(program, statements, found))
      shared.push_back(found);
  for (auto [number, statement] : enumerate(statements)) {
    SmallVector<unsigned> outer;
    for (const SharedIndex &one : shared)
      outer.push_back(one[number]);
    for (unsigned index : outer)
      erase(statement.indices, index);
    outer.push_back(scan.index);
    plans.emplace_back(program, statement, target, outer);
  }
}

NativeStep::Phase cpu::emitScan(Emitter &code, const ScanPlan &plan,
                                unsigned buffers) {
  const loops::Program &program = plan.program;
  std::vector<std::unique_ptr<LoopEmitter>> statements;
  for (const LoopPlan &statement : plan.plans)
    statements.push_back(
        std::make_unique<LoopEmitter>(code, statement, buffers));
  int64_t chunks = 1, steps = program.extent(plan.scan.index);
  for (const SharedIndex &shared : plan.shared)
    chunks *= program.extent(shared.front());
  SmallVector<Value *> values(plan.shared.size() + 1);
  auto step = [&](Value *turn) {
    values.back() = plan.scan.backwards
                        ? code.CreateSub(code.integer(steps - 1), turn)
                        : turn;
    for (auto &statement : statements)
      statement->emitWithin(values);
  };
  auto chunk = [&](Value *number) {
    for (size_t i = plan.shared.size(); i-- > 0;) {
      Value *extent = code.integer(program.extent(plan.shared[i].front()));
      values[i] = i ? code.CreateURem(number, extent) : number;
      number = code.CreateUDiv(number, extent);
    }
    code.loop(code.integer(0), code.integer(steps), step, /*maybeNone=*/true);
  };
  code.loop(code.function->getArg(2), code.function->getArg(3), chunk);
  code.CreateRetVoid();
  return {code.function, chunks};
}
