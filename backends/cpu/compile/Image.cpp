//===- Image.cpp - from LLVM IR to code in memory -------------------------===//
// SPDX-License-Identifier: MIT

#include "Image.h"
#include "Flatten.h"
#include "HalfConversions.h"
#include "OneLane.h"
#include "Precompiled.h"
#include "UsedFeatures.h"
#include "common/Library.h"
#include "quick/Quick.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/ExecutionEngine/Orc/Debugging/DebuggerSupport.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/MergeFunctions.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

/// The emitted loops need no strength reduction, which would take more than
/// half of the time of code generation.
static void disableLoopStrengthReduction() {
  static const bool once = [] {
    auto &options = cl::getRegisteredOptions();
    if (auto found = options.find("disable-lsr"); found != options.end())
      found->second->addOccurrence(0, "disable-lsr", "true");
    return true;
  }();
  (void)once;
}

/// Runs the passes that `add` adds.
static void runPasses(Module &ir, function_ref<void(ModulePassManager &)> add) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
  // Neither inlining nor equal expressions depend on the processor, which costs
  // time to describe.
  PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  ModulePassManager passes;
  add(passes);
  passes.run(ir, modules);
}

/// Puts functions of the library where they are called.
static void inlineCalls(Module &ir) {
  if (any_of(ir, [](const Function &function) {
        return function.hasFnAttribute(llvm::Attribute::AlwaysInline);
      }))
    runPasses(ir, [](ModulePassManager &passes) {
      passes.addPass(AlwaysInlinerPass());
    });
}

/// Joins equal expressions and equal functions. No other optimisation runs: the
/// library was optimised when Glow was built, and emitted code needs none.
static void joinEqual(Module &ir) {
  runPasses(ir, [&](ModulePassManager &passes) {
    passes.addPass(createModuleToFunctionPassAdaptor(EarlyCSEPass()));
    // Layers of one shape share code. A debugger would know only one of their
    // names.
    if (!ir.getNamedMetadata("llvm.dbg.cu"))
      passes.addPass(MergeFunctionsPass());
  });
  // After masks are constants where they can be.
  storeSingleLanes(ir);
}

void glow::cpu::inlineLibrary(CodeModule &module) {
  inlineCalls(*module.ir);
  joinEqual(*module.ir);
}

static bool usesLibrary(const Module &ir) {
  return any_of(ir, [](const Function &function) {
    return function.isDeclaration() && !function.isIntrinsic();
  });
}

/// Names the functions of a part apart from those of sixteen lanes.
static void addSuffix(Module &library, StringRef suffix) {
  for (Function &function : library)
    if (!function.isDeclaration())
      function.setName(function.getName() + suffix);
}

/// Brings what the module uses of a part of the library into it, by its name
/// and `suffix`.
static Status linkPart(CodeModule &module, std::span<const char> bitcode,
                       StringRef suffix = "") {
  MemoryBufferRef buffer({bitcode.data(), bitcode.size()}, "library");
  Module &ir = *module.ir;
  Expected<std::unique_ptr<Module>> library =
      getLazyBitcodeModule(buffer, ir.getContext());
  if (!library)
    return Status(Code::Internal, toString(library.takeError()));
  addSuffix(**library, suffix);
  (*library)->setTargetTriple(ir.getTargetTriple());
  (*library)->setDataLayout(ir.getDataLayout());
  SmallPtrSet<Function *, 32> own;
  for (Function &function : ir)
    if (!function.isDeclaration())
      own.insert(&function);
  if (Linker::linkModules(ir, std::move(*library), Linker::LinkOnlyNeeded))
    return Status(Code::Internal, "the library cannot be linked");
  for (Function &function : ir)
    if (!function.isDeclaration() && !own.contains(&function)) {
      if (!module.used.contains(function.getName()))
        // A function that is inlined everywhere can be removed.
        function.setLinkage(GlobalValue::InternalLinkage);
      function.setComdat(nullptr); // some kinds of object files have none
      module.setTarget(function);
    }
  // Tables of the library are no one else's.
  for (GlobalVariable &variable : ir.globals())
    if (variable.hasLinkOnceLinkage()) {
      variable.setLinkage(GlobalValue::InternalLinkage);
      variable.setComdat(nullptr);
    }
  return Status();
}

