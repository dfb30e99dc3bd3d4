//===- Files.cpp - compiled models as files -------------------------------===//
// SPDX-License-Identifier: MIT
//
// All files of a request come from one module of LLVM, which holds the code of
// all entries: as text, as an object, as C, or linked to a library that `glow
// run` takes. A bundle is bound when it is linked, a library when it is opened,
// with a description of the program in it.
//
//===----------------------------------------------------------------------===//

#include "Bundle.h"
#include "LibraryForm.h"
#include "Link.h"
#include "NarrowAddresses.h"
#include "ScalarCode.h"
#include "aot/c/PrintC.h"
#include "compile/Compile.h"
#include "compile/EmittedSteps.h"
#include "compile/Image.h"
#include "compile/UsedFeatures.h"
#include "device/Stored.h"
#include "glow/Program/ProgramSeal.h"
#include "glow/Program/Serial.h"
#include "glow/Program/SizeValues.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Object/ArchiveWriter.h"

using namespace glow;
using namespace glow::cpu;

/// A static library of one object.
static Result<std::string> makeArchive(const std::string &name,
                                       const std::string &object) {
  std::string file = name + ".o";
  std::vector<llvm::NewArchiveMember> members;
  members.emplace_back(llvm::MemoryBufferRef(object, file));
  auto archive = llvm::writeArchiveToBuffer(
      // Deterministic: without times and users, so that equal models make equal
      // files.
      members, llvm::SymtabWritingMode::NormalSymtab,
      llvm::object::Archive::K_GNU, /*Deterministic=*/true, /*Thin=*/false);
  if (!archive)
    return Status(Code::Internal, llvm::toString(archive.takeError()));
  return (*archive)->getBuffer().str();
}

/// A list of one file. An initializer list would copy the bytes.
static std::vector<EmittedFile> oneFile(std::string suffix, std::string bytes) {
  std::vector<EmittedFile> files;
  files.push_back({std::move(suffix), std::move(bytes)});
  return files;
}

/// Adds the code of an entry point to a module, with the conditions of its
/// runs.
static Result<NativeProgram> buildEntry(CodeModule &module,
                                        const EntryPoint &point,
                                        const std::string &prefix) {
  SizeDecisions decisions;
  mlir::FailureOr<NativeProgram> native =
      buildProgram(module, point.function, point.owner, prefix);
  if (mlir::failed(native))
    return Status(Code::InvalidArgument,
                  "'" + point.name + "' cannot be compiled");
  for (const SizeCondition &condition : decisions.conditions())
    addCondition(native->program.conditions, condition);
  if (Status status = measureHere(*native); !status.ok())
    return status;
  return std::move(*native);
}

namespace {

/// Makes the files of one request; the module holds the code of all entries.
class FileEmitter {
public:
  FileEmitter(const EmitRequest &request, const Target &target,
              GivenPlans *plans)
      : request(request), module(context, target) {
    module.savesMemory = true;
    module.isText = request.what == "c";
    module.plans = plans;
  }

  Result<std::vector<EmittedFile>> run(std::span<const EntryPoint> points) {
    Result<Bundle> bundle = build(points);
    if (!bundle)
      return bundle.status();
    for (const BundleEntry &entry : bundle->entries)
      emitEntry(module, entry, isBundle() ? &*bundle : nullptr);
    if (Status status = linkLibrary(module); !status.ok())
      return status;
    hideSteps(*bundle);
    if (isScalar())
      simplifyScalars(module, isForSize() && request.what != "c");
    if (request.what == "c")
      return files(printAsC(*bundle), ".c", *bundle);
    if (Status status = fitAddresses(*bundle); !status.ok())
      return status;
    if (isScalar())
      optimiseScalars(module, isForSize());
    if (request.dynamicApi)
      for (const BundleEntry &entry : bundle->entries)
        emitConfig(module, *bundle, entry);
    if (!isBundle())
      return codeFile();
    if (request.embedWeights)
      emitConstants(module, *bundle, isFilled());
    Result<std::string> code =
        generate(module, llvm::CodeGenFileType::ObjectFile);
    if (code && request.embedWeights && isFilled())
      if (Status status = fillConstants(*code, *bundle); !status.ok())
        return status;
    if (code && request.archive)
      code = makeArchive(request.name, *code);
    return files(std::move(code), request.archive ? ".a" : ".o", *bundle);
  }

private:
  Result<std::vector<EmittedFile>> files(Result<std::string> code,
                                         const char *suffix, Bundle &bundle) {
    if (!code)
      return code.status();
    std::vector<EmittedFile> files = oneFile(suffix, code.take());
    files.push_back({".h", bundleHeader(bundle, request)});
    if (!request.embedWeights)
      files.push_back({".weights", std::move(bundle.constants)});
    addForm(files, request, module.target.cpu);
    return files;
  }

