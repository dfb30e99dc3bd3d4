//===- Entry.cpp - the functions and data of a bundle, as LLVM IR ---------===//
// SPDX-License-Identifier: MIT
//
// A bundle is called with three addresses: constants, inputs and outputs, and
// workspace. It allocates nothing and has no threads: each phase of a step is
// one call with all of its chunks. The arguments of library kernels, StepInfo,
// are constants in the form that the runtime would make; of steps whose sizes a
// run gives, they are on the stack.
//
//===----------------------------------------------------------------------===//

#include "Bundle.h"
#include "DirectSteps.h"
#include "EntryCalls.h"
#include "EntrySizes.h"
#include "device/Tiles.h"
#include "glow/Program/Updates.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Object/ELF.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

namespace {

/// Calls every step of a program, one after the other.
class EntryEmitter {
public:
  EntryEmitter(CodeModule &module, const BundleEntry &entry,
               const Bundle *bundle)
      : entry(entry), bundle(bundle), ir(*module.ir),
        function(addFunction(module, entry)), code(module, function),
        direct(ir), isScalar(module.target.lanes == 1) {
    Type *pointer = code.getPtrTy(), *integer = code.getInt64Ty();
    kernel = FunctionType::get(
        code.getVoidTy(), {pointer, pointer, integer, integer, pointer}, false);
  }

  void emit() {
    const auto &steps = entry.native.steps.steps;
    size_t most = 0;
    for (const Step &step : steps)
      most = std::max(most, step.buffers.size());
    // One list for all steps, with an entry for the shared memory of a step.
    buffers = code.CreateAlloca(code.getPtrTy(), code.getInt32(most + 1));
    if (entry.isOpen())
      takeSizes();
    if (bundle)
      checkConstants();
    if (ir.getFunction("llvm.x86.ldtilecfg"))
      askForTiles();
    if (!entry.native.steps.ports.empty())
      beginCalls();
    emitSteps(0, entry.native.steps.entrySteps());
    code.CreateRet(code.getInt32(Success));
  }

private:
  enum Base { Constants, Mutable, Activations, Sizes };

  static Function *addFunction(CodeModule &module, const BundleEntry &entry) {
    LLVMContext &context = module.ir->getContext();
    Type *pointer = PointerType::get(context, 0);
    SmallVector<Type *> types(entry.isOpen() ? Sizes + 1 : Sizes, pointer);
    return addVisible(
        module, entry.name,
        FunctionType::get(Type::getInt32Ty(context), types, false));
  }

  /// Reads the sizes of the run, and ends the run where they are wrong.
  void takeSizes() {
    Function *mistake = emitSizeFunctions(code.module, entry);
    Value *address = function->getArg(Sizes);
    sizes = std::make_unique<EntrySizes>(code, entry, address);
    open = std::make_unique<OpenSteps>(code, entry, *sizes);
    returnUnlessZero(code.CreateIsNotNull(
                         code.CreateCall(mistake, {address, code.getInt32(0)})),
                     WrongSizes);
  }

  /// Computes all given sizes here: code of a branch does not run before that
  /// of others.
  void beginCalls() {
    const StepCode &steps = entry.native.steps;
    auto compute = [&](const std::vector<Length> &lengths) {
      for (const Length &length : lengths)
        if (!sizes->isComputed(length))
          sizes->at(length);
    };
    for (const BufferPlace &buffer : steps.buffers)
      compute(buffer.lengths);
    for (const Step &step : steps.steps)
      for (const LengthList &list : step.lists)
        compute(list.lengths);
    calls = std::make_unique<EntryCalls>(
        code, function, steps,
        EntryCalls::Others{
            [&](uint32_t buffer) { return address(steps.buffers[buffer]); },
            [&](const Length &length) { return sizes->at(length); },
            [&](size_t first, size_t count) { emitSteps(first, count); },
            [&](Value *isWrong) { returnUnlessZero(isWrong, WrongValue); }});
  }

  void emitSteps(size_t first, size_t count) {
    for (size_t i = first; i < first + count; ++i) {
      const Step &step = entry.native.steps.steps[i];
      if (step.calls.empty())
        emitStep(step, entry.native.symbols[i], entry.memory.places[i]);
      else
        calls->emit(step);
    }
  }

  Value *at(Base base, uint64_t offset) {
    return code.CreateConstGEP1_64(code.getInt8Ty(), function->getArg(base),
                                   offset);
  }

