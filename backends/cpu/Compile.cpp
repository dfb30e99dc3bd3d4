//===- Compile.cpp - from instructions to machine code --------------------===//

#include "Compile.h"
#include "../interpreter/Compile.h"
#include "Code.h"
#include "Image.h"
#include "Library.h"
#include "Step.h"
#include "glow/IR/Access.h"
#include "glow/IR/Names.h"
#include "glow/Runtime/Tensor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace glow;
using namespace glow::cpu;
using namespace mlir;

static StepEmitter emitterOf(StringRef mnemonic) {
  return llvm::StringSwitch<StepEmitter>(mnemonic)
      .Case("cpu_attention", emitAttention)
      .Case("cpu_chain", emitChain)
      .Case("cpu_conv", emitConv)
      .Case("cpu_conv_transpose", emitConvTranspose)
      .Case("gather", emitGather)
      .Cases({"cpu_matmul", "matmul"}, emitMatMul)
      .Cases({"rnn", "gru", "lstm"}, emitRecurrent)
      .Default(nullptr);
}

namespace {

class ProgramCompiler {
public:
  ProgramCompiler(ir::FuncOp function, Program program, const Target &target)
      : function(function), program(std::move(program)),
        steps(static_cast<const StepCode &>(*this->program.code)),
        unit(context, target) {}

  FailureOr<Program> run() {
    code->buffers = steps.buffers;
    code->steps = steps.steps;
    code->natives.resize(steps.steps.size());
    emitSteps();
    if (Status status = load(); !status.ok())
      return function.emitError() << status.message();
    if (Status status = pack(); !status.ok())
      return function.emitError() << status.message();
    dropUnusedConstants();
    program.code = code;
    return std::move(program);
  }

private:
  /// Steps are in the order of the instructions.
  void emitSteps() {
    size_t index = 0;
    for (Operation &op : function.block()) {
      if (!ir::isInstr(&op))
        continue;
      StepEmitter emit = emitterOf(op.getName().stripDialect());
      if (!emit || !emitStep(op, index, emit))
        useLibrary(index);
      ++index;
    }
  }

  /// The library's kernel for the element kind of the first operand.
  void useLibrary(size_t index) {
    const Step &step = steps.steps[index];
    const ir::InstrInfo *instr = ir::findInstr(step.instruction);
    size_t results = 0;
    for (size_t i = 0; i < instr->operands.size(); ++i)
      if (instr->operands[i].qualifier == ir::Qualifier::Out)
        results += size_t(step.segments[i]);
    if (results >= step.buffers.size())
      return;
    const LibraryKernel *kernel = findLibraryKernel(
        step.instruction, steps.buffers[step.buffers[results]].type.kind);
    if (!kernel)
      return;
    unit.useLibrary(kernel->function);
    unit.useLibrary(std::string(kernel->function) + "_work");
    code->natives[index].phases.push_back({});
    libraryKernels.push_back({index, std::string(kernel->function)});
  }

  bool emitStep(Operation &op, size_t index, StepEmitter emit) {
    const std::vector<uint32_t> &buffers = steps.steps[index].buffers;
    auto isConstant = [&](Value value) {
      for (auto [operand, buffer] : llvm::zip(op.getOperands(), buffers))
        if (operand == value)
          return steps.buffers[buffer].where == BufferPlace::Constant;
      return false;
    };
    cpu::Instr instr(&op, isConstant);
    auto step = emit(unit, instr, "step" + Twine(index));
    if (!step)
      return false;
    auto &native = code->natives[index];
    native.scratchBytes = step->scratchBytes;
    native.sharedBytes = step->sharedBytes;
    native.failure = step->failure;
    for (const NativeStep::Phase &phase : step->phases) {
      native.phases.push_back({nullptr, phase.chunks});
      functions.push_back({index, phase.function->getName().str()});
    }
    for (Packing &packing : step->packings)
      packings.push_back({index, std::move(packing)});
    return true;
  }

  Status load() {
    if (functions.empty() && libraryKernels.empty())
      return Status();
    if (!unit.unknown.empty())
      return glow::failure(glow::Code::Unsupported,
                           "the library has no vector function for '",
                           unit.unknown, "'");
    if (Status status = linkLibrary(unit); !status.ok())
      return status;
    Result<llvm::SmallVector<char, 0>> object = generateObject(unit);
    if (!object)
      return object.status();
    Result<std::shared_ptr<const Image>> image = loadObject(object.take());
    if (!image)
      return image.status();
    for (const auto &[index, name] : functions) {
      auto &phases = code->natives[index].phases;
      auto phase = llvm::find_if(
          phases, [](const auto &phase) { return !phase.function; });
      phase->function = reinterpret_cast<StepKernel>((*image)->find(name));
      if (!phase->function)
        return glow::failure(glow::Code::Internal, "no code was made for '",
                             name, "'");
    }
    measureLibrary(**image);
    code->image = image.take();
    return Status();
  }

