//===- Target.cpp - the processor that code is made for -------------------===//
// SPDX-License-Identifier: MIT

#include "Target.h"
#include "device/Features.h"
#include "device/Tiles.h"
#include "glow/Base/MemorySize.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

using namespace glow;
using namespace glow::cpu;

/// The features of the processor that this process may use. The system may deny
/// it the tiles.
static llvm::StringMap<bool> featuresOfHost() {
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  for (auto &feature : features)
    if (feature.second && feature.first().starts_with("amx"))
      feature.second = mayUseTiles();
  return features;
}

/// Extensions that a file could not list, since Features.h does not ask a
/// processor for them: no code uses these.
static constexpr const char *unlisted =
    "-egpr,-push2pop2,-ppx,-ndd,-ccmp,-nf,-cf,-zu,-avx10.2";

static glow::cpu::Target::Nearest nearestOf(const glow::cpu::Target &target,
                                            const llvm::TargetLowering &types) {
  using Nearest = glow::cpu::Target::Nearest;
  const llvm::Triple &triple = target.machine->getTargetTriple();
  if (!types.isTypeLegal(llvm::MVT::f32))
    return Nearest::Sum;
  // LLVM makes one conversion of the two on RISC-V.
  if (triple.isRISCV() ||
      types.isOperationLegal(llvm::ISD::FROUNDEVEN, llvm::MVT::f32))
    return Nearest::Rounding;
  return triple.isARM() || triple.isThumb() ? Nearest::Conversion
                                            : Nearest::Sum;
}

/// The registers of a processor as its target of LLVM describes them.
static void describeRegisters(glow::cpu::Target &target) {
  llvm::LLVMContext context;
  llvm::Module module("registers", context);
  module.setTargetTriple(target.machine->getTargetTriple());
  auto *function = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
      llvm::Function::ExternalLinkage, "registers", module);
  const llvm::TargetSubtargetInfo &subtarget =
      *target.machine->getSubtargetImpl(*function);
  const llvm::TargetLowering &types = *subtarget.getTargetLowering();
  for (auto type : {llvm::MVT::v4f32, llvm::MVT::v4i32, llvm::MVT::v8f32})
    if (types.isTypeLegal(type))
      return;
  target.lanes = 1;
  target.nearest = nearestOf(target, types);
  if (types.isTypeLegal(llvm::MVT::i32))
    target.integerRegisters =
        types.getRegClassFor(llvm::MVT::i32)->getNumRegs();
  // Without a unit for floats, functions keep so many registers of integers.
  target.floatRegisters = 8;
  if (!types.isTypeLegal(llvm::MVT::f32))
    return;
  // WebAssembly names one register for all of its locals.
  constexpr unsigned least = 16;
  target.floatRegisters =
      std::max(types.getRegClassFor(llvm::MVT::f32)->getNumRegs(), least);
}

static std::string hostFeatures() {
  std::string features;
  for (auto &feature : featuresOfHost())
    features += (features.empty() ? "" : ",") +
                std::string(feature.second ? "+" : "-") + feature.first().str();
  return features;
}

static bool initialiseHost() {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  return true;
}

static bool initialiseAll() {
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::InitializeAllAsmParsers();
  return true;
}

/// Others take a third of a millisecond.
static void initialiseTargets(bool onlyHost) {
  [[maybe_unused]] static const bool host = initialiseHost();
  if (onlyHost)
    return;
  [[maybe_unused]] static const bool all = initialiseAll();
}