/// Functions for vectors of one lane.
static Status linkOneLane(CodeModule &module) {
  bool isUsed = any_of(*module.ir, [](const Function &function) {
    return function.isDeclaration() && function.getName().ends_with(oneLane);
  });
  return isUsed ? linkPart(module, oneLaneBitcode(), oneLane) : Status();
}

Status glow::cpu::linkLibrary(CodeModule &module) {
  if (Status status = linkOneLane(module); !status.ok())
    return status;
  // Reading the whole library takes as long as compiling a small network, which
  // uses functions of elements alone: these are tried first.
  for (std::span<const char> part : {functionBitcode(), libraryBitcode()})
    if (usesLibrary(*module.ir))
      if (Status status = linkPart(module, part); !status.ok())
        return status;
  return Status();
}

namespace {

/// A file as a string, which may be most of the memory: it is there once.
class FileInMemory final : public raw_pwrite_stream {
public:
  explicit FileInMemory(std::string &bytes)
      : raw_pwrite_stream(/*Unbuffered=*/true), bytes(bytes) {}

private:
  void write_impl(const char *from, size_t size) override {
    bytes.append(from, size);
  }
  void pwrite_impl(const char *from, size_t size, uint64_t place) override {
    bytes.replace(place, size, from, size);
  }
  uint64_t current_pos() const override { return bytes.size(); }

  std::string &bytes;
};

} // namespace

/// The code of the module, without further optimisation.
static Result<std::string> generateAsItIs(CodeModule &module,
                                          CodeGenFileType kind) {
  disableLoopStrengthReduction();
  if (!module.target.convertsHalves())
    convertHalvesByIntegers(*module.ir);
  std::string file;
  FileInMemory stream(file);
  // Reserved, because growing the string would hold its bytes twice.
  uint64_t data = 0;
  for (const GlobalVariable &variable : module.ir->globals())
    if (variable.hasInitializer())
      data +=
          module.ir->getDataLayout().getTypeAllocSize(variable.getValueType());
  file.reserve(data + data / 64);
  legacy::PassManager passes;
  if (module.target.machine->addPassesToEmitFile(passes, stream, nullptr, kind))
    return Status(Code::Unsupported, "no code can be made for '" +
                                         module.ir->getTargetTriple().str() +
                                         "'");
  passes.run(*module.ir);
  return file;
}

Result<std::string> glow::cpu::generate(CodeModule &module,
                                        CodeGenFileType kind) {
  inlineLibrary(module);
  return generateAsItIs(module, kind);
}

/// Selects the fastest code generation for a function that only calls others,
/// as its run time is spent in these. Leaves other functions as they are.
static void hasten(Function &function) {
  bool hasVectors = false, hasCalls = false;
  for (Instruction &instruction : instructions(function)) {
    auto isVector = [](Value *value) { return value->getType()->isVectorTy(); };
    hasVectors |=
        isVector(&instruction) || any_of(instruction.operands(), isVector);
    hasCalls |= isa<CallInst>(instruction) && !isa<IntrinsicInst>(instruction);
  }
  if (hasVectors || !hasCalls)
    return;
  function.addFnAttr(llvm::Attribute::NoInline);
  function.addFnAttr(llvm::Attribute::OptimizeNone);
}

/// Programs whose kernels are all precompiled have no code, and no bytes would
/// be damaged code.
static MadeCode linked(FlatCode code) {
  if (code.bytes.empty())
    code.bytes = "\xc3"; // ret
  return {std::move(code), "", {}};
}

