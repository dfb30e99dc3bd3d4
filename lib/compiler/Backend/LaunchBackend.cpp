//===- LaunchBackend.cpp - from instructions to launches ------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Backend/LaunchBackend.h"
#include "glow/Backend/StepBackend.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Access.h"
#include "glow/IR/ControlFlow.h"
#include "glow/IR/Names.h"

using namespace glow;
using namespace mlir;

namespace {

class LaunchBuilder {
public:
  LaunchBuilder(const LaunchBackend &backend, const CodeOptions &options,
                ir::FuncOp function, Program program)
      : backend(backend), location(function.getLoc()),
        instrs(ir::instrsOf(function)), program(std::move(program)),
        steps(static_cast<const StepCode &>(*this->program.code)),
        printer(backend.printer(options)), code(printer->code()) {}

  FailureOr<Program> run() {
    code->buffers = steps.buffers;
    for (auto [index, instr] : llvm::enumerate(instrs)) {
      const Step &step = steps.steps[index];
      LaunchedStep &made = code->steps.emplace_back();
      made.node = step.node;
      made.instruction = step.instruction;
      made.results.assign(step.buffers.begin(),
                          step.buffers.begin() + step.results);
      if (failed(add(instr, step)))
        return failure();
    }
    if (Status status = printer->finish(); !status.ok())
      return emitError(location, status.message());
    program.code = code;
    return std::move(program);
  }

private:
  LogicalResult add(Operation *instr, const Step &step) {
    if (writesNothing(step) && !mayCheck(instr))
      return success();
    if (std::unique_ptr<loops::Program> loops = backend.loopsOf(instr)) {
      if (isThereAlready(instr, step))
        return success();
      return addKernels(instr, step, *loops);
    }
    return addCopies(instr, step);
  }

  bool writesNothing(const Step &step) const {
    auto results = llvm::ArrayRef(step.buffers).take_front(step.results);
    return !results.empty() && llvm::all_of(results, [&](uint32_t buffer) {
      return code->buffers[buffer].type.elements() == 0;
    });
  }
  /// Whether the instruction may find an index out of range.
  bool mayCheck(Operation *instr) const {
    return backend.loopsOf(instr) != nullptr;
  }

  std::tuple<uint32_t, uint32_t, uint64_t>
  placeOf(Operation *instr, const Step &step, Value value) const {
    const size_t operand = size_t(llvm::find(instr->getOperands(), value) -
                                  instr->operand_begin());
    const BufferPlace &place = code->buffers[step.buffers[operand]];
    return {place.where, place.index, place.offset};
  }

  /// Whether all results are where the plan has the bytes that they take.
  bool isThereAlready(Operation *instr, const Step &step) const {
    return step.results > 0 &&
           llvm::all_of(instr->getOperands().take_front(step.results),
                        [&](Value result) {
                          std::optional<ir::View> view =
                              ir::viewOf(instr, result);
                          if (!view)
                            return false;
                          auto from = placeOf(instr, step, view->source);
                          std::get<2>(from) += view->from;
                          return from == placeOf(instr, step, result);
                        });
  }

  LogicalResult addKernels(Operation *instr, const Step &step,
                           loops::Program &loops) {
    Result<std::vector<PrintedKernel>> made =
        printer->print(loops, uint32_t(code->steps.size()) - 1);
    if (!made)
      return instr->emitOpError()
             << "of '" << ir::nameOf(instr) << "' has no " << backend.language()
             << " kernel: " << made.status().message();
    for (const PrintedKernel &kernel : *made) {
      Launch launch;
      launch.step = uint32_t(code->steps.size()) - 1;
      launch.first = code->numbers.size();
      code->numbers.push_back(int64_t(launch.step) + 1);
      for (unsigned tensor : kernel.tensors) {
        const uint32_t buffer = step.buffers[tensor];
        launch.buffers.push_back(buffer);
        code->numbers.push_back(int64_t(code->buffers[buffer].offset));
      }
      llvm::append_range(code->numbers, kernel.numbers);
      launch.global = kernel.global;
      launch.local = kernel.local;
      launch.kernel = kernel.kernel;
      launch.needsGroup = kernel.needsGroup;
      code->launches.push_back(std::move(launch));
    }
    return success();
  }