Result<Target> Target::create(const CodeOptions &options) {
  Target target;
  std::string triples = settingOf("cpu", options.settings, "target");
  initialiseTargets(/*onlyHost=*/triples.empty());
  std::string processor = settingOf("cpu", options.settings, "cpu");
  bool host = triples.empty();
  llvm::Triple triple(host ? llvm::sys::getProcessTriple()
                           : llvm::Triple::normalize(triples));
  std::string message;
  const llvm::Target *found =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!found)
    return Status(Code::InvalidArgument,
                  "target '" + triple.str() + "' is unknown: " + message);
  target.cpu = processor;
  target.modelsTiles =
      settingOf("cpu", options.settings, "model-tiles") == "true";
  target.arenaLimit =
      parseSize(settingOf("cpu", options.settings, "arena-limit")).value_or(0);
  target.memoryLimit = options.memoryLimit;
  target.math = options.math.value_or(Math::Default);
  target.isHost = host && (processor.empty() || processor == "native");
  if (target.isHost) {
    target.cpu = llvm::sys::getHostCPUName().str();
    target.features = hostFeatures();
  } else if (triple.isRISCV()) {
    // As clang does: linkers make calls shorter.
    target.features = "+relax";
  }
  if (triple.isX86())
    target.features +=
        (target.features.empty() ? "" : ",") + std::string(unlisted);
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      found->createMCSubtargetInfo(triple, "", ""));
  if (!target.cpu.empty() && !(known && known->isCPUStringValid(target.cpu)))
    return Status(Code::InvalidArgument, "processor '" + target.cpu +
                                             "' is unknown for target '" +
                                             triple.str() + "'");
  llvm::TargetOptions code;
  code.AllowFPOpFusion = llvm::FPOpFusion::Fast;
  target.machine.reset(found->createTargetMachine(
      triple, target.cpu, target.features, code,
      // WebAssembly has code for any place only by ways of its own.
      triple.isWasm() ? llvm::Reloc::Static : llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Less, host));
  // Kernels of the library read structs, whose low bytes come first.
  if (!target.machine || target.machine->getPointerSize(0) < 4 ||
      !target.machine->createDataLayout().isLittleEndian())
    return Status(Code::Unsupported,
                  "target '" + triple.str() +
                      "' should have addresses of 32 or 64 bits, and the low "
                      "bytes of numbers first");
  if (target.has("avx512f"))
    target.vectorRegisters = 32;
  std::string vectors = settingOf("cpu", options.settings, "vectors");
  if (vectors != "auto" && vectors != "none")
    return Status(Code::InvalidArgument,
                  "vectors should be auto or none, not '" + vectors + "'");
  if (!target.isHost)
    describeRegisters(target);
  if (vectors == "none" && target.lanes > 1)
    target.lanes = 1, target.floatRegisters = 16;
  std::string aim = settingOf("cpu", options.settings, "optimize");
  if (aim != "speed" && aim != "size")
    return Status(Code::InvalidArgument,
                  "optimize should be speed or size, not '" + aim + "'");
  // Tiles of one sum, or of two vectors of sums.
  if (aim == "size")
    target.floatRegisters = 0, target.vectorRegisters = 4;
  target.processor = processorNamed(
      target.cpu, [&](llvm::StringRef name) { return target.has(name); });
  if (target.isHost)
    if (auto measured = processorIn(options.measured, target.processor))
      target.processor = *measured, target.isMeasured = true;
  return target;
}

bool glow::cpu::Target::has(llvm::StringRef name) const {
  const llvm::MCSubtargetInfo *info = machine->getMCSubtargetInfo();
  // In the order of their names. A target does not know those of others.
  auto all = info->getAllProcessorFeatures();
  const auto *found = llvm::lower_bound(all, name);
  return found != all.end() && found->Key == name &&
         info->getFeatureBits().test(found->Value);
}

bool glow::cpu::Target::convertsHalves() const {
  const llvm::Triple &triple = machine->getTargetTriple();
  if (triple.isX86())
    return has("f16c");
  if (triple.isARM() || triple.isThumb())
    return has("fp16");
  if (triple.isRISCV())
    return has("zfhmin");
  return triple.isAArch64();
}

Status glow::cpu::Target::checkHost() const {
  if (isHost) // it was asked for its features
    return Status();
  std::vector<std::string> needed;
  for (std::string_view name :
       machine->getTargetTriple().isX86() ? x86Features() : armFeatures())
    if (has(name))
      needed.emplace_back(name);
  const std::string missing = missingFeatures(
      needed, [](std::string_view name) { return hasFeature(name); });
  if (missing.empty())
    return Status();
  return failure(Code::Unsupported, "processor '", cpu, "' has ", missing,
                 ", which this one has not");
}
