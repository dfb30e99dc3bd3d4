//===- Compile.cpp - from instructions to machine code --------------------===//
// SPDX-License-Identifier: MIT

#include "Compile.h"
#include "EmittedSteps.h"
#include "Image.h"
#include "Listing.h"
#include "Native.h"
#include "Perf.h"
#include "Precompiled.h"
#include "Predict.h"
#include "codegen/emit/OpenSizes.h"
#include "codegen/loops/LoopSteps.h"
#include "codegen/step/PackConstants.h"
#include "common/Library.h"
#include "device/StepMemory.h"
#include "device/Stored.h"
#include "glow/Backend/StepBackend.h"
#include "glow/Graph/Dialect.h"
#include "glow/Graph/HalfFactors.h"
#include "glow/IR/Access.h"
#include "glow/IR/ControlFlow.h"
#include "glow/IR/Loops.h"
#include "glow/IR/Names.h"
#include "glow/Program/KernelRegistry.h"
#include "glow/Values/Tensor.h"

using namespace glow;
using namespace glow::cpu;
using namespace mlir;

namespace {

/// The operands of an instruction whose bytes are known.
class Constants {
public:
  Constants(Operation &op, const StepCode &steps, size_t index) {
    for (auto [operand, buffer] :
         llvm::zip(op.getOperands(), steps.steps[index].buffers))
      if (steps.buffers[buffer].where == BufferPlace::Constant)
        known.insert(operand);
  }
  bool operator()(Value value) const { return known.contains(value); }

private:
  llvm::SmallDenseSet<Value> known;
};

class ProgramBuilder {
public:
  ProgramBuilder(CodeModule &module, ir::FuncOp function, Program program,
                 std::string prefix)
      : module(module), function(function), instrs(ir::instrsOf(function)),
        prefix(std::move(prefix)), program(std::move(program)),
        emitted(module, function, this->program, result.steps) {
    result.steps = static_cast<const StepCode &>(*this->program.code);
    result.arenaLimit = module.target.arenaLimit;
    result.symbols.resize(result.steps.steps.size());
    works.resize(result.steps.steps.size());
  }

  FailureOr<NativeProgram> run(const MakeCode &generate) {
    if (Status status = checkArena(program.arenaBytes, result.arenaLimit,
                                   "values between nodes");
        !status.ok())
      return function.emitError() << status.message();
    emitSteps();
    if (Status status = generate ? generate(result) : Status(); !status.ok())
      return function.emitError() << status.message();
    if (Status status =
            packConstants(packings, function, result.steps, program);
        !status.ok())
      return function.emitError() << status.message();
    dropUnusedConstants();
    program.code = nullptr;
    program.math = module.target.math;
    result.program = std::move(program);
    return std::move(result);
  }

private:
  /// Steps are in the order of the instructions.
  void emitSteps() {
    module.separable = hasDepthwise();
    for (auto [index, op] : llvm::enumerate(instrs)) {
      if (module.separate)
        module.tiles.clear();
      if (!module.interpret || !hasReference(index))
        emitAny(*op, index);
      label(*op, index);
      count(*op, index);
    }
    predict();
  }

  /// Whether some convolution takes each channel on its own.
  bool hasDepthwise() {
    SizeDecisions ignored; // as in `count`
    size_t index = 0;
    return llvm::any_of(instrs, [&](Operation *op) {
      Constants constants(*op, result.steps, index++);
      const CodeRecord *code = codeFor(module, cpu::Instr(op, constants));
      return code && llvm::is_contained({"depthwise", "bottleneck"},
                                        StringRef(code->algorithm));
    });
  }

  bool hasReference(size_t index) const {
    return KernelRegistry::instance().find(
               result.steps.steps[index].instruction) != nullptr;
  }

  void emitAny(Operation &op, size_t index) {
    if (!result.steps.steps[index].calls.empty()) // the device executes it
      return emitNothing(index, "calls");
    const LibraryKernel *kernel = kernelOf(index);
    bool looks = kernel && !kernel->failure.empty(); // it checks values
    if (writesNothing(index) && !looks &&
        (hasCode(op.getName().stripDialect()) || kernel))
      return emitNothing(index, "empty");
    if (isThereAlready(op, index))
      return emitNothing(index, "in place");
    if (emitStep(op, index, kernel))
      return;
    useLibrary(kernel, index);
  }

  /// Whether no result has an element.
  bool writesNothing(size_t index) const {
    const Step &step = result.steps.steps[index];
    auto results = llvm::ArrayRef(step.buffers).take_front(step.results);
    return !results.empty() && llvm::all_of(results, [&](uint32_t buffer) {
      return result.steps.buffers[buffer].type.elements() == 0;
    });
  }