/// Whether the module has instructions of AMX.
static bool usesTiles(const Module &ir) {
  return any_of(ir, [](const Function &function) {
    return function.getName().starts_with("llvm.x86.t");
  });
}

/// The code of a module that contains all functions which it calls.
static Result<MadeCode> makeWhole(CodeModule &module) {
  // Code for a debugger or perf goes the way of files, through LLVM.
  if (!module.separate)
    if (auto code = quick::assemble(*module.ir, module.target))
      return linked(std::move(*code));
  joinEqual(*module.ir);
  for (Function &function : *module.ir)
    if (module.hosted && !function.isDeclaration())
      hasten(function);
  Result<std::string> object =
      generateAsItIs(module, CodeGenFileType::ObjectFile);
  if (!object)
    return object.status();
  auto flat = module.separate ? std::nullopt : flatten(*object);
  return flat ? linked(std::move(*flat)) : MadeCode{{}, object.take(), {}};
}

Result<MadeCode> glow::cpu::makeCode(CodeModule &module) {
  if (Status status = linkLibrary(module); !status.ok())
    return status;
  inlineCalls(*module.ir);
  bool tiles = usesTiles(*module.ir);
  Result<MadeCode> made = makeWhole(module);
  if (made)
    made->features = possibleFeatures(module.target, tiles);
  return made;
}

Result<std::string> glow::cpu::makeObject(CodeModule &module) {
  if (Status status = linkLibrary(module); !status.ok())
    return status;
  return generate(module, CodeGenFileType::ObjectFile);
}

std::string glow::cpu::printModule(CodeModule &module) {
  inlineLibrary(module);
  std::string text;
  raw_string_ostream stream(text);
  module.ir->print(stream, nullptr);
  return text;
}

namespace {

class FlatCodeImage final : public Image {
public:
  explicit FlatCodeImage(std::shared_ptr<const FlatImage> image)
      : image(std::move(image)) {}
  void *findMade(const std::string &symbol) const override {
    return image->find(symbol);
  }

private:
  std::shared_ptr<const FlatImage> image;
};

class JitImage final : public Image {
public:
  JitImage(std::unique_ptr<orc::LLJIT> jit,
           std::shared_ptr<const MadeCode> code)
      : code(std::move(code)), jit(std::move(jit)) {}
  void *findMade(const std::string &symbol) const override {
    Expected<orc::ExecutorAddr> address = jit->lookup(symbol);
    if (address)
      return address->toPtr<void *>();
    consumeError(address.takeError());
    return nullptr;
  }

private:
  std::shared_ptr<const MadeCode> code;
  std::unique_ptr<orc::LLJIT> jit;
};

} // namespace

void *Image::find(const std::string &symbol) const {
  void *precompiled = findPrecompiled(symbol);
  return precompiled ? precompiled : findMade(symbol);
}

static Result<std::shared_ptr<const Image>>
loadObject(std::shared_ptr<const MadeCode> code, bool debugged) {
  auto jit = orc::LLJITBuilder().create();
  if (!jit)
    return Status(Code::Internal, toString(jit.takeError()));
  if (debugged)
    if (Error error = orc::enableDebuggerSupport(**jit))
      return Status(Code::Internal, toString(std::move(error)));
  auto buffer = MemoryBuffer::getMemBuffer(code->object, "program",
                                           /*RequiresNullTerminator=*/false);
  if (Error error = (*jit)->addObjectFile(std::move(buffer)))
    return Status(Code::Internal, toString(std::move(error)));
  return std::shared_ptr<const Image>(
      new JitImage(std::move(*jit), std::move(code)));
}

Result<std::shared_ptr<const Image>>
Image::load(std::shared_ptr<const MadeCode> code, bool debugged) {
  if (code->flat.bytes.empty())
    return loadObject(std::move(code), debugged);
  Result<std::shared_ptr<const FlatImage>> image = FlatImage::load(code->flat);
  if (!image)
    return image.status();
  return std::shared_ptr<const Image>(new FlatCodeImage(image.take()));
}
