//===- KernelText.cpp - OpenCL C of one kernel ----------------------------===//
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

#include "StatementText.h"
#include "llvm/ADT/STLExtras.h"

using namespace glow;
using namespace glow::opencl;
using namespace glow::loops;

/// Work-items of the group that runs a scan.
static constexpr uint64_t scanGroup = 64;

/// The bytes of an element if elements are only moved.
static std::optional<ElementKind> movedKind(const Program &program) {
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

/// The kinds whose elements are converted by code.
static bool hasConversion(ElementKind kind) {
  return !isSmall(kind) || !isFloat(kind);
}

static std::string unsupported(const Program &program) {
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

class ProgramText {
public:
  explicit ProgramText(Program &program) : program(program) {}

  Result<std::vector<KernelText>> run() {
    if (std::string why = unsupported(program); !why.empty())
      return failure(Code::Unsupported, why);
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
    return std::move(kernels);
  }

private:
  Status add(llvm::ArrayRef<Statement> group) {
    llvm::SmallVector<Statement> active;
    for (const Statement &statement : group) {
      if (writesNothing(program, statement))
        continue;
      if (onlyFails(program, statement)) {
        addFailure();
        return Status();
      }
      active.push_back(statement);
    }
    if (active.empty())
      return Status();
    if (active.front().scan)
      return addScan(active);
    const Statement &only = active.front();
    DevicePlan plan(program, only);
    bool isEmpty = llvm::is_contained(program.tensors[only.tensor].shape, 0);
    if (plan.sums() && !plan.covers && !only.accumulates && !isEmpty)
      if (Status status = addKernel(DevicePlan(program, program.fillOf(only)));
          !status.ok())
        return status;
    return addKernel(plan);
  }

  static Status checkPlan(const DevicePlan &plan) {
    if (!plan.wrong.empty())
      return failure(Code::InvalidArgument, plan.wrong);
    if (!plan.placesAreApart &&
        (plan.statement.combine == ReductionKind::Mean ||
         givesIndex(plan.statement.combine)))
      return failure(Code::Unsupported,
                     "a mean or a place of elements that meet one another has "
                     "no kernel");
    return Status();
  }

  Status finish(KernelText kernel, Values &values) {
    if (!values.refused.empty())
      return failure(Code::Unsupported, values.refused);
    kernel.mayFail |= values.mayFail;
    kernel.body = values.take();
    kernels.push_back(std::move(kernel));
    return Status();
  }

  Values begin(KernelText &kernel) {
    Values values(program, kernel);
    if (std::optional<ElementKind> kind = movedKind(program)) {
      values.moves = true;
      values.moved = *kind;
    }
    return values;
  }

  /// A kernel of one statement.
  Status addKernel(const DevicePlan &plan) {
    if (Status status = checkPlan(plan); !status.ok())
      return status;
    KernelText kernel;
    Values values = begin(kernel);
    StatementText text(program, plan, values);
    if (plan.isLocal()) {
      addLocal(plan, text, kernel);
      return finish(std::move(kernel), values);
    }
    for (auto [number, index] : llvm::enumerate(llvm::reverse(plan.items))) {
      const uint64_t count = uint64_t(plan.countOf(index));
      if (count == 0)
        return Status();
      kernel.global[std::min<size_t>(number, 2)] *= count;
    }
    if (!plan.items.empty()) {
      kernel.local[0] = uint64_t(plan.group);
      kernel.global[0] = (kernel.global[0] + kernel.local[0] - 1) /
                         kernel.local[0] * kernel.local[0];
    }
    text.bindItems();
    text.emit();
    return finish(std::move(kernel), values);
  }

  /// A kernel of groups whose work-items share factors in local memory.
  static void addLocal(const DevicePlan &plan, StatementText &text,
                       KernelText &kernel) {
    const size_t count = plan.items.size();
    const auto sizeOf = [&](size_t item) {
      return uint64_t(plan.countOf(plan.items[item]));
    };
    kernel.local[0] = uint64_t(plan.group);
    kernel.global[0] = (sizeOf(count - 1) + kernel.local[0] - 1) /
                       kernel.local[0] * kernel.local[0];
    kernel.global[1] = sizeOf(count - 2);
    for (size_t item = 0; item + 2 < count; ++item)
      kernel.global[2] *= sizeOf(item);
    kernel.needsGroup = true;
    kernel.localFloats = uint64_t(plan.localSize * plan.lanes->size);
    text.emitLocal();
  }

  /// A kernel that only reports an index out of range.
  void addFailure() {
    KernelText kernel;
    kernel.body = "atomic_cmpxchg(failed, 0, step);\n";
    kernel.mayFail = true;
    kernels.push_back(std::move(kernel));
  }

  Status addScan(llvm::ArrayRef<Statement> group) {
    const Scan &scan = program.scans[*group.front().scan];
    if (program.extent(scan.index) == 0)
      return Status();
    KernelText kernel;
    kernel.global[0] = kernel.local[0] = scanGroup;
    kernel.needsGroup = true;
    Values values = begin(kernel);
    for (const Statement &statement : group)
      values.changed.insert(statement.tensor);
    std::string end = values.number(program.extent(scan.index));
    values.open("for (int s = 0; s < " + end + "; ++s)");
    values.line("const int at = " +
                (scan.backwards ? end + " - 1 - s" : std::string("s")) + ";");
    values.bind(scan.index, "at");
    for (const Statement &statement : group) {
      DevicePlan plan(program, statement, {scan.index});
      bool isEmpty =
          llvm::is_contained(program.tensors[statement.tensor].shape, 0);
      if (plan.sums() && !plan.covers && !statement.accumulates && !isEmpty)
        if (Status status = addStep(
                DevicePlan(program, program.fillOf(statement), {scan.index}),
                values);
            !status.ok())
          return status;
      if (Status status = addStep(plan, values); !status.ok())
        return status;
    }
    values.close();
    return finish(std::move(kernel), values);
  }

  /// A statement of a scan.
  Status addStep(const DevicePlan &plan, Values &values) {
    if (Status status = checkPlan(plan); !status.ok())
      return status;
    StatementText text(program, plan, values);
    text.shareItems(scanGroup);
    text.emit();
    values.close();
    values.line("barrier(CLK_GLOBAL_MEM_FENCE);");
    return Status();
  }

  Program &program;
  std::vector<KernelText> kernels;
};

} // namespace

Result<std::vector<KernelText>> opencl::kernelsOf(Program &program) {
  return ProgramText(program).run();
}

Status opencl::planStatements(Program &program) {
  if (std::string why = unsupported(program); !why.empty())
    return failure(Code::Unsupported, why);
  std::vector<Statement> planned;
  for (const Statement &statement : std::vector(program.statements)) {
    if (writesNothing(program, statement))
      continue;
    llvm::SmallVector<unsigned, 1> outer;
    if (statement.scan)
      outer.push_back(program.scans[*statement.scan].index);
    DevicePlan plan(program, statement, outer);
    if (!plan.wrong.empty())
      return failure(Code::InvalidArgument, plan.wrong);
    planned.push_back(plan.planned());
  }
  program.statements = std::move(planned);
  return Status();
}