  /// Whether all results are where the plan has the bytes that they take.
  bool isThereAlready(Operation &op, size_t index) const {
    const Step &step = result.steps.steps[index];
    auto placeOf = [&](Value value, uint64_t from) {
      size_t operand =
          size_t(llvm::find(op.getOperands(), value) - op.operand_begin());
      const BufferPlace &place = result.steps.buffers[step.buffers[operand]];
      return std::tuple(place.where, place.index, place.offset + from);
    };
    auto isThere = [&](Value buffer) {
      std::optional<ir::View> view = ir::viewOf(&op, buffer);
      return view && placeOf(view->source, view->from) == placeOf(buffer, 0);
    };
    return step.results > 0 &&
           llvm::all_of(op.getOperands().take_front(step.results), isThere);
  }

  void emitNothing(size_t index, const char *why) {
    llvm::Function *step = module.addStep(prefix + "step" + Twine(index));
    Emitter(module, step).CreateRetVoid();
    result.symbols[index].choice.algorithm = why;
    result.symbols[index].phases.push_back({step->getName().str(), 0});
  }

  /// Gives a step that is called what is known of its work.
  void count(Operation &op, size_t index) {
    SizeDecisions ignored; // an estimate is one for the extents
    CountedStep &work = works[index];
    work.isKernel = !result.symbols[index].measure.empty();
    if (llvm::none_of(result.symbols[index].phases,
                      [](const auto &phase) { return phase.chunks != 0; }))
      work.work.reset();
    else if (!work.work)
      work.work = workOf(&op, result.steps.steps[index], result.steps.buffers);
  }

  void predict() {
    for (const StepPacking &packing : packings)
      works[packing.step].packed.emplace_back(packing.buffer,
                                              double(packing.elements) * 4);
    std::vector<double> cycles =
        predictCycles(module.target.processor, result.steps, works);
    for (auto [symbols, predicted] : llvm::zip(result.symbols, cycles))
      symbols.predictedCycles = predicted;
  }

  /// Names and describes what was emitted for a step.
  void label(Operation &op, size_t index) {
    if (!module.separate)
      return;
    const Step &step = result.steps.steps[index];
    std::string name = step.node.empty() ? step.instruction : step.node;
    for (llvm::Function &code : *module.ir) {
      if (code.isDeclaration() || module.labels.contains(code.getName()))
        continue;
      bool isStep =
          llvm::any_of(result.symbols[index].phases, [&](const auto &phase) {
            return phase.function == code.getName();
          });
      // perf looks for functions that other files see.
      code.setLinkage(llvm::GlobalValue::ExternalLinkage);
      std::string part = code.getName().split(',').first.str();
      module.labels[code.getName()] = isStep ? name : name + " " + part;
      if (isStep && module.listing)
        module.listing->describe(code, index, &op, name, packedBuffers(index));
    }
  }

  llvm::SmallVector<unsigned> packedBuffers(size_t index) const {
    llvm::SmallVector<unsigned> buffers;
    for (const StepPacking &packing : packings)
      if (packing.step == index)
        buffers.push_back(packing.buffer);
    return buffers;
  }

  /// The library's kernel for these element kinds; null without one.
  const LibraryKernel *kernelOf(size_t index) const {
    const Step &step = result.steps.steps[index];
    if (step.results >= step.buffers.size())
      return nullptr;
    auto kindOf = [&](size_t place) {
      return result.steps.buffers[step.buffers[place]].type.kind;
    };
    return findLibraryKernel(step.instruction, kindOf(step.results), kindOf(0));
  }

  void useLibrary(const LibraryKernel *kernel, size_t index) {
    if (!kernel)
      return;
    StepSymbols &symbols = result.symbols[index];
    symbols.measure = std::string(kernel->function) + "_work";
    symbols.choice.algorithm = "kernel";
    symbols.failure = kernel->failure;
    symbols.sharedBytes = symbols.failure.empty() ? 0 : NativeStep::flagBytes;
    std::string precompiled =
        module.hosted && !module.separate
            ? precompiledSymbol(module.target, kernel->function)
            : "";
    if (!precompiled.empty()) {
      symbols.measure = precompiled + "_work";
      symbols.phases.push_back({precompiled, 1});
      return;
    }
    if (module.separate) {
      symbols.phases.push_back({wrap(kernel->function, index), 1});
      return;
    }
    symbols.phases.push_back({std::string(kernel->function), 1});
    module.useLibrary(kernel->function);
  }

  /// A kernel of the library as a function of the step's own.
  std::string wrap(StringRef kernel, size_t index) {
    llvm::Function *step = module.addStep(prefix + "step" + Twine(index));
    Emitter code(module, step);
    SmallVector<llvm::Value *> arguments;
    for (llvm::Argument &argument : step->args())
      arguments.push_back(&argument);
    auto *call = code.CreateCall(
        module.ir->getOrInsertFunction(kernel, step->getFunctionType()),
        arguments);
    call->addFnAttr(llvm::Attribute::AlwaysInline);
    code.CreateRetVoid();
    return step->getName().str();
  }