  /// Asks the library's kernels how they may be cut.
  void measureLibrary(const Image &image) {
    for (const auto &[index, name] : libraryKernels) {
      auto &native = code->natives[index];
      code->infos.push_back(
          std::make_unique<OwnedStepInfo>(steps.steps[index], steps.buffers));
      native.info = code->infos.back().get()->get();
      StepWork work{1, 0};
      reinterpret_cast<StepMeasure>(image.find(name + "_work"))(native.info,
                                                                &work);
      native.phases[0] = {reinterpret_cast<StepKernel>(image.find(name)),
                          work.chunks};
      native.scratchBytes = work.scratchBytes;
    }
  }

  /// Packed constants lie one after the other in the order of the steps.
  Status pack() {
    int64_t bytes = 0;
    for (const auto &[index, packing] : packings)
      bytes += (packing.elements * 4 + 63) / 64 * 64;
    Result<Tensor> block = Tensor::zeros({ElementKind::U8, {bytes}});
    if (!block)
      return block.status().prefixed("packed constants: ");
    auto owner = std::make_shared<Tensor>(block.take());
    auto *place = static_cast<char *>(owner->data());
    for (const auto &[index, packing] : packings) {
      uint32_t &buffer = code->steps[index].buffers[packing.buffer];
      const Constant &from = program.constants[code->buffers[buffer].index];
      packing.write(aligned(from), reinterpret_cast<float *>(place));
      glow::TensorType type{ElementKind::F32, {packing.elements}};
      BufferPlace packed{BufferPlace::Constant,
                         uint32_t(program.constants.size()), 0, type,
                         from.name};
      program.constants.push_back({from.name, type, place, owner});
      buffer = uint32_t(code->buffers.size());
      code->buffers.push_back(std::move(packed));
      place += (packing.elements * 4 + 63) / 64 * 64;
    }
    return Status();
  }

  /// A mapped file puts tensors at any byte.
  const float *aligned(const Constant &constant) {
    if (reinterpret_cast<uintptr_t>(constant.data) % alignof(float) == 0)
      return static_cast<const float *>(constant.data);
    copy.resize(size_t(constant.type.elements()));
    std::memcpy(copy.data(), constant.data, constant.type.bytes());
    return copy.data();
  }

  /// The program need not keep what it has in another form.
  void dropUnusedConstants() {
    std::vector<uint32_t> newBuffer(code->buffers.size(), ~0u);
    std::vector<BufferPlace> buffers;
    std::vector<Constant> constants;
    for (Step &step : code->steps)
      for (uint32_t &buffer : step.buffers) {
        if (newBuffer[buffer] == ~0u) {
          newBuffer[buffer] = uint32_t(buffers.size());
          buffers.push_back(code->buffers[buffer]);
          if (BufferPlace &place = buffers.back();
              place.where == BufferPlace::Constant) {
            constants.push_back(program.constants[place.index]);
            place.index = uint32_t(constants.size()) - 1;
          }
        }
        buffer = newBuffer[buffer];
      }
    code->buffers = std::move(buffers);
    program.constants = std::move(constants);
  }

  ir::FuncOp function;
  Program program;
  const StepCode &steps;
  llvm::LLVMContext context;
  CodeModule unit;
  std::shared_ptr<CpuCode> code = std::make_shared<CpuCode>();
  std::vector<std::pair<size_t, std::string>> functions;
  std::vector<std::pair<size_t, std::string>> libraryKernels;
  std::vector<std::pair<size_t, Packing>> packings;
  std::vector<float> copy;
};

} // namespace

FailureOr<Program>
CpuBackend::compile(ir::FuncOp function,
                    std::shared_ptr<const void> owner) const {
  FailureOr<Program> steps =
      StepBackend("cpu").compile(function, std::move(owner));
  if (failed(steps))
    return mlir::failure();
  Result<Target> target = Target::create({});
  if (!target)
    return function.emitError() << target.status().message();
  return ProgramCompiler(function, std::move(*steps), *target).run();
}