  /// Whether the request is for a bundle, as object code or as C.
  bool isBundle() const {
    return request.what == "bundle" || request.what == "c";
  }

  bool isForSize() const {
    return settingOf("cpu", request.code.settings, "optimize") == "size";
  }

  /// Whether the processor has no registers of vectors.
  bool isScalar() const { return module.target.lanes == 1; }

  /// Whether weights are put into the object when it is made.
  bool isFilled() const {
    const llvm::Triple &triple = module.target.machine->getTargetTriple();
    return triple.isOSBinFormatELF() && triple.isArch64Bit();
  }

  /// Converts the module to the address size of the target.
  Status fitAddresses(const Bundle &bundle) {
    llvm::DataLayout layout = module.target.machine->createDataLayout();
    if (layout.getPointerSize() == 8)
      return Status();
    for (const BundleEntry &entry : bundle.entries)
      for (uint64_t bytes : {uint64_t(bundle.constants.size()),
                             entry.mutableBytes, entry.activationBytes})
        if (bytes > INT32_MAX)
          return Status(Code::Unsupported,
                        "'" + entry.name + "' takes " + std::to_string(bytes) +
                            " bytes in one piece, which addresses of 32 bits "
                            "cannot have");
    return narrowAddresses(*module.ir, layout);
  }

  Result<std::string> printAsC(const Bundle &bundle) {
    inlineLibrary(module);
    shapeLoops(module);
    Result<std::string> code =
        printC(*module.ir, request.name + ".h", signaturesOf(bundle, request));
    if (code)
      code = code.take() + bundleData(bundle, request);
    return code;
  }

  Result<Bundle> build(std::span<const EntryPoint> points) {
    std::vector<BundleEntry> entries;
    for (const EntryPoint &point : points) {
      Result<NativeProgram> native =
          buildEntry(module, point, point.name + "_");
      if (!native)
        return native.status();
      BundleEntry &entry = entries.emplace_back();
      entry.name = point.name;
      entry.native = native.take();
    }
    return layOut(request.name, std::move(entries), module.target.alignment());
  }

  /// Makes all functions internal except the entry points.
  void hideSteps(const Bundle &bundle) {
    auto hide = [&](const std::string &name) {
      llvm::Function *function = module.ir->getFunction(name);
      if (function)
        function->setLinkage(llvm::GlobalValue::InternalLinkage);
      return function;
    };
    for (const BundleEntry &entry : bundle.entries)
      for (const StepSymbols &symbols : entry.native.symbols)
        for (const StepSymbols::Phase &phase : symbols.phases) {
          hide(phase.function);
          llvm::Function *measure =
              phase.measure.empty() ? nullptr : hide(phase.measure);
          if (measure && isScalar()) // an expression of a few sizes
            measure->addFnAttr(llvm::Attribute::AlwaysInline);
        }
  }

  Result<std::vector<EmittedFile>> codeFile() {
    if (request.what == "llvm")
      return oneFile("", printModule(module));
    Result<std::string> file = generate(
        module, request.what == "asm" ? llvm::CodeGenFileType::AssemblyFile
                                      : llvm::CodeGenFileType::ObjectFile);
    if (!file)
      return file.status();
    return oneFile("", file.take());
  }

  const EmitRequest &request;
  llvm::LLVMContext context;
  CodeModule module;
};

} // namespace

/// The functions of all steps, once each.
static llvm::SetVector<llvm::StringRef>
functionsOf(const std::vector<StepSymbols> &steps) {
  llvm::SetVector<llvm::StringRef> names;
  for (const StepSymbols &symbols : steps)
    for (const StepSymbols::Phase &phase : symbols.phases)
      names.insert(phase.function);
  return names;
}

/// The functions that measure steps whose sizes a run gives, once each.
static llvm::SetVector<llvm::StringRef>
measuresOf(const StepCode &code, const std::vector<StepSymbols> &steps) {
  llvm::SetVector<llvm::StringRef> names;
  for (auto [step, symbols] : llvm::zip(code.steps, steps)) {
    if (!isOpen(code, step))
      continue;
    names.insert(symbols.measure);
    for (const StepSymbols::Phase &phase : symbols.phases)
      names.insert(phase.measure);
  }
  names.remove("");
  return names;
}