  static std::string measureName(const NativeStep::Phase &phase) {
    llvm::Function *measure = measureOf(*phase.function);
    return measure ? measure->getName().str() : "";
  }

  bool emitStep(Operation &op, size_t index, const LibraryKernel *kernel) {
    Constants constants(op, result.steps, index);
    auto emit = [&] {
      cpu::Instr instr(&op, constants);
      std::string name = prefix + "step" + std::to_string(index);
      module.math =
          op.hasAttr(GlowDialect::exact) ? Math::Strict : module.target.math;
      module.halfFactors = op.hasAttr(glow::halfFactors);
      std::optional<NativeStep> step = emitCode(module, instr, name);
      // Kernels of the library have vectors.
      bool hasLoops = !kernel || module.target.lanes == 1;
      return step || !hasLoops ? step : emitLoops(module, instr, name);
    };
    const std::optional<NativeStep> &step =
        emitted.find(op, constants, index, emit);
    if (!step)
      return false;
    StepSymbols &symbols = result.symbols[index];
    symbols.scratchBytes = step->scratchBytes;
    symbols.sharedBytes = step->sharedBytes;
    symbols.failure = step->failure;
    symbols.choice = step->choice;
    works[index].work = step->work;
    for (const NativeStep::Phase &phase : step->phases)
      symbols.phases.push_back(
          {phase.function->getName().str(), phase.chunks, measureName(phase)});
    for (const Packing &packing : step->packings)
      packings.push_back({packing, index});
    return true;
  }

  /// The program need not keep what it has in another form.
  void dropUnusedConstants() {
    StepCode &steps = result.steps;
    std::vector<uint32_t> newBuffer(steps.buffers.size(), ~0u);
    std::vector<BufferPlace> buffers;
    std::vector<Constant> constants;
    for (Step &step : steps.steps)
      for (uint32_t &buffer : step.buffers) {
        if (newBuffer[buffer] == ~0u) {
          newBuffer[buffer] = uint32_t(buffers.size());
          buffers.push_back(steps.buffers[buffer]);
          if (BufferPlace &place = buffers.back();
              place.where == BufferPlace::Constant) {
            constants.push_back(program.constants[place.index]);
            place.index = uint32_t(constants.size()) - 1;
          }
        }
        buffer = newBuffer[buffer];
      }
    steps.buffers = std::move(buffers);
    program.constants = std::move(constants);
  }

  CodeModule &module;
  ir::FuncOp function;
  const std::vector<Operation *> instrs; ///< in the order of the steps
  const std::string prefix;
  Program program;
  NativeProgram result;
  std::vector<StepPacking> packings;
  std::vector<CountedStep> works; ///< one a step
  EmittedSteps emitted;
};

} // namespace

FailureOr<NativeProgram> cpu::buildProgram(CodeModule &module,
                                           ir::FuncOp function,
                                           std::shared_ptr<const void> owner,
                                           const std::string &prefix,
                                           MakeCode generate) {
  FailureOr<Program> steps =
      StepBackend("cpu").compile(function, std::move(owner));
  if (failed(steps))
    return mlir::failure();
  return ProgramBuilder(module, function, std::move(*steps), prefix)
      .run(generate);
}

/// The functions that know into how many chunks a step is cut.
static void useMeasures(CodeModule &module, const NativeProgram &native) {
  for (const StepSymbols &symbols : native.symbols)
    if (!symbols.measure.empty() && !findPrecompiled(symbols.measure))
      module.useLibrary(symbols.measure);
}

/// Grows the arena by the memory that steps take on one thread beside buffers.
static Status growArena(Program &program, const StepCode &code,
                        const std::vector<StepSymbols> &symbols,
                        uint64_t limit) {
  program.arenaBytes = arenaWithSteps(code, symbols, program.arenaBytes);
  return checkArena(program.arenaBytes, limit,
                    "values between nodes and the memory of kernels");
}

Status cpu::measureHere(NativeProgram &native) {
  Result<Target> host = Target::create({});
  if (!host)
    return host.status();
  llvm::LLVMContext context;
  CodeModule module(context, *host);
  useMeasures(module, native);
  Result<MadeCode> made = makeCode(module);
  if (!made)
    return made.status();
  Result<std::shared_ptr<const Image>> image =
      Image::load(std::make_shared<MadeCode>(made.take()));
  if (!image)
    return image.status();
  if (Status status =
          measureSteps(native.steps, native.symbols, (*image)->finder());
      !status.ok())
    return status;
  return growArena(native.program, native.steps, native.symbols,
                   native.arenaLimit);
}