  Value *address(const BufferPlace &buffer) {
    switch (buffer.where) {
    case BufferPlace::Constant:
      return at(Constants, entry.constants[buffer.index] + buffer.offset);
    case BufferPlace::Input:
      return at(Mutable, entry.inputs[buffer.index] + buffer.offset);
    case BufferPlace::Output:
      return at(Mutable, entry.outputs[buffer.index] + buffer.offset);
    case BufferPlace::Port:
      return code.CreateConstGEP1_64(
          code.getInt8Ty(), calls->portAddress(buffer.index), buffer.offset);
    case BufferPlace::Arena:
      break;
    }
    return at(Activations, buffer.offset);
  }

  void emitStep(const Step &step, const StepSymbols &symbols,
                const StepMemory::Place &place) {
    if (step.lengthFrom)
      takeComputed(step);
    BasicBlock *end = isInPort(step) ? skipInPlace(step) : nullptr;
    emitWork(step, symbols, place);
    if (!end)
      return;
    code.CreateBr(end);
    code.SetInsertPoint(end);
  }

  /// Takes the size that the step begins with.
  void takeComputed(const Step &step) {
    const auto &[operand, length] = *step.lengthFrom;
    Value *size = code.CreateAlignedLoad(
        code.getInt64Ty(),
        address(entry.native.steps.buffers[step.buffers[operand]]), Align(8));
    const SizeVariable *variable = length.variable();
    if (!variable) {
      returnUnlessZero(code.CreateICmpNE(size, code.integer(length.fixed())),
                       WrongValue);
      return;
    }
    returnUnlessZero(
        code.CreateOr(code.CreateICmpSLT(size, code.integer(variable->low)),
                      code.CreateICmpSGT(size, code.integer(variable->high))),
        WrongValue);
    sizes->set(*variable, size);
    open->set(*variable, size);
  }

  /// Whether the step copies a parameter to a result, which may be one buffer.
  bool isInPort(const Step &step) const {
    return copies(step) && all_of(step.buffers, [&](uint32_t buffer) {
             return entry.native.steps.buffers[buffer].where ==
                    BufferPlace::Port;
           });
  }

  /// Skips a copy of a buffer to itself; returns the block behind the copy.
  BasicBlock *skipInPlace(const Step &step) {
    auto *work = BasicBlock::Create(ir.getContext(), "copy", function);
    auto *end = BasicBlock::Create(ir.getContext(), "copied", function);
    auto of = [&](size_t i) {
      return address(entry.native.steps.buffers[step.buffers[i]]);
    };
    code.CreateCondBr(code.CreateICmpNE(of(0), of(1)), work, end);
    code.SetInsertPoint(work);
    return end;
  }

  void emitWork(const Step &step, const StepSymbols &symbols,
                const StepMemory::Place &place) {
    given.clear();
    auto give = [&](Value *pointer) {
      code.CreateStore(pointer, code.CreateConstGEP1_64(code.getPtrTy(),
                                                        buffers, given.size()));
      given.push_back(pointer);
    };
    for (uint32_t buffer : step.buffers)
      give(address(entry.native.steps.buffers[buffer]));
    Value *shared = at(Activations, place.shared);
    if (symbols.sharedBytes)
      give(shared);
    if (!symbols.failure.empty())
      // Clears the flag of the last run.
      code.CreateAlignedStore(code.getInt64(0), shared, Align(8));
    bool isOfRun = open && isOpen(entry.native.steps, step);
    Value *info = isOfRun ? open->infoOf(step, symbols) : infoOf(step, symbols);
    for (const StepSymbols::Phase &phase : symbols.phases)
      if (phase.chunks)
        emitPhase(step, phase, info,
                  isOfRun ? chunksOf(symbols, phase, info)
                          : code.getInt64(uint64_t(phase.chunks)),
                  at(Activations, place.scratch));
    if (!symbols.failure.empty())
      returnIfSet(shared);
  }

  /// The chunks of a phase in this run.
  Value *chunksOf(const StepSymbols &symbols, const StepSymbols::Phase &phase,
                  Value *info) {
    const std::string &measure =
        symbols.measure.empty() ? phase.measure : symbols.measure;
    if (measure.empty())
      return code.getInt64(uint64_t(phase.chunks));
    OpenSteps::Work work = open->measure(measure, info);
    if (!symbols.measure.empty())
      // The memory is that of the greatest sizes, of which kernels take most.
      returnUnlessZero(code.CreateICmpSGT(work.scratchBytes,
                                          code.integer(symbols.scratchBytes)),
                       WrongSizes);
    return work.chunks;
  }

