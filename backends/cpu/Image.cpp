//===- Image.cpp - from LLVM IR to code in memory -------------------------===//

#include "Image.h"
#include "Library.h"
#include "PrintC.h"
#include "Ready.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/ExecutionEngine/Orc/Debugging/DebuggerSupport.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
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

/// The loops that we emit are as they should be; looking for something better
/// takes more than half of the time of code generation.
static void disableLoopStrengthReduction() {
  static const bool once = [] {
    auto &options = cl::getRegisteredOptions();
    if (auto found = options.find("disable-lsr"); found != options.end())
      found->second->addOccurrence(0, "disable-lsr", "true");
    return true;
  }();
  (void)once;
}

/// Puts functions of the library where they are called.
static void inlineLibrary(CodeModule &unit) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
  PassBuilder builder(unit.target.machine.get());
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass());
  passes.addPass(createModuleToFunctionPassAdaptor(EarlyCSEPass()));
  // Layers of one shape have one code, of which a debugger would know one name.
  if (!unit.module->getNamedMetadata("llvm.dbg.cu"))
    passes.addPass(MergeFunctionsPass());
  passes.run(*unit.module, modules);
}

Status glow::cpu::linkLibrary(CodeModule &unit) {
  std::span<const char> bitcode = libraryBitcode();
  MemoryBufferRef buffer({bitcode.data(), bitcode.size()}, "library");
  Module &module = *unit.module;
  Expected<std::unique_ptr<Module>> library =
      getLazyBitcodeModule(buffer, module.getContext());
  if (!library)
    return Status(Code::Internal, toString(library.takeError()));
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  SmallPtrSet<Function *, 32> own;
  for (Function &function : module)
    if (!function.isDeclaration())
      own.insert(&function);
  if (Linker::linkModules(module, std::move(*library), Linker::LinkOnlyNeeded))
    return Status(Code::Internal, "the library cannot be linked");
  for (Function &function : module)
    if (!function.isDeclaration() && !own.contains(&function)) {
      if (!unit.used.contains(function.getName()))
        function.setLinkage(GlobalValue::InternalLinkage);
      function.setComdat(nullptr); // some kinds of object files have none
      unit.setTarget(function);
    }
  return Status();
}

Result<std::string> glow::cpu::generate(CodeModule &unit,
                                        CodeGenFileType kind) {
  disableLoopStrengthReduction();
  unit.placeCode();
  inlineLibrary(unit);
  SmallVector<char, 0> file;
  raw_svector_ostream stream(file);
  legacy::PassManager passes;
  if (unit.target.machine->addPassesToEmitFile(passes, stream, nullptr, kind))
    return Status(Code::Unsupported, "no code can be made for '" +
                                         unit.module->getTargetTriple().str() +
                                         "'");
  passes.run(*unit.module);
  return std::string(file.begin(), file.end());
}

Result<std::string> glow::cpu::makeObject(CodeModule &unit) {
  if (Status status = linkLibrary(unit); !status.ok())
    return status;
  return generate(unit, CodeGenFileType::ObjectFile);
}

std::string glow::cpu::printModule(CodeModule &unit) {
  inlineLibrary(unit);
  std::string text;
  raw_string_ostream stream(text);
  unit.module->print(stream, nullptr);
  return text;
}

Result<std::string> glow::cpu::printModuleAsC(CodeModule &unit) {
  inlineLibrary(unit);
  return printC(*unit.module);
}

namespace {

class JitImage final : public Image {
public:
  JitImage(std::unique_ptr<orc::LLJIT> jit,
           std::shared_ptr<const std::string> object)
      : object(std::move(object)), jit(std::move(jit)) {}
  void *find(const std::string &symbol) const override {
    if (void *ready = findReady(symbol))
      return ready;
    Expected<orc::ExecutorAddr> address = jit->lookup(symbol);
    if (address)
      return address->toPtr<void *>();
    consumeError(address.takeError());
    return nullptr;
  }

private:
  std::shared_ptr<const std::string> object;
  std::unique_ptr<orc::LLJIT> jit;
};

} // namespace

Result<std::shared_ptr<const Image>>
Image::load(std::shared_ptr<const std::string> object, bool debugged) {
  auto jit = orc::LLJITBuilder().create();
  if (!jit)
    return Status(Code::Internal, toString(jit.takeError()));
  if (debugged)
    if (Error error = orc::enableDebuggerSupport(**jit))
      return Status(Code::Internal, toString(std::move(error)));
  auto buffer = MemoryBuffer::getMemBuffer(*object, "program",
                                           /*RequiresNullTerminator=*/false);
  if (Error error = (*jit)->addObjectFile(std::move(buffer)))
    return Status(Code::Internal, toString(std::move(error)));
  return std::shared_ptr<const Image>(
      new JitImage(std::move(*jit), std::move(object)));
}