  /// An instruction that only copies bytes in one piece to each result.
  LogicalResult addCopies(Operation *instr, const Step &step) {
    auto indexOf = [&](Value value) {
      return step.buffers[size_t(llvm::find(instr->getOperands(), value) -
                                 instr->operand_begin())];
    };
    if (step.results == 0)
      return noKernel(instr);
    for (Value result : instr->getOperands().take_front(step.results)) {
      std::optional<ir::View> view = viewOf(instr, result);
      if (!view)
        return noKernel(instr);
      Launch launch;
      launch.step = uint32_t(code->steps.size()) - 1;
      launch.buffers = {indexOf(result), indexOf(view->source)};
      const BufferPlace &to = code->buffers[launch.buffers[0]],
                        &from = code->buffers[launch.buffers[1]];
      if (placeOf(instr, step, result) == std::tuple(uint32_t(from.where),
                                                     from.index,
                                                     from.offset + view->from))
        continue;
      launch.first = code->numbers.size();
      code->numbers.push_back(int64_t(to.offset));
      code->numbers.push_back(int64_t(from.offset + view->from));
      code->numbers.push_back(int64_t(to.type.bytes()));
      if (to.type.bytes())
        code->launches.push_back(std::move(launch));
    }
    return success();
  }

  LogicalResult noKernel(Operation *instr) const {
    return instr->emitOpError()
           << "of '" << ir::nameOf(instr) << "' has no " << backend.language()
           << " kernel: its record has neither index "
              "notation nor a formula";
  }

  static std::optional<ir::View> viewOf(Operation *instr, Value result) {
    if (instr->getName().stripDialect() == "copy")
      return ir::View{instr->getOperand(1), 0};
    return ir::viewOf(instr, result);
  }

  const LaunchBackend &backend;
  const Location location;
  const std::vector<Operation *> instrs;
  Program program;
  const StepCode steps;
  const std::unique_ptr<KernelPrinter> printer;
  const std::shared_ptr<LaunchCode> code;
};

} // namespace

FailureOr<Program> LaunchBackend::compile(ir::FuncOp function,
                                          std::shared_ptr<const void> owner,
                                          const CodeOptions &options) const {
  FailureOr<Program> program =
      StepBackend(name().str()).compile(function, std::move(owner));
  if (failed(program))
    return mlir::failure();
  return LaunchBuilder(*this, options, function, std::move(*program)).run();
}

std::unique_ptr<loops::Program> LaunchBackend::loopsOf(Operation *instr) const {
  auto typeOf = [&](unsigned operand) {
    return cast<ir::BufferType>(instr->getOperand(operand).getType())
        .getTensor();
  };
  if (instr->getName().stripDialect() != "cast")
    return Backend::loopsOf(instr);
  std::vector<loops::Tensor> tensors;
  for (unsigned operand : {0u, 1u}) {
    std::optional<ElementKind> kind = kindOf(typeOf(operand).getElementType());
    if (!kind)
      return nullptr;
    tensors.push_back(
        {*kind, Ints(typeOf(operand).getShape()), {}, operand ? "in" : "out"});
  }
  auto program = std::make_unique<loops::Program>(std::move(tensors));
  program->computes = loops::computedIn(program->tensors[1].kind);
  program->begin(loops::ReductionKind::Assign, 0);
  loops::Terms at = program->indices(program->tensors[0].sizes(), "i");
  program->end(
      at, program->load(1, at, loops::Outside::Never, loops::Form::Element));
  return program;
}

Status LaunchBackend::planLoops(loops::Program &program, llvm::StringRef,
                                const CodeOptions &) const {
  return plans::planStatements(
      program, forms(), [&](llvm::StringRef function, ElementKind computes) {
        return hasFunction(function, computes);
      });
}

std::vector<StepReport> LaunchBackend::report(const Program &program) const {
  std::vector<StepReport> reports;
  auto *code = dynamic_cast<const LaunchCode *>(program.code.get());
  if (!code)
    return reports;
  for (const LaunchedStep &step : code->steps)
    reports.push_back({step.node, step.instruction, "in place", {}, {}});
  for (const Launch &launch : code->launches)
    reports[launch.step].algorithm =
        launch.kernel == Launch::copy ? "copy" : "loops";
  return reports;
}