  void emitPhase(const Step &own, const StepSymbols::Phase &phase, Value *info,
                 Value *end, Value *scratch) {
    Value *first = code.getInt64(0);
    const DirectStep *step = isScalar ? direct.find(phase.function) : nullptr;
    if (!step) {
      code.CreateCall(ir.getOrInsertFunction(phase.function, kernel),
                      {info, buffers, first, end, scratch});
      return;
    }
    nameAfter(own, *step);
    SmallVector<Value *> arguments;
    for (unsigned buffer : step->buffers)
      arguments.push_back(given[buffer]);
    for (unsigned size : step->sizes)
      arguments.push_back(code.CreateTrunc(
          sizes->at(Length(code.module.sizes[size])),
          step->function->getArg(unsigned(arguments.size()))->getType()));
    arguments.append({first, end, scratch});
    code.CreateCall(step->function, arguments);
  }

  /// Names a function after its layer, and its parameters after operands.
  void nameAfter(const Step &own, const DirectStep &step) {
    std::string layer = own.node.empty() ? own.instruction : own.node;
    step.function->setName(entry.name + "_" + layer);
    step.function->setLinkage(Function::InternalLinkage);
    std::vector<std::string> operands = namesOfBuffers(own);
    for (auto [i, buffer] : enumerate(step.buffers))
      step.function->getArg(unsigned(i))
          ->setName(buffer < operands.size() ? operands[buffer] : "memory");
    for (auto [i, size] : enumerate(step.sizes))
      step.function->getArg(unsigned(step.buffers.size() + i))
          ->setName(code.module.sizes[size].name);
  }

  /// Code with tiles asks Linux for permission at each call, by a system call
  /// without a library: a tenth of a microsecond. Without permission the run
  /// ends with status 1.
  void askForTiles() {
    if (!ir.getTargetTriple().isOSLinux())
      return;
    constexpr int64_t archPrctl = 158;
    Type *word = code.getInt64Ty();
    auto *ask = InlineAsm::get(
        FunctionType::get(word, {word, word, word}, false), "syscall",
        "={rax},{rax},{rdi},{rsi},~{rcx},~{r11},~{memory}",
        /*hasSideEffects=*/true);
    returnUnlessZero(code.CreateCall(ask, {code.getInt64(archPrctl),
                                           code.getInt64(requestOfState),
                                           code.getInt64(stateOfTiles)}),
                     WrongValue);
  }

  /// A run on the constants of another bundle ends before its first step.
  void checkConstants() {
    if (!bundle->hash)
      return;
    uint64_t place = bundle->constants.size() - sizeof bundle->hash;
    Value *found = code.CreateAlignedLoad(code.getInt64Ty(),
                                          at(Constants, place), Align(8));
    returnUnlessZero(code.CreateXor(found, code.getInt64(bundle->hash)),
                     WrongWeights);
  }

  /// A step that finds a wrong value ends the run with status 1.
  void returnIfSet(Value *flag) {
    returnUnlessZero(code.CreateAlignedLoad(code.getInt64Ty(), flag, Align(8)),
                     WrongValue);
  }
  void returnUnlessZero(Value *value, BundleStatus status) {
    LLVMContext &context = ir.getContext();
    auto *wrong = BasicBlock::Create(context, "wrong", function);
    auto *right = BasicBlock::Create(context, "right", function);
    code.CreateCondBr(code.CreateIsNotNull(value), wrong, right);
    code.SetInsertPoint(wrong);
    code.CreateRet(code.getInt32(status));
    code.SetInsertPoint(right);
  }

  /// The StepInfo of a library kernel, as constants of the module.
  Value *infoOf(const Step &step, const StepSymbols &symbols) {
    if (symbols.measure.empty())
      return ConstantPointerNull::get(code.getPtrTy());
    OwnedStepInfo owned(step, entry.native.steps.buffers);
    return InfoConstants(ir).whole(step, *owned.get());
  }

  const BundleEntry &entry;
  const Bundle *bundle; ///< null: constants are not checked
  Module &ir;
  Function *function;
  Emitter code;
  FunctionType *kernel;
  Value *buffers = nullptr;
  SmallVector<Value *> given; ///< the addresses in the list
  DirectSteps direct;
  const bool isScalar;
  // Parts of an entry point of open sizes; else null.
  std::unique_ptr<EntrySizes> sizes;
  std::unique_ptr<OpenSteps> open;
  std::unique_ptr<EntryCalls> calls; ///< null without calls
};

/// The tables of a dynamic bundle; see BundleHeader.cpp.
class ConfigEmitter {
public:
  ConfigEmitter(CodeModule &module, const BundleEntry &entry)
      : ir(*module.ir), context(ir.getContext()), entry(entry) {}