/// The symbol by which the code of a shared library refers to its constants.
static constexpr const char *constantsName = "glow_constants";

/// Adds the data of a shared library, a ProgramHeader.
static void emitHeader(CodeModule &module,
                       llvm::ArrayRef<llvm::StringRef> functions,
                       const std::string &description, uint64_t constantBytes) {
  llvm::LLVMContext &context = module.ir->getContext();
  auto add = [&](llvm::Constant *value, const llvm::Twine &name) {
    auto *global = new llvm::GlobalVariable(
        *module.ir, value->getType(), true,
        name.isTriviallyEmpty() ? llvm::GlobalValue::PrivateLinkage
                                : llvm::GlobalValue::ExternalLinkage,
        value, name);
    global->setAlignment(llvm::Align(64));
    return global;
  };
  auto text = [&](llvm::StringRef bytes) {
    return llvm::ConstantDataArray::getString(context, bytes);
  };
  auto number = [&](uint64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value);
  };
  auto *pointer = llvm::PointerType::getUnqual(context);
  auto *row = llvm::StructType::get(pointer, pointer);
  std::vector<llvm::Constant *> rows;
  for (llvm::StringRef name : functions) {
    // A header needs the address alone, of a StepKernel or a StepMeasure.
    auto *function = llvm::Function::Create(module.stepType(),
                                            llvm::GlobalValue::ExternalLinkage,
                                            name, *module.ir);
    function->setVisibility(llvm::GlobalValue::HiddenVisibility);
    rows.push_back(
        llvm::ConstantStruct::get(row, {add(text(name), ""), function}));
  }
  auto *constants = new llvm::GlobalVariable(
      *module.ir, llvm::Type::getInt8Ty(context), true,
      llvm::GlobalValue::ExternalLinkage, nullptr, constantsName);
  constants->setVisibility(llvm::GlobalValue::HiddenVisibility);
  llvm::StringRef magic(ProgramHeader::expectedMagic,
                        sizeof ProgramHeader::expectedMagic);
  add(llvm::ConstantStruct::getAnon(
          {llvm::ConstantDataArray::getString(context, magic, false),
           add(text("cpu"), ""), add(text(description), ""),
           number(description.size()), constants, number(constantBytes),
           add(llvm::ConstantArray::get(llvm::ArrayType::get(row, rows.size()),
                                        rows),
               ""),
           number(rows.size())}),
      "glow_program");
}

/// Makes the functions of steps visible to the object with the header. Users of
/// the library see only `glow_program`.
static void hideFunctions(llvm::Module &ir,
                          const llvm::SetVector<llvm::StringRef> &steps) {
  for (llvm::Function &function : ir) {
    if (function.isDeclaration())
      continue;
    bool isStep = steps.contains(function.getName());
    function.setLinkage(isStep ? llvm::GlobalValue::ExternalLinkage
                               : llvm::GlobalValue::InternalLinkage);
    if (isStep)
      function.setVisibility(llvm::GlobalValue::HiddenVisibility);
  }
}

/// The object of the steps' code, and the object of the header, which lists the
/// processor features that the code needs.
static Result<std::vector<std::string>>
makeObjects(CodeModule &module, StoredCode &stored, uint64_t constantBytes) {
  llvm::SetVector<llvm::StringRef> steps = functionsOf(stored.symbols);
  for (llvm::StringRef step : steps) // of the library too
    module.ir->getOrInsertFunction(step, module.stepType());
  auto *measureType = llvm::FunctionType::get(
      module.stepType()->getReturnType(),
      module.stepType()->params().take_front(2), /*isVarArg=*/false);
  for (llvm::StringRef measure : measuresOf(stored.steps, stored.symbols)) {
    module.ir->getOrInsertFunction(measure, measureType);
    steps.insert(measure);
  }
  if (Status status = linkLibrary(module); !status.ok())
    return status;
  hideFunctions(*module.ir, steps);
  Result<std::string> code =
      generate(module, llvm::CodeGenFileType::ObjectFile);
  if (!code)
    return code.status();
  stored.features = usedFeatures(module.target, *code);
  CodeModule header(module.ir->getContext(), module.target);
  emitHeader(header, steps.getArrayRef(), describe(stored), constantBytes);
  Result<std::string> data =
      generate(header, llvm::CodeGenFileType::ObjectFile);
  if (!data)
    return data.status();
  std::vector<std::string> objects;
  objects.push_back(code.take());
  objects.push_back(data.take());
  return objects;
}

