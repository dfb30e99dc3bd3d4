//===- Compile.cpp - from instructions to launches of kernels -------------===//
// SPDX-License-Identifier: MIT

#include "Compile.h"
#include "codegen/KernelText.h"
#include "device/Code.h"
#include "glow/Backend/StepBackend.h"
#include "glow/Graph/Storage.h"
#include "glow/IR/Access.h"
#include "glow/IR/ControlFlow.h"
#include "glow/IR/Names.h"
#include "llvm/ADT/StringMap.h"

using namespace glow;
using namespace glow::opencl;
using namespace mlir;

namespace {

class LaunchBuilder {
public:
  LaunchBuilder(const OpenclBackend &backend, ir::FuncOp function,
                Program program)
      : backend(backend), instrs(ir::instrsOf(function)),
        program(std::move(program)),
        steps(static_cast<const StepCode &>(*this->program.code)),
        code(std::make_shared<OpenclCode>()) {}

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
    code->prelude = prelude();
    code->usesDoubles = usesDoubles;
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
    Result<std::vector<KernelText>> made = kernelsOf(loops);
    if (!made)
      return instr->emitOpError()
             << "of '" << ir::nameOf(instr)
             << "' has no OpenCL kernel: " << made.status().message();
    for (const loops::Tensor &tensor : loops.tensors)
      usesDoubles |= tensor.kind == ElementKind::F64;
    for (KernelText &kernel : *made) {
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
      launch.global.assign(kernel.global.begin(), kernel.global.end());
      launch.local.assign(kernel.local.begin(), kernel.local.end());
      launch.kernel = kernelOf(kernel);
      launch.needsGroup = kernel.needsGroup;
      code->launches.push_back(std::move(launch));
    }
    return success();
  }

  /// The number of a kernel with this text; layers share kernels.
  uint32_t kernelOf(const KernelText &kernel) {
    std::string head, body;
    for (size_t i = 0; i < kernel.tensors.size(); ++i) {
      std::string at = std::to_string(i);
      head += "global uchar *b" + at + ", ";
      body += "global uchar *t" + at + " = b" + at + " + n[" +
              std::to_string(i + 1) + "];\n";
    }
    llvm::StringRef rest = kernel.body;
    const std::string offset = std::to_string(kernel.tensors.size() + 1);
    while (true) {
      auto [before, after] = rest.split("OFFSETS");
      body += before;
      if (before.size() == rest.size())
        break;
      body += offset;
      rest = after;
    }
    std::string text =
        "(" + head +
        "global int *failed, global const long *list, long first) {\n"
        "global const long *n = list + first;\n" +
        (kernel.localFloats ? "local float factors[" +
                                  std::to_string(kernel.localFloats) + "];\n"
                            : "") +
        "const int step = (int)n[0];\n" + body + "}\n";
    auto [known, isNew] =
        numbers.try_emplace(text, uint32_t(code->kernels.size()));
    if (isNew) {
      std::string name = "k" + std::to_string(known->second);
      code->kernels.push_back(name);
      code->kernelSteps.push_back(uint32_t(code->steps.size()) - 1);
      code->sources.push_back("\nkernel void " + name + text);
    }
    return known->second;
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

  static LogicalResult noKernel(Operation *instr) {
    return instr->emitOpError() << "of '" << ir::nameOf(instr)
                                << "' has no OpenCL kernel: its record has "
                                   "neither index notation nor a formula";
  }

  static std::optional<ir::View> viewOf(Operation *instr, Value result) {
    if (instr->getName().stripDialect() == "copy")
      return ir::View{instr->getOperand(1), 0};
    return ir::viewOf(instr, result);
  }

  const OpenclBackend &backend;
  const std::vector<Operation *> instrs;
  Program program;
  const StepCode steps;
  std::shared_ptr<OpenclCode> code;
  llvm::StringMap<uint32_t> numbers; ///< of kernels, by their text
  bool usesDoubles = false;
};

} // namespace

FailureOr<Program> OpenclBackend::compile(ir::FuncOp function,
                                          std::shared_ptr<const void> owner,
                                          const CodeOptions &options) const {
  FailureOr<Program> program =
      StepBackend("opencl").compile(function, std::move(owner));
  if (failed(program))
    return mlir::failure();
  return LaunchBuilder(*this, function, std::move(*program)).run();
}

std::unique_ptr<loops::Program> OpenclBackend::loopsOf(Operation *instr) const {
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

Status OpenclBackend::planLoops(loops::Program &program, llvm::StringRef,
                                const CodeOptions &) const {
  return planStatements(program);
}

std::vector<StepReport> OpenclBackend::report(const Program &program) const {
  std::vector<StepReport> reports;
  auto *code = dynamic_cast<const OpenclCode *>(program.code.get());
  if (!code)
    return reports;
  for (const LaunchedStep &step : code->steps)
    reports.push_back({step.node, step.instruction, "in place", {}, {}});
  for (const Launch &launch : code->launches)
    reports[launch.step].algorithm =
        launch.kernel == Launch::copy ? "copy" : "loops";
  return reports;
}