  void emit(uint64_t constantBytes, uint64_t alignment) {
    for (const BundleSymbol &symbol : symbolsOf(entry))
      addRow(symbol);
    llvm::Constant *symbols = table(rows);
    show(ConstantStruct::getAnon(
             {number(constantBytes), number(entry.mutableBytes),
              number(entry.activationBytes), number(alignment),
              number(rows.size()), symbols}),
         "_config");
    if (entry.isOpen())
      emitSizes();
  }

private:
  llvm::Constant *number(uint64_t value) {
    return ConstantInt::get(ir.getDataLayout().getIntPtrType(context), value);
  }
  llvm::Constant *hidden(llvm::Constant *value) {
    return new GlobalVariable(ir, value->getType(), true,
                              GlobalValue::PrivateLinkage, value);
  }
  llvm::Constant *table(ArrayRef<llvm::Constant *> elements) {
    return hidden(ConstantArray::get(
        ArrayType::get(elements[0]->getType(), elements.size()), elements));
  }
  llvm::Constant *text(StringRef value) {
    return hidden(ConstantDataArray::getString(context, value));
  }
  void show(llvm::Constant *value, const char *suffix) {
    new GlobalVariable(ir, value->getType(), true, GlobalValue::ExternalLinkage,
                       value, entry.name + suffix);
  }

  void addRow(const BundleSymbol &symbol) {
    rows.push_back(ConstantStruct::getAnon(
        {text(symbol.name), number(symbol.offset), number(symbol.elements),
         ConstantInt::get(Type::getInt8Ty(context), !symbol.isConstant)}));
  }

  void emitSizes() {
    auto wide = [&](int64_t value) {
      return ConstantInt::get(Type::getInt64Ty(context), uint64_t(value));
    };
    SmallVector<llvm::Constant *> sizes, ranks;
    auto add = [&](const SizeVariable &size, int64_t multiple) {
      sizes.push_back(ConstantStruct::getAnon(
          {text(size.name), wide(size.low), wide(size.high), wide(multiple)}));
    };
    for (const SizeVariable &size : entry.sizes)
      add(size, size.multiple);
    for (const SizeVariable &size : entry.computed)
      add(size, 0);
    for (uint64_t rank : ranksOf(entry))
      ranks.push_back(number(rank));
    show(ConstantStruct::getAnon(
             {number(sizes.size()), table(sizes), table(ranks)}),
         "_sizes");
  }

  Module &ir;
  LLVMContext &context;
  const BundleEntry &entry;
  SmallVector<llvm::Constant *> rows;
};

} // namespace

void cpu::emitEntry(CodeModule &module, const BundleEntry &entry,
                    const Bundle *bundle) {
  EntryEmitter(module, entry, bundle).emit();
}

void cpu::emitConfig(CodeModule &module, const Bundle &bundle,
                     const BundleEntry &entry) {
  ConfigEmitter(module, entry).emit(bundle.constants.size(), bundle.alignment);
}

static constexpr const char *weightsSection = ".rodata.weights";

void cpu::emitConstants(CodeModule &module, const Bundle &bundle,
                        bool asZeros) {
  LLVMContext &context = module.ir->getContext();
  auto *type =
      ArrayType::get(Type::getInt8Ty(context), bundle.constants.size());
  llvm::Constant *bytes =
      asZeros ? ConstantAggregateZero::get(type)
              : ConstantDataArray::getString(context, bundle.constants,
                                             /*AddNull=*/false);
  auto *global = new GlobalVariable(*module.ir, bytes->getType(), true,
                                    GlobalValue::ExternalLinkage, bytes,
                                    bundle.name + "_weights");
  global->setAlignment(Align(bundle.alignment));
  if (asZeros)
    global->setSection(weightsSection);
}

Status cpu::fillConstants(std::string &object, const Bundle &bundle) {
  auto file = object::ELF64LEFile::create(object);
  if (!file)
    return Status(glow::Code::Internal, toString(file.takeError()));
  auto sections = file->sections();
  if (!sections)
    return Status(glow::Code::Internal, toString(sections.takeError()));
  for (const auto &section : *sections) {
    llvm::Expected<StringRef> name = file->getSectionName(section);
    if (!name) {
      consumeError(name.takeError());
    } else if (*name == weightsSection &&
               section.sh_size == bundle.constants.size()) {
      bundle.constants.copy(object.data() + section.sh_offset, section.sh_size);
      return Status();
    }
  }
  return Status(glow::Code::Internal,
                "the object has no section for its weights");
}