/// A program that `glow run` takes: its steps are the symbols of a shared
/// library.
static Result<std::vector<EmittedFile>>
emitShared(const EntryPoint &point, const Target &target, GivenPlans *plans) {
  const llvm::Triple &triple = target.machine->getTargetTriple();
  if (!triple.isArch64Bit())
    return Status(Code::Unsupported,
                  "glow run has addresses of 64 bits, and target '" +
                      triple.str() +
                      "' of 32; --emit=bundle has objects for it");
  if (!triple.isOSBinFormatELF())
    return Status(Code::Unsupported,
                  "a shared library for glow run is an ELF file, which target "
                  "'" +
                      triple.str() +
                      "' has not; --emit=bundle has objects "
                      "for it");
  llvm::LLVMContext context;
  CodeModule module(context, target);
  module.plans = plans;
  Result<NativeProgram> native = buildEntry(module, point, "");
  if (!native)
    return native.status();
  std::optional<uint64_t> bytes = blockBytes(native->program);
  if (!bytes)
    return Status(Code::Unsupported, "constants of 2^63 bytes and more");
  native->program.states = point.states;
  StoredCode stored{std::move(native->program),
                    std::move(native->steps),
                    std::move(native->symbols),
                    {},
                    {},
                    module.sizes};
  Result<std::vector<std::string>> objects =
      makeObjects(module, stored, *bytes);
  if (!objects)
    return objects.status();
  const unsigned format = !stored.steps.ports.empty()            ? callFormat
                          : isOpen(stored.program, stored.steps) ? openFormat
                                                                 : fixedFormat;
  auto program = std::make_shared<Program>(std::move(stored.program));
  ByteSource constants = {
      *bytes, [program](const auto &append) { writeBlock(*program, append); }};
  program.reset();
  Result<std::string> library =
      linkShared(*objects, constantsName, std::move(constants));
  if (!library)
    return library.status();
  return oneFile("", sealProgram(library.take(), {.format = format,
                                                  .target = triple.str(),
                                                  .processor = target.cpu}));
}

/// Fails where a plan alone is larger than a limit of the arena.
static Status checkPlans(std::span<const EntryPoint> entries, uint64_t limit) {
  for (const EntryPoint &entry : entries) {
    ir::FuncOp function = entry.function;
    if (Status status = checkArena(function.getArenaBytes().value_or(0), limit,
                                   "values between nodes");
        !status.ok())
      return status.prefixed("'" + entry.name + "': ");
  }
  return Status();
}

/// The settings for a request. C code assumes a processor without vectors.
Settings CpuBackend::settingsFor(const EmitRequest &request) const {
  Settings settings = request.code.settings;
  if (request.isPortable())
    settings["vectors"] = "none";
  return settings;
}

Result<std::vector<EmittedFile>>
CpuBackend::emit(std::span<const EntryPoint> entries,
                 const EmitRequest &request) const {
  bool known = llvm::StringSwitch<bool>(request.what)
                   .Cases({"llvm", "asm", "obj", "bundle", "so", "c"}, true)
                   .Default(false);
  if (!known)
    return Backend::emit(entries, request);
  CodeOptions code = request.code;
  if (request.what == "c") {
    for (const auto &[name, value] : code.settings)
      if (name != "arena-limit" && name != "optimize" && name != "vectors")
        return Status(Code::InvalidArgument,
                      "C is for every processor: --target and --cpu say of "
                      "which code is");
    // The baseline x86-64, without any extension.
    if (Result<Target> given = Target::create(code); !given)
      return given.status();
    code.settings["vectors"] = "none";
    code.settings["target"] = "x86_64-unknown-linux-gnu";
    code.settings["cpu"] = "x86-64";
  }
  Result<Target> target = Target::create(code);
  if (!target)
    return target.status();
  if (Status status = checkPlans(entries, target->arenaLimit); !status.ok())
    return status;
  // Only runs of a shared library plan their memory.
  if (request.what != "so")
    for (const EntryPoint &entry : entries)
      if (Status status = checkGreatest(entry.function, code.memoryLimit);
          !status.ok())
        return status.prefixed("'" + entry.name + "': ");
  Result<std::unique_ptr<GivenPlans>> plans = GivenPlans::read(code.plans);
  if (!plans)
    return plans.status();
  auto files = request.what == "so"
                   ? emitShared(entries[0], *target, plans->get())
                   : FileEmitter(request, *target, plans->get()).run(entries);
  Status status = *plans && files ? (*plans)->check() : Status();
  return status.ok() ? std::move(files) : status;
}