/// A program for reports, which no device takes.
static Result<Program> withoutCode(NativeProgram native) {
  if (Status status = measureHere(native); !status.ok())
    return status;
  auto code = std::make_shared<CpuCode>();
  static_cast<StepCode &>(*code) = std::move(native.steps);
  code->symbols = std::move(native.symbols);
  native.program.code = std::move(code);
  return std::move(native.program);
}

/// Makes the module's code callable in this process.
static Result<Program> loadHere(CodeModule &module, NativeProgram native,
                                MadeCode made, const CodeOptions &options) {
  auto code = std::make_shared<CpuCode>();
  static_cast<StepCode &>(*code) = std::move(native.steps);
  code->symbols = std::move(native.symbols);
  code->sizes = module.sizes;
  code->made = std::make_shared<MadeCode>(std::move(made));
  Result<std::shared_ptr<const Image>> image =
      Image::load(code->made, /*debugged=*/module.listing);
  if (!image)
    return image.status();
  SymbolFinder find = (*image)->finder();
  if (Status status = measureSteps(*code, code->symbols, find); !status.ok())
    return status;
  if (Status status =
          growArena(native.program, *code, code->symbols, native.arenaLimit);
      !status.ok())
    return status;
  if (Status status = findSymbols(*code, find); !status.ok())
    return status;
  if (!options.perfFolder.empty())
    if (Status status = reportToPerf(code->made->object, find, module.labels,
                                     options.perfFolder);
        !status.ok())
      return status;
  code->image = image.take();
  native.program.code = std::move(code);
  return std::move(native.program);
}

FailureOr<Program> CpuBackend::compile(ir::FuncOp function,
                                       std::shared_ptr<const void> owner,
                                       const CodeOptions &options) const {
  Result<Target> target = Target::create(options);
  if (!target)
    return function.emitError() << target.status().message();
  const Status here = target->checkHost();
  if (!here.ok() && !options.reportsOnly)
    return function.emitError() << here.message();
  llvm::LLVMContext context;
  CodeModule module(context, *target);
  module.separate = !options.listing.empty() || !options.perfFolder.empty();
  module.interpret = options.interpret;
  module.hosted = here.ok();
  // Names of values, which no one reads, would each be made unique.
  context.setDiscardValueNames(!module.separate);
  Result<std::unique_ptr<GivenPlans>> plans = GivenPlans::read(options.plans);
  if (!plans)
    return function.emitError() << plans.status().message();
  module.plans = plans->get();
  Listing listing(module, options.listing);
  if (!options.listing.empty()) {
    if (Status status = listing.write(function); !status.ok())
      return function.emitError() << status.message();
    module.listing = &listing;
  }
  MadeCode code;
  auto generate = [&](const NativeProgram &native) {
    if (module.listing)
      listing.finish();
    useMeasures(module, native);
    Result<MadeCode> made = makeCode(module);
    if (made)
      code = made.take();
    return made.status();
  };
  FailureOr<NativeProgram> native =
      buildProgram(module, function, std::move(owner), "",
                   options.reportsOnly ? MakeCode() : generate);
  if (failed(native))
    return mlir::failure();
  if (Status status = *plans ? (*plans)->check() : Status(); !status.ok())
    return function.emitError() << status.message();
  Result<Program> program =
      options.reportsOnly
          ? withoutCode(std::move(*native))
          : loadHere(module, std::move(*native), std::move(code), options);
  if (!program)
    return function.emitError() << program.status().message();
  return program.take();
}

Status CpuBackend::checkOptions(const CodeOptions &options) const {
  return Target::create(options).status();
}

std::string CpuBackend::fingerprint(const CodeOptions &options) const {
  Result<Target> target = Target::create(options);
  if (!target)
    return "";
  // Measured speeds and a memory limit can change the choice of algorithms.
  return target->cpu + " " + target->features +
         (target->isMeasured ? " " + textOf(target->processor) : "") +
         (target->arenaLimit ? " arena " + std::to_string(target->arenaLimit)
                             : "");
}

Result<std::string> CpuBackend::store(const Program &program) const {
  auto *code = dynamic_cast<const CpuCode *>(program.code.get());
  if (!code || !code->made)
    return Status(Code::InvalidArgument, "the program has no code");
  return describe(
      {program, *code, code->symbols, {}, *code->made, code->sizes});
}

Result<Program> CpuBackend::restore(const StoredProgram &stored) const {
  Result<StoredCode> code = readStored(stored);
  if (!code)
    return code.status();
  if (code->made.object.empty())
    return readProgram(stored);
  Result<std::shared_ptr<const Image>> image =
      Image::load(std::make_shared<MadeCode>(std::move(code->made)));
  if (!image)
    return image.status();
  return makeProgram(code.take(), (*image)->finder(), *image);
}
