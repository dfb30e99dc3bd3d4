//===- Kernels.cpp - the kernels of a program of loops --------------------===//
// SPDX-License-Identifier: MIT
//
// A statement is one kernel: its work-items compute elements or tiles of the
// result, and sum terms in registers. If terms reach an element in an unknown
// order, as by loaded indices, its sum is in memory, and one work-item adds all
// of them. The statements of a scan are one kernel of one group, whose
// work-items share the elements of each statement and wait for each other
// between statements.
//
//===----------------------------------------------------------------------===//

#include "glow/DevicePlan/Kernels.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::plans;
using namespace glow::loops;

std::optional<ElementKind> plans::movedKind(const Program &program) {
  if (program.statements.empty())
    return std::nullopt;
  const ElementKind kind =
      program.tensors[program.statements.front().tensor].kind;
  bool moves = llvm::all_of(program.statements, [&](const Statement &one) {
    return one.combine == ReductionKind::Assign && !one.otherwise &&
           one.value->op == Op::Load && one.value->form == Form::Element &&
           program.tensors[one.tensor].kind == kind &&
           program.tensors[size_t(one.value->integer)].kind == kind;
  });
  return moves ? std::optional(kind) : std::nullopt;
}

ElementKind plans::integerOf(ElementKind kind) {
  switch (byteSize(kind)) {
  case 1:
    return ElementKind::U8;
  case 2:
    return ElementKind::U16;
  case 4:
    return ElementKind::U32;
  default:
    return ElementKind::U64;
  }
}

/// The kinds whose elements are converted by code.
static bool hasConversion(ElementKind kind) {
  return !isSmall(kind) || !isFloat(kind);
}

static std::string unsupported(const Program &program,
                               HasFunction hasFunction) {
  if (program.statements.empty()) // of no elements
    return "";
  for (const Tensor &tensor : program.tensors) {
    if (!tensor.lengths.empty())
      return "sizes of a run have no kernels";
    if (!hasConversion(tensor.kind) && !movedKind(program))
      return "elements of " + std::string(name(tensor.kind)) +
             " have no conversion";
  }
  for (const Statement &statement : program.statements)
    for (Term term : treesOf(statement)) {
      if (term->op == Op::Formula)
        return "a formula of fused nodes has no kernel";
      if (term->op == Op::Call && !hasFunction(term->name, program.computes))
        return "function '" + term->name + "' of " +
               std::string(name(program.computes)) + " has no code";
    }
  return program.complete() ? "" : "the loops have too many indices";
}

namespace {

class Planner {
public:
  Planner(Program &program, const PlanForms &forms)
      : program(program), forms(forms) {}

  Status run() {
    const std::vector<Statement> statements = program.statements;
    for (size_t i = 0, end; i < statements.size(); i = end) {
      end = i + 1;
      while (statements[i].scan && end < statements.size() &&
             statements[end].scan == statements[i].scan)
        ++end;
      Status status = add(llvm::ArrayRef(statements).slice(i, end - i));
      if (!status.ok())
        return status;
    }
    return Status();
  }
  std::vector<PlannedKernel> kernels;

private:
  Status add(llvm::ArrayRef<Statement> group) {
    PlannedKernel kernel;
    if (std::optional<unsigned> scan = group.front().scan) {
      kernel.scan = program.scans[*scan];
      if (program.extent(kernel.scan->index) == 0)
        return Status();
    }
    for (const Statement &statement : group) {
      if (writesNothing(program, statement))
        continue;
      if (onlyFails(program, statement)) {
        kernels.push_back({});
        return Status();
      }
      if (Status status = addStatement(statement, kernel); !status.ok())
        return status;
    }
    if (!kernel.statements.empty())
      kernels.push_back(std::move(kernel));
    return Status();
  }

  /// Adds the plan of a statement, after that of a fill if a sum does not reach
  /// all elements. Outside of a scan each plan is a kernel.
  Status addStatement(const Statement &statement, PlannedKernel &kernel) {
    llvm::SmallVector<unsigned, 1> outer;
    if (kernel.scan)
      outer.push_back(kernel.scan->index);
    DevicePlan plan(program, statement, forms, outer);
    bool isEmpty =
        llvm::is_contained(program.tensors[statement.tensor].shape, 0);
    if (plan.sums() && !plan.covers && !statement.accumulates && !isEmpty)
      if (Status status = addPlan(
              DevicePlan(program, program.fillOf(statement), forms, outer),
              kernel);
          !status.ok())
        return status;
    return addPlan(std::move(plan), kernel);
  }

  Status addPlan(DevicePlan plan, PlannedKernel &kernel) {
    if (!plan.wrong.empty())
      return failure(Code::InvalidArgument, plan.wrong);
    if (!plan.placesAreApart &&
        (plan.statement.combine == ReductionKind::Mean ||
         givesIndex(plan.statement.combine)))
      return failure(Code::Unsupported,
                     "a mean or a place of elements that meet one another has "
                     "no kernel");
    if (llvm::any_of(plan.items,
                     [&](unsigned index) { return plan.countOf(index) == 0; }))
      return Status();
    if (kernel.scan) {
      kernel.statements.push_back(std::move(plan));
      return Status();
    }
    kernels.emplace_back().statements.push_back(std::move(plan));
    return Status();
  }

  Program &program;
  const PlanForms &forms;
};

} // namespace

Result<std::vector<PlannedKernel>> plans::planKernels(Program &program,
                                                      const PlanForms &forms,
                                                      HasFunction hasFunction) {
  if (std::string why = unsupported(program, hasFunction); !why.empty())
    return failure(Code::Unsupported, why);
  Planner planner(program, forms);
  if (Status status = planner.run(); !status.ok())
    return status;
  return std::move(planner.kernels);
}

Status plans::planStatements(Program &program, const PlanForms &forms,
                             HasFunction hasFunction) {
  if (std::string why = unsupported(program, hasFunction); !why.empty())
    return failure(Code::Unsupported, why);
  std::vector<Statement> planned;
  for (const Statement &statement : std::vector(program.statements)) {
    if (writesNothing(program, statement))
      continue;
    llvm::SmallVector<unsigned, 1> outer;
    if (statement.scan)
      outer.push_back(program.scans[*statement.scan].index);
    DevicePlan plan(program, statement, forms, outer);
    if (!plan.wrong.empty())
      return failure(Code::InvalidArgument, plan.wrong);
    planned.push_back(plan.planned());
  }
  program.statements = std::move(planned);
  return Status();
}
